// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sizes that are tested.

use crate::receive::ack_generator::oracle::{Protocol, Shape};

const fn small(protocol: Protocol) -> Shape {
    Shape::new(protocol, 4, 64).replies(4)
}

/// The smallest sizes of RoCE with each latency.
pub const ROCE: [Shape; 3] =
    [small(Protocol::Roce).ram_latency(1), small(Protocol::Roce), small(Protocol::Roce).ram_latency(3)];

/// The same for UET.
pub const UET: [Shape; 3] =
    [small(Protocol::Uet).ram_latency(1), small(Protocol::Uet), small(Protocol::Uet).ram_latency(3)];

/// Other sizes: windows, room for replies, widths of handles, numbers of connections.
pub const OTHERS: [Shape; 6] = [
    Shape::new(Protocol::Roce, 2, 1024),
    Shape::new(Protocol::Roce, 32, 128).replies(8).ram_latency(1),
    Shape::new(Protocol::Roce, 8, 512).replies(16).ram_latency(3),
    Shape::new(Protocol::Uet, 2, 1024).handle_bits(64),
    Shape::new(Protocol::Uet, 32, 128).replies(8).handle_bits(1).ram_latency(1),
    Shape::new(Protocol::Uet, 8, 256).replies(16).handle_bits(32).ram_latency(3),
];

/// Both protocols, smallest size.
pub const USUAL: [Shape; 2] = [ROCE[1], UET[1]];

/// Both protocols with each latency.
pub fn latencies() -> impl Iterator<Item = Shape> {
    ROCE.into_iter().chain(UET)
}

/// All sizes.
pub fn all() -> impl Iterator<Item = Shape> {
    latencies().chain(OTHERS)
}
