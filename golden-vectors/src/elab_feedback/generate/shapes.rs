// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sizes and settings with which the cases are run.

use crate::elab_feedback::oracle::{Settings, Shape};

/// Bursts are of ten packets until a case changes that.
pub const TEN: Settings = Settings::new(10);

/// Four pairs of eight VPs.
pub const EIGHT: Shape = Shape::new(4, 8, 8);
/// One pair of two VPs.
pub const SMALL: Shape = Shape::new(1, 2, 65_535).ram_latency(1);
/// A number of pairs that is no power of two.
pub const FOUR: Shape = Shape::new(3, 4, 8).ram_latency(3);
/// A unit as long as it is by default.
pub const LONG: Shape = Shape::new(2, 8, 200);
/// More pairs than any pipeline is long, and not all that the ports can carry.
pub const THIRTY: Shape = Shape::new(30, 2, 9).ram_latency(1);
/// The greatest number of VPs.
pub const MANY: Shape = Shape::new(1, 64, 8);

/// A size with memories of each latency.
pub const LATENCIES: [Shape; 3] = [EIGHT.ram_latency(1), EIGHT, EIGHT.ram_latency(3)];

/// The sizes that are tested.
pub const SHAPES: [Shape; 8] = [LATENCIES[0], EIGHT, LATENCIES[2], SMALL, FOUR, LONG, THIRTY, MANY];
