// SPDX-License-Identifier: MIT OR Apache-2.0
//! Makes the vectors: frames chosen group by group, expectations from the oracle, files byte for byte the same every time.

mod checksum;
mod corners;
mod cut;
mod files;
mod header_cut;
mod icrc;
mod internet;
mod json;
mod link;
mod notes;
mod precedence;
mod rng;
mod roce;
mod selector;
mod sequence;
mod suite;
mod udp;

pub use files::{Made, files};
pub use icrc::{icrc, icrc_insert};
pub use rng::{SEED, SplitMix64};
pub use selector::{entropy_selector, entropy_selector_load};

use crate::oracle::frame::flat;
use crate::schema::{Generator, Provenance, SCHEMA_NAME, SCHEMA_VERSION, SchemaId, VectorFile};
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
    let groups = suite.into_groups();

    VectorFile {
        schema: SchemaId { name: SCHEMA_NAME.into(), version: SCHEMA_VERSION.into() },
        stage: "header_parser".into(),
        algorithm:
            "Ethernet, 802.1Q, IPv4 or IPv6, UDP, RoCEv2 with the multipath extension header: one verdict and one \
                    header record a frame"
                .into(),
        license: "MIT OR Apache-2.0".into(),
        generator: generator(),
        provenance: Provenance {
            oracle: "golden-vectors, oracle::header_parser; agrees with the scapy 2.8.0 capture in captures/ and with \
                     etherparse on layers 2 to 4"
                .into(),
            contract: "docs/stages/header_parser.md".into(),
            rows: (11..=32).map(|row| format!("M{row}")).collect(),
        },
        number_of_tests: groups.iter().map(|group| group.tests.len()).sum(),
        notes: notes::notes(),
        fields: flat::fields().into_iter().collect(),
        groups,
    }
}

/// This program.
fn generator() -> Generator {
    Generator {
        name: "make-vectors".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        prng: "SplitMix64".into(),
        seed: format!("{SEED:#x}"),
    }
}
