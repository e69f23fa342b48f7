// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors of the stage `frame_gate`. Each file has the cases for some rows of the contract; the oracle gives the
//! answers.

mod frames;
mod notes;
mod overflow;
mod random_traffic;
mod records;
mod shapes;

use crate::collect::timed::Head;
use crate::frame::frame_gate::oracle::Shape;
use crate::frame::frame_gate::suite::Suite;
use crate::rng::{SEED, SplitMix64};
use crate::schema::{TimedFile, TimedGroup};
use notes::NOTES;
use shapes::SHAPES;

/// The vectors of the stage `frame_gate`.
#[must_use]
pub fn vectors() -> TimedFile {
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
    Head {
        stage: "frame_gate",
        algorithm: "Store and forward: frames whose verdict is drop end, with their records, or pass marked",
        oracle: "golden-vectors, frame::frame_gate::oracle; its runs keep the properties that are stated apart from it in \
                     tests/suite/frame/frame_gate.rs",
        contract: "docs/stages/frame_gate.md",
        rows: &["F1", "F2", "F3", "F4", "F5", "F6", "F7"],
        notes: &NOTES,
    }
    .file(suite)
}

/// Random traffic for a gate of any size, with the answers of the oracle: the group `load`, for sizes that the
/// committed file does not have. Only the lowest 64 bits of a wider bus are used.
#[must_use]
pub fn load_vectors(shape: Shape) -> Vec<TimedGroup> {
    let mut suite = Suite::default();
    random_traffic::of_shape(&mut suite, shape, &mut SplitMix64::new(SEED));
    suite.into_groups()
}
