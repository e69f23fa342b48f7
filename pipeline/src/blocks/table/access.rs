// SPDX-License-Identifier: MIT OR Apache-2.0
//! An access to a table.

use rtl_model::{Bits, Bundle, Reading, index_width};

/// An access to one row of a table.
#[derive(Bundle)]
#[shape(rows: u64)]
pub struct Access<L: Reading> {
    /// 1 if there is an access in this clock cycle.
    #[reset]
    pub valid: Bits<L>,
    /// Index of the row.
    #[width(index_width(rows))]
    pub index: Bits<L>,
}
