// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of `[conform]`.

use super::Kind::Whole;

section! {
    /// Settings of the conformance test.
    Conform: conform {
        /// Seed of every random choice of a test; the same seed gives the same run.
        seed: u64 = 1, Whole(0, i64::MAX as u64);
        /// Percentage of the clock cycles in which a stream pauses, chosen at random.
        stall_percent: u64 = 25, Whole(0, 95);
    }
}
