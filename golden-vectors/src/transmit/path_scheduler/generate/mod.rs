// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors of the stage `path_scheduler`. Each file has the cases for some rows of the contract; the oracle gives
//! the answers.

mod congested;
mod drawing;
mod entropies;
mod events;
mod follow;
mod full;
mod granularity;
mod hazards;
mod losses;
mod marks;
mod migration;
mod notes;
mod numbers;
mod operations;
mod pauses;
mod probing;
mod random_traffic;
mod refused;
mod registers;
mod reopen;
mod returns;
mod shapes;
mod shares;
mod single;
mod steps;
mod switches;
mod visibility;
mod weights;

use crate::collect::timed::Head;
use crate::rng::{SEED, SplitMix64};
use crate::schema::{TimedFile, TimedGroup};
use crate::transmit::path_scheduler::oracle::Shape;
use crate::transmit::path_scheduler::suite::Suite;
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
    full::add(&mut suite);
    follow::add(&mut suite);
    migration::add(&mut suite);
    steps::add(&mut suite);
    probing::add(&mut suite);
    marks::add(&mut suite);
    returns::add(&mut suite);
    losses::add(&mut suite);
    shares::add(&mut suite);
    single::add(&mut suite);
    switches::add(&mut suite);
    entropies::add(&mut suite);
    pauses::add(&mut suite);
    events::add(&mut suite);
    refused::add(&mut suite);
    registers::add(&mut suite);
    random_traffic::add(&mut suite, &mut rng);
    Head {
        stage: "path_scheduler",
        algorithm: "Multipath scheduling: the sub-path of every packet of a queue pair, by flow, by flowlet or packet by \
                    packet, in proportion to weights that follow the feedback from each sub-path",
        oracle: "golden-vectors, transmit::path_scheduler::oracle; its runs keep the properties that are stated apart from it \
                     in tests/suite/transmit/path_scheduler",
        contract: "docs/stages/path_scheduler.md",
        rows: ROWS,
        notes: &NOTES,
    }
    .file(suite)
}

/// The requirement rows that the contract names and that have cases.
const ROWS: &[&str] = &[
    "M03", "M05", "M07", "M15", "M16", "M17", "M18", "M19", "M20", "M21", "M22", "M23", "M24", "M26", "M33", "M34",
    "M35", "M36", "M37", "M43", "M45", "M46", "M47", "M48", "M49", "M50", "M60", "M61", "M62", "M63", "M64", "M65",
    "M66", "M67", "M68", "M69", "M70", "M71", "M72", "M73", "M74", "M75", "M77", "M78", "M80", "M104", "M107", "M108",
    "M116",
];

/// The groups `load` and `reset` for a stage of any size, with the answers of the oracle: random traffic, for sizes that
/// the committed file does not have, and the settings after reset.
#[must_use]
pub fn load_vectors(shape: Shape) -> Vec<TimedGroup> {
    let mut suite = Suite::default();
    random_traffic::of_shape(&mut suite, shape, &mut SplitMix64::new(SEED));
    registers::of_shape(&mut suite, shape);
    suite.into_groups()
}
