// SPDX-License-Identifier: MIT OR Apache-2.0
//! The window of a PDC.

use super::config::PacketTrackerConfig;
use super::ports::TOTAL_WIDTH;
use rtl_model::{Bits, Bundle, Reading, bits};

/// The window of a PDC, a row of its table.
#[derive(Bundle)]
#[shape(config: PacketTrackerConfig)]
pub struct Window<L: Reading> {
    #[shape(config.psn())]
    pub base: Bits<L>,
    #[shape(config.count())]
    pub length: Bits<L>,
    #[shape(config.count())]
    pub top: Bits<L>,
    #[width(TOTAL_WIDTH)]
    pub total: Bits<L>,
    /// The upper bits of EVs.
    #[shape(config.upper(bits))]
    pub upper: Option<Bits<L>>,
    /// The last new packet asks for an ACK.
    pub asks: Bits<L>,
}
