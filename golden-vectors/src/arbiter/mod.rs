// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors of the block `arbiter`, answers from its oracle.

mod cases;
pub mod oracle;
mod script;
mod stage;

use crate::collect::timed::Suite;
use crate::collect::generator;
use crate::rng::{SEED, SplitMix64};
use crate::schema::timed::{SCHEMA_NAME, SCHEMA_VERSION};
use crate::schema::{Provenance, SchemaId, TimedFile, TimedGroup};
use oracle::Shape;

/// The sizes that are tested: the fewest and the most requests, and some that are no power of two.
const SHAPES: [Shape; 7] = [
    Shape::new(2, true),
    Shape::new(2, false),
    Shape::new(5, true),
    Shape::new(5, false),
    Shape::new(8, true),
    Shape::new(64, true),
    Shape::new(64, false),
];

/// The vectors of the block `arbiter`.
#[must_use]
pub fn vectors() -> TimedFile {
    let mut rng = SplitMix64::new(SEED);
    let mut suite = Suite::default();
    for shape in SHAPES {
        cases::add(&mut suite, shape, &mut rng);
    }
    let groups = suite.into_groups();
    TimedFile {
        schema: SchemaId { name: SCHEMA_NAME.into(), version: SCHEMA_VERSION.into() },
        stage: "arbiter".into(),
        algorithm: "One of several requests is granted: the lowest, or the next in turn".into(),
        license: "MIT OR Apache-2.0".into(),
        generator: generator(),
        provenance: Provenance {
            oracle: "golden-vectors, arbiter::oracle; its runs keep the properties that are stated apart from it in \
                     tests/suite/arbiter.rs"
                .into(),
            contract: "docs/blocks.md".into(),
            rows: (1..=4).map(|row| format!("A{row}")).collect(),
        },
        number_of_tests: groups.iter().map(|group| group.tests.len()).sum(),
        notes: cases::notes(),
        groups,
    }
}

/// Random requests for an arbiter of any size, and the oracle's answers.
#[must_use]
pub fn load_vectors(shape: Shape) -> Vec<TimedGroup> {
    let mut suite = Suite::default();
    cases::load(&mut suite, shape, &mut SplitMix64::new(SEED));
    suite.into_groups()
}
