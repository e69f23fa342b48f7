// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors of the stage `elab_scheduler`. Each file has the cases for some rows of the contract; the oracle gives
//! the answers.

mod accumulating;
mod after_reset;
mod at_once;
mod bursts;
mod drawing;
mod exploring;
mod hazards;
mod indications;
mod notes;
mod operations;
mod random_traffic;
mod rates;
mod refused;
mod shapes;
mod silence;
mod visibility;
mod weights;

use crate::collect::timed::Head;
use crate::elab::scheduler::oracle::Shape;
use crate::elab::scheduler::suite::Suite;
use crate::rng::{SEED, SplitMix64};
use crate::schema::{TimedFile, TimedGroup};
use notes::NOTES;

/// The vectors of the stage `elab_scheduler`.
#[must_use]
pub fn vectors() -> TimedFile {
    let mut rng = SplitMix64::new(SEED);
    let mut suite = Suite::default();
    weights::add(&mut suite);
    drawing::add(&mut suite);
    accumulating::add(&mut suite);
    rates::add(&mut suite);
    indications::add(&mut suite);
    at_once::add(&mut suite);
    exploring::add(&mut suite);
    bursts::add(&mut suite);
    silence::add(&mut suite);
    visibility::add(&mut suite);
    hazards::add(&mut suite);
    operations::add(&mut suite, &mut rng);
    refused::add(&mut suite);
    random_traffic::add(&mut suite, &mut rng);
    Head {
        stage: "elab_scheduler",
        algorithm: "ELAB, the sending half: the virtual path of every packet, in proportion to the bandwidth that is left on each by \
             what the receiver reports",
        oracle: "golden-vectors, elab::scheduler::oracle; its runs keep the properties that are stated apart from it in \
                     tests/suite/elab",
        contract: "docs/stages/elab_scheduler.md",
        rows: ROWS,
        notes: &NOTES,
    }
    .file(suite)
}

/// The requirement rows that the contract names and that have cases.
const ROWS: &[&str] =
    &["E02", "E04", "E05", "E06", "E07", "E08", "E09", "E10", "E12", "E13", "E14", "E15", "E16", "E17", "E18"];

/// Vectors for a stage of any size, with the answers of the oracle, for sizes that the committed file does not have: the
/// group `load` with random traffic, and the group `reset`, in which the settings are those after reset.
#[must_use]
pub fn load_vectors(shape: Shape) -> Vec<TimedGroup> {
    let mut suite = Suite::default();
    random_traffic::of_shape(&mut suite, shape, &mut SplitMix64::new(SEED));
    after_reset::add(&mut suite, shape);
    suite.into_groups()
}
