// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors of the stage `frame_gate`: frames and records in their cycles, answers from the oracle.

mod frames;
mod notes;
mod overflow;
mod ports;
mod random_traffic;
mod records;
mod script;
mod suite;

use super::rng::{SEED, SplitMix64};
use crate::oracle::frame_gate::Shape;
use crate::schema::timed::{SCHEMA_NAME, SCHEMA_VERSION};
use crate::schema::{Provenance, SchemaId, TimedFile, TimedGroup};
use script::Ready;
use suite::Suite;

/// Both consumers are ready until a case changes that.
const BOTH: Ready = Ready { frames: true, records: true };

/// Eight beats and four records, with memories of latency 2.
const EIGHT: Shape = Shape::new(8, 4, 2);
/// The sizes that are tested: each latency, both modes, the smallest, one with room for most, one without records.
const SHAPES: [Shape; 7] = [
    Shape::new(8, 4, 1),
    EIGHT,
    Shape::new(8, 4, 3),
    Shape { mark: true, ..EIGHT },
    Shape::new(2, 2, 1),
    Shape::new(64, 64, 2),
    Shape { records: false, ..EIGHT },
];

/// The vectors of the stage `frame_gate`.
#[must_use]
pub fn frame_gate() -> TimedFile {
    let mut rng = SplitMix64::new(SEED);
    let mut suite = Suite::default();
    for shape in SHAPES {
        frames::add(&mut suite, shape);
        overflow::add(&mut suite, shape);
        if shape.records {
            records::add(&mut suite, shape);
        }
        random_traffic::of_shape(&mut suite, shape, &mut rng);
    }
    let groups = suite.into_groups();

    TimedFile {
        schema: SchemaId { name: SCHEMA_NAME.into(), version: SCHEMA_VERSION.into() },
        stage: "frame_gate".into(),
        algorithm: "Store and forward: frames whose verdict is drop end, with their records, or pass marked".into(),
        license: "MIT OR Apache-2.0".into(),
        generator: super::generator(),
        provenance: Provenance {
            oracle:
                "golden-vectors, oracle::frame_gate; its runs keep the properties that are stated apart from it in \
                     tests/frame_gate.rs"
                    .into(),
            contract: "docs/stages/frame_gate.md".into(),
            rows: (1..=7).map(|row| format!("F{row}")).collect(),
        },
        number_of_tests: groups.iter().map(|group| group.tests.len()).sum(),
        notes: notes::notes(),
        groups,
    }
}

/// Random traffic for a gate of any size, and the oracle's answers: the group `load` of the vectors, for sizes that the
/// committed file does not have. Of wider buses the lowest 64 bits are used.
#[must_use]
pub fn frame_gate_load(shape: Shape) -> Vec<TimedGroup> {
    let mut suite = Suite::default();
    random_traffic::of_shape(&mut suite, shape, &mut SplitMix64::new(SEED));
    suite.into_groups()
}
