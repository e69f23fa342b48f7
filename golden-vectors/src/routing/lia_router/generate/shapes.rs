// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sizes that are tested.

use crate::routing::lia_router::oracle::{Hop, Place, Settings, Shape, Size};

/// 9 groups, with each latency. Counters of 8 bits wrap soon.
pub const CYCLES: [Size; 3] = [of(2, 4, 1, 8).ram_latency(1), of(2, 4, 1, 8), of(2, 4, 1, 8).ram_latency(3)];

/// The usual one: 33 groups.
pub const USUAL: Size = of(4, 8, 1, 16);

/// The least, one that is no power of two, and several links between two groups: fewer than a switch has, as many, more,
/// and a number that does not divide them.
pub const OTHERS: [Size; 7] = [
    of(1, 2, 1, 8),
    of(3, 5, 1, 10),
    of(4, 6, 2, 12),
    of(2, 6, 2, 16),
    of(2, 8, 4, 8).ram_latency(1),
    of(3, 8, 6, 9).ram_latency(3),
    of(6, 4, 4, 16),
];

const fn of(global_ports: u64, switches: u64, trunks: u64, counter_bits: u32) -> Size {
    Size::new(Shape { global_ports, switches, trunks, counter_bits })
}

/// The settings of the cases, unless they say more: small numbers, so that few flits matter. After reset those of the size are in
/// force.
pub const DEFAULT: Settings = Settings {
    weight: 16,
    limits: [20, 40],
    biases: [6, 0, -32768],
    link_threshold: 10,
    saturated_links: 1,
    remote_threshold: 48,
    interval: 2,
    first_hop: Hop::Rule,
    second_hop: Hop::Rule,
    corrected: true,
};

/// All sizes.
pub fn all() -> impl Iterator<Item = Size> {
    CYCLES.into_iter().chain([USUAL]).chain(OTHERS)
}

/// A place in the middle.
pub const fn middle(size: Size) -> Place {
    Place { group: size.shape.groups() / 2, switch: size.shape.switches / 2 }
}
