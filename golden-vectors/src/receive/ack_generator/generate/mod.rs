// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors of the stage `ack_generator`. Each file has the cases for some rows of the contract; the oracle gives the
//! answers.

mod classes;
mod commands;
mod events;
mod load;
mod no_room;
mod notes;
mod replies;
mod settings;
mod shapes;
mod state;
mod takes;
mod timer;
mod urgency;
mod wraps;

use super::oracle::Shape;
use super::suite::Suite;
use crate::collect::timed::Head;
use crate::rng::{SEED, SplitMix64};
use crate::schema::{TimedFile, TimedGroup};

/// What a file says of itself.
const HEAD: Head<'_> = Head {
    stage: "ack_generator",
    algorithm: "Decides what a receiver answers, and when: ACKs that are coalesced, NAKs, NACKs and answers to probes",
    oracle: "golden-vectors, receive::ack_generator::oracle; its runs keep the properties that are stated apart from it in \
             tests/suite/receive/ack_generator",
    contract: "docs/stages/ack_generator.md",
    rows: &["M12", "M18", "M26", "M27", "M28", "M29", "M31", "M32", "M41", "M57", "M59", "M83", "M84", "M103", "U29"],
    notes: &notes::NOTES,
};

/// The vectors of the stage.
#[must_use]
pub fn vectors() -> TimedFile {
    let mut suite = Suite::default();
    classes::add(&mut suite);
    urgency::add(&mut suite);
    state::add(&mut suite);
    no_room::add(&mut suite);
    events::add(&mut suite);
    replies::add(&mut suite);
    takes::add(&mut suite);
    timer::add(&mut suite);
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
    load::of_shape(&mut suite, shape, &mut SplitMix64::new(SEED), 4);
    suite.into_groups()
}

/// Numbers that wrap: cases that are too long for the committed file.
#[must_use]
pub fn wrap_vectors(shape: Shape) -> TimedFile {
    let mut suite = Suite::default();
    wraps::of_shape(&mut suite, shape);
    let all: Vec<_> = notes::NOTES.into_iter().chain([notes::WRAP]).collect();
    Head { notes: &all, ..HEAD }.file(suite)
}
