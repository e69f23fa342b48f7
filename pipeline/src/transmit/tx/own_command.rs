// SPDX-License-Identifier: MIT OR Apache-2.0
//! [`OwnCommand`]: a command of the transmit path itself, which goes before those of the host and has no response.

use super::config::TxConfig;
use crate::transmit::packet_tracker::{EV_WIDTH, REASON_WIDTH};
use rtl_model::{Bits, Bundle, Reading};

/// *Lose* of a dead sub-path, *fail* of a PDC that the peer refuses, or *probe* of a sub-path.
#[derive(Bundle)]
#[shape(config: TxConfig)]
pub struct OwnCommand<L: Reading> {
    pub valid: Bits<L>,
    #[shape(config.pdc())]
    pub pdc: Bits<L>,
    /// It is *fail*.
    pub refused: Bits<L>,
    /// It is *probe*.
    #[width(config.rocev2(1))]
    pub probes: Option<Bits<L>>,
    /// Lose, probe: the number of the sub-path.
    #[width(EV_WIDTH)]
    pub path: Bits<L>,
    /// Lose: the QP has no sub-path left, and fails.
    pub fails: Bits<L>,
    /// Fail: the PSN that is refused.
    #[shape(config.psn())]
    pub psn: Bits<L>,
    /// Fail: what the peer says.
    #[width(REASON_WIDTH)]
    pub code: Bits<L>,
}
