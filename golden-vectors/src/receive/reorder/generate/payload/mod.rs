// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors of the stage `reorder` with frames in a pool of cells (R30 to R40). Each file has the cases for some rows;
//! rows that both ways to hold packets have get the cases of handles again, with frames of one beat up to some cells.

mod cells;
mod closing;
mod frames;
mod leaving;
mod limits;
mod load;
mod notes;
mod quota;
mod shapes;
mod walk;

use super::{commands, delivery, orders, outcomes, window};
use crate::collect::timed::Head;
use crate::receive::reorder::oracle::Shape;
use crate::receive::reorder::suite::Suite;
use crate::rng::{SEED, SplitMix64};
use crate::schema::{TimedFile, TimedGroup};

/// The vectors of the stage with frames.
#[must_use]
pub fn payload_vectors() -> TimedFile {
    let mut suite = Suite::default();
    for shape in shapes::LATENCIES {
        outcomes::with_frames(&mut suite, shape);
        orders::with_frames(&mut suite, shape, if shape == shapes::USUAL { 5 } else { 3 });
        window::with_frames(&mut suite, shape);
        commands::with_frames(&mut suite, shape);
    }
    delivery::with_frames(&mut suite, shapes::USUAL);
    frames::add(&mut suite);
    limits::add(&mut suite);
    quota::add(&mut suite);
    walk::add(&mut suite);
    leaving::add(&mut suite);
    closing::add(&mut suite);
    cells::add(&mut suite);
    load::add(&mut suite, &mut SplitMix64::new(SEED));
    let head = Head {
        stage: "reorder",
        algorithm: "Holds frames in a pool of cells and delivers those of each connection once and in the order of their \
                    PSNs",
        oracle: "golden-vectors, receive::reorder::oracle; its runs keep the properties that are stated apart from it in \
                 tests/suite/receive/reorder",
        contract: "docs/stages/reorder.md",
        rows: &["M11", "M56", "M58", "M82", "M101", "M102"],
        notes: &notes::notes(),
    };
    head.file(suite)
}

/// Random traffic for a stage of any size, with the answers of the oracle.
pub fn load_of(shape: Shape) -> Vec<TimedGroup> {
    let mut suite = Suite::default();
    load::of_shape(&mut suite, shape, &mut SplitMix64::new(SEED));
    suite.into_groups()
}
