// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a record of UET says to a sender (rows TX13 to TX15).

use super::{Meaning, Received};
use crate::headers::Udp;
use crate::headers::record::{HeaderRecord, transport};
use crate::headers::uet::{self, Ack, AckCc, Control, ControlPayload, CreditState, Nack, NsccState};
use crate::transmit::packet_tracker::{AckEvent, kind};
use crate::transmit::tx::rtt_probe::Acknowledged;
use rtl_model::{Bits, Logic, constant, name_nets, select};

/// `pds.type` of an ACK with extended congestion control.
const ACK_CCX: u64 = 9;
/// `cc_type` of an ACK_CC that carries [`NsccState`].
const NSCC: u64 = 0;

/// A NACK that ends the PDC: whether it is one, its PSN, its code (uet.md 1.9), and whether it is from no context.
#[name_nets]
pub fn refusal<L: Logic>(record: &HeaderRecord<L>) -> (Bits<L>, Bits<L>, Bits<L>, Bits<L>) {
    let nack = Nack::read(|i: u32| record.header[i as usize]);
    let is_nack = is_nack(&nack);
    let is_fatal = is_fatal(nack.nack_code);
    (record.transport.equals(transport::UET) & is_nack & is_fatal, nack.nack_psn, nack.nack_code, !nack.spdcid.any())
}

/// An ACK of any type.
#[name_nets]
fn is_ack<L: Logic>(ack: &Ack<L>) -> Bits<L> {
    [uet::ACK, uet::ACK_CC, ACK_CCX]
        .map(|code| ack.kind.equals(code))
        .into_iter()
        .reduce(|any, is| any | is)
        .expect("three")
}

/// A NACK of a PDC.
#[name_nets]
fn is_nack<L: Logic>(nack: &Nack<L>) -> Bits<L> {
    (nack.kind.equals(uet::NACK) | nack.kind.equals(uet::NACK_CCX)) & !nack.nt
}

/// The code ends a PDC.
#[name_nets]
fn is_fatal<L: Logic>(nack_code: Bits<L>) -> Bits<L> {
    let codes = uet::nack::FATAL.map(|code| nack_code.equals(code));
    codes.into_iter().reduce(Bits::concat).expect("there are some").any()
}

/// The ACK or NACK of a record.
#[name_nets]
pub fn acknowledged<L: Logic>(received: &Received<L>) -> Acknowledged<L> {
    let Received { record, found, connection, .. } = received;
    let word = |i: u32| record.header[i as usize];
    let (ack, nack) = (Ack::read(word), Nack::read(word));
    let (is_ack, is_nack) = (is_ack(&ack), is_nack(&nack));
    Acknowledged {
        valid: record.transport.equals(transport::UET) & *found & (is_ack | is_nack),
        pdc: *connection,
        // In a NACK its PSN has the place of cack_psn.
        psn: ack.cack_psn,
        answers: is_ack & ack.p,
        opaque: ack.ack_psn_offset,
        ev: ev(record),
    }
}

/// The EV of a frame. Without UDP the entropy header is the second word.
#[name_nets]
fn ev<L: Logic>(record: &HeaderRecord<L>) -> Bits<L> {
    select(record.uet_native, record.udp[1].slice(16, 16), Udp::read(|i| record.udp[i as usize]).source)
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
    let (is_ack, is_nack) = (is_ack(&ack), is_nack(&nack));
    let is_credit = is(uet::CONTROL) & control.ctl_type.equals(uet::CTL_CREDIT);
    let is_nscc = is_cc & state.cc_type.equals(NSCC);
    let credits = is_cc & state.cc_type.equals(uet::CREDIT);
    let code = |code: u64| lit(kind::WIDTH, code);
    // A NACK from no context makes the PDC try once more (row TX40).
    let strays = is_fatal(nack.nack_code) & !nack.spdcid.any();
    let no_room = is_nack & (uet::nack::is_retry(nack.nack_code) | strays);
    let others = select(is_credit, code(kind::CREDIT), code(kind::ACK));
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
        ev: ev(record),
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
