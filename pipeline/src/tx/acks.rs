// SPDX-License-Identifier: MIT OR Apache-2.0
//! From the header record of a received frame to an event of `packet_tracker`, and to feedback of the entropy selector (rows
//! TX13 to TX16):
//!
//! ```text
//!  cycle n        record    taken
//!        n + 1    feedback; the event is offered
//!        then     an ACK that carries credit is offered once more, as credit
//! ```
//!
//! A record that says nothing to a sender is gone in the clock cycle in which it is taken, so the frames of others do not
//! wait. `ready` depends on state alone.

use super::config::TxConfig;
use crate::entropy_selector::{EV_WIDTH, Feedback, KIND_WIDTH};
use crate::feedback;
use crate::headers::Udp;
use crate::headers::record::{HeaderRecord, transport};
use crate::headers::uet::{self, Ack, AckCc, Control, ControlPayload, CreditState, Nack, NsccState};
use crate::packet_tracker::{AckEvent, kind};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Shape, bits, constant, name_nets, select, when};

/// `pds.type` of an ACK with extended congestion control.
const ACK_CCX: u64 = 9;
/// `pds.type` of a NACK with extended congestion control.
const NACK_CCX: u64 = 12;
/// `cc_type` of an ACK_CC that carries [`NsccState`].
const NSCC: u64 = 0;
/// NACK codes of a packet that was trimmed, and was trimmed at the last hop (uet.md 1.9).
const TRIMMED: u64 = 1;
const TRIMMED_LAST_HOP: u64 = 2;
/// Feedback: trimmed at the last hop.
const LAST_HOP: u64 = 4;

/// The record of a received frame.
pub struct Received<L: Logic> {
    pub valid: Bits<L>,
    pub record: HeaderRecord<L>,
    pub found: Bits<L>,
    pub connection: Bits<L>,
}

/// An event that waits for `packet_tracker`.
#[derive(Bundle)]
struct Waiting<L: Reading> {
    #[reset]
    valid: Bits<L>,
    event: AckEvent<L>,
    /// It is followed by credit.
    credits: Bits<L>,
}

/// What a record means to a sender.
struct Meaning<L: Logic> {
    /// Anything.
    valid: Bits<L>,
    event: AckEvent<L>,
    credits: Bits<L>,
    feedback: Feedback<L>,
}

/// The records of ACKs and NACKs.
#[name_nets]
pub struct Acks<L: Logic> {
    waiting: Reg<Waiting<L>>,
    feedback: Reg<Feedback<L>>,
    feedback_valid: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Acks<L> {
    /// Its events have this shape.
    pub fn new(config: TxConfig, event: AckEvent<Shape>) -> Self {
        let flag = bits(1);
        let feedback = Feedback { valid: flag, ccc: config.pdc(), ev: bits(EV_WIDTH), kind: bits(KIND_WIDTH) };
        Acks {
            waiting: Reg::new(&Waiting { valid: flag, event, credits: flag }),
            feedback: Reg::new(&feedback),
            feedback_valid: Reg::new(&flag).with_reset(),
        }
    }

    /// A record can be taken.
    pub fn ready(&self, live: Bits<L>) -> Bits<L> {
        live & !self.waiting.get().valid
    }

    /// The event for `packet_tracker`.
    pub fn event(&self) -> AckEvent<L> {
        let Waiting { valid, event, .. } = self.waiting.get();
        AckEvent { valid, ..event }
    }

    /// The feedback for the entropy selector.
    pub fn feedback(&self) -> Feedback<L> {
        Feedback { valid: self.feedback_valid.get(), ..self.feedback.get() }
    }

    /// One clock cycle: a record is offered; `taken` is the ready of `packet_tracker`, `now` its time.
    pub fn clock(&self, live: Bits<L>, received: &Received<L>, taken: Bits<L>, now: Bits<L>) {
        let waiting = self.waiting.get();
        let meaning = meaning(received, now);
        let takes = received.valid & self.ready(live) & meaning.valid;
        let credit = Bits::lit(kind::WIDTH, kind::CREDIT);
        self.feedback_valid.set(takes & meaning.feedback.valid);
        when(takes, || {
            self.waiting.set(Waiting { valid: takes, event: meaning.event, credits: meaning.credits });
            self.feedback.set(meaning.feedback);
        })
        .or_when(waiting.valid & taken, || {
            let event = AckEvent { kind: credit, ..waiting.event };
            self.waiting.set(Waiting { valid: waiting.credits, event, credits: Bits::lit(1, 0) });
        });
    }
}

/// Reads a record.
#[name_nets]
fn meaning<L: Logic>(received: &Received<L>, now: Bits<L>) -> Meaning<L> {
    let Received { record, found, connection, .. } = received;
    let word = |i: u32| record.header[i as usize];
    let ack = Ack::read(word);
    let state = AckCc::read(|i| word(i + 3));
    let nscc = NsccState::read(|i| word(i + 6));
    let CreditState { credit, .. } = CreditState::read(|i| word(i + 6));
    let nack = Nack::read(word);
    let control = Control::read(word);
    let ControlPayload { payload } = ControlPayload::read(|i| word(i + 3));

    let lit = Bits::lit;
    let is_uet = record.transport.equals(transport::UET) & *found;
    let is = |code: u64| ack.kind.equals(code);
    let is_cc = is(uet::ACK_CC);
    let is_ack = is(uet::ACK) | is_cc | is(ACK_CCX);
    let is_nack = (is(uet::NACK) | is(NACK_CCX)) & !nack.nt;
    let is_credit = is(uet::CONTROL) & control.ctl_type.equals(uet::CTL_CREDIT);
    let is_nscc = is_cc & state.cc_type.equals(NSCC);
    let credits = is_cc & state.cc_type.equals(uet::CREDIT);
    let code = |code: u64| lit(kind::WIDTH, code);
    let event = AckEvent {
        valid: lit(1, 0),
        pdc: *connection,
        kind: select(is_nack, code(kind::NACK), select(is_credit, code(kind::CREDIT), code(kind::ACK))),
        // In a NACK its PSN has the place of cack_psn.
        psn: ack.cack_psn,
        triggered: is_ack & !ack.p,
        trigger_offset: ack.ack_psn_offset,
        sack_offset: state.sack_psn_offset.gate(is_cc),
        sack: state.sack_bitmap.gate(is_cc),
        counted: is_nscc,
        rcvd_bytes: nscc.rcvd_bytes.gate(is_nscc),
        mpr: state.mpr.gate(is_cc),
        marked: ack.m,
        retx: ack.retx,
        arrived: now,
        service: nscc.service_time.gate(is_nscc),
        pend: nscc.rcv_cwnd_pend.gate(is_nscc),
        restore: nscc.rc & is_nscc,
        reason: nack.nack_code.gate(is_nack),
        credit: select(is_credit, payload.truncate(24), credit),
    };
    let by_mark = select(ack.m, lit(KIND_WIDTH, feedback::ECN), lit(KIND_WIDTH, feedback::GOOD));
    let trimmed = is_nack & nack.nack_code.equals(constant!("NACK_TRIMMED", TRIMMED));
    let last_hop = is_nack & nack.nack_code.equals(constant!("NACK_TRIMMED_LAST_HOP", TRIMMED_LAST_HOP));
    let of_nack =
        select(trimmed, lit(KIND_WIDTH, feedback::NACK), select(last_hop, lit(KIND_WIDTH, LAST_HOP), by_mark));
    // Without UDP the entropy header is the second word.
    let udp = Udp::read(|i| record.udp[i as usize]);
    let ev = select(record.uet_native, record.udp[1].slice(16, 16), udp.source);
    let feedback = Feedback { valid: is_ack | is_nack, ccc: *connection, ev, kind: of_nack };
    Meaning { valid: is_uet & (is_ack | is_nack | is_credit), event, credits, feedback }
}
