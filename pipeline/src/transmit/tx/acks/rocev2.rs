// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a record of RoCEv2 says to a sender (rows TX33, TX53, TX54).

use super::super::config::TxConfig;
use super::super::probes::Answer;
use super::{FOLLOWING_WIDTH, Meaning, Received};
use crate::blocks::table::Access;
use crate::headers::loss_tag::{NAMED_WIDTH, OFFSET_WIDTH};
use crate::headers::protocols::MpehIndicator;
use crate::headers::record::{HeaderRecord, transport};
use crate::headers::uet::nack;
use crate::headers::{Aeth, Bth, Mpeh};
use crate::transmit::packet_tracker::{AckEvent, kind};
use rtl_model::{Bits, Logic, Signal, constant, name_nets, select};

/// OpCodes of an ACK of a reliable connection: the second one announces an MPEH.
const ACKNOWLEDGE: u64 = 0x11;
const ACKNOWLEDGE_WITH_MPEH: u64 = 0xD1;
/// Syndrome of a NAK because of a gap.
const SEQUENCE_ERROR: u64 = 0x60;
/// Bits 7:5 of the syndrome of an RNR NAK.
const RECEIVER_NOT_READY: u64 = 1;
/// Flags of the MPEH of an ACK: a loss is suspected; it answers a probe.
const SUSPECTED: u32 = 1;
const PROBE: u32 = 2;
/// Bits of the Scheduling Tag.
const TAG_WIDTH: u32 = 16;

/// Reads a record. `like` has the shape of an event.
#[name_nets]
pub fn meaning<L: Logic>(config: &TxConfig, received: &Received<L>, like: &AckEvent<L>, now: Bits<L>) -> Meaning<L> {
    let Received { record, found, connection, .. } = received;
    let lit = Bits::lit;
    let bth = Bth::read(|i| record.header[i as usize]);
    let Aeth { syndrome, .. } = Aeth::read(|i| record.header[i as usize + 3]);
    let mpeh = Mpeh::read(|i| record.mpeh[i as usize].gate(record.has.mpeh));
    let is_rocev2 = record.transport.equals(transport::ROCEV2) & *found;
    let (is_ack, is_plain) = (is_acknowledge(config, record, bth.opcode), !record.has.mpeh);
    let refuses = syndrome.slice(5, 2).any().named("refuses");
    let is_gap = syndrome.equals(constant!(SEQUENCE_ERROR));
    // A plain peer has discarded all behind the gap.
    let goes_back = is_plain & is_gap;
    let backs_off = syndrome.slice(5, 3).equals(constant!(RECEIVER_NOT_READY)) | goes_back;
    let (suspects, answers_probe) = (mpeh.flags.bit(SUSPECTED), mpeh.flags.bit(PROBE));
    // The packet nearest to the acknowledged one with these low bits of its PSN has arrived.
    let is_named = lit(1, (!config.tag_is_time).into()) & !(suspects | answers_probe | refuses | is_plain);
    let ahead = (mpeh.sched_tag - bth.psn.truncate(TAG_WIDTH)).gate(is_named);
    let event = AckEvent {
        // The ACK of a plain peer is that of the packet with its PSN.
        triggered: is_named | is_plain & !refuses,
        trigger_offset: ahead,
        sack_offset: ahead,
        sack: is_named.extend(like.sack.width()),
        pdc: *connection,
        kind: lit(kind::WIDTH, kind::ACK),
        psn: select(refuses, bth.psn - 1, bth.psn),
        marked: bth.becn,
        ev: mpeh.path_id.extend(like.ev.width()),
        arrived: now,
        // It goes with what follows.
        reason: syndrome.gate(backs_off),
        ..AckEvent::zero(&like.shape())
    };
    // A sequence error has no tag that names a gap.
    let names = suspects & !(is_gap | backs_off);
    let offset = mpeh.sched_tag.truncate(OFFSET_WIDTH);
    let repeats = names & offset.all();
    let skip = offset.gate(names & !repeats);
    let event = AckEvent { retx: repeats, ..event };
    let more = mpeh.sched_tag.slice(OFFSET_WIDTH, NAMED_WIDTH).gate(names);
    let counted = (more.extend(FOLLOWING_WIDTH) + 1).gate(names | is_gap & !goes_back);
    let follow = counted | lit(FOLLOWING_WIDTH, 2).gate(backs_off);
    let Some(reports) = config.builder.protocols.trimming.then(|| answers_probe & suspects & is_gap) else {
        let valid = is_rocev2 & is_ack & !answers_probe;
        return Meaning { valid, event, follow, skip: Some(skip), backs_off: Some(backs_off) };
    };
    // The PSN nearest to the expected one with these low bits.
    let ahead = mpeh.sched_tag - bth.psn.truncate(TAG_WIDTH);
    let sign = select(ahead.bit(TAG_WIDTH - 1), Bits::lit(8, 0xFF), Bits::lit(8, 0));
    let before = bth.psn + sign.concat(ahead) - 1;
    // Each that comes is of another packet, so a packet that has been sent again is marked by it once more (D18).
    let trimmed = lost(AckEvent { psn: before, retx: lit(1, 1), ..event }, Bits::lit(OFFSET_WIDTH, 0));
    Meaning {
        valid: is_rocev2 & is_ack & (!answers_probe | reports),
        event: select(reports, trimmed, event),
        follow: follow.gate(!reports),
        skip: Some(skip),
        backs_off: Some(backs_off),
    }
}

/// What a record says of a probe: an ACK with flag P, which is no report of a trimmed packet.
#[name_nets]
pub fn answer<L: Logic>(config: &TxConfig, received: &Received<L>) -> Answer<L> {
    let Received { record, found, connection, .. } = received;
    let bth = Bth::read(|i| record.header[i as usize]);
    let Aeth { syndrome, .. } = Aeth::read(|i| record.header[i as usize + 3]);
    let mpeh = Mpeh::read(|i| record.mpeh[i as usize]);
    let is_ack = bth.opcode.equals(acknowledge(config)) & record.has.mpeh & !syndrome.slice(5, 2).any();
    let valid = record.transport.equals(transport::ROCEV2) & *found & is_ack & mpeh.flags.bit(PROBE);
    Answer { valid, pdc: *connection, path: mpeh.path_id, tag: mpeh.sched_tag }
}

/// It is a probe of the peer.
#[name_nets]
pub fn probes<L: Logic>(config: &TxConfig, received: &Received<L>) -> Bits<L> {
    let Received { record, found, .. } = received;
    let bth = Bth::read(|i| record.header[i as usize]);
    let mpeh = Mpeh::read(|i| record.mpeh[i as usize]);
    let is_request = bth.opcode.differs(acknowledge(config)) & record.has.mpeh;
    record.transport.equals(transport::ROCEV2) & *found & is_request & mpeh.flags.bit(PROBE)
}

/// A NAK that ends the QP: whether it is one, its PSN, and its syndrome.
#[name_nets]
pub fn refusal<L: Logic>(config: &TxConfig, record: &HeaderRecord<L>) -> (Bits<L>, Bits<L>, Bits<L>) {
    let bth = Bth::read(|i| record.header[i as usize]);
    let Aeth { syndrome, .. } = Aeth::read(|i| record.header[i as usize + 3]);
    let is_ack = record.transport.equals(transport::ROCEV2) & is_acknowledge(config, record, bth.opcode);
    let is_nak = syndrome.slice(5, 2).all();
    let is_fatal = is_nak & syndrome.truncate(5).any();
    (is_ack & is_fatal, bth.psn, syndrome)
}

/// The QP that a congestion notification packet is for.
#[name_nets]
pub fn notification<L: Logic>(received: &Received<L>) -> Access<L> {
    let Received { record, found, connection, .. } = received;
    let valid = record.transport.equals(transport::ROCEV2) & *found & record.has.cnp;
    Access { valid, index: *connection }
}

/// It is an ACK or NAK, with an MPEH or of a plain peer.
#[name_nets]
fn is_acknowledge<L: Logic>(config: &TxConfig, record: &HeaderRecord<L>, opcode: Bits<L>) -> Bits<L> {
    select(record.has.mpeh, opcode.equals(acknowledge(config)), opcode.equals(ACKNOWLEDGE))
}

/// OpCode of an ACK with an MPEH.
const fn acknowledge(config: &TxConfig) -> u64 {
    match config.builder.protocols.mpeh {
        MpehIndicator::Bit => ACKNOWLEDGE,
        MpehIndicator::OpCode => ACKNOWLEDGE_WITH_MPEH,
    }
}

/// What follows an event: a packet that is lost; or the peer has no room for the next one, or has discarded all behind it, of which
/// *backoff* is told first, and then the NACK. Whether that is still to come.
#[name_nets]
pub fn next<L: Logic>(last: AckEvent<L>, skip: Bits<L>, backs_off: Bits<L>) -> (AckEvent<L>, Option<Bits<L>>) {
    let lost = lost(last, skip);
    let is_told = last.kind.equals(constant!(kind::BACKOFF));
    let backoff = AckEvent { kind: Bits::lit(kind::WIDTH, kind::BACKOFF), ..lost };
    // The packet goes again whatever the answers before have said.
    let retx = Bits::lit(1, 1);
    let is_gap = last.reason.equals(constant!(SEQUENCE_ERROR));
    let reason = Bits::lit(last.reason.width(), nack::NO_PKT_BUFFER).gate(!is_gap);
    let refused = AckEvent { psn: last.psn, retx, reason, ..lost };
    let event = select(backs_off, select(is_told, refused, backoff), lost);
    (event, Some(backs_off))
}

/// The packet so many PSNs behind the next one is lost. What the ACK says of its path has been said. The code is 0, as that of
/// a suspected loss would have it sent again with every such ACK (D18).
#[name_nets]
pub fn lost<L: Logic>(last: AckEvent<L>, skip: Bits<L>) -> AckEvent<L> {
    let (kind, marked) = (Bits::lit(kind::WIDTH, kind::NACK), Bits::lit(1, 0));
    let psn = last.psn + skip.extend(last.psn.width()) + 1;
    AckEvent { kind, psn, marked, ev: Bits::lit(last.ev.width(), 0), ..last }
}
