// SPDX-License-Identifier: MIT OR Apache-2.0
//! The context of a PDC, and what later steps know of it.

use rtl_model::{Bits, Bundle, Reading};

/// The context of a PDC.
#[derive(Bundle)]
pub struct Context<L: Reading> {
    pub open: Bits<L>,
    pub ccc: Bits<L>,
    pub window: Bits<L>,
    pub mpr: Bits<L>,
}

/// What later steps know of it.
#[derive(Bundle)]
pub struct Owner<L: Reading> {
    /// The PDC was open before the pass.
    pub open: Bits<L>,
    /// The number of its CCC after it.
    pub ccc: Bits<L>,
}
