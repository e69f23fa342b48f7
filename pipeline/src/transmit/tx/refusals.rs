// SPDX-License-Identifier: MIT OR Apache-2.0
//! Peers that refuse: a fatal NAK or NACK of a packet makes its PDC fail at once (row TX40).
//!
//! ```text
//!  cycle n        the record is taken
//!        n + 1    *fail* is offered to `contexts`, until it is taken; refusals meanwhile are not kept
//! ```
//!
//! Most of these are of other packets of the same PDC. One of another PDC comes again when its packet is sent again.
//!
//! A NACK of UET without a context (SPDCID 0) may answer a packet that somebody else has sent, or that was damaged, to a PDC that there is not. It
//! makes its PDC back off (row TX15) and is kept in mind; the trial that follows has an ACK, which proves the PDC alive, or another such NACK:
//!
//! ```text
//!  cycle n        the first one is taken            doubted, if no other PDC is
//!        later    a good ACK of the PDC, or 8.4 ms  not doubted any more
//!        later    another one, 8.2 us after the first, or more: the PDC is refused as above
//! ```

use super::config::TxConfig;
use super::own_command::OwnCommand;
use super::rtt_probe::Good;
use crate::transmit::ccc_table::TIME_WIDTH;
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
    /// UET: it names no context of the peer.
    #[width(config.uet(1))]
    pub stray: Option<Bits<L>>,
}

/// The bits of a time that are set when a trial has been possible, and when it is over: after 2^6 and 2^16 units of 128 ns.
const TRIED_BIT: u32 = 6;
const OVER_BIT: u32 = 16;

/// A PDC of which a peer without a context has said that there is none.
#[derive(Bundle)]
#[shape(config: TxConfig)]
struct Doubt<L: Reading> {
    #[reset]
    valid: Bits<L>,
    #[shape(config.pdc())]
    pdc: Bits<L>,
    #[width(TIME_WIDTH)]
    since: Bits<L>,
}

/// The refusal that waits.
#[name_nets]
pub struct Refusals<L: Logic> {
    config: TxConfig,
    waiting: Reg<Refusal<L>>,
    /// UET.
    doubt: Option<Reg<Doubt<L>>>,
}

#[name_nets]
impl<L: Logic> Refusals<L> {
    pub fn new(config: TxConfig) -> Self {
        Refusals {
            config,
            waiting: Reg::new(&Refusal::shape(config)),
            doubt: config.uet(()).map(|()| Reg::new(&Doubt::shape(config))),
        }
    }

    /// What is offered to `contexts`.
    pub fn fail(&self) -> OwnCommand<L> {
        let Refusal { valid, pdc, psn, code, .. } = self.waiting.get();
        OwnCommand { valid, pdc, refused: valid, psn, code, ..OwnCommand::zero(&OwnCommand::shape(self.config)) }
    }

    /// What the peer says is to be believed; a good ACK comes.
    fn is_sure(&self, refusal: &Refusal<L>, good: &Good<L>, now: Bits<L>) -> Bits<L> {
        let Some((doubt, stray)) = self.doubt.as_ref().zip(refusal.stray) else { return Bits::lit(1, 1) };
        let (now, Doubt { valid, pdc, since }) = (now.truncate(TIME_WIDTH), doubt.get());
        let waited = now - since;
        let comes = refusal.valid & stray;
        let again = comes & valid & refusal.pdc.equals(pdc) & waited.slice(TRIED_BIT, TIME_WIDTH - TRIED_BIT).any();
        let over = good.valid & good.is_ack & good.pdc.equals(pdc) | waited.bit(OVER_BIT) | again;
        when(!valid & comes, || doubt.set(Doubt { valid: comes, pdc: refusal.pdc, since: now }))
            .or_when(over, || doubt.set(Doubt { valid: Bits::lit(1, 0), pdc, since }));
        !stray | again
    }

    /// One clock cycle: a peer refuses; a good ACK of a PDC comes; the *fail* is taken.
    pub fn clock(&self, refusal: Refusal<L>, (good, now): (&Good<L>, Bits<L>), taken: Bits<L>) {
        let waiting = self.waiting.get();
        let is_sure = self.is_sure(&refusal, good, now);
        let refusal = Refusal { valid: refusal.valid & is_sure, ..refusal };
        when(!waiting.valid, || self.waiting.set(refusal))
            .or_when(taken, || self.waiting.set(Refusal { valid: Bits::lit(1, 0), ..waiting }));
    }
}
