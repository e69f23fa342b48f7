// SPDX-License-Identifier: MIT OR Apache-2.0
//! Control packets (rows TX23, TX26, TX27 and TX50): those that ask for credit, those that grant it, and PROBEs. One is offered to `records` at
//! a time; a request goes first, for there is at most one in each visit, then a PROBE, of which there is at most one in an RTT.
//!
//! ```text
//!  cycle n        offered   to `records`, in the clock cycle in which the request, the PROBE or the credit is
//!        n        taken     if no record is under way and it is not the turn of data; the next EV from n + 1 on
//! ```
//!
//! It keeps no packet: what is not taken stays where it comes from. The EVs of credit and requests follow each other, so that a path that has failed costs one of them; that of a PROBE is that of an ACK.

use super::config::TxConfig;
use super::ports::Credit;
use super::records::{CTL_TYPE_WIDTH, ControlPacket, Packet};
use super::route::Route;
use crate::headers::uet;
use crate::transmit::entropy_selector::{EV_WIDTH, EntropySelectorConfig};
use rtl_model::{Bits, Logic, Reg, Signal, bits, clog2, name_nets, select, when};

/// A request for credit.
pub struct Request<L: Logic> {
    pub valid: Bits<L>,
    pub pdc: Bits<L>,
    /// The credit that is asked for.
    pub target: Bits<L>,
}

/// A PROBE.
pub struct Probe<L: Logic> {
    pub valid: Bits<L>,
    pub pdc: Bits<L>,
    /// The PSN from which on its answer may say what has arrived.
    pub psn: Bits<L>,
    /// An EV with which a packet has arrived.
    pub ev: Bits<L>,
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
    /// The part, with UET and congestion control.
    pub fn new(config: TxConfig) -> Option<Self> {
        let EntropySelectorConfig { wire_base, wire_range, .. } =
            *config.selector().filter(|_| config.has_control())?;
        let first = wire_base / wire_range;
        Some(ControlPackets { config, first, ev: Reg::new(&bits(clog2(wire_range))).with_reset() })
    }

    /// What is offered to `records`: the first of these.
    pub fn offer(
        &self,
        request: Option<Request<L>>,
        probe: Option<Probe<L>>,
        credit: Option<&Credit<L>>,
    ) -> ControlPacket<L> {
        let route = Route { number: self.base().concat(self.ev.get()), sub_path: None };
        let zero = Packet { route, ..Packet::zero(&Packet::shape(self.config)) };
        let of = |valid: Bits<L>, code: u64, packet: Packet<L>| ControlPacket {
            valid,
            ctl_type: Bits::lit(CTL_TYPE_WIDTH, code),
            packet,
        };
        let request = request.map(|Request { valid, pdc, target }| {
            of(valid, uet::CTL_CREDIT_REQUEST, Packet { pdc, credit: Some(target), ..zero })
        });
        let probe = probe.map(|Probe { valid, pdc, psn, ev }| {
            let route = Route { number: ev, sub_path: None };
            of(valid, uet::PROBE, Packet { pdc, psn, route, ..zero })
        });
        let credit = credit.map(|Credit { valid, pdc, number }| {
            of(*valid, uet::CTL_CREDIT, Packet { pdc: *pdc, credit: Some(*number), ..zero })
        });
        let offers = [request, probe, credit].into_iter().flatten();
        let first = |first: ControlPacket<L>, next: ControlPacket<L>| ControlPacket {
            valid: first.valid | next.valid,
            ..select(first.valid, first, next)
        };
        offers.reduce(first).expect("there are control packets")
    }

    /// The upper bits of all EVs.
    fn base(&self) -> Bits<L> {
        Bits::lit(EV_WIDTH - self.ev.get().width(), self.first)
    }

    /// One clock cycle: the packet that is offered is `taken`.
    pub fn clock(&self, offer: &ControlPacket<L>, taken: Bits<L>) {
        when(offer.valid & taken & offer.ctl_type.differs(uet::PROBE), || self.ev.set(self.ev.get() + 1));
    }
}
