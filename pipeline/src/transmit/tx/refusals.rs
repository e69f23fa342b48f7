// SPDX-License-Identifier: MIT OR Apache-2.0
//! Peers that refuse: a fatal NAK or NACK of a packet makes its PDC fail at once (row TX40).
//!
//! ```text
//!  cycle n        the record is taken
//!        n + 1    *fail* is offered to `contexts`, until it is taken; refusals meanwhile are not kept
//! ```
//!
//! Most of these are of other packets of the same PDC. One of another PDC comes again when its packet is sent again.

use super::config::TxConfig;
use super::own_command::OwnCommand;
use crate::transmit::packet_tracker::REASON_WIDTH;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Signal, name_nets, when};

/// What a peer refuses.
#[derive(Bundle)]
#[shape(config: TxConfig)]
pub struct Refusal<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    #[shape(config.pdc())]
    pub pdc: Bits<L>,
    /// The PSN of its packet.
    #[shape(config.psn())]
    pub psn: Bits<L>,
    /// The syndrome of the NAK, or the code of the NACK.
    #[width(REASON_WIDTH)]
    pub code: Bits<L>,
}

/// The refusal that waits.
#[name_nets]
pub struct Refusals<L: Logic> {
    config: TxConfig,
    waiting: Reg<Refusal<L>>,
}

#[name_nets]
impl<L: Logic> Refusals<L> {
    pub fn new(config: TxConfig) -> Self {
        Refusals { config, waiting: Reg::new(&Refusal::shape(config)) }
    }

    /// What is offered to `contexts`.
    pub fn fail(&self) -> OwnCommand<L> {
        let Refusal { valid, pdc, psn, code } = self.waiting.get();
        OwnCommand { valid, pdc, refused: valid, psn, code, ..OwnCommand::zero(&OwnCommand::shape(self.config)) }
    }

    /// One clock cycle: a peer refuses; the *fail* is taken.
    pub fn clock(&self, refusal: Refusal<L>, taken: Bits<L>) {
        let waiting = self.waiting.get();
        when(!waiting.valid, || self.waiting.set(refusal))
            .or_when(taken, || self.waiting.set(Refusal { valid: Bits::lit(1, 0), ..waiting }));
    }
}
