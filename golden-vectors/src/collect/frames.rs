// SPDX-License-Identifier: MIT OR Apache-2.0
//! Collects cases into groups and asks the oracle what to expect of them.

use super::Aim;
use crate::headers::codec::Options;
use crate::schema::{Case, Expect, Group, Outcome, Verdict};
use std::collections::BTreeMap;

/// The oracle of a stage. From a frame, the MAC's mark and the options of the group it gives the row that decides and
/// the expected answer.
pub type Oracle = fn(&[u8], bool, &Options) -> (u8, Expect);

/// Adds the groups collected so far, with their cases.
#[derive(Debug)]
pub struct Suite {
    oracle: Oracle,
    /// The options of the last group.
    options: Options,
    groups: Vec<Group>,
}

impl Suite {
    /// A suite without groups, for the stage of this oracle.
    pub fn new(oracle: Oracle) -> Self {
        Self { oracle, options: Options::default(), groups: Vec::new() }
    }

    /// Starts a group. Cases added from now on belong to it.
    pub fn group(&mut self, name: &str, comment: &str) {
        self.configured(name, comment, &[]);
    }

    /// Starts a group that is run on a stage with this configuration.
    pub fn configured(&mut self, name: &str, comment: &str, configuration: &[(&str, &str)]) {
        let pair = |&(key, value): &(&str, &str)| (key.to_owned(), value.to_owned());
        let configuration: BTreeMap<_, _> = configuration.iter().map(pair).collect();
        // A configuration that cannot be read is found by the tests, which read each one back.
        self.options = Options::of_configuration(&configuration).unwrap_or_default();
        self.groups.push(Group { name: name.into(), comment: comment.into(), configuration, tests: Vec::new() });
    }

    /// Adds a case with a frame that the MAC did not mark.
    pub fn add(&mut self, id: impl AsRef<str>, comment: impl Into<String>, aim: Aim, frame: Vec<u8>) {
        self.push(id.as_ref(), comment.into(), aim, frame, false);
    }

    /// Adds a case with a frame that the MAC marked as bad.
    pub fn add_bad(&mut self, id: impl AsRef<str>, comment: impl Into<String>, aim: Aim, frame: Vec<u8>) {
        self.push(id.as_ref(), comment.into(), aim, frame, true);
    }

    /// Returns the groups. The cases of each are in the order in which they were added.
    pub fn into_groups(self) -> Vec<Group> {
        self.groups
    }

    fn push(&mut self, id: &str, comment: String, aim: Aim, frame: Vec<u8>, bad_frame: bool) {
        let Some(group) = self.groups.last_mut() else {
            return;
        };
        let (row, expect) = (self.oracle)(&frame, bad_frame, &self.options);
        let mut rows = vec![format!("R{row}")];
        for row in aim.rows {
            if !rows.iter().any(|known| known == row) {
                rows.push((*row).to_owned());
            }
        }
        let result = match expect.verdict {
            Verdict::Ok => Outcome::Valid,
            Verdict::Drop => Outcome::Invalid,
        };
        group.tests.push(Case {
            id: format!("{}/{id}", group.name),
            comment,
            flags: aim.flags.iter().map(|&flag| flag.to_owned()).collect(),
            rows,
            record: BTreeMap::new(),
            frame,
            bad_frame,
            result,
            expect,
        });
    }
}
