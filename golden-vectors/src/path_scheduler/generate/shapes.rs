// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sizes and settings with which the cases are run.

use crate::path_scheduler::oracle::{Settings, Shape};

/// What stands on the settings until a case changes them.
pub const SETTINGS: Settings = Settings::new(1, 2, 3);

/// One QP of two sub-paths.
pub const SMALL: Shape = Shape::new(1, 2).ram_latency(1);
/// Two QPs of two.
pub const TWO: Shape = Shape::new(2, 2);
/// Two QPs of four.
pub const FEW: Shape = Shape::new(2, 4);
/// The same with memories of latency 3.
pub const FEW_SLOW: Shape = FEW.ram_latency(3);
/// A number of QPs that is no power of two.
pub const FIVE: Shape = Shape::new(5, 8).ram_latency(1);
/// More QPs than any pipeline is long.
pub const SIXTEEN: Shape = Shape::new(16, 4).ram_latency(3);
/// The greatest number of sub-paths.
pub const MANY: Shape = Shape::new(1, 64);

/// A size with memories of each latency.
pub const LATENCIES: [Shape; 3] = [FEW.ram_latency(1), FEW, FEW_SLOW];

/// The sizes that are tested.
pub const SHAPES: [Shape; 8] = [LATENCIES[0], FEW, FEW_SLOW, SMALL, TWO, FIVE, SIXTEEN, MANY];
