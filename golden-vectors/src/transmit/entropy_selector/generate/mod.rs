// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors of the stage `entropy_selector`. Each file has the cases for some rows of the contract; the oracle
//! gives the answers.

mod classes;
mod command;
mod defaults;
mod egress;
mod epochs;
mod free_ports;
mod frozen;
mod groups;
mod hazards;
mod idle;
mod independent;
mod kinds;
mod latencies;
mod load;
mod mixed;
mod modes;
mod notes;
mod oblivious;
mod penalty;
mod penalty_decrements;
mod refused;
mod reps;
mod reroute;
mod ring_ages;
mod saturation;
mod settings;
mod shapes;
mod single_path;
mod space;
mod sparse;
mod visibility;
mod walk;

use crate::collect::timed::Head;
use crate::rng::{SEED, SplitMix64};
use crate::schema::{TimedFile, TimedGroup};
use crate::transmit::entropy_selector::oracle::Shape;
use crate::transmit::entropy_selector::suite::Suite;
use notes::NOTES;

/// The vectors of the stage `entropy_selector`.
#[must_use]
pub fn vectors() -> TimedFile {
    let mut rng = SplitMix64::new(SEED);
    let mut suite = Suite::default();
    walk::add(&mut suite);
    visibility::add(&mut suite);
    hazards::add(&mut suite);
    epochs::add(&mut suite);
    idle::add(&mut suite);
    saturation::add(&mut suite);
    refused::add(&mut suite);
    command::add(&mut suite, &mut rng);
    settings::add(&mut suite);
    sparse::add(&mut suite);
    load::add(&mut suite, &mut rng);
    latencies::add(&mut suite, &mut rng);
    modes::add(&mut suite, &mut rng);
    space::add(&mut suite, &mut rng);
    egress::add(&mut suite, &mut rng);
    independent::add(&mut suite);
    Head {
        stage: "entropy_selector",
        algorithm: "Path selection: the next entropy value of a congestion control context, in the mode in which it was opened; \
                    path-aware spraying keeps away from those that recent feedback has marked as congested",
        oracle: "golden-vectors, transmit::entropy_selector::oracle; its runs keep the properties that are stated apart from \
                     it in tests/suite/transmit/entropy_selector",
        contract: "docs/stages/entropy_selector.md",
        rows: &["U03", "U04", "U05", "U06", "U07", "U08", "U10", "U11", "U12", "U13", "U22", "U23", "U24", "U26", "U28", "U36"],
        notes: &NOTES,
    }
    .file(suite)
}

/// Cases for a selector of any size, with the answers of the oracle, for sizes that the committed file does not have:
/// random traffic at full load in the group `load`, the settings after reset in the group `defaults`, and for a
/// selector with other modes than the bitmap also the group `modes-load`.
#[must_use]
pub fn load_vectors(shape: Shape) -> Vec<TimedGroup> {
    let mut suite = Suite::default();
    let mut rng = SplitMix64::new(SEED);
    load::of_shape(&mut suite, shape, &mut rng);
    defaults::add(&mut suite, shape);
    if shape.modes != Shape::new(shape.cccs, shape.evs).modes {
        modes::random(&mut suite, shape, &mut rng);
    }
    suite.into_groups()
}
