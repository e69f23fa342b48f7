// SPDX-License-Identifier: MIT OR Apache-2.0
//! `reorder` with frames in a pool of cells (rows R30 to R40), end to end: every frame leaves once, in order and byte by
//! byte, and no cell is lost.

mod bench;
mod cells;
mod checker;
mod lockstep;
mod orders;
mod traffic;
mod vectors;

use bench::Bench;
use pipeline::headers::side_band::SideBand;
use pipeline::receive::reorder::PayloadConfig;

const WRAP: u64 = 0xFF_FFF0;

/// Small pools, whose cells have four and eight beats.
fn pool(cells: u64) -> PayloadConfig {
    PayloadConfig { cell_bytes: 64, quota: cells, reserve: 0, ..PayloadConfig::new(64, cells) }
}

fn wide_pool(cells: u64) -> PayloadConfig {
    let side_band = SideBand { tid: 5, tdest: 3, tuser: 4 };
    PayloadConfig { cell_bytes: 64, quota: cells, reserve: 0, side_band, ..PayloadConfig::new(128, cells) }
}

/// Settles, and says what has been counted.
fn end(mut bench: Bench, test: &str) -> checker::Counts {
    bench.settle();
    let counts = bench.check.counts.clone();
    println!("{test}: {counts:?}");
    assert!(counts.frames > 0 && counts.at_rest > 0, "{test} has checked nothing");
    counts
}
