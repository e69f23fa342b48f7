// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors of the stage `header_builder`: records of every kind of frame, and records that contradict themselves.

mod announced;
mod contradictory;
mod entropy;
mod kinds;

use crate::collect::{generator, notes};
use crate::frame::header_builder::oracle::Record;
use crate::frame::header_builder::suite::Suite;
use crate::headers::codec::ConfigurationError;
use crate::rng::{SEED, SplitMix64};
use crate::schema::{Group, Provenance, SCHEMA_NAME, SCHEMA_VERSION, SchemaId, VectorFile};
use std::collections::BTreeMap;

/// Flag, kind of fault that it finds, description.
const NOTES: [(&str, &str, &str); 8] = [
    ("Announced", "data path", "A BTH that announces an MPEH or does not, with an MPEH and without."),
    ("BadSource", "verdict", "The source has marked what follows the headers."),
    ("Boundary", "off by one", "A length or number right at a limit, or one beside it."),
    ("Configured", "configuration", "A stage that is not configured as by default; the group says how."),
    ("Contradictory", "robustness", "A record that contradicts itself, or a number that means nothing."),
    ("Entropy", "data path", "Entropy put into a field, or into one that the frame does not have."),
    ("Kind", "data path", "Headers of a certain kind, full of random bits."),
    ("Overflow", "arithmetic", "Lengths whose sum is 65,536 or more."),
];

/// A configuration other than the default: name of its group, comment, keys and values.
type Choice<'a> = (&'a str, &'a str, &'a [(&'a str, &'a str)]);

/// The vectors of the stage `header_builder`, for the default configuration and some others.
#[must_use]
pub fn vectors() -> VectorFile {
    let mut suite = Suite::default();
    default_groups(&mut suite);
    let others: [Choice; 6] = [
        ("checksum", "the UDP checksum as recorded", &[("udp_checksum", "recorded")]),
        ("off-rocev2", "without RoCEv2 there is no MPEH, and no eleventh word", &[("rocev2", "off")]),
        ("off-uet", "without UET there is no entropy header", &[("uet", "off")]),
        ("elab-alone", "ELAB alone has three words", &[("rocev2", "off"), ("uet", "off")]),
        ("off-all", "no transport has words", &[("rocev2", "off"), ("uet", "off"), ("elab", "off")]),
        ("protocol-17", "UET is not without UDP", &[("uet_protocol", "17")]),
    ];
    for (name, comment, configuration) in others {
        suite.configured(name, comment, configuration);
        configured(&mut suite);
    }
    suite.configured("opcode", "the OpCode announces an MPEH", &[("mpeh", "opcode")]);
    configured(&mut suite);
    announced::opcodes(&mut suite, &mut SplitMix64::new(SEED + 2));
    file(suite.into_groups())
}

/// The vectors for a stage with this configuration, a table like those of the groups in the file.
///
/// # Errors
///
/// The table has an unknown key or value.
pub fn vectors_for(table: &BTreeMap<String, String>) -> Result<VectorFile, ConfigurationError> {
    let mut suite = Suite::of_configuration(table)?;
    default_groups(&mut suite);
    Ok(file(suite.into_groups()))
}

fn default_groups(suite: &mut Suite) {
    let mut rng = SplitMix64::new(SEED);
    kinds::add(suite, &mut rng);
    kinds::add_rests(suite, &mut rng);
    contradictory::add(suite, &mut rng);
    entropy::add(suite, &mut rng);
    kinds::add_checksums(suite, &mut rng);
    announced::add(suite, &mut rng);
}

/// A small selection of all cases, for one group.
fn configured(suite: &mut Suite) {
    let mut rng = SplitMix64::new(SEED + 1);
    kinds::some(suite, &mut rng);
    entropy::some(suite, &mut rng);
}

fn file(groups: Vec<Group>) -> VectorFile {
    VectorFile {
        schema: SchemaId { name: SCHEMA_NAME.into(), version: SCHEMA_VERSION.into() },
        stage: "header_builder".into(),
        algorithm:
            "a header record and what follows the headers: one frame a record, and whether its source found it bad"
                .into(),
        license: "MIT OR Apache-2.0".into(),
        generator: generator(),
        provenance: Provenance {
            oracle: "golden-vectors, frame::header_builder::oracle; agrees with headers::codec::write on records that do not \
                     contradict themselves"
                .into(),
            contract: "docs/stages/header_builder.md".into(),
            rows: ["M11", "M12", "M13", "M41", "M49", "M51"].map(str::to_owned).into(),
        },
        number_of_tests: groups.iter().map(|group| group.tests.len()).sum(),
        notes: notes(&NOTES),
        fields: Record::default().ports().into_iter().map(|(name, width, _)| (name, width)).collect(),
        groups,
    }
}
