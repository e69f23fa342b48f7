// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a pass hands to the adjustment unit.

/// What a pass hands to the adjustment unit, as the difference that comes back (C23, C24).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adjustment {
    /// *u*.
    Up(u64),
    /// *d*, and whether an increase follows: on time, or not.
    Down { by: u64, then_up: Option<bool> },
}
