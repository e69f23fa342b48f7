// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors of the stage `elab_scheduler`: events chosen rule by rule, answers from the oracle.

mod accumulating;
mod bursts;
mod drawing;
mod exploring;
mod hazards;
mod indications;
mod notes;
mod operations;
mod ports;
mod random_traffic;
mod rates;
mod refused;
mod script;
mod suite;
mod visibility;
mod weights;

use super::rng::{SEED, SplitMix64};
use crate::oracle::elab_scheduler::{Settings, Shape};
use crate::schema::timed::{SCHEMA_NAME, SCHEMA_VERSION};
use crate::schema::{Provenance, SchemaId, TimedFile, TimedGroup};
use suite::Suite;

/// Rates follow the newest one nearly at once, nothing is gathered for longer than it must be, and no VP ever calls.
const NEVER: Settings = Settings::new(255, 0, 0xF_FFFF, 0);

/// Four pairs of eight VPs.
const EIGHT: Shape = Shape::new(4, 8, 8);
/// The same with memories of latency 3.
const EIGHT_SLOW: Shape = EIGHT.ram_latency(3);
/// One pair of two VPs.
const SMALL: Shape = Shape::new(1, 2, 8).ram_latency(1);
/// A number of pairs that is no power of two.
const FOUR: Shape = Shape::new(3, 4, 8).ram_latency(3);
/// A unit as long as it is by default, and no power of two.
const LONG: Shape = Shape::new(2, 8, 200);
/// More pairs than any pipeline is long.
const SIXTEEN: Shape = Shape::new(16, 4, 9).ram_latency(1);
/// The greatest number of VPs.
const MANY: Shape = Shape::new(1, 64, 8);

/// A size with memories of each latency.
const LATENCIES: [Shape; 3] = [EIGHT.ram_latency(1), EIGHT, EIGHT_SLOW];

/// The sizes that are tested.
const SHAPES: [Shape; 8] = [LATENCIES[0], EIGHT, EIGHT_SLOW, SMALL, FOUR, LONG, SIXTEEN, MANY];

/// The vectors of the stage `elab_scheduler`.
#[must_use]
pub fn elab_scheduler() -> TimedFile {
    let mut rng = SplitMix64::new(SEED);
    let mut suite = Suite::default();
    weights::add(&mut suite);
    drawing::add(&mut suite);
    accumulating::add(&mut suite);
    rates::add(&mut suite);
    indications::add(&mut suite);
    exploring::add(&mut suite);
    bursts::add(&mut suite);
    visibility::add(&mut suite);
    hazards::add(&mut suite);
    operations::add(&mut suite, &mut rng);
    refused::add(&mut suite);
    random_traffic::add(&mut suite, &mut rng);
    let groups = suite.into_groups();

    TimedFile {
        schema: SchemaId { name: SCHEMA_NAME.into(), version: SCHEMA_VERSION.into() },
        stage: "elab_scheduler".into(),
        algorithm:
            "ELAB, the sending half: the virtual path of every packet, in proportion to the bandwidth that is left on each by              what the receiver reports"
                .into(),
        license: "MIT OR Apache-2.0".into(),
        generator: super::generator(),
        provenance: Provenance {
            oracle:
                "golden-vectors, oracle::elab_scheduler; its runs keep the properties that are stated apart from it in                  tests/elab"
                    .into(),
            contract: "docs/stages/elab_scheduler.md".into(),
            rows: ROWS.iter().map(|row| format!("E{row:02}")).collect(),
        },
        number_of_tests: groups.iter().map(|group| group.tests.len()).sum(),
        notes: notes::notes(),
        groups,
    }
}

/// The requirement rows that the contract names and cases are about.
const ROWS: [u64; 14] = [2, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15, 16, 17];

/// Random traffic for a scheduler of any size, and the oracle's answers: the group `load` of the vectors, for sizes
/// that the committed file does not have.
#[must_use]
pub fn elab_scheduler_load(shape: Shape) -> Vec<TimedGroup> {
    let mut suite = Suite::default();
    random_traffic::of_shape(&mut suite, shape, &mut SplitMix64::new(SEED));
    suite.into_groups()
}
