// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors of the stages `icrc` and `icrc_insert`: the same frames, once with an ICRC, once with its place to fill.

mod changed;
mod headers;
mod lengths;
mod long;
mod others;

use super::moved::{OWN, moved};
use super::notes::notes;
use super::rng::{SEED, SplitMix64};
use super::suite::{Oracle, Suite, aim};
use crate::oracle::frame::Options;
use crate::oracle::icrc::{check_at, insert_at, place_at};
use crate::schema::{Note, Provenance, SCHEMA_NAME, SCHEMA_VERSION, SchemaId, VectorFile};
use crate::wire::udp;

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
    /// The frames with RoCEv2 at this UDP port.
    fn all(port: u16) -> Self {
        let mut frames = Self::default();
        let mut rng = SplitMix64::new(SEED);
        lengths::add(&mut frames, &mut rng);
        headers::add(&mut frames, &mut rng);
        changed::add(&mut frames, &mut rng);
        others::add(&mut frames, &mut rng);
        long::add(&mut frames);
        if port != udp::ROCEV2 {
            let to = Options { rocev2_port: port, ..Options::default() };
            for case in frames.groups.iter_mut().flat_map(|group| &mut group.cases) {
                case.bytes = moved(&case.bytes, &Options::default(), &to);
            }
            others::default_port(&mut frames);
        }
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

    fn into_file(self, stage: &str, port: u16, algorithm: &str, oracle: Oracle) -> VectorFile {
        let mut suite = Suite::new(oracle);
        let (port, moved) = (port.to_string(), port != udp::ROCEV2);
        let (configuration, prefix) = if moved { (vec![("rocev2_port", &*port)], OWN) } else { (Vec::new(), "") };
        for group in self.groups {
            suite.configured(&format!("{prefix}{}", group.name), group.comment, &configuration);
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
    icrc_at(udp::ROCEV2)
}

/// The vectors of the stage `icrc` with RoCEv2 at another UDP port: the same frames, moved there.
#[must_use]
pub fn icrc_at(port: u16) -> VectorFile {
    let algorithm = "the invariant CRC of RoCEv2 checked: a frame with a wrong one is to be dropped";
    Frames::all(port).into_file("icrc", port, algorithm, |frame, marked, options| {
        let judged = check_at(frame, marked, options.rocev2_port);
        (judged.row, judged.expect)
    })
}

/// The vectors of the stage `icrc_insert`: where an ICRC belongs, something else stands.
#[must_use]
pub fn icrc_insert() -> VectorFile {
    icrc_insert_at(udp::ROCEV2)
}

/// The vectors of the stage `icrc_insert` with RoCEv2 at another UDP port.
#[must_use]
pub fn icrc_insert_at(port: u16) -> VectorFile {
    let mut frames = Frames::all(port);
    let mut rng = SplitMix64::new(SEED);
    frames.groups.retain(|group| !group.judged_only);
    for case in frames.groups.iter_mut().flat_map(|group| &mut group.cases) {
        let place = place_at(&case.bytes, port).and_then(|place| case.bytes.get_mut(place));
        let filler = rng.bytes(4);
        let zero = rng.below(2) == 0;
        for (byte, filler) in place.into_iter().flatten().zip(filler) {
            *byte = if zero { 0 } else { filler };
        }
    }
    let algorithm = "the invariant CRC of RoCEv2 put into the place that the datagram has for it";
    frames.into_file("icrc_insert", port, algorithm, |frame, marked, options| {
        let judged = insert_at(frame, marked, options.rocev2_port);
        (judged.row, judged.expect)
    })
}
