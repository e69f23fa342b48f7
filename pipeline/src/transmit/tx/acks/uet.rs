// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a record of UET says to a sender (rows TX13 to TX15).

use super::{Meaning, Received};
use crate::headers::Udp;
use crate::headers::record::{HeaderRecord, transport};
use crate::headers::uet::{self, Ack, AckCc, Control, ControlPayload, CreditState, Nack, NsccState};
use crate::transmit::packet_tracker::{AckEvent, kind};
use rtl_model::{Bits, Logic, constant, name_nets, select};

/// `pds.type` of an ACK with extended congestion control.
const ACK_CCX: u64 = 9;
/// `cc_type` of an ACK_CC that carries [`NsccState`].
const NSCC: u64 = 0;

/// A NACK that ends the PDC: whether it is one, its PSN, and its code (uet.md 1.9).
#[name_nets]
pub fn refusal<L: Logic>(record: &HeaderRecord<L>) -> (Bits<L>, Bits<L>, Bits<L>) {
    let nack = Nack::read(|i: u32| record.header[i as usize]);
    let is_nack = (nack.kind.equals(uet::NACK) | nack.kind.equals(uet::NACK_CCX)) & !nack.nt;
    let codes = uet::nack::FATAL.map(|code| nack.nack_code.equals(code));
    let is_fatal = codes.into_iter().reduce(|any, code| any | code).expect("there are some");
    (record.transport.equals(transport::UET) & is_nack & is_fatal, nack.nack_psn, nack.nack_code)
}

/// Reads a record.
#[name_nets]
pub fn meaning<L: Logic>(received: &Received<L>, now: Bits<L>) -> Meaning<L> {
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
    let is_nack = (is(uet::NACK) | is(uet::NACK_CCX)) & !nack.nt;
    let is_credit = is(uet::CONTROL) & control.ctl_type.equals(uet::CTL_CREDIT);
    let is_nscc = is_cc & state.cc_type.equals(NSCC);
    let credits = is_cc & state.cc_type.equals(uet::CREDIT);
    let code = |code: u64| lit(kind::WIDTH, code);
    let no_room = is_nack & uet::nack::is_retry(nack.nack_code);
    let others = select(is_credit, code(kind::CREDIT), code(kind::ACK));
    // Without UDP the entropy header is the second word.
    let udp = Udp::read(|i| record.udp[i as usize]);
    let ev = select(record.uet_native, record.udp[1].slice(16, 16), udp.source);
    let event = AckEvent {
        valid: lit(1, 0),
        pdc: *connection,
        kind: select(no_room, code(kind::BACKOFF), select(is_nack, code(kind::NACK), others)),
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
        ev,
        arrived: now,
        service: nscc.service_time.gate(is_nscc),
        pend: nscc.rcv_cwnd_pend.gate(is_nscc),
        restore: nscc.rc & is_nscc,
        reason: nack.nack_code.gate(is_nack),
        credit: select(is_credit, payload.truncate(24), credit),
    };
    let valid = is_uet & (is_ack | is_nack | is_credit);
    Meaning { valid, event, follow: credits | no_room, skip: None, backs_off: None }
}

/// What follows an event: the NACK that has made its PDC back off, or the credit of an ACK.
#[name_nets]
pub fn next<L: Logic>(last: AckEvent<L>) -> AckEvent<L> {
    let code = |code: u64| Bits::lit(kind::WIDTH, code);
    let is_told = last.kind.equals(constant!(kind::BACKOFF));
    AckEvent { kind: select(is_told, code(kind::NACK), code(kind::CREDIT)), ..last }
}
