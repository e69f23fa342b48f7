// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors of the stages `icrc` and `icrc_insert`. Both have the same frames; for `icrc_insert` the place of the
//! ICRC holds something else.

mod changed;
mod headers;
mod lengths;
mod long;
mod others;

use super::oracle::{check_at, insert_at};
use super::suite::{Case, Frames};
use crate::collect::frames::{Oracle, Suite};
use crate::collect::{aim, generator};
use crate::frame::samples::moved::{OWN, moved};
use crate::frame::samples::notes::notes;
use crate::headers::codec::Options;
use crate::headers::codec::icrc_place::place_at;
use crate::headers::udp;
use crate::rng::{SEED, SplitMix64};
use crate::schema::{Note, Provenance, SCHEMA_NAME, SCHEMA_VERSION, SchemaId, VectorFile};

/// The vectors of the stage `icrc`, with RoCEv2 at its default UDP port.
#[must_use]
pub fn check_vectors() -> VectorFile {
    check_vectors_at(udp::ROCEV2)
}

/// The vectors of the stage `icrc` with RoCEv2 at another UDP port: the same frames, converted to this port.
#[must_use]
pub fn check_vectors_at(port: u16) -> VectorFile {
    let algorithm = "the invariant CRC of RoCEv2 checked: a frame with a wrong one is to be dropped";
    file(frames(port), ("icrc", &["M11"]), port, algorithm, |frame, marked, options| {
        let judged = check_at(frame, marked, options.rocev2_port);
        (judged.row, judged.expect)
    })
}

/// The vectors of the stage `icrc_insert`, with RoCEv2 at its default UDP port.
#[must_use]
pub fn insert_vectors() -> VectorFile {
    insert_vectors_at(udp::ROCEV2)
}

/// The vectors of the stage `icrc_insert` with RoCEv2 at another UDP port.
#[must_use]
pub fn insert_vectors_at(port: u16) -> VectorFile {
    let mut frames = frames(port);
    let mut rng = SplitMix64::new(SEED);
    frames.groups.retain(|group| !group.judged_only);
    // The frames that leave `icrc_insert` in these groups are complete RoCEv2 frames.
    for group in frames.groups.iter_mut().filter(|group| ["header", "kind"].contains(&group.name)) {
        group.cases.iter_mut().for_each(|case| case.rows.push("M51"));
    }
    for case in frames.groups.iter_mut().flat_map(|group| &mut group.cases) {
        let place = place_at(&case.bytes, port).and_then(|place| case.bytes.get_mut(place));
        let filler = rng.bytes(4);
        let zero = rng.below(2) == 0;
        for (byte, filler) in place.into_iter().flatten().zip(filler) {
            *byte = if zero { 0 } else { filler };
        }
    }
    let algorithm = "the invariant CRC of RoCEv2 put into the place that the datagram has for it";
    file(frames, ("icrc_insert", &["M11", "M51"]), port, algorithm, |frame, marked, options| {
        let judged = insert_at(frame, marked, options.rocev2_port);
        (judged.row, judged.expect)
    })
}

/// The frames of both stages, with RoCEv2 at this UDP port.
fn frames(port: u16) -> Frames {
    let mut frames = Frames::default();
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

/// Makes the file of a stage: its oracle gives the expected answers.
fn file(
    frames: Frames,
    (stage, requirements): (&str, &[&str]),
    port: u16,
    algorithm: &str,
    oracle: Oracle,
) -> VectorFile {
    let mut suite = Suite::new(oracle);
    let (port, moved) = (port.to_string(), port != udp::ROCEV2);
    let (configuration, prefix) = if moved { (vec![("rocev2_port", &*port)], OWN) } else { (Vec::new(), "") };
    for group in frames.groups {
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
        generator: generator(),
        provenance: Provenance {
            oracle: "golden-vectors, frame::icrc::oracle; its CRC agrees with the captures in captures/, made by scapy 2.8.0"
                .into(),
            contract: "docs/stages/icrc.md".into(),
            rows: requirements.iter().map(|&row| row.to_owned()).collect(),
        },
        number_of_tests: groups.iter().map(|group| group.tests.len()).sum(),
        notes,
        fields: std::collections::BTreeMap::new(),
        groups,
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
