// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the receive path reads in a header record: whose packet it is, where it stands in its connection, and what an ACK
//! says of it.

use super::addresses::ip_addresses;
use super::config::RxConfig;
use crate::headers::opcode::{
    MpehIndicator, begins_message, completes_message, is_send_or_write, is_unserved_request, is_write,
};
use crate::headers::protocols::Protocols;
use crate::headers::record::{HeaderRecord, l3, transport};
use crate::headers::uet::{self, Ack, Request};
use crate::headers::{Bth, Ipv4, Ipv6, Mpeh, Reth, Udp};
use crate::receive::ack_generator::AckProtocol;
use crate::receive::context_lookup::{KIND_WIDTH, kind};
use crate::receive::reorder::{FLAGS_WIDTH, PATH_WIDTH, PROBE_FLAG};
use crate::receive::request_check::{self, LENGTH_WIDTH};
use rtl_model::{Bits, Bundle, Logic, Reading, Table, name_nets, select};

/// Codepoint of a packet that is marked by ECN.
const CONGESTION_EXPERIENCED: u64 = 3;
/// What a nominal packet size adds to the UDP datagram (U21).
const NOMINAL_EXTRA: u64 = 40;

/// Words of the BTH.
const BTH_WORDS: u32 = 3;

/// Bytes of the CRC of UET.
const UET_CRC_BYTES: u64 = 4;

/// What is read in a header record.
pub struct Packet<L: Logic> {
    /// The packet is an arrival of the reorder stage: it has its place in the order of a connection, or probes its path.
    /// All other frames leave with their records only.
    pub in_sequence: Bits<L>,
    /// The kind of its key.
    pub kind: Bits<L>,
    /// Its key: the destination QP, or the PDC identifier with its direction.
    pub key: Bits<L>,
    /// The key may be looked up: not that of a context that is being set up, and not PDC identifier 0.
    pub has_key: Bits<L>,
    /// Its PSN.
    pub psn: Bits<L>,
    /// Path ID of the MPEH; 0 without MPEH.
    pub path: Bits<L>,
    /// Flags of the MPEH; 0 without MPEH. P for a packet that is not to be received: of UET a probe or a trimmed one, of
    /// RoCEv2 a request that is not served or a trimmed packet.
    pub flags: Bits<L>,
    /// Bytes of its payload.
    pub length: Bits<L>,
    /// What the ACK generator is told.
    pub details: Details<L>,
}

/// What a packet says of its ends.
#[derive(Bundle)]
#[shape(config: RxConfig)]
pub struct Claim<L: Reading> {
    pub ipv6: Bits<L>,
    /// IPv4: the first word alone.
    #[width(32)]
    pub source_ip: [Bits<L>; 4],
    #[width(32)]
    pub destination_ip: [Bits<L>; 4],
    /// The P_Key, or SPDCID.
    #[width(16)]
    pub context: Bits<L>,
    /// UET: a NACK without SPDCID, as of a peer that has no PDC.
    #[width(config.uet(1))]
    pub unnamed: Option<Bits<L>>,
}

/// What the ACK generator is told of a packet, in addition to the answer of the reorder stage.
#[derive(Bundle)]
#[shape(config: RxConfig)]
pub struct Details<L: Reading> {
    pub ack_request: Bits<L>,
    pub ecn: Bits<L>,
    #[width(config.roce(16))]
    pub flowlet: Option<Bits<L>>,
    #[width(config.roce(1))]
    pub last: Option<Bits<L>>,
    #[width(config.roce(1))]
    pub unserved: Option<Bits<L>>,
    #[width(config.roce(1))]
    pub stamped: Option<Bits<L>>,
    #[width(config.roce(16))]
    pub stamp: Option<Bits<L>>,
    #[width(config.uet(16))]
    pub nominal: Option<Bits<L>>,
    #[width(config.uet(1))]
    pub syn: Option<Bits<L>>,
    #[width(config.uet(1))]
    pub retx: Option<Bits<L>>,
    #[width(config.trims().then_some(1))]
    pub trimmed: Option<Bits<L>>,
    /// The packet is lost, as there was no room for it.
    pub no_room: Bits<L>,
    #[width(config.uet(1))]
    pub last_hop: Option<Bits<L>>,
    #[width(config.uet(16))]
    pub ev: Option<Bits<L>>,
    #[width(config.uet(16))]
    pub opaque: Option<Bits<L>>,
    /// What the check of requests wants to know.
    #[shape(config.checked(request_check::Request::shape()))]
    pub request: Option<request_check::Request<L>>,
}

impl RxConfig {
    /// The DSCPs of packets that have been trimmed, and of those that were at the last hop.
    const fn trimmed_dscps(&self) -> [u64; 2] {
        let Protocols { trimmed_dscp, trimmed_last_hop_dscp, .. } = self.parser.protocols;
        [trimmed_dscp as u64, trimmed_last_hop_dscp as u64]
    }

    /// There are trimmed packets: a DSCP says so of UET, and of RoCEv2 only where switches trim.
    const fn trims(&self) -> bool {
        matches!(self.protocol(), AckProtocol::Uet) || self.parser.protocols.trimming
    }

    /// Reads a record.
    pub(super) fn read<L: Logic>(&self, record: &HeaderRecord<L>) -> Packet<L> {
        match self.protocol() {
            AckProtocol::Roce => self.rocev2_packet(record, self.parser.protocols.mpeh),
            AckProtocol::Uet => self.uet_packet(record),
        }
    }
}

#[name_nets]
impl RxConfig {
    /// What a record says of the ends of its packet. SPDCID has the same place in requests, control packets, ACKs and NACKs.
    pub(super) fn claim<L: Logic>(&self, record: &HeaderRecord<L>) -> Claim<L> {
        let [source_ip, destination_ip] = ip_addresses(record);
        let Bth { pkey, .. } = Bth::read(|i| record.header[i as usize]);
        let Ack { kind, spdcid, .. } = Ack::read(|i| record.header[i as usize]);
        let is_nack = kind.equals(uet::NACK) | kind.equals(uet::NACK_CCX);
        Claim {
            ipv6: record.l3.equals(l3::IPV6),
            source_ip,
            destination_ip,
            context: self.roce(pkey).unwrap_or(spdcid),
            unnamed: self.uet(is_nack & !spdcid.any()),
        }
    }
}

/// DSCP and ECN of the packet.
#[name_nets]
fn traffic_class<L: Logic>(record: &HeaderRecord<L>) -> [Bits<L>; 2] {
    let (v4, v6) = (Ipv4::read(|i| record.ip[i as usize]), Ipv6::read(|i| record.ip[i as usize]));
    let is_v6 = record.l3.equals(l3::IPV6);
    [select(is_v6, v6.dscp, v4.dscp), select(is_v6, v6.ecn, v4.ecn)]
}

#[name_nets]
impl RxConfig {
    /// A packet of RoCEv2. All requests of reliable connections are in sequence; of them SEND and WRITE are served.
    fn rocev2_packet<L: Logic>(&self, record: &HeaderRecord<L>, mpeh: MpehIndicator) -> Packet<L> {
        let bth = Bth::read(|i| record.header[i as usize]);
        let path_header = Mpeh::read(|i| record.mpeh[i as usize]);
        let has_mpeh = record.has.mpeh;
        let opcodes = |is: fn(u8, MpehIndicator) -> bool| Table::new(1, (0..=255).map(|code| is(code, mpeh).into()));
        let is_data = bth.opcode.look_up(&opcodes(is_send_or_write).named("is_send_or_write"));
        let unserved = bth.opcode.look_up(&opcodes(is_unserved_request).named("is_unserved_request"));
        let last = bth.opcode.look_up(&opcodes(completes_message).named("completes_message"));
        let [dscp, ecn] = traffic_class(record);
        let is_trimmed = |of: [u64; 2]| is_data & (dscp.equals(of[0]) | dscp.equals(of[1]));
        let trimmed = self.trims().then(|| is_trimmed(self.trimmed_dscps()));
        let refuses = trimmed.map_or(unserved, |trimmed| unserved | trimmed);
        // There is no other version (M07).
        let is_rocev2 = record.transport.equals(transport::ROCEV2) & !bth.tver.any();
        let reth = Reth::read(|i| record.header[(BTH_WORDS + i) as usize]);
        let first = bth.opcode.look_up(&opcodes(begins_message).named("begins_message"));
        let write = bth.opcode.look_up(&opcodes(is_write).named("is_write"));
        let length = record.payload_length - bth.pad.extend(LENGTH_WIDTH);
        let request = self.checked(request_check::Request { first, last, write, length, dma_length: reth.length });
        Packet {
            in_sequence: is_rocev2 & (is_data | unserved),
            kind: Bits::lit(KIND_WIDTH, kind::ROCEV2),
            key: bth.dqpn,
            has_key: is_rocev2,
            psn: bth.psn,
            path: path_header.path_id.gate(has_mpeh),
            flags: path_header.flags.gate(has_mpeh) | refuses.extend(FLAGS_WIDTH) << u64::from(PROBE_FLAG),
            length: record.payload_length,
            details: Details {
                ack_request: bth.ackreq,
                ecn: ecn.equals(CONGESTION_EXPERIENCED),
                flowlet: Some(path_header.flowlet_seq.gate(has_mpeh)),
                last: Some(last),
                unserved: Some(unserved),
                stamped: Some(has_mpeh & Bits::lit(1, self.tag_is_time.into())),
                stamp: Some(path_header.sched_tag),
                nominal: None,
                syn: None,
                retx: None,
                trimmed,
                no_room: Bits::lit(1, 0),
                last_hop: None,
                ev: None,
                opaque: None,
                request,
            },
        }
    }

    /// A packet of UET. RUD and ROD requests and control packets with a PSN are in sequence, and probes are answered. The
    /// direction of the key is 0 for what comes from the initiator of the context, and 1 for what its target sends: ACKs,
    /// NACKs, and the control packets that only a target has.
    fn uet_packet<L: Logic>(&self, record: &HeaderRecord<L>) -> Packet<L> {
        let request = Request::read(|i| record.header[i as usize]);
        let members = |set: &[u64], of: u64| Table::new(1, (0..of).map(|code| set.contains(&code).into()));
        let is_request = request.kind.look_up(&members(&uet::REQUESTS, 32).named("request_types"));
        let is_answer = request.kind.look_up(&members(&uet::ANSWERS, 32).named("answer_types"));
        let is_uet = record.transport.equals(transport::UET);
        // The type of a control packet is in the place of `next_hdr`.
        let is_control = request.kind.equals(uet::CONTROL);
        let is_probe = is_control & request.next_hdr.equals(uet::PROBE);
        let sequenced = request.next_hdr.look_up(&members(&uet::SEQUENCED_CONTROL, 16).named("sequenced_control"));
        let of_target = request.next_hdr.look_up(&members(&uet::CONTROL_OF_TARGET, 16).named("control_of_target"));
        let comes_back = is_answer | is_control & of_target;
        let has_psn = is_request | is_control & sequenced;
        // The context at the receiver has the same place in requests, control packets, ACKs and NACKs.
        let Ack { dpdcid, .. } = Ack::read(|i| record.header[i as usize]);
        let [dscp, ecn] = traffic_class(record);
        let [trimmed_dscp, last_hop_dscp] = self.trimmed_dscps();
        let last_hop = is_request & dscp.equals(last_hop_dscp);
        let trimmed = is_request & dscp.equals(trimmed_dscp) | last_hop;
        let refuses = (is_probe | trimmed).extend(FLAGS_WIDTH) << u64::from(PROBE_FLAG);
        let udp = Udp::read(|i| record.udp[i as usize]);
        let headers = record.transport_words.extend(16) << 2;
        let crc = if self.parser.protocols.has_uet_crc() { UET_CRC_BYTES } else { 0 };
        let beside = |layer_4: u64| Bits::lit(16, layer_4 + NOMINAL_EXTRA + crc);
        let before = select(record.uet_native, beside(4), beside(8));
        // Without UDP the entropy header is the second word.
        let ev = select(record.uet_native, record.udp[1].slice(16, 16), udp.source);
        Packet {
            in_sequence: is_uet & (has_psn | is_probe),
            kind: Bits::lit(KIND_WIDTH, kind::UET),
            key: comes_back.concat(dpdcid),
            // PDCID 0 is no context (uet.md 1.2), whatever the table holds.
            has_key: is_uet & !(has_psn & request.syn) & dpdcid.any(),
            psn: request.psn,
            path: Bits::lit(PATH_WIDTH, 0),
            flags: refuses,
            length: record.payload_length,
            details: Details {
                ack_request: request.ar & has_psn,
                ecn: ecn.equals(CONGESTION_EXPERIENCED),
                flowlet: None,
                last: None,
                unserved: None,
                stamped: None,
                stamp: None,
                nominal: Some(record.payload_length + headers + before),
                syn: Some(request.syn & has_psn),
                retx: Some(request.retx),
                trimmed: Some(trimmed),
                no_room: Bits::lit(1, 0),
                last_hop: Some(last_hop),
                ev: Some(ev),
                opaque: Some(request.clear_psn_offset),
                request: None,
            },
        }
    }
}
