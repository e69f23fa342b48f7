// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of `[conform]`.

use super::{Key, Kind, Value};

pub(super) const KEYS: &[Key] = &[
    key!(
        "conform",
        "seed",
        "Seed of every random choice of a test; the same seed gives the same run.",
        Kind::Whole(0, i64::MAX as u64),
        Whole,
        conform.seed
    ),
    key!(
        "conform",
        "stall_percent",
        "Percentage of the clock cycles in which a stream pauses, chosen at random.",
        Kind::Whole(0, 95),
        Whole,
        conform.stall_percent
    ),
];
