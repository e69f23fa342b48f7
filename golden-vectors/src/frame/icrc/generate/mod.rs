// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors of the stages `icrc` and `icrc_insert`. Both have the same frames; for `icrc_insert` the place of the
//! CRC holds something else.

mod changed;
mod headers;
mod lengths;
mod long;
mod others;
mod uet;

use super::oracle::{check, insert};
use super::suite::{Case, Frames};
use crate::collect::frames::{Oracle, Suite};
use crate::collect::{aim, generator};
use crate::frame::samples::moved::{OWN, moved};
use crate::frame::samples::notes::notes;
use crate::headers::codec::icrc_place::place;
use crate::headers::codec::{ConfigurationError, Options};
use crate::rng::{SEED, SplitMix64};
use crate::schema::{Note, Provenance, SCHEMA_NAME, SCHEMA_VERSION, SchemaId, VectorFile};
use std::collections::BTreeMap;

/// The keys of `[protocols]` that decide which frames have a CRC.
const KEYS: [&str; 6] = ["rocev2", "rocev2_port", "uet", "uet_crc", "uet_port", "uet_protocol"];

/// Keys of `[protocols]` with their values.
type Table = BTreeMap<String, String>;

/// The vectors of the stage `icrc`, for the default configuration.
#[must_use]
pub fn check_vectors() -> VectorFile {
    checked(&Table::new(), &Options::default())
}

/// The vectors of the stage `icrc` with the protocols of `table`: the same frames, converted to its ports.
///
/// # Errors
///
/// The table has an unknown key or value.
pub fn check_vectors_for(table: &Table) -> Result<VectorFile, ConfigurationError> {
    Ok(checked(&read(table), &Options::of_configuration(table)?))
}

/// The vectors of the stage `icrc_insert`, for the default configuration.
#[must_use]
pub fn insert_vectors() -> VectorFile {
    inserted(&Table::new(), &Options::default())
}

/// The vectors of the stage `icrc_insert` with the protocols of `table`.
///
/// # Errors
///
/// The table has an unknown key or value.
pub fn insert_vectors_for(table: &Table) -> Result<VectorFile, ConfigurationError> {
    Ok(inserted(&read(table), &Options::of_configuration(table)?))
}

/// What the stages read of a table.
fn read(table: &Table) -> Table {
    table
        .iter()
        .filter(|(key, _)| KEYS.contains(&key.as_str()))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

fn checked(table: &Table, to: &Options) -> VectorFile {
    let algorithm = "the invariant CRC of RoCEv2 and the CRC of UET checked: a frame with a wrong one is to be dropped";
    file(frames(to), ("icrc", &["M11"]), table, algorithm, |frame, marked, options| {
        let judged = check(frame, marked, options);
        (judged.row, judged.expect)
    })
}

fn inserted(table: &Table, to: &Options) -> VectorFile {
    let mut frames = frames(to);
    let mut rng = SplitMix64::new(SEED);
    frames.groups.retain(|group| !group.judged_only);
    // The frames that leave `icrc_insert` in these groups are complete RoCEv2 frames.
    for group in frames.groups.iter_mut().filter(|group| ["header", "kind"].contains(&group.name)) {
        group.cases.iter_mut().for_each(|case| case.rows.push("M51"));
    }
    for case in frames.groups.iter_mut().flat_map(|group| &mut group.cases) {
        let place = place(&case.bytes, to).and_then(|place| case.bytes.get_mut(place));
        let filler = rng.bytes(4);
        let zero = rng.below(2) == 0;
        for (byte, filler) in place.into_iter().flatten().zip(filler) {
            *byte = if zero { 0 } else { filler };
        }
    }
    let algorithm = "the invariant CRC of RoCEv2 and the CRC of UET put into the place that the packet has for it";
    file(frames, ("icrc_insert", &["M11", "M51"]), table, algorithm, |frame, marked, options| {
        let judged = insert(frame, marked, options);
        (judged.row, judged.expect)
    })
}

/// The frames of both stages, with the ports and protocols of these options.
fn frames(to: &Options) -> Frames {
    let mut frames = Frames::default();
    let (mut rng, from) = (SplitMix64::new(SEED), Options::default());
    lengths::add(&mut frames, &mut rng);
    headers::add(&mut frames, &mut rng);
    changed::add(&mut frames, &mut rng);
    others::add(&mut frames, &mut rng);
    long::add(&mut frames);
    uet::add(&mut frames, &mut rng);
    if *to != from {
        for case in frames.groups.iter_mut().flat_map(|group| &mut group.cases) {
            case.bytes = moved(&case.bytes, &from, to);
        }
    }
    if to.rocev2_port != from.rocev2_port {
        others::default_port(&mut frames);
    }
    frames
}

/// Makes the file of a stage: its oracle gives the expected answers.
fn file(
    frames: Frames,
    (stage, requirements): (&str, &[&str]),
    table: &Table,
    algorithm: &str,
    oracle: Oracle,
) -> VectorFile {
    let mut suite = Suite::new(oracle);
    let configuration: Vec<_> = table.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    let prefix = if table.is_empty() { "" } else { OWN };
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
            oracle: "golden-vectors, frame::icrc::oracle; its ICRC agrees with the captures in captures/, made by scapy 2.8.0, and its CRC of UET with a CRC-32C of \
                     another program"
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
        note("Masked", "coverage", "Fields that may change on the way changed: the CRC stays right."),
        note("Covered", "coverage", "A bit that the CRC covers changed: it is wrong now."),
    ]
}
