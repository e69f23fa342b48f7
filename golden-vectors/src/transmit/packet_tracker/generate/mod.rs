// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors of the stage `packet_tracker`. Each file has the cases for some rows of the contract; the oracle gives the
//! answers.

mod acks;
mod backoffs;
mod commands;
mod examples;
mod load;
mod losses;
mod nacks;
mod notes;
mod order;
mod outputs;
mod samples;
mod sending;
mod settings;
mod shapes;
mod tail_probes;
mod timeouts;
mod wide;

use super::oracle::{Change, Shape};
use super::suite::Suite;
use crate::collect::timed::{Draft, Head};
use crate::rng::{SEED, SplitMix64};
use crate::schema::{TimedFile, TimedGroup};

/// What a file says of itself.
const HEAD: Head<'_> = Head {
    stage: "packet_tracker",
    algorithm: "Keeps the packets that are not acknowledged: ACKs, NACKs, time-outs, inferred losses, retransmissions",
    oracle: "golden-vectors, transmit::packet_tracker::oracle; the examples of the page and the properties of D34, which are stated apart \
             from it in tests/suite/transmit/packet_tracker, hold for it",
    contract: "docs/stages/packet_tracker.md",
    rows: &["M07", "M12", "U22", "U23", "U24", "U33", "U34", "M62", "M73"],
    notes: &notes::NOTES,
};

/// The vectors of the stage.
#[must_use]
pub fn vectors() -> TimedFile {
    let mut suite = Suite::default();
    examples::add(&mut suite);
    sending::add(&mut suite);
    acks::add(&mut suite);
    samples::add(&mut suite);
    nacks::add(&mut suite);
    timeouts::add(&mut suite);
    losses::add(&mut suite);
    backoffs::add(&mut suite);
    tail_probes::add(&mut suite);
    order::add(&mut suite);
    outputs::add(&mut suite);
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

/// The inputs of so many cases of random traffic, each from reset, with their cycles.
#[must_use]
pub fn load_traces(shape: Shape, cases: usize) -> Vec<Vec<(u64, Change)>> {
    let mut rng = SplitMix64::new(SEED);
    (0..cases).map(|_| load::script(shape, &mut rng).into_events()).collect()
}

/// Times at the limits of their widths, and the time-outs after reset: cases that are too long for the committed file.
#[must_use]
pub fn wrap_vectors(shape: Shape) -> TimedFile {
    let mut suite = Suite::default();
    wide::add(&mut suite, shape);
    let all: Vec<_> = notes::NOTES.into_iter().chain([notes::WRAP]).collect();
    Head { notes: &all, ..HEAD }.file(suite)
}
