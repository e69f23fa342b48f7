// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the stage `header_parser` must say of a frame.

use super::{ConfigurationError, Options, Reading, Reason, read};
use crate::schema::{Case, Expect, Group, Outcome, VectorFile, Verdict};
use std::collections::BTreeMap;

/// Row 1, then the other rows but for row 14: the ICRC is left to the stage `icrc`. `bad_frame` is the MAC's mark.
#[must_use]
pub fn parse(frame: &[u8], bad_frame: bool, options: &Options) -> Reading {
    if bad_frame {
        return Reading::dropped(1, Reason::BadFrame);
    }
    read(frame, &Options { refuse_icrc: false, ..*options })
}

/// The vectors of the stage for another configuration: the frames of those for the default one, and what must come of
/// them then. The rows that decide are those of the other configuration; rows and results of the cases follow.
///
/// # Errors
/// The table says something that is no option.
pub fn judged(file: &VectorFile, table: &BTreeMap<String, String>) -> Result<VectorFile, ConfigurationError> {
    let options = Options::of_configuration(table)?;
    let judged = |case: &Case| {
        let reading = parse(&case.frame, case.bad_frame, &options);
        let rows = std::iter::once(format!("R{}", reading.row)).chain(case.rows.iter().skip(1).cloned());
        let result = if reading.verdict == Verdict::Ok { Outcome::Valid } else { Outcome::Invalid };
        Case { rows: rows.collect(), result, expect: Expect::from(&reading), ..case.clone() }
    };
    let default = file.groups.iter().filter(|group| group.configuration.is_empty());
    let groups: Vec<_> = default
        .map(|group| Group {
            configuration: table.clone(),
            tests: group.tests.iter().map(judged).collect(),
            ..group.clone()
        })
        .collect();
    let number_of_tests = groups.iter().map(|group| group.tests.len()).sum();
    Ok(VectorFile { groups, number_of_tests, ..file.clone() })
}

impl From<&Reading> for Expect {
    /// Of a dropped frame nothing is promised, also where the headers are complete.
    fn from(reading: &Reading) -> Self {
        let (reason, fields) = match reading.verdict {
            Verdict::Ok => (None, reading.fields()),
            Verdict::Drop => (Some(reading.reason), BTreeMap::new()),
        };
        Self { verdict: reading.verdict, reason, fields, frame: None }
    }
}
