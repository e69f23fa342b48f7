// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sizes that are tested with frames.

use crate::receive::reorder::oracle::{PoolShape, Shape};

/// Cells of eight beats and of four, with each latency, and enough of them for a window of frames.
pub const LATENCIES: [Shape; 3] = [
    Shape::new(4, 64).ram_latency(1).pool(PoolShape::new(64, 128, 64)),
    Shape::new(4, 64).pool(PoolShape::new(128, 128, 64)),
    Shape::new(4, 64).ram_latency(3).pool(PoolShape::new(64, 128, 64)),
];

/// Cells of four beats, PSNs of 24 bits.
pub const USUAL: Shape = LATENCIES[1];

/// The fewest cells, with each latency. With the second one the sweep is that of the sub-paths.
pub const SMALL: [Shape; 3] = [
    Shape::new(4, 64).ram_latency(1).pool(PoolShape::new(128, 16, 64)),
    Shape::new(4, 64).paths(32).pool(PoolShape::new(64, 16, 64)),
    Shape::new(4, 64).ram_latency(3).pool(PoolShape::new(128, 16, 64)),
];

/// The widest bus, whose longest frames have 128 beats in 32 cells, and PSNs of 32 bits.
pub const WIDE: Shape = Shape::new(2, 64).paths(2).psn_bits(32).pool(PoolShape::new(1024, 64, 512));
