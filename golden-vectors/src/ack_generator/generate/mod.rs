// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors of the stage `ack_generator`. Each file has the cases for some rows of the contract; the oracle gives the
//! answers.

mod shapes;

use super::oracle::Shape;
use super::suite::Suite;
use crate::collect::timed::Head;
use crate::rng::{SEED, SplitMix64};
use crate::schema::{TimedFile, TimedGroup};

/// The vectors of the stage.
#[must_use]
pub fn vectors() -> TimedFile {
    let suite = Suite::default();
    let head = Head {
        stage: "ack_generator",
        algorithm: "",
        oracle: "",
        contract: "docs/stages/ack_generator.md",
        rows: &[],
        notes: &[],
    };
    head.file(suite)
}

/// x
#[must_use]
pub fn load_vectors(shape: Shape) -> Vec<TimedGroup> {
    let mut suite = Suite::default();
    let _ = (&mut suite, shape, &mut SplitMix64::new(SEED));
    suite.into_groups()
}
