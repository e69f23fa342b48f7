// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors of the stages `icrc` and `icrc_insert`: the same frames, once with an ICRC, once with its place to fill.

mod changed;
mod headers;
mod lengths;
mod long;
mod others;

use super::notes::notes;
use super::rng::{SEED, SplitMix64};
use super::suite::{Oracle, Suite, aim};
use crate::oracle::icrc::{check, insert, place};
use crate::schema::{Note, Provenance, SCHEMA_NAME, SCHEMA_VERSION, SchemaId, VectorFile};

/// Frames by group, with why they are there.
#[derive(Default)]
struct Frames {
    groups: Vec<Group>,
}

struct Group {
    name: &'static str,
    comment: &'static str,
    /// The frames differ in their ICRC, or in what it covers: nothing for a stage that replaces it.
    judged_only: bool,
    cases: Vec<Case>,
}

struct Case {
    id: String,
    comment: String,
    flags: Vec<&'static str>,
    rows: Vec<&'static str>,
    bytes: Vec<u8>,
    marked: bool,
}

impl Frames {
    fn all() -> Self {
        let mut frames = Self::default();
        let mut rng = SplitMix64::new(SEED);
        lengths::add(&mut frames, &mut rng);
        headers::add(&mut frames, &mut rng);
        changed::add(&mut frames, &mut rng);
        others::add(&mut frames, &mut rng);
        long::add(&mut frames);
        frames
    }

    fn group(&mut self, name: &'static str, comment: &'static str) {
        self.groups.push(Group { name, comment, judged_only: false, cases: Vec::new() });
    }

    fn judged_group(&mut self, name: &'static str, comment: &'static str) {
        self.groups.push(Group { name, comment, judged_only: true, cases: Vec::new() });
    }

    fn add(
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

    fn push(&mut self, case: Case) {
        if let Some(group) = self.groups.last_mut() {
            group.cases.push(case);
        }
    }

    fn into_file(self, stage: &str, algorithm: &str, oracle: Oracle) -> VectorFile {
        let mut suite = Suite::new(oracle);
        for group in self.groups {
            suite.group(group.name, group.comment);
            for Case { id, comment, flags, rows, bytes, marked } in group.cases {
                let aim = aim(&flags, &rows);
                if marked { suite.add_bad(id, comment, aim, bytes) } else { suite.add(id, comment, aim, bytes) }
            }
        }
        let groups = suite.into_groups();
        let used =
            |flag: &str| groups.iter().flat_map(|group| &group.tests).any(|test| test.flags.iter().any(|f| f == flag));
        let notes = notes().into_iter().chain(own_notes()).filter(|(flag, _)| used(flag)).collect();
        VectorFile {
            schema: SchemaId { name: SCHEMA_NAME.into(), version: SCHEMA_VERSION.into() },
            stage: stage.into(),
            algorithm: algorithm.into(),
            license: "MIT OR Apache-2.0".into(),
            generator: super::generator(),
            provenance: Provenance {
                oracle:
                    "golden-vectors, oracle::icrc; its CRC agrees with the captures in captures/, made by scapy 2.8.0"
                        .into(),
                contract: "docs/stages/icrc.md".into(),
                rows: vec!["M11".into(), "M13".into()],
            },
            number_of_tests: groups.iter().map(|group| group.tests.len()).sum(),
            notes,
            fields: std::collections::BTreeMap::new(),
            groups,
        }
    }
}

fn own_notes() -> [(String, Note); 2] {
    let note = |flag: &str, bug_type: &str, description: &str| {
        (flag.to_owned(), Note { bug_type: bug_type.into(), description: description.into(), links: Vec::new() })
    };
    [
        note("Masked", "coverage", "Fields that may change on the way changed: the ICRC stays right."),
        note("Covered", "coverage", "A bit that the ICRC covers changed: it is wrong now."),
    ]
}

/// The vectors of the stage `icrc`.
#[must_use]
pub fn icrc() -> VectorFile {
    let algorithm = "the invariant CRC of RoCEv2 checked: a frame with a wrong one is to be dropped";
    Frames::all().into_file("icrc", algorithm, |frame, marked, _| {
        let judged = check(frame, marked);
        (judged.row, judged.expect)
    })
}

/// The vectors of the stage `icrc_insert`: where an ICRC belongs, something else stands.
#[must_use]
pub fn icrc_insert() -> VectorFile {
    let mut frames = Frames::all();
    let mut rng = SplitMix64::new(SEED);
    frames.groups.retain(|group| !group.judged_only);
    for case in frames.groups.iter_mut().flat_map(|group| &mut group.cases) {
        let place = place(&case.bytes).and_then(|place| case.bytes.get_mut(place));
        let filler = rng.bytes(4);
        let zero = rng.below(2) == 0;
        for (byte, filler) in place.into_iter().flatten().zip(filler) {
            *byte = if zero { 0 } else { filler };
        }
    }
    let algorithm = "the invariant CRC of RoCEv2 put into the place that the datagram has for it";
    frames.into_file("icrc_insert", algorithm, |frame, marked, _| {
        let judged = insert(frame, marked);
        (judged.row, judged.expect)
    })
}
