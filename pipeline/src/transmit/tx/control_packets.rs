// SPDX-License-Identifier: MIT OR Apache-2.0
//! Control packets (rows TX23, TX26 and TX27): those that ask for credit, and those that grant it. One is offered to `records` at a
//! time; a request goes first, for there is at most one in each visit.
//!
//! ```text
//!  cycle n        offered   to `records`, in the clock cycle in which the request or the credit is
//!        n        taken     if no record is under way and it is not the turn of data; the next EV from n + 1 on
//! ```
//!
//! It keeps no packet: what is not taken stays where it comes from. The EVs of both follow each other, so that a path that has failed costs one of them.

use super::config::TxConfig;
use super::ports::Credit;
use super::records::{ControlPacket, Packet};
use super::route::Route;
use crate::transmit::entropy_selector::{EV_WIDTH, EntropySelectorConfig};
use rtl_model::{Bits, Logic, Reg, Signal, bits, clog2, name_nets, select, when};

/// A request for credit.
pub struct Request<L: Logic> {
    pub valid: Bits<L>,
    pub pdc: Bits<L>,
    /// The credit that is asked for.
    pub target: Bits<L>,
}

/// The source of control packets.
#[name_nets]
pub struct ControlPackets<L: Logic> {
    config: TxConfig,
    /// The upper bits of all EVs.
    first: u64,
    /// The EV of the next packet, less the first one.
    ev: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> ControlPackets<L> {
    /// The part, if there is credit.
    pub fn new(config: TxConfig) -> Option<Self> {
        let EntropySelectorConfig { wire_base, wire_range, .. } =
            *config.selector().filter(|_| config.asks_credit())?;
        let first = wire_base / wire_range;
        Some(ControlPackets { config, first, ev: Reg::new(&bits(clog2(wire_range))).with_reset() })
    }

    /// What is offered to `records`.
    pub fn offer(&self, request: &Request<L>, credit: &Credit<L>) -> ControlPacket<L> {
        let (asks, ev) = (request.valid, self.ev.get());
        let base = Bits::lit(EV_WIDTH - ev.width(), self.first);
        let packet = Packet {
            pdc: select(asks, request.pdc, credit.pdc),
            route: Route { number: base.concat(ev), sub_path: None },
            credit: Some(select(asks, request.target, credit.number)),
            ..Packet::zero(&Packet::shape(self.config))
        };
        ControlPacket { valid: asks | credit.valid, grants: !asks, packet }
    }

    /// One clock cycle.
    pub fn clock(&self, taken: Bits<L>) {
        when(taken, || self.ev.set(self.ev.get() + 1));
    }
}
