// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors of the stage `path_scheduler`. Each file has the cases for some rows of the contract; the oracle gives
//! the answers.

mod congested;
mod drawing;
mod granularity;
mod hazards;
mod notes;
mod numbers;
mod operations;
mod random_traffic;
mod refused;
mod reopen;
mod shapes;
mod visibility;
mod weights;

use crate::collect::{generator, notes};
use crate::path_scheduler::oracle::Shape;
use crate::path_scheduler::suite::Suite;
use crate::rng::{SEED, SplitMix64};
use crate::schema::timed::{SCHEMA_NAME, SCHEMA_VERSION};
use crate::schema::{Provenance, SchemaId, TimedFile, TimedGroup};
use notes::NOTES;

/// The vectors of the stage `path_scheduler`.
#[must_use]
pub fn vectors() -> TimedFile {
    let mut rng = SplitMix64::new(SEED);
    let mut suite = Suite::default();
    granularity::add(&mut suite);
    drawing::add(&mut suite);
    hazards::add(&mut suite);
    visibility::add(&mut suite);
    weights::add(&mut suite);
    numbers::add(&mut suite);
    operations::add(&mut suite, &mut rng);
    reopen::add(&mut suite);
    congested::add(&mut suite);
    refused::add(&mut suite);
    random_traffic::add(&mut suite, &mut rng);
    let groups = suite.into_groups();

    TimedFile {
        schema: SchemaId { name: SCHEMA_NAME.into(), version: SCHEMA_VERSION.into() },
        stage: "path_scheduler".into(),
        algorithm:
            "Multipath scheduling: the sub-path of every packet of a queue pair, by flow, by flowlet or packet by \
                    packet, in proportion to weights that follow the feedback from each sub-path"
                .into(),
        license: "MIT OR Apache-2.0".into(),
        generator: generator(),
        provenance: Provenance {
            oracle:
                "golden-vectors, path_scheduler::oracle; its runs keep the properties that are stated apart from it \
                     in tests/suite/path_scheduler"
                    .into(),
            contract: "docs/stages/path_scheduler.md".into(),
            rows: ROWS.iter().map(|row| format!("M{row:02}")).collect(),
        },
        number_of_tests: groups.iter().map(|group| group.tests.len()).sum(),
        notes: notes(&NOTES),
        groups,
    }
}

/// The requirement rows that the contract names and that have cases.
const ROWS: [u64; 40] = [
    5, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 33, 34, 35, 36, 37, 43, 47, 48, 49, 50, 60, 61, 62, 63, 64, 65, 66, 67,
    68, 69, 70, 71, 72, 74, 75, 77, 78, 107, 108,
];

/// Random traffic for a stage of any size, with the answers of the oracle: the group `load`, for sizes that the
/// committed file does not have.
#[must_use]
pub fn load_vectors(shape: Shape) -> Vec<TimedGroup> {
    let mut suite = Suite::default();
    random_traffic::of_shape(&mut suite, shape, &mut SplitMix64::new(SEED));
    suite.into_groups()
}
