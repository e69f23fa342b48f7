// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sizes that are tested.

use crate::transmit::packet_tracker::oracle::Shape;

/// The smallest window with each latency.
pub const CYCLES: [Shape; 3] = [Shape::new(4, 64).ram_latency(1), Shape::new(4, 64), Shape::new(4, 64).ram_latency(3)];

/// The usual one.
pub const USUAL: Shape = CYCLES[1];

/// That of the examples: a window of four blocks.
pub const FOUR_BLOCKS: Shape = Shape::new(4, 256);

/// PSNs of 24 bits and two blocks, and an EV that is all in the record.
pub const ROCE: Shape = Shape::new(2, 128).psn_bits(24).ev_bits(16).cccs(3);

/// Other sizes.
pub const OTHERS: [Shape; 2] =
    [Shape::new(16, 64).psn_bits(24).ev_bits(1).cccs(1).ram_latency(1), Shape::new(64, 256).ev_bits(5).ram_latency(3)];

/// With one block, with two, and with four.
pub const BLOCKS: [Shape; 3] = [USUAL, ROCE, FOUR_BLOCKS];

/// All sizes.
pub fn all() -> impl Iterator<Item = Shape> {
    CYCLES.into_iter().chain([FOUR_BLOCKS, ROCE]).chain(OTHERS)
}
