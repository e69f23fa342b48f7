// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sizes that are tested.

use crate::transmit::ccc_table::oracle::{Algorithms, Shape};

/// Both algorithms with each latency.
pub const BOTH: [Shape; 3] = [
    Shape::new(Algorithms::Both, 3).ram_latency(1),
    Shape::new(Algorithms::Both, 3),
    Shape::new(Algorithms::Both, 3).ram_latency(3),
];

/// NSCC with each latency.
pub const NSCC: [Shape; 3] = [
    Shape::new(Algorithms::Nscc, 3).ram_latency(1),
    Shape::new(Algorithms::Nscc, 3),
    Shape::new(Algorithms::Nscc, 3).ram_latency(3),
];

/// NSCC with each latency, and both.
pub const CYCLES: [Shape; 4] = [NSCC[0], NSCC[1], NSCC[2], BOTH[1]];

/// NSCC alone, and with RCCC.
pub const USUAL: [Shape; 2] = [NSCC[1], BOTH[1]];

/// RCCC alone, and with NSCC.
pub const CREDIT: [Shape; 2] = [Shape::new(Algorithms::Rccc, 3), BOTH[1]];

/// Credit in the smallest and in the largest unit.
pub const UNITS: [Shape; 2] =
    [Shape::new(Algorithms::Rccc, 3).credit_unit(64), Shape::new(Algorithms::Both, 3).credit_unit(4096)];

/// Other sizes: one CCC, many of them, each algorithm, numbers of classes, weights of a sample.
pub const OTHERS: [Shape; 8] = [
    Shape::new(Algorithms::Nscc, 1).ram_latency(1),
    Shape::new(Algorithms::Rccc, 1).ram_latency(3).classes(1),
    Shape::new(Algorithms::Rccc, 64).ram_latency(1),
    Shape::new(Algorithms::None, 3).classes(3),
    Shape::new(Algorithms::None, 64).ram_latency(3),
    Shape::new(Algorithms::Both, 64).ram_latency(3).classes(4).delay_shift(8),
    Shape::new(Algorithms::Nscc, 64).ram_latency(3).classes(1).delay_shift(4),
    Shape::new(Algorithms::Nscc, 1000),
];

/// All sizes.
pub fn all() -> impl Iterator<Item = Shape> {
    NSCC.into_iter().chain(BOTH).chain([CREDIT[0]]).chain(UNITS).chain(OTHERS)
}
