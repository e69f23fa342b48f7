// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors of the stage `context_lookup`. Each file has the cases for some rows of the contract; the oracle gives the
//! answers.

mod commands;
mod load;
mod lookups;
mod moving;
mod notes;
mod placements;
mod shapes;
mod stash;
mod visibility;

use super::oracle::Shape;
use super::suite::Suite;
use crate::collect::timed::Head;
use crate::rng::{SEED, SplitMix64};
use crate::schema::{TimedFile, TimedGroup};

/// The vectors of the stage.
#[must_use]
pub fn vectors() -> TimedFile {
    let mut suite = Suite::default();
    lookups::add(&mut suite);
    commands::add(&mut suite);
    visibility::add(&mut suite);
    placements::add(&mut suite);
    stash::add(&mut suite);
    moving::add(&mut suite);
    load::add(&mut suite, &mut SplitMix64::new(SEED));
    let head = Head {
        stage: "context_lookup",
        algorithm: "Exact match of a received frame's key to the index of its context, by a cuckoo table with four \
                    sub-tables and a stash, into which keys are inserted while look-ups run",
        oracle: "golden-vectors, receive::context_lookup::oracle; its runs keep the properties that are stated apart from it in \
                 tests/suite/receive/context_lookup",
        contract: "docs/stages/context_lookup.md",
        rows: &["C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9", "C10", "C11", "C12", "C13"],
        notes: &notes::NOTES,
    };
    head.file(suite)
}

/// Random traffic for a stage of any size, with the answers of the oracle, for sizes that the committed file does not
/// have.
#[must_use]
pub fn load_vectors(shape: Shape) -> Vec<TimedGroup> {
    let mut suite = Suite::default();
    load::of_shape(&mut suite, shape, &mut SplitMix64::new(SEED), 2, 20);
    suite.into_groups()
}
