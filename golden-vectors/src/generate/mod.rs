// SPDX-License-Identifier: MIT OR Apache-2.0
//! Makes the vectors: frames chosen group by group, expectations from the oracle, files byte for byte the same every time.

mod checksum;
mod configured;
mod corners;
mod cut;
mod elab_feedback;
mod elab_scheduler;
mod files;
mod frame_gate;
mod header_builder;
mod header_cut;
mod icrc;
mod internet;
mod json;
mod link;
mod long;
mod mixed;
mod moved;
mod notes;
mod precedence;
mod protocols;
mod rng;
mod roce;
mod scheduler;
mod selector;
mod sequence;
pub(crate) mod suite;
pub(crate) mod timed;
mod udp;

pub use elab_feedback::{elab_feedback, elab_feedback_load};
pub use elab_scheduler::{elab_scheduler, elab_scheduler_load};
pub use files::{Made, files};
pub use frame_gate::{frame_gate, frame_gate_load};
pub use header_builder::{header_builder, header_builder_of};
pub use icrc::{icrc, icrc_at, icrc_insert, icrc_insert_at};
pub use rng::{SEED, SplitMix64};
pub use scheduler::{path_scheduler, path_scheduler_load};
pub use selector::{entropy_selector, entropy_selector_load};

use crate::oracle::frame::{ConfigurationError, flat};
use crate::schema::{Generator, Provenance, SCHEMA_NAME, SCHEMA_VERSION, SchemaId, VectorFile};
use std::collections::BTreeMap;
use suite::Suite;

/// The vectors of the stage `header_parser`.
#[must_use]
pub fn header_parser() -> VectorFile {
    let mut rng = SplitMix64::new(SEED);
    let mut suite = Suite::default();
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
            oracle: "golden-vectors, oracle::frame; agrees with the captures in captures/, made by scapy 2.8.0, and with \
                     etherparse on layers 2 to 4"
                .into(),
            contract: "docs/stages/header_parser.md".into(),
            rows: rows(),
        },
        number_of_tests: groups.iter().map(|group| group.tests.len()).sum(),
        notes: notes::notes(),
        fields: flat::fields().into_iter().collect(),
        groups,
    }
}

/// The vectors of the stage `header_parser` for the protocols of a table: those for a stage as it is by default, if the table
/// is empty; else the frames of all groups as they are at its ports, of its UET and with its MPEH, and others beside these.
///
/// # Errors
/// The table says something that is no option.
pub fn header_parser_for(table: &BTreeMap<String, String>) -> Result<VectorFile, ConfigurationError> {
    let mut file = header_parser();
    if table.is_empty() {
        file.groups.retain(|group| group.configuration.is_empty());
    } else {
        file.groups = configured::groups(&file, table)?;
    }
    file.number_of_tests = file.groups.iter().map(|group| group.tests.len()).sum();
    Ok(file)
}

/// The rows and clauses that the headers come from.
fn rows() -> Vec<String> {
    let multipath = (11..=32).map(|row| format!("M{row}"));
    let elab = (3..=7).map(|row| format!("E{row:02}"));
    multipath.chain(elab).chain((1..=8).map(|clause| format!("uet.md 1.{clause}"))).collect()
}

/// This program.
pub(crate) fn generator() -> Generator {
    Generator {
        name: "make-vectors".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        prng: "SplitMix64".into(),
        seed: format!("{SEED:#x}"),
    }
}
