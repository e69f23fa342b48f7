// SPDX-License-Identifier: MIT OR Apache-2.0
//! The context of a PDC, and what later steps know of it.

use super::config::PacketTrackerConfig;
use super::ports::MPR_WIDTH;
use rtl_model::{Bits, Bundle, Reading};

/// The context of a PDC.
#[derive(Bundle)]
#[shape(config: PacketTrackerConfig)]
pub struct Context<L: Reading> {
    pub open: Bits<L>,
    #[shape(config.ccc())]
    pub ccc: Bits<L>,
    #[shape(config.count())]
    pub window: Bits<L>,
    #[width(MPR_WIDTH)]
    pub mpr: Bits<L>,
}

/// What later steps know of it.
#[derive(Bundle)]
#[shape(config: PacketTrackerConfig)]
pub struct Owner<L: Reading> {
    /// The PDC was open before the pass.
    pub open: Bits<L>,
    /// The number of its CCC after it.
    #[shape(config.ccc())]
    pub ccc: Bits<L>,
}
