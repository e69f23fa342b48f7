// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors of the stage `credit_pacer`. Each file has the cases for some rows of the contract; the oracle gives the
//! answers.

mod commands;
mod demands;
mod examples;
mod level;
mod load;
mod notes;
mod queues;
mod repeat_races;
mod repeats;
mod settings;
mod shapes;
mod takes;

use super::oracle::Shape;
use super::suite::Suite;
use crate::collect::timed::Head;
use crate::rng::{SEED, SplitMix64};
use crate::schema::{TimedFile, TimedGroup};

/// What a file says of itself.
const HEAD: Head<'_> = Head {
    stage: "credit_pacer",
    algorithm: "Grants credit to the sources of a receiver: round robin by demand at a rate, then in advance",
    oracle: "golden-vectors, receive::credit_pacer::oracle; the example of the page and the properties that it promises, \
             which are stated apart from it in tests/suite/receive/credit_pacer, hold for it",
    contract: "docs/stages/credit_pacer.md",
    rows: &[],
    notes: &notes::NOTES,
};

/// The vectors of the stage.
#[must_use]
pub fn vectors() -> TimedFile {
    let mut suite = Suite::default();
    examples::add(&mut suite);
    demands::add(&mut suite);
    queues::add(&mut suite);
    level::add(&mut suite);
    takes::add(&mut suite);
    repeats::add(&mut suite);
    repeat_races::add(&mut suite);
    commands::add(&mut suite);
    settings::add(&mut suite);
    load::add(&mut suite, &mut SplitMix64::new(SEED));
    HEAD.file(suite)
}

/// Random traffic for a stage of any size, with the answers of the oracle, for sizes that the committed file does not
/// have.
#[must_use]
pub fn load_vectors(shape: Shape) -> Vec<TimedGroup> {
    let mut suite = Suite::default();
    settings::of_shape(&mut suite, shape);
    load::of_shape(&mut suite, shape, &mut SplitMix64::new(SEED), 4);
    suite.into_groups()
}
