// SPDX-License-Identifier: MIT OR Apache-2.0
//! From what the ACK generator says to the header record of a frame. With memories of latency `l`:
//!
//! ```text
//!  cycle n          take     an ACK; its connection to the addresses
//!        n + l      row      where it goes
//!        n + l + 1  record   to the header builder; for RoCEv2 also four bytes, the place of the ICRC
//! ```
//!
//! One answer is under way at a time: the ACK generator has one in `l` + 5 clock cycles at most.

use super::addresses::{AddressTable, Addresses};
use super::config::RxConfig;
use super::contexts::Opened;
use super::identify::Identified;
use super::stranger_rate::{AnswerSettings, StrangerRate};
use crate::blocks::counter::Counter;
use crate::blocks::table::Access;
use crate::frame::header_builder::{HeaderBuilderIn, entropy_target};
use crate::headers::record::{HeaderPresence, HeaderRecord, transport};
use crate::headers::uet::nack;
use crate::headers::uet::{self, AckCc, Nack, NsccState};
use crate::headers::{Aeth, Bth, Mpeh};
use crate::receive::ack_generator::{Ack, AckProtocol, kind};
use rtl_model::stream::{Axis, Ready};
use rtl_model::{Bits, Bundle, Logic, Ram, RamShape, Reading, Reg, Wide, bits, name_nets, select, when};

/// OpCode of an ACK of a reliable connection.
const ACKNOWLEDGE: u64 = 0x11;
/// OpCode of a congestion notification packet.
const CNP: u64 = 0x81;
/// Words behind its BTH, of which one is in the place of an AETH.
const CNP_WORDS: u64 = 4;
/// Bytes of the ICRC.
const ICRC_BYTES: u64 = 0xF;

/// A record with its entropy.
#[derive(Bundle)]
struct Answer<L: Reading> {
    record: HeaderRecord<L>,
    entropy: Bits<L>,
}

/// What takes part in composing the headers of a transport.
struct Parts<L: Logic> {
    ack: Ack<L>,
    to: Addresses<L>,
    /// RoCEv2.
    peer: Option<Peer<L>>,
    /// RoCEv2: it is a congestion notification packet, and of the ACK only the connection counts.
    notifies: Option<Bits<L>>,
}

/// RoCEv2: what answers have for a peer, by *open*.
#[derive(Bundle)]
#[shape]
struct Peer<L: Reading> {
    /// Its QP.
    #[width(24)]
    qp: Bits<L>,
    /// The partition key of this end, as that of the packet may be one of a limited member, which another does not take.
    #[width(16)]
    pkey: Bits<L>,
}

/// The frames that answer.
#[name_nets]
pub struct Answers<L: Logic> {
    config: RxConfig,
    addresses: AddressTable<L>,
    /// RoCEv2.
    peers: Option<Ram<Peer<L>>>,
    ack: Reg<Ack<L>>,
    /// RoCEv2: it is a congestion notification in place of an ACK.
    notifies: Option<Reg<Bits<L>>>,
    /// Bit i is 1 if the ACK was taken i + 1 clock cycles ago.
    reads: Reg<Bits<L>>,
    answer: Reg<Answer<L>>,
    record_valid: Reg<Bits<L>>,
    /// RoCEv2: the place of the ICRC has not been sent.
    payload_valid: Option<Reg<Bits<L>>>,
    /// UET: how often packets of no connection are answered.
    rate: Option<StrangerRate<L>>,
    /// Counter: answers to packets of no connection that were not sent.
    lost: Option<Counter<L>>,
}

#[name_nets]
impl<L: Logic> Answers<L> {
    pub fn new(config: RxConfig) -> Self {
        let flag = bits(1);
        let record = HeaderRecord::shape(crate::headers::side_band::SideBand::NONE);
        let roce = config.protocol() == AckProtocol::Roce;
        let peers = RamShape::new(config.reorder.connections).latency(config.reorder.ram_latency).read_first();
        Answers {
            config,
            addresses: AddressTable::new(config),
            peers: roce.then(|| Ram::new(peers, &Peer::shape())),
            ack: Reg::new(&Ack::shape(config.ack)),
            notifies: roce.then(|| Reg::new(&flag)),
            reads: Reg::new(&bits(config.reorder.ram_latency)).with_reset(),
            answer: Reg::new(&Answer { record, entropy: bits(20) }),
            record_valid: Reg::new(&flag).with_reset(),
            payload_valid: roce.then(|| Reg::new(&flag).with_reset()),
            rate: (!roce).then(|| StrangerRate::new(config.answer_interval)),
            lost: (!roce).then(|| Counter::new(32)),
        }
    }

    /// Nothing is under way: an ACK can be taken.
    pub fn ready(&self) -> Bits<L> {
        let payload = self.payload_valid.as_ref().map_or(Bits::lit(1, 0), Reg::get);
        !(self.reads.get().any() | self.record_valid.get() | payload)
    }

    /// A record goes to the header builder, which is ready.
    pub fn begins(&self, ready: Bits<L>) -> Bits<L> {
        self.record_valid.get() & ready
    }

    /// Counter: answers to packets of no connection that were not sent.
    pub fn lost(&self) -> Option<Bits<L>> {
        self.lost.as_ref().map(Counter::get)
    }

    /// What the header builder gets; `m_axis` is the ready of its consumer.
    pub fn to_builder(&self, m_axis: Ready<L>) -> HeaderBuilderIn<L> {
        let Answer { record, entropy } = self.answer.get();
        let width = self.config.parser.data_width;
        let flag = |on: bool| Bits::lit(1, on.into());
        let target = match self.config.protocol() {
            AckProtocol::Roce => entropy_target::RECORDED,
            AckProtocol::Uet => entropy_target::SOURCE_PORT,
        };
        HeaderBuilderIn {
            s_record_tvalid: self.record_valid.get(),
            s_record: record,
            s_record_entropy: entropy,
            s_record_entropy_target: Bits::lit(2, target),
            s_record_has_payload: flag(self.payload_valid.is_some()),
            s_axis: Axis {
                tvalid: self.payload_valid.as_ref().map_or(flag(false), Reg::get),
                tdata: Wide::lit(width, 0),
                tkeep: Wide::lit(width / 8, ICRC_BYTES),
                tlast: flag(true),
                tid: None,
                tdest: None,
                tuser: Wide::lit(1, 0),
            },
            m_axis,
        }
    }

    /// One clock cycle. `ack` is what the ACK generator offers, `notice` the connection of a congestion notification, `leaves` that a packet in sequence leaves `identify`, `lost`
    /// one that is lost; `taken` are the readies of the header builder, for record and payload.
    #[expect(clippy::too_many_arguments, reason = "one for each neighbour")]
    pub fn clock(
        &self,
        (ack, notice): (Ack<L>, Option<Access<L>>),
        leaves: Bits<L>,
        packet: &Identified<L>,
        lost: (Access<L>, Addresses<L>),
        opened: &Opened<L>,
        taken: [Bits<L>; 2],
        settings: AnswerSettings<L>,
    ) {
        let latency = self.config.reorder.ram_latency;
        let (reads, held) = (self.reads.get(), self.ack.get());
        let notifies = notice.map_or(Bits::lit(1, 0), |notice| notice.valid);
        let takes = ((ack.valid | notifies) & self.ready()).named("takes");
        let connection = notice.map_or(ack.connection, |notice| select(notice.valid, notice.index, ack.connection));
        let arrived = reads.bit(latency - 1);

        // The rows are there: the record.
        let (of_connection, of_stranger) = self.addresses.rows();
        let (to, known) = match of_stranger {
            None => (of_connection, Bits::lit(1, 1)),
            Some(stranger) => {
                let is_strange = is_strange(&held).named("is_strange");
                let wanted = held.handle.expect("of UET");
                let rate = self.rate.as_ref().expect("UET has a rate");
                let kept = stranger.number.equals(wanted) & !stranger.group;
                let answers = (kept & rate.may_answer()).named("answers_stranger");
                rate.clock(arrived & is_strange & answers, settings);
                (select(is_strange, stranger.addresses, of_connection), !is_strange | answers)
            }
        };
        let (peer, is_notice) = (self.peers.as_ref().map(Ram::data), self.notifies.as_ref().map(Reg::get));
        let parts = Parts { ack: held, to, peer, notifies: is_notice };
        when(self.record_valid.get() & taken[0], || self.record_valid.set(Bits::lit(1, 0)));
        when(arrived, || {
            self.answer.set(compose(&self.config, &parts));
            self.record_valid.set(known);
        });
        if let Some(payload_valid) = &self.payload_valid {
            when(payload_valid.get() & taken[1], || payload_valid.set(Bits::lit(1, 0)));
            when(arrived, || payload_valid.set(Bits::lit(1, 1)));
        }
        if let Some(lost) = &self.lost {
            lost.count(arrived & !known);
        }

        when(takes, || self.ack.set(ack));
        if let Some(is_notice) = &self.notifies {
            when(takes, || is_notice.set(notifies));
        }
        self.reads.set(reads << 1 | takes.extend(latency));
        self.addresses.clock(leaves, packet, lost, Access { valid: takes, index: connection }, ack.handle);
        if let Some(peers) = &self.peers {
            if let Some((qp, pkey)) = opened.peer.zip(opened.ends.pkey) {
                when(opened.valid, || peers.write(opened.connection, Peer { qp, pkey }));
            }
            when(takes, || peers.read(connection));
            peers.clock();
        }
    }
}

/// Whether this is a NACK of UET to a packet that has no PDC here.
fn is_strange<L: Logic>(ack: &Ack<L>) -> Bits<L> {
    let code = ack.code.expect("UET has codes");
    let [no_pdc_avail, inv_dpdcid] = [nack::NO_PDC_AVAIL, nack::INV_DPDCID].map(|reason| code.equals(reason));
    ack.kind.equals(kind::NAK) & (no_pdc_avail | inv_dpdcid)
}

/// The record of the answer.
#[name_nets]
fn compose<L: Logic>(config: &RxConfig, parts: &Parts<L>) -> Answer<L> {
    let (ethernet, ip) = parts.to.network(config);
    let (header, words, mpeh) = match config.protocol() {
        AckProtocol::Roce => rocev2_headers(parts),
        AckProtocol::Uet => uet_headers(parts),
    };
    let lit = Bits::lit;
    let (code, udp_source) = match config.protocol() {
        AckProtocol::Roce => (transport::ROCEV2, parts.to.udp_source),
        // A suspected loss has no packet whose EV could be given back.
        AckProtocol::Uet => {
            let Ack { kind, code, ev, .. } = parts.ack;
            let is_inferred = code.expect("UET has codes").equals(nack::RCVR_INFER_LOSS) & kind.equals(kind::NAK);
            (transport::UET, select(is_inferred, parts.to.udp_source, ev.expect("UET has EVs")))
        }
    };
    let multipath = parts.ack.multipath.unwrap_or(lit(1, 0));
    let presence = HeaderPresence::of(parts.notifies.map_or(multipath, |notifies| multipath & !notifies), lit(9, 0));
    let record = HeaderRecord {
        ethernet,
        vlan_count: parts.to.vlan_count,
        l3: parts.to.l3,
        ip,
        udp: [udp_source.concat(parts.to.udp_destination), lit(32, 0)],
        mpeh,
        header,
        transport: lit(3, code),
        uet_native: parts.to.uet_native,
        has: presence,
        transport_words: words,
        inner_protocol: lit(8, 0),
        payload_offset: lit(8, 0),
        payload_length: lit(16, 0),
        ip_slack: lit(16, 0),
        tid: None,
        tdest: None,
        tuser: None,
    };
    Answer { record, entropy: udp_source.extend(20) }
}

/// Words of the transport header, up to the longest one.
#[name_nets]
fn padded<L: Logic>(words: &[Bits<L>]) -> [Bits<L>; crate::headers::record::HEADER_WORDS] {
    std::array::from_fn(|i| words.get(i).copied().unwrap_or(Bits::lit(32, 0)))
}

/// Headers of an answer: words of the transport header, how many they are, and the MPEH.
type Headers<L> = ([Bits<L>; crate::headers::record::HEADER_WORDS], Bits<L>, [Bits<L>; 2]);

/// BTH and AETH, and the MPEH (M12, M25 to M32); of a CNP a BTH of its own, and 16 bytes of zeros (annex A17 of the IBA).
#[name_nets]
fn rocev2_headers<L: Logic>(parts: &Parts<L>) -> Headers<L> {
    let (ack, lit) = (&parts.ack, Bits::lit);
    let of = |field: Option<Bits<L>>| field.expect("a field of RoCEv2");
    let (peer, notifies) = (parts.peer.expect("RoCEv2 has peers"), of(parts.notifies));
    let bth = Bth {
        opcode: select(notifies, lit(8, CNP), lit(8, ACKNOWLEDGE)),
        se: lit(1, 0),
        migreq: !notifies,
        pad: lit(2, 0),
        tver: lit(4, 0),
        pkey: peer.pkey,
        fecn: lit(1, 0),
        becn: of(ack.ecn) | notifies,
        reserved1: lit(6, 0),
        dqpn: peer.qp,
        ackreq: lit(1, 0),
        // The header builder announces the MPEH.
        mpeh: lit(1, 0),
        reserved2: lit(6, 0),
        psn: ack.psn.gate(!notifies),
    };
    let aeth = Aeth { syndrome: of(ack.syndrome), msn: of(ack.msn) };
    let mpeh = Mpeh {
        path_id: of(ack.path),
        flags: ack.flags,
        flowlet_seq: of(ack.flowlet),
        sched_tag: of(ack.tag),
        reserved: lit(16, 0),
    };
    let aeth = aeth.words().into_iter().map(|word| word.gate(!notifies));
    let words: Vec<_> = bth.words().into_iter().chain(aeth).collect();
    let (of_ack, of_cnp) = (words.len() as u64, words.len() as u64 + CNP_WORDS - 1);
    (padded(&words), select(notifies, lit(4, of_cnp), lit(4, of_ack)), mpeh.words())
}

/// ACK, ACK_CC or NACK (uet.md 1.4 to 1.6).
#[name_nets]
fn uet_headers<L: Logic>(parts: &Parts<L>) -> Headers<L> {
    let (ack, lit) = (&parts.ack, Bits::lit);
    let of = |field: Option<Bits<L>>| field.expect("a field of UET");
    let (is_nack, has_state) = (ack.kind.equals(kind::NAK), ack.kind.equals(kind::ACK_CC));
    // This side is the sender of the answer.
    let (here, there) = (of(parts.to.dpdcid), of(parts.to.spdcid));
    // What a packet without a PDC has there is no PDCID of this side, or the PSN offset of a *syn* packet.
    let here = here.gate(!is_strange(ack));
    // The reserved flag, then m, retx, p and the rest, as the ACK generator says them.
    let flags = ack.flags;
    let prologue = |kind: u64| lit(5, kind).concat(lit(4, 0)).concat(flags);
    let contexts = here.concat(there);
    let acks = prologue(uet::ACK).concat(of(ack.psn_offset));
    let acks_cc = prologue(uet::ACK_CC).concat(of(ack.psn_offset));
    let state = AckCc {
        cc_type: lit(4, 0),
        cc_flags: lit(4, 0),
        mpr: of(ack.mpr),
        sack_psn_offset: of(ack.sack_offset),
        sack_bitmap: of(ack.sack),
    };
    let nscc = NsccState {
        service_time: of(ack.service_time),
        rc: of(ack.restore),
        rcv_cwnd_pend: of(ack.pend),
        rcvd_bytes: of(ack.rcvd_bytes),
        ooo_count: of(ack.ooo_count),
    };
    let nack = Nack {
        kind: lit(5, uet::NACK),
        next_hdr: lit(4, 0),
        reserved_6: lit(1, 0),
        m: flags.bit(5),
        retx: flags.bit(4),
        nt: lit(1, 0),
        reserved_210: lit(3, 0),
        nack_code: of(ack.code),
        vendor_code: lit(8, 0),
        nack_psn: ack.psn,
        spdcid: here,
        dpdcid: there,
        payload: lit(32, 0),
    };
    let first = select(is_nack, nack.words()[0], select(has_state, acks_cc, acks));
    let state: Vec<_> = state.words().into_iter().chain(nscc.words()).collect();
    let fourth = select(is_nack, lit(32, 0), state[0]);
    let words: Vec<_> = [first, ack.psn, contexts, fourth].into_iter().chain(state[1..].iter().copied()).collect();
    let count = select(is_nack, lit(4, 4), select(has_state, lit(4, 8), lit(4, 3)));
    (padded(&words), count, [lit(32, 0); 2])
}
