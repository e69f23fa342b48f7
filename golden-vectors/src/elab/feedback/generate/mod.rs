// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors of the stage `elab_feedback`. Each file has the cases for some rows of the contract; the oracle gives
//! the answers.

mod after_reset;
mod bursts;
mod counting;
mod due;
mod forgetting;
mod hazards;
mod notes;
mod random_traffic;
mod refused;
mod shapes;
mod turns;

use crate::collect::timed::Head;
use crate::elab::feedback::oracle::Shape;
use crate::elab::feedback::suite::Suite;
use crate::rng::{SEED, SplitMix64};
use crate::schema::{TimedFile, TimedGroup};
use notes::NOTES;

/// The vectors of the stage `elab_feedback`.
#[must_use]
pub fn vectors() -> TimedFile {
    let mut rng = SplitMix64::new(SEED);
    let mut suite = Suite::default();
    counting::add(&mut suite);
    turns::add(&mut suite);
    bursts::add(&mut suite);
    forgetting::add(&mut suite);
    hazards::add(&mut suite);
    refused::add(&mut suite);
    random_traffic::add(&mut suite, &mut rng);
    due::add(&mut suite, &mut rng);
    Head {
        stage: "elab_feedback",
        algorithm: "ELAB, the receiving half: what has arrived on each virtual path, reported in turns, how fast a \
                    burst did, and which pairs need a packet for a report alone",
        oracle: "golden-vectors, elab::feedback::oracle; its runs keep the properties that are stated apart from it in \
                     tests/suite/elab",
        contract: "docs/stages/elab_feedback.md",
        rows: ROWS,
        notes: &NOTES,
    }
    .file(suite)
}

/// The requirement rows that the contract names and that have cases.
const ROWS: &[&str] = &["E02", "E05", "E06", "E11", "E15", "E16"];

/// Vectors for a stage of any size, with the answers of the oracle, for sizes that the committed file does not have: the
/// groups `load` and `due-load` with random traffic, and the group `reset`, in which the settings are those after reset.
#[must_use]
pub fn load_vectors(shape: Shape) -> Vec<TimedGroup> {
    let mut suite = Suite::default();
    let mut rng = SplitMix64::new(SEED);
    random_traffic::of_shape(&mut suite, shape, &mut rng);
    due::of_shape(&mut suite, shape, &mut rng);
    after_reset::add(&mut suite, shape);
    suite.into_groups()
}
