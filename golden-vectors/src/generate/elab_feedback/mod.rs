// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors of the stage `elab_feedback`: events chosen rule by rule, answers from the oracle.

mod bursts;
mod counting;
mod forgetting;
mod hazards;
mod notes;
mod ports;
mod random_traffic;
mod refused;
mod script;
mod suite;
mod turns;

use super::rng::{SEED, SplitMix64};
use crate::oracle::elab_feedback::{Settings, Shape};
use crate::schema::timed::{SCHEMA_NAME, SCHEMA_VERSION};
use crate::schema::{Provenance, SchemaId, TimedFile, TimedGroup};
use suite::Suite;

/// Bursts are of ten packets until a case changes that.
const TEN: Settings = Settings::new(10);

/// Four pairs of eight VPs.
const EIGHT: Shape = Shape::new(4, 8, 8);
/// One pair of two VPs.
const SMALL: Shape = Shape::new(1, 2, 65_535).ram_latency(1);
/// A number of pairs that is no power of two.
const FOUR: Shape = Shape::new(3, 4, 8).ram_latency(3);
/// A unit as long as it is by default.
const LONG: Shape = Shape::new(2, 8, 200);
/// More pairs than any pipeline is long, and not all that the ports can carry.
const THIRTY: Shape = Shape::new(30, 2, 9).ram_latency(1);
/// The greatest number of VPs.
const MANY: Shape = Shape::new(1, 64, 8);

/// A size with memories of each latency.
const LATENCIES: [Shape; 3] = [EIGHT.ram_latency(1), EIGHT, EIGHT.ram_latency(3)];

/// The sizes that are tested.
const SHAPES: [Shape; 8] = [LATENCIES[0], EIGHT, LATENCIES[2], SMALL, FOUR, LONG, THIRTY, MANY];

/// The vectors of the stage `elab_feedback`.
#[must_use]
pub fn elab_feedback() -> TimedFile {
    let mut rng = SplitMix64::new(SEED);
    let mut suite = Suite::default();
    counting::add(&mut suite);
    turns::add(&mut suite);
    bursts::add(&mut suite);
    forgetting::add(&mut suite);
    hazards::add(&mut suite);
    refused::add(&mut suite);
    random_traffic::add(&mut suite, &mut rng);
    let groups = suite.into_groups();

    TimedFile {
        schema: SchemaId { name: SCHEMA_NAME.into(), version: SCHEMA_VERSION.into() },
        stage: "elab_feedback".into(),
        algorithm:
            "ELAB, the receiving half: what has arrived on each virtual path, reported in turns, and how fast a burst did"
                .into(),
        license: "MIT OR Apache-2.0".into(),
        generator: super::generator(),
        provenance: Provenance {
            oracle:
                "golden-vectors, oracle::elab_feedback; its runs keep the properties that are stated apart from it in                  tests/elab"
                    .into(),
            contract: "docs/stages/elab_feedback.md".into(),
            rows: ROWS.iter().map(|row| format!("E{row:02}")).collect(),
        },
        number_of_tests: groups.iter().map(|group| group.tests.len()).sum(),
        notes: notes::notes(),
        groups,
    }
}

/// The requirement rows that the contract names and cases are about.
const ROWS: [u64; 5] = [2, 5, 6, 11, 15];

/// Random traffic for a feedback of any size, and the oracle's answers: the group `load` of the vectors, for sizes that
/// the committed file does not have.
#[must_use]
pub fn elab_feedback_load(shape: Shape) -> Vec<TimedGroup> {
    let mut suite = Suite::default();
    random_traffic::of_shape(&mut suite, shape, &mut SplitMix64::new(SEED));
    suite.into_groups()
}
