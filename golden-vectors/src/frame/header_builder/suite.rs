// SPDX-License-Identifier: MIT OR Apache-2.0
//! Collects records into groups and asks the oracle for the frames.

use crate::frame::header_builder::oracle::{Options, Record, build};
use crate::headers::codec::ConfigurationError;
use crate::schema::{Case, Expect, Group, Outcome, Reason, Verdict};
use std::collections::BTreeMap;

/// Adds the groups collected so far, with their cases.
#[derive(Default)]
pub struct Suite {
    table: BTreeMap<String, String>,
    options: Options,
    groups: Vec<Group>,
}

impl Suite {
    /// A suite whose groups are all for this configuration.
    pub fn of_configuration(table: &BTreeMap<String, String>) -> Result<Self, ConfigurationError> {
        Ok(Self { table: table.clone(), options: Options::of_configuration(table)?, groups: Vec::new() })
    }

    /// Starts a group. Cases added from now on belong to it.
    pub fn group(&mut self, name: &str, comment: &str) {
        let configuration = self.table.clone();
        self.groups.push(Group { name: name.into(), comment: comment.into(), configuration, tests: Vec::new() });
    }

    /// Starts a group that is run on a stage with this configuration.
    pub fn configured(&mut self, name: &str, comment: &str, configuration: &[(&str, &str)]) {
        self.table = configuration.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
        // A configuration that cannot be read is found by the tests, which read each one back.
        self.options = Options::of_configuration(&self.table).unwrap_or_default();
        self.group(name, comment);
    }

    /// Adds a case: a record, and the bytes on `s_axis` after its headers, which may be none.
    pub fn add(&mut self, id: impl AsRef<str>, comment: &str, aim: (&[&str], &[&str]), record: &Record, rest: Vec<u8>) {
        self.push(id.as_ref(), comment, aim, record, rest, false);
    }

    /// Adds a case whose source has marked the bytes on `s_axis` as bad.
    pub fn add_bad(
        &mut self,
        id: impl AsRef<str>,
        comment: &str,
        aim: (&[&str], &[&str]),
        record: &Record,
        rest: Vec<u8>,
    ) {
        self.push(id.as_ref(), comment, aim, record, rest, true);
    }

    /// Returns the groups. The cases of each are in the order in which they were added.
    pub fn into_groups(self) -> Vec<Group> {
        self.groups
    }

    fn push(&mut self, id: &str, comment: &str, aim: (&[&str], &[&str]), record: &Record, rest: Vec<u8>, bad: bool) {
        let frame = build(record, &rest, &self.options);
        let said = record.as_recorded(&self.options);
        let Some(group) = self.groups.last_mut() else { return };
        let names = |list: &[&str]| list.iter().map(|&name| name.to_owned()).collect();
        let (result, verdict, reason) = match bad {
            true => (Outcome::Invalid, Verdict::Drop, Some(Reason::BadFrame)),
            false => (Outcome::Valid, Verdict::Ok, None),
        };
        group.tests.push(Case {
            id: format!("{}/{id}", group.name),
            comment: comment.into(),
            flags: names(aim.0),
            rows: names(aim.1),
            record: said,
            frame: rest,
            bad_frame: bad,
            result,
            expect: Expect { verdict, reason, fields: BTreeMap::new(), frame: Some(frame) },
        });
    }
}
