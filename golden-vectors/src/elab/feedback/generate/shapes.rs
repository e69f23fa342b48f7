// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sizes and settings with which the cases are run.

use crate::elab::feedback::oracle::{Settings, Shape};

/// A burst has ten packets, unless a case changes that.
pub const TEN: Settings = Settings::new(10);

/// Four pairs of eight VPs.
pub const EIGHT: Shape = Shape::new(4, 8, 8);
/// One pair of two VPs.
pub const SMALL: Shape = Shape::new(1, 2, 65_535).ram_latency(1);
/// A number of pairs that is no power of two.
pub const FOUR: Shape = Shape::new(3, 4, 8).ram_latency(3);
/// The default length of a unit.
pub const LONG: Shape = Shape::new(2, 8, 200);
/// More pairs than the pipeline has steps, and fewer than the port can carry.
pub const THIRTY: Shape = Shape::new(30, 2, 9).ram_latency(1);
/// The greatest number of VPs.
pub const MANY: Shape = Shape::new(1, 64, 8);

/// The same size with memories of latency 1, 2 and 3. Rules that count cycles are tested at each.
pub const LATENCIES: [Shape; 3] = [EIGHT.ram_latency(1), EIGHT, EIGHT.ram_latency(3)];

/// All sizes, for random traffic.
pub const SHAPES: [Shape; 8] = [LATENCIES[0], EIGHT, LATENCIES[2], SMALL, FOUR, LONG, THIRTY, MANY];
