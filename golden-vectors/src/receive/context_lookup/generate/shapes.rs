// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sizes that are tested.

use crate::receive::context_lookup::oracle::Shape;

/// The smallest sub-tables with each latency.
pub const LATENCIES: [Shape; 3] = [Shape::new(16, 1), Shape::new(16, 2), Shape::new(16, 3)];

/// All kinds of keys, with sub-tables of 32 rows and of 8.
pub const ALL_KINDS: [Shape; 2] = [
    Shape::new(100, 2).protocols(true, true, true),
    Shape::new(16, 1).protocols(true, true, true), //
];

/// RoCEv2 and UET. No power of two.
pub const TWO_KINDS: Shape = Shape::new(57, 2).protocols(true, true, false);

/// Kinds alone.
pub const ONE_KIND: [Shape; 3] = [
    Shape::new(64, 2).protocols(false, true, false),
    Shape::new(28, 3).protocols(false, false, true),
    Shape::new(28, 2).protocols(false, false, false),
];

/// An index of one bit.
pub const SMALLEST: Shape = Shape::new(2, 2);

/// All sizes.
pub fn all() -> impl Iterator<Item = Shape> {
    LATENCIES.into_iter().chain(ALL_KINDS).chain([TWO_KINDS]).chain(ONE_KIND).chain([SMALLEST])
}
