// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which state the synchronous reset acts on.

/// The part of a register or delay line that the synchronous reset acts on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resets {
    /// The fields of records that are marked `#[reset]`.
    Marked,
    /// These, and plain signals outside records.
    Plain,
    /// The reset changes none of the fields.
    Nothing,
}
