// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors of the stage `reorder`. Each file has the cases for some rows of the contract; the oracle gives the
//! answers.

mod commands;
mod delivery;
mod gaps;
mod load;
mod notes;
mod orders;
mod outcomes;
mod payload;
mod shapes;
mod tolerance;
mod window;

use super::oracle::Shape;
use super::suite::Suite;
use crate::collect::timed::Head;
use crate::rng::{SEED, SplitMix64};
use crate::schema::{TimedFile, TimedGroup};

/// The vectors of the stage.
#[must_use]
pub fn vectors() -> TimedFile {
    let mut suite = Suite::default();
    outcomes::add(&mut suite);
    orders::add(&mut suite);
    window::add(&mut suite);
    delivery::add(&mut suite);
    tolerance::add(&mut suite);
    gaps::add(&mut suite);
    commands::add(&mut suite);
    load::add(&mut suite, &mut SplitMix64::new(SEED));
    let head = Head {
        stage: "reorder",
        algorithm: "Delivers the packets of each connection once and in the order of their PSNs, and tells reordering \
                    within a tolerance from loss",
        oracle: "golden-vectors, receive::reorder::oracle; its runs keep the properties that are stated apart from it in \
                 tests/suite/receive/reorder",
        contract: "docs/stages/reorder.md",
        rows: &[
            "M17", "M27", "M28", "M29", "M44", "M46", "M54", "M55", "M56", "M57", "M58", "M59", "M62", "M81", "M82",
            "M83", "M84", "M85", "M100", "M101", "M102", "M118", "U29",
        ],
        notes: &notes::NOTES,
    };
    head.file(suite)
}

pub use payload::payload_vectors;

/// Random traffic for a stage of any size, with the answers of the oracle, for sizes that the committed file does not
/// have.
#[must_use]
pub fn load_vectors(shape: Shape) -> Vec<TimedGroup> {
    if shape.pool.is_some() {
        return payload::load_of(shape);
    }
    let mut suite = Suite::default();
    load::of_shape(&mut suite, shape, &mut SplitMix64::new(SEED));
    suite.into_groups()
}
