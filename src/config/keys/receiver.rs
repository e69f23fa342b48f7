// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of the stages of the receiver.

use super::{Key, Kind, Value};

pub(super) const KEYS: &[Key] = &[key!(
    "context_lookup",
    "entries",
    "Number of contexts of received frames, per pipeline; memory is used best just below 0.9 times a power of two.",
    Kind::Whole(2, 16_384),
    Whole,
    context_lookup.entries
)];
