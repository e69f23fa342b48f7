// SPDX-License-Identifier: MIT OR Apache-2.0
//! The window of a PDC.

use rtl_model::{Bits, Bundle, Reading};

/// The window of a PDC, a row of its table.
#[derive(Bundle)]
pub struct Window<L: Reading> {
    pub base: Bits<L>,
    pub length: Bits<L>,
    pub top: Bits<L>,
    pub total: Bits<L>,
    /// The upper bits of EVs.
    pub upper: Option<Bits<L>>,
}
