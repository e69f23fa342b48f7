// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors of the stage `path_scheduler`: events chosen rule by rule, answers from the oracle.

mod congested;
mod drawing;
mod granularity;
mod hazards;
mod notes;
mod numbers;
mod operations;
mod ports;
mod random_traffic;
mod refused;
mod reopen;
mod script;
mod suite;
mod visibility;
mod weights;

use super::rng::{SEED, SplitMix64};
use crate::oracle::path_scheduler::{Settings, Shape};
use crate::schema::timed::{SCHEMA_NAME, SCHEMA_VERSION};
use crate::schema::{Provenance, SchemaId, TimedFile, TimedGroup};
use suite::Suite;

/// What stands on the settings until a case changes them.
const SETTINGS: Settings = Settings::new(1, 2, 3);

/// One QP of two sub-paths.
const SMALL: Shape = Shape::new(1, 2).ram_latency(1);
/// Two QPs of two.
const TWO: Shape = Shape::new(2, 2);
/// Two QPs of four.
const FEW: Shape = Shape::new(2, 4);
/// The same with memories of latency 3.
const FEW_SLOW: Shape = FEW.ram_latency(3);
/// A number of QPs that is no power of two.
const FIVE: Shape = Shape::new(5, 8).ram_latency(1);
/// More QPs than any pipeline is long.
const SIXTEEN: Shape = Shape::new(16, 4).ram_latency(3);
/// The greatest number of sub-paths.
const MANY: Shape = Shape::new(1, 64);

/// A size with memories of each latency.
const LATENCIES: [Shape; 3] = [FEW.ram_latency(1), FEW, FEW_SLOW];

/// The sizes that are tested.
const SHAPES: [Shape; 8] = [LATENCIES[0], FEW, FEW_SLOW, SMALL, TWO, FIVE, SIXTEEN, MANY];

/// The vectors of the stage `path_scheduler`.
#[must_use]
pub fn path_scheduler() -> TimedFile {
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
        generator: super::generator(),
        provenance: Provenance {
            oracle:
                "golden-vectors, oracle::path_scheduler; its runs keep the properties that are stated apart from it \
                     in tests/scheduler"
                    .into(),
            contract: "docs/stages/path_scheduler.md".into(),
            rows: ROWS.iter().map(|row| format!("M{row:02}")).collect(),
        },
        number_of_tests: groups.iter().map(|group| group.tests.len()).sum(),
        notes: notes::notes(),
        groups,
    }
}

/// The requirement rows that the contract names and cases are about.
const ROWS: [u64; 36] = [
    5, 16, 17, 18, 19, 20, 21, 22, 23, 24, 33, 34, 35, 36, 37, 43, 47, 48, 50, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69,
    71, 72, 74, 75, 77, 78, 107,
];

/// Random traffic for a scheduler of any size, and the oracle's answers: the group `load` of the vectors, for sizes
/// that the committed file does not have.
#[must_use]
pub fn path_scheduler_load(shape: Shape) -> Vec<TimedGroup> {
    let mut suite = Suite::default();
    random_traffic::of_shape(&mut suite, shape, &mut SplitMix64::new(SEED));
    suite.into_groups()
}
