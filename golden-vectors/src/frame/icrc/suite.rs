// SPDX-License-Identifier: MIT OR Apache-2.0
//! Collects the frames that the stages `icrc` and `icrc_insert` share.

/// Frames in groups, with the flags and rows of each.
#[derive(Default)]
pub struct Frames {
    pub groups: Vec<Group>,
}

pub struct Group {
    pub name: &'static str,
    pub comment: &'static str,
    /// The frames differ only in their ICRC or in bytes that it covers. `icrc_insert` replaces the ICRC, so it has no
    /// such group.
    pub judged_only: bool,
    pub cases: Vec<Case>,
}

pub struct Case {
    pub id: String,
    pub comment: String,
    pub flags: Vec<&'static str>,
    pub rows: Vec<&'static str>,
    pub bytes: Vec<u8>,
    pub marked: bool,
}

impl Frames {
    pub fn group(&mut self, name: &'static str, comment: &'static str) {
        self.groups.push(Group { name, comment, judged_only: false, cases: Vec::new() });
    }

    pub fn judged_group(&mut self, name: &'static str, comment: &'static str) {
        self.groups.push(Group { name, comment, judged_only: true, cases: Vec::new() });
    }

    pub fn add(
        &mut self,
        id: impl Into<String>,
        comment: impl Into<String>,
        (flags, rows): (&[&'static str], &[&'static str]),
        bytes: Vec<u8>,
    ) {
        self.push(Case {
            id: id.into(),
            comment: comment.into(),
            flags: flags.to_vec(),
            rows: rows.to_vec(),
            bytes,
            marked: false,
        });
    }

    pub fn push(&mut self, case: Case) {
        if let Some(group) = self.groups.last_mut() {
            group.cases.push(case);
        }
    }
}
