// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors of the stage `lia_router`. Each file has the cases for some rows of the contract; the oracle gives the
//! answers.

mod commands;
mod counts;
mod decisions;
mod hops;
mod load;
mod notes;
mod paths;
mod settings;
mod shapes;
mod sweeps;

use super::oracle::Size;
use super::suite::Suite;
use crate::collect::timed::Head;
use crate::rng::{SEED, SplitMix64};
use crate::schema::{TimedFile, TimedGroup};

/// What a file says of itself.
const HEAD: Head<'_> = Head {
    stage: "lia_router",
    algorithm: "Routes packets of a switch of a Dragonfly over minimal or non-minimal paths, by the load that it offers to groups",
    oracle: "golden-vectors, routing::lia_router::oracle; the numbers of the source that are worked out apart from it, and \
             properties of all paths, in tests/suite/routing/lia_router, hold for it",
    contract: "docs/stages/lia_router.md",
    rows: &[],
    notes: &notes::NOTES,
};

/// The vectors of the stage.
#[must_use]
pub fn vectors() -> TimedFile {
    let mut suite = Suite::default();
    counts::add(&mut suite);
    sweeps::add(&mut suite);
    hops::add(&mut suite);
    decisions::add(&mut suite);
    paths::add(&mut suite);
    commands::add(&mut suite);
    settings::add(&mut suite);
    load::add(&mut suite, &mut SplitMix64::new(SEED));
    HEAD.file(suite)
}

/// Random traffic for a stage of any size, with the answers of the oracle, for sizes that the committed file does not
/// have.
#[must_use]
pub fn load_vectors(size: Size) -> Vec<TimedGroup> {
    let mut suite = Suite::default();
    settings::of_size(&mut suite, size);
    load::of_size(&mut suite, size, &mut SplitMix64::new(SEED), 3);
    suite.into_groups()
}
