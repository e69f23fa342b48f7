// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sizes and settings with which the cases are run.

use crate::transmit::path_scheduler::oracle::{Entropy, Settings, Shape};

/// The settings of most groups.
pub const SETTINGS: Settings = Settings::new(1, 2, 3);

/// One QP of two sub-paths, with the narrowest weights and numbers in flight.
pub const SMALL: Shape = Shape::new(1, 2).ram_latency(1).weight_bits(4).in_flight_bits(8);
/// Two QPs of two sub-paths, with narrow weights, so that all rounds come in a short time.
pub const TWO: Shape = Shape::new(2, 2).weight_bits(4);
/// Two QPs of four sub-paths.
pub const FEW: Shape = Shape::new(2, 4);
/// The same size with memories of latency 1, and entropies by XOR.
pub const FEW_FAST: Shape = FEW.ram_latency(1).entropy(Entropy::Xor);
/// The same size with memories of latency 3.
pub const FEW_SLOW: Shape = FEW.ram_latency(3);
/// A number of QPs that is no power of two.
pub const FIVE: Shape = Shape::new(5, 8).ram_latency(1).weight_bits(5).in_flight_bits(12);
/// More QPs than the pipeline has steps, so that all of them can be in it at once.
pub const SIXTEEN: Shape = Shape::new(16, 4).ram_latency(3).in_flight_bits(9).entropy(Entropy::Xor);
/// The greatest number of sub-paths.
pub const MANY: Shape = Shape::new(1, 64).in_flight_bits(24);

/// The same size with memories of latency 1, 2 and 3. Rules that count cycles are tested at each.
pub const LATENCIES: [Shape; 3] = [FEW_FAST, FEW, FEW_SLOW];

/// All sizes, for random traffic.
pub const SHAPES: [Shape; 8] = [LATENCIES[0], FEW, FEW_SLOW, SMALL, TWO, FIVE, SIXTEEN, MANY];
