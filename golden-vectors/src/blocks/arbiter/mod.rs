// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors of the block `arbiter`, answers from its oracle.

mod cases;
pub mod oracle;
mod script;
mod stage;

use crate::collect::timed::Head;
use crate::collect::timed::Suite;
use crate::rng::{SEED, SplitMix64};
use crate::schema::{TimedFile, TimedGroup};
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
    Head {
        stage: "arbiter",
        algorithm: "One of several requests is granted: the lowest, or the next in turn",
        oracle: "golden-vectors, blocks::arbiter::oracle; its runs keep the properties that are stated apart from it in \
                     tests/suite/blocks/arbiter.rs",
        contract: "docs/blocks.md",
        rows: &["A1", "A2", "A3", "A4"],
        notes: &cases::NOTES,
    }
    .file(suite)
}

/// Random requests for an arbiter of any size, and the oracle's answers.
#[must_use]
pub fn load_vectors(shape: Shape) -> Vec<TimedGroup> {
    let mut suite = Suite::default();
    cases::load(&mut suite, shape, &mut SplitMix64::new(SEED));
    suite.into_groups()
}
