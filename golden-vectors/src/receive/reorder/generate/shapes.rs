// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sizes that are tested.

use crate::receive::reorder::oracle::Shape;

/// The smallest window with each latency.
pub const LATENCIES: [Shape; 3] =
    [Shape::new(4, 64).ram_latency(1), Shape::new(4, 64), Shape::new(4, 64).ram_latency(3)];

/// The smallest window, PSNs of 24 bits.
pub const USUAL: Shape = LATENCIES[1];

/// PSNs of 32 bits, handles of 64 bits, the largest window.
pub const LARGEST: Shape = Shape::new(2, 1024).paths(2).psn_bits(32).handle_bits(64);

/// The windows between them, with handles of 1 bit.
pub const WINDOWS: [Shape; 3] = [
    Shape::new(2, 128).paths(8).handle_bits(1),
    Shape::new(2, 256).paths(2).psn_bits(32).ram_latency(1),
    Shape::new(8, 512).paths(2).ram_latency(3), //
];

/// Many connections.
pub const MANY: Shape = Shape::new(32, 64).paths(2).ram_latency(1);

/// All sizes.
pub fn all() -> impl Iterator<Item = Shape> {
    LATENCIES.into_iter().chain([LARGEST]).chain(WINDOWS).chain([MANY])
}
