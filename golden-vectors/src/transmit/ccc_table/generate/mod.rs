// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors of the stage `ccc_table`. Each file has the cases for some rows of the contract; the oracle gives the answers.

mod adapt;
mod adjust;
mod blocked;
mod commands;
mod counts;
mod credit;
mod follows;
mod load;
mod notes;
mod order;
mod samples;
mod settings;
mod shapes;
mod streams;
mod turns;
mod window;

use super::oracle::{Change, Shape};
use super::suite::Suite;
use crate::collect::timed::{Draft, Head};
use crate::rng::{SEED, SplitMix64};
use crate::schema::{TimedFile, TimedGroup};

/// What a file says of itself.
const HEAD: Head<'_> = Head {
    stage: "ccc_table",
    algorithm: "Keeps congestion control contexts: counts, NSCC, the sender of RCCC, and turns",
    oracle: "golden-vectors, transmit::ccc_table::oracle; its runs keep the properties that are stated apart from it in \
             tests/suite/transmit/ccc_table, and its window stays near a run of the pseudocode with real numbers",
    contract: "docs/stages/ccc_table.md",
    rows: &["U20", "U21", "U22", "U23", "U24", "U25", "U26", "U27", "U30", "U31", "U32", "U33", "U34", "U35", "U37"],
    notes: &notes::NOTES,
};

/// The vectors of the stage.
#[must_use]
pub fn vectors() -> TimedFile {
    let mut suite = Suite::default();
    counts::add(&mut suite);
    samples::add(&mut suite);
    adapt::add(&mut suite);
    window::add(&mut suite);
    adjust::add(&mut suite);
    follows::add(&mut suite);
    credit::add(&mut suite);
    turns::add(&mut suite);
    blocked::add(&mut suite);
    commands::add(&mut suite);
    settings::add(&mut suite);
    streams::add(&mut suite);
    order::add(&mut suite);
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

/// The inputs of so many cases of random traffic, each from reset, with their cycles.
#[must_use]
pub fn load_traces(shape: Shape, cases: usize) -> Vec<Vec<(u64, Change)>> {
    let mut rng = SplitMix64::new(SEED);
    (0..cases).map(|_| load::script(shape, &mut rng).into_events()).collect()
}

/// Counts at the limits of their widths: cases that are too long for the committed file.
#[must_use]
pub fn wrap_vectors(shape: Shape) -> TimedFile {
    let mut suite = Suite::default();
    suite.group("wide", "counts at the limits of their widths", shape, None);
    counts::wide(&mut suite, shape);
    if shape.has_rccc() {
        credit::wide(&mut suite, shape);
    }
    let all: Vec<_> = notes::NOTES.into_iter().chain([notes::WRAP]).collect();
    Head { notes: &all, ..HEAD }.file(suite)
}
