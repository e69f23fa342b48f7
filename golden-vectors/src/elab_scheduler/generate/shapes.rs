// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sizes and settings with which the cases are run.

use crate::elab_scheduler::oracle::{Settings, Shape};

/// Rates follow the newest one nearly at once, nothing is gathered for longer than it must be, and no VP ever calls.
pub const NEVER: Settings = Settings::new(255, 0, 0xF_FFFF, 0);

/// Four pairs of eight VPs.
pub const EIGHT: Shape = Shape::new(4, 8, 8);
/// The same with memories of latency 3.
pub const EIGHT_SLOW: Shape = EIGHT.ram_latency(3);
/// One pair of two VPs.
pub const SMALL: Shape = Shape::new(1, 2, 8).ram_latency(1);
/// A number of pairs that is no power of two.
pub const FOUR: Shape = Shape::new(3, 4, 8).ram_latency(3);
/// A unit as long as it is by default, and no power of two.
pub const LONG: Shape = Shape::new(2, 8, 200);
/// More pairs than any pipeline is long.
pub const SIXTEEN: Shape = Shape::new(16, 4, 9).ram_latency(1);
/// The greatest number of VPs.
pub const MANY: Shape = Shape::new(1, 64, 8);

/// A size with memories of each latency.
pub const LATENCIES: [Shape; 3] = [EIGHT.ram_latency(1), EIGHT, EIGHT_SLOW];

/// The sizes that are tested.
pub const SHAPES: [Shape; 8] = [LATENCIES[0], EIGHT, EIGHT_SLOW, SMALL, FOUR, LONG, SIXTEEN, MANY];
