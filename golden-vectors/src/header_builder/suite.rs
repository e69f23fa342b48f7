// SPDX-License-Identifier: MIT OR Apache-2.0
//! Collects records into groups and asks the oracle for their frames.

use crate::frame::ConfigurationError;
use crate::header_builder::oracle::{Options, Record, build};
use crate::schema::{Case, Expect, Group, Outcome, Reason, Verdict};
use std::collections::BTreeMap;

/// The groups so far.
#[derive(Default)]
pub struct Suite {
    table: BTreeMap<String, String>,
    options: Options,
    groups: Vec<Group>,
}

impl Suite {
    /// All groups are for a stage with this configuration.
    pub fn of_configuration(table: &BTreeMap<String, String>) -> Result<Self, ConfigurationError> {
        Ok(Self { table: table.clone(), options: Options::of_configuration(table)?, groups: Vec::new() })
    }

    /// Starts a group; the cases that follow belong to it.
    pub fn group(&mut self, name: &str, comment: &str) {
        let configuration = self.table.clone();
        self.groups.push(Group { name: name.into(), comment: comment.into(), configuration, tests: Vec::new() });
    }

    /// Starts a group for a stage with this configuration.
    pub fn configured(&mut self, name: &str, comment: &str, configuration: &[(&str, &str)]) {
        self.table = configuration.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
        // The tests read every configuration back.
        self.options = Options::of_configuration(&self.table).unwrap_or_default();
        self.group(name, comment);
    }

    /// A record, and what follows its headers; nothing if that is empty.
    pub fn add(&mut self, id: impl AsRef<str>, comment: &str, aim: (&[&str], &[&str]), record: &Record, rest: Vec<u8>) {
        self.push(id.as_ref(), comment, aim, record, rest, false);
    }

    /// The same, and the source has found it bad.
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

    /// The groups, each with its cases in the order of adding.
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
