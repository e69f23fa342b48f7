// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sizes and settings with which the cases are run.

use crate::transmit::entropy_selector::oracle::Shape;

/// All sizes: one CCC, numbers of CCCs that are no power of two, the smallest and the largest EV space.
pub const SHAPES: [Shape; 7] =
    [shape(1, 16), shape(3, 16), shape(4, 32), shape(2, 64), shape(5, 128), shape(4, 256), shape(2, 1024)];

pub const fn shape(cccs: u64, evs: u64) -> Shape {
    Shape::new(cccs, evs)
}
