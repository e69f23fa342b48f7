// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sizes and settings with which the cases are run.

use crate::elab::scheduler::oracle::{Settings, Shape};

/// The rate of a VP follows the newest one almost at once, every report may update, and no VP requests a probe.
pub const NEVER: Settings = Settings::new(255, 0, 0xF_FFFF, 0);

/// Four pairs of eight VPs.
pub const EIGHT: Shape = Shape::new(4, 8, 8);
/// The same size with memories of latency 3.
pub const EIGHT_SLOW: Shape = EIGHT.ram_latency(3);
/// One pair of two VPs.
pub const SMALL: Shape = Shape::new(1, 2, 8).ram_latency(1);
/// A number of pairs that is no power of two.
pub const FOUR: Shape = Shape::new(3, 4, 8).ram_latency(3);
/// The default length of a unit, which is no power of two.
pub const LONG: Shape = Shape::new(2, 8, 200);
/// More pairs than the pipeline has steps, so that all of them can be in it at once.
pub const SIXTEEN: Shape = Shape::new(16, 4, 9).ram_latency(1);
/// The greatest number of VPs.
pub const MANY: Shape = Shape::new(1, 64, 8);

/// The same size with memories of latency 1, 2 and 3. Rules that count cycles are tested at each.
pub const LATENCIES: [Shape; 3] = [EIGHT.ram_latency(1), EIGHT, EIGHT_SLOW];

/// All sizes, for random traffic.
pub const SHAPES: [Shape; 8] = [LATENCIES[0], EIGHT, EIGHT_SLOW, SMALL, FOUR, LONG, SIXTEEN, MANY];
