// SPDX-License-Identifier: MIT OR Apache-2.0
//! From the header record of a received frame to a demand for `credit_pacer` (row NI9):
//!
//! ```text
//!  cycle n        record    taken
//!        n + 1    demand    offered until it is taken; no other record that asks for credit is
//! ```
//!
//! A record that asks for nothing is gone in the clock cycle in which it is taken. `ready` depends on state alone.

use crate::headers::record::{HeaderRecord, transport};
use crate::headers::uet::{self, Control, ControlPayload, Request, RequestCc};
use crate::receive::credit_pacer::Demand;
use rtl_model::{Bits, Logic, Reg, Shape, name_nets, select, when};

/// The demand that waits.
#[name_nets]
pub struct Demands<L: Logic> {
    waiting: Reg<Demand<L>>,
}

#[name_nets]
impl<L: Logic> Demands<L> {
    /// Its demands have this shape.
    pub fn new(demand: &Demand<Shape>) -> Self {
        Demands { waiting: Reg::new(demand) }
    }

    /// A record can be taken.
    pub fn ready(&self) -> Bits<L> {
        !self.waiting.get().valid
    }

    /// The demand that is offered.
    pub fn demand(&self) -> Demand<L> {
        self.waiting.get()
    }

    /// One clock cycle: a record of a frame is offered, with the PDC that it found; `taken` is the ready of the pacer.
    pub fn clock(&self, valid: Bits<L>, record: &HeaderRecord<L>, (found, pdc): (Bits<L>, Bits<L>), taken: Bits<L>) {
        let word = |i: u32| record.header[i as usize];
        let (request, control) = (Request::read(word), Control::read(word));
        let RequestCc { credit_target, .. } = RequestCc::read(|i| word(i + 3));
        let ControlPayload { payload } = ControlPayload::read(|i| word(i + 3));
        let is_request = request.kind.equals(uet::RUD_CC_REQ) | request.kind.equals(uet::ROD_CC_REQ);
        let repeat = control.kind.equals(uet::CONTROL) & control.ctl_type.equals(uet::CTL_CREDIT_REQUEST);
        let asks = record.transport.equals(transport::UET) & found & (is_request | repeat);

        let waiting = self.waiting.get();
        when(self.ready(), || {
            let target = select(repeat, payload.truncate(24), credit_target);
            self.waiting.set(Demand { valid: valid & asks, source: pdc, target, repeat });
        })
        .or_when(taken, || self.waiting.set(Demand { valid: Bits::lit(1, 0), ..waiting }));
    }
}
