// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the receive path reads in a header record: whose packet it is, and where it stands in its connection.

use super::config::{RxConfig, RxTransport};
use crate::context_lookup::{KIND_WIDTH, kind};
use crate::headers::opcode::{MpehIndicator, is_rc_request};
use crate::headers::record::{HeaderRecord, transport};
use crate::headers::uet::{self, Ack, Request};
use crate::headers::{Bth, Mpeh};
use crate::reorder::{FLAGS_WIDTH, PATH_WIDTH};
use rtl_model::{Bits, Logic, Table, name_nets};

/// What is read in a header record.
pub struct Packet<L: Logic> {
    /// It is a packet with data, which has its place in the order of its connection: a request of the transport. All other
    /// frames leave with their records only.
    pub in_sequence: Bits<L>,
    /// The kind of its key.
    pub kind: Bits<L>,
    /// Its key: the destination QP, or the PDC identifier with its direction.
    pub key: Bits<L>,
    /// Its PSN.
    pub psn: Bits<L>,
    /// Path ID of the MPEH; 0 without MPEH.
    pub path: Bits<L>,
    /// Flags of the MPEH; 0 without MPEH.
    pub flags: Bits<L>,
    /// Bytes of its payload.
    pub length: Bits<L>,
}

impl RxConfig {
    /// Reads a record.
    pub(super) fn read<L: Logic>(&self, record: &HeaderRecord<L>) -> Packet<L> {
        match self.transport {
            RxTransport::Rocev2 => rocev2_packet(record, self.parser.protocols.mpeh),
            RxTransport::Uet => uet_packet(record),
        }
    }
}

/// A packet of RoCEv2: requests of reliable connections are in sequence.
#[name_nets]
fn rocev2_packet<L: Logic>(record: &HeaderRecord<L>, mpeh: MpehIndicator) -> Packet<L> {
    let bth = Bth::read(|i| record.header[i as usize]);
    let path_header = Mpeh::read(|i| record.mpeh[i as usize]);
    let requests = Table::new(1, (0..=255).map(|opcode| is_rc_request(opcode, mpeh).into())).named("is_rc_request");
    let is_rocev2 = record.transport.equals(transport::ROCEV2);
    Packet {
        in_sequence: is_rocev2 & bth.opcode.look_up(&requests),
        kind: Bits::lit(KIND_WIDTH, kind::ROCEV2),
        key: bth.dqpn,
        psn: bth.psn,
        path: path_header.path_id.gate(record.has.mpeh),
        flags: path_header.flags.gate(record.has.mpeh),
        length: record.payload_length,
    }
}

/// A packet of UET: RUD and ROD requests of contexts that are set up are in sequence. The direction of the key is 0 for
/// what comes from the initiator of the context, requests and control packets, and 1 for what comes back, ACKs and NACKs.
#[name_nets]
fn uet_packet<L: Logic>(record: &HeaderRecord<L>) -> Packet<L> {
    let request = Request::read(|i| record.header[i as usize]);
    let types = |set: &[u64]| Table::new(1, (0..32).map(|kind| set.contains(&kind).into()));
    let is_request = request.kind.look_up(&types(&uet::REQUESTS).named("is_request"));
    let comes_back = request.kind.look_up(&types(&uet::ANSWERS).named("comes_back"));
    let is_uet = record.transport.equals(transport::UET);
    // The context at the receiver has the same place in requests, control packets, ACKs and NACKs.
    let Ack { dpdcid, .. } = Ack::read(|i| record.header[i as usize]);
    Packet {
        in_sequence: is_uet & is_request & !request.syn,
        kind: Bits::lit(KIND_WIDTH, kind::UET),
        key: comes_back.concat(dpdcid),
        psn: request.psn,
        path: Bits::lit(PATH_WIDTH, 0),
        flags: Bits::lit(FLAGS_WIDTH, 0),
        length: record.payload_length,
    }
}
