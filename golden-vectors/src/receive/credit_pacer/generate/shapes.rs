// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sizes that are tested.

use crate::receive::credit_pacer::oracle::{Settings, Shape};

/// The usual size with each latency.
pub const CYCLES: [Shape; 3] = [Shape::new(8).ram_latency(1), Shape::new(8), Shape::new(8).ram_latency(3)];

/// The usual one.
pub const USUAL: Shape = CYCLES[1];

/// With one source, and with a number that is none of a source.
pub const ONE: Shape = Shape::new(1);

/// With one number that is none of a source.
pub const THREE: Shape = Shape::new(3);

/// Other sizes.
pub const OTHERS: [Shape; 6] = [
    ONE.ram_latency(1),
    ONE,
    ONE.ram_latency(3),
    THREE.ram_latency(1),
    THREE,
    THREE.ram_latency(3), //
];

/// All sizes.
pub fn all() -> impl Iterator<Item = Shape> {
    CYCLES.into_iter().chain(OTHERS)
}

/// A quota in every take, as soon as it may come: *level* grows faster than quotas.
pub const FAST: Settings = Settings { rate: 1 << 20, quota: 8, burst: 4095, advance: 0 };

/// *level* is what a take waits for.
pub const SLOW: Settings = Settings { rate: 1 << 14, quota: 8, burst: 8, advance: 0 };
