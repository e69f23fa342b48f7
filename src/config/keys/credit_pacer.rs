// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of `[credit_pacer]`.

use super::{Key, Kind, Value};

pub(super) const KEYS: &[Key] = &[key!(
    "credit_pacer",
    "sources",
    "Number of sources that send to this receiver, of the stage `credit_pacer`, per pipeline.",
    Kind::Whole(1, 16_384),
    Whole,
    credit_pacer.sources
)];
