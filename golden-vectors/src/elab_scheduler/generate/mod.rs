// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors of the stage `elab_scheduler`. Each file has the cases for some rows of the contract; the oracle gives
//! the answers.

mod accumulating;
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
mod visibility;
mod weights;

use crate::collect::{generator, notes};
use crate::elab_scheduler::oracle::Shape;
use crate::elab_scheduler::suite::Suite;
use crate::rng::{SEED, SplitMix64};
use crate::schema::timed::{SCHEMA_NAME, SCHEMA_VERSION};
use crate::schema::{Provenance, SchemaId, TimedFile, TimedGroup};
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
            "ELAB, the sending half: the virtual path of every packet, in proportion to the bandwidth that is left on each by \
             what the receiver reports"
                .into(),
        license: "MIT OR Apache-2.0".into(),
        generator: generator(),
        provenance: Provenance {
            oracle:
                "golden-vectors, elab_scheduler::oracle; its runs keep the properties that are stated apart from it in \
                     tests/suite/elab"
                    .into(),
            contract: "docs/stages/elab_scheduler.md".into(),
            rows: ROWS.iter().map(|row| format!("E{row:02}")).collect(),
        },
        number_of_tests: groups.iter().map(|group| group.tests.len()).sum(),
        notes: notes(&NOTES),
        groups,
    }
}

/// The requirement rows that the contract names and that have cases.
const ROWS: [u64; 15] = [2, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15, 16, 17, 18];

/// Random traffic for a stage of any size, with the answers of the oracle: the group `load`, for sizes that the
/// committed file does not have.
#[must_use]
pub fn load_vectors(shape: Shape) -> Vec<TimedGroup> {
    let mut suite = Suite::default();
    random_traffic::of_shape(&mut suite, shape, &mut SplitMix64::new(SEED));
    suite.into_groups()
}
