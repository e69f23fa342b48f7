// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors of the stage `header_parser`. Each file has the cases for some rows of the contract or some headers;
//! the oracle gives the answers.

mod checksum;
mod configured;
mod corners;
mod cut;
mod header_cut;
mod internet;
mod link;
mod long;
mod mixed;
mod precedence;
mod protocols;
mod roce;
mod sequence;
mod udp;

use super::suite::suite;
use crate::collect::generator;
use crate::frame::samples::notes::notes;
use crate::headers::codec::{ConfigurationError, flat};
use crate::rng::{SEED, SplitMix64};
use crate::schema::{Provenance, SCHEMA_NAME, SCHEMA_VERSION, SchemaId, VectorFile};
use std::collections::BTreeMap;

/// The vectors of the stage `header_parser`, for the default configuration and some others.
#[must_use]
pub fn vectors() -> VectorFile {
    let mut rng = SplitMix64::new(SEED);
    let mut suite = suite();
    link::add(&mut suite);
    internet::add_v4(&mut suite);
    internet::add_v6(&mut suite);
    checksum::add(&mut suite, &mut rng);
    udp::add(&mut suite);
    roce::add(&mut suite, &mut rng);
    header_cut::add(&mut suite);
    corners::add(&mut suite);
    cut::add(&mut suite, &mut rng);
    precedence::add(&mut suite);
    sequence::add(&mut suite, &mut rng);
    protocols::add(&mut suite, &mut rng);
    configured::add(&mut suite, &mut rng);
    mixed::add(&mut suite, &mut rng);
    long::add(&mut suite);
    let groups = suite.into_groups();

    VectorFile {
        schema: SchemaId { name: SCHEMA_NAME.into(), version: SCHEMA_VERSION.into() },
        stage: "header_parser".into(),
        algorithm:
            "Ethernet, 802.1Q, IPv4 or IPv6, UDP, then RoCEv2 with the multipath extension header, UET or ELAB: one verdict \
             and one header record a frame"
                .into(),
        license: "MIT OR Apache-2.0".into(),
        generator: generator(),
        provenance: Provenance {
            oracle: "golden-vectors, frame::header_parser::oracle; agrees with the captures in captures/, made by scapy 2.8.0, \
                     and with etherparse on layers 2 to 4"
                .into(),
            contract: "docs/stages/header_parser.md".into(),
            rows: rows(),
        },
        number_of_tests: groups.iter().map(|group| group.tests.len()).sum(),
        notes: notes(),
        fields: flat::fields().into_iter().collect(),
        groups,
    }
}

/// The vectors of the stage `header_parser` for the protocols of `table`. If the table is empty, these are the groups
/// for the default configuration. Otherwise they are the frames of all groups, converted to this configuration, and
/// frames to ports and protocols near its own.
///
/// # Errors
///
/// The table has an unknown key or value.
pub fn vectors_for(table: &BTreeMap<String, String>) -> Result<VectorFile, ConfigurationError> {
    let mut file = vectors();
    if table.is_empty() {
        file.groups.retain(|group| group.configuration.is_empty());
    } else {
        file.groups = configured::groups(&file, table)?;
    }
    file.number_of_tests = file.groups.iter().map(|group| group.tests.len()).sum();
    Ok(file)
}

/// The requirement rows and clauses that define the headers.
fn rows() -> Vec<String> {
    let multipath = (11..=32).map(|row| format!("M{row}"));
    let elab = (3..=7).map(|row| format!("E{row:02}"));
    multipath.chain(elab).chain((1..=8).map(|clause| format!("uet.md 1.{clause}"))).collect()
}
