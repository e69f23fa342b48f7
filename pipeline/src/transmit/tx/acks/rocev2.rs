// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a record of RoCEv2 says to a sender (row TX33).

use super::super::config::TxConfig;
use super::{Meaning, Received};
use crate::headers::protocols::MpehIndicator;
use crate::headers::record::transport;
use crate::headers::{Aeth, Bth, Mpeh};
use crate::transmit::packet_tracker::{AckEvent, kind};
use rtl_model::{Bits, Logic, Signal, constant, name_nets, select};

/// OpCodes of an ACK of a reliable connection: the second one announces an MPEH.
const ACKNOWLEDGE: u64 = 0x11;
const ACKNOWLEDGE_WITH_MPEH: u64 = 0xD1;
/// Syndrome of a NAK because of a gap.
const SEQUENCE_ERROR: u64 = 0x60;
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
    let mpeh = Mpeh::read(|i| record.mpeh[i as usize]);
    let opcode = match config.builder.protocols.mpeh {
        MpehIndicator::Bit => ACKNOWLEDGE,
        MpehIndicator::OpCode => ACKNOWLEDGE_WITH_MPEH,
    };
    let is_rocev2 = record.transport.equals(transport::ROCEV2) & *found;
    let is_ack = bth.opcode.equals(opcode) & record.has.mpeh;
    let refuses = syndrome.slice(5, 2).any().named("refuses");
    let is_gap = syndrome.equals(constant!(SEQUENCE_ERROR));
    let event = AckEvent {
        pdc: *connection,
        kind: lit(kind::WIDTH, kind::ACK),
        psn: select(refuses, bth.psn - 1, bth.psn),
        marked: bth.becn,
        ev: mpeh.path_id.extend(like.ev.width()),
        arrived: now,
        ..AckEvent::zero(&like.shape())
    };
    let (suspects, answers_probe) = (mpeh.flags.bit(SUSPECTED), mpeh.flags.bit(PROBE));
    let follows = suspects | is_gap;
    let Some(reports) = config.builder.protocols.trimming.then(|| answers_probe & suspects & is_gap) else {
        return Meaning { valid: is_rocev2 & is_ack & !answers_probe, event, follows };
    };
    // The PSN nearest to the expected one with these low bits.
    let ahead = mpeh.sched_tag - bth.psn.truncate(TAG_WIDTH);
    let sign = select(ahead.bit(TAG_WIDTH - 1), Bits::lit(8, 0xFF), Bits::lit(8, 0));
    let before = bth.psn + sign.concat(ahead) - 1;
    // Each that comes is of another packet, so a packet that has been sent again is marked by it once more (D18).
    let trimmed = lost(AckEvent { psn: before, retx: lit(1, 1), ..event });
    Meaning {
        valid: is_rocev2 & is_ack & (!answers_probe | reports),
        event: select(reports, trimmed, event),
        follows: follows & !reports,
    }
}

/// The packet behind those that an ACK acknowledges is lost. What the ACK says of its path has been said. The code is 0, as
/// that of a suspected loss would have it sent again with every such ACK (D18).
#[name_nets]
pub fn lost<L: Logic>(ack: AckEvent<L>) -> AckEvent<L> {
    let (kind, marked) = (Bits::lit(kind::WIDTH, kind::NACK), Bits::lit(1, 0));
    AckEvent { kind, psn: ack.psn + 1, marked, ev: Bits::lit(ack.ev.width(), 0), ..ack }
}
