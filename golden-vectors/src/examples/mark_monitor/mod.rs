// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stage `mark_monitor`: what it must do ([`oracle`]), and the vectors that test it.

mod cases;
pub mod oracle;
mod suite;

use crate::collect::timed::Head;
use crate::rng::{SEED, SplitMix64};
use crate::schema::{TimedFile, TimedGroup};
use oracle::{Settings, Shape};
use suite::Suite;

/// The vectors of the stage.
#[must_use]
pub fn vectors() -> TimedFile {
    let mut suite = Suite::default();
    cases::add(&mut suite, &mut SplitMix64::new(SEED));
    let head = Head {
        stage: "mark_monitor",
        algorithm: "Congestion marks per path, and an alarm for every path that has had too many",
        oracle: "golden-vectors, examples::mark_monitor::oracle",
        contract: "docs/stages/mark_monitor.md",
        rows: &["C1", "C2", "C3", "C4", "C5"],
        notes: &cases::NOTES,
    };
    head.file(suite)
}

/// Random traffic for a stage of any size, with the answers of the oracle, for sizes that the committed file does not
/// have.
#[must_use]
pub fn load_vectors(shape: Shape) -> Vec<TimedGroup> {
    let mut suite = Suite::default();
    suite.group("load", "random marks", shape, Settings { limit: 3, ready: true });
    cases::load(&mut suite, shape, &mut SplitMix64::new(SEED));
    suite.into_groups()
}
