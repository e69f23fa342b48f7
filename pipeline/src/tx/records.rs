// SPDX-License-Identifier: MIT OR Apache-2.0
//! From a packet to the header record of its frame (rows TX10 to TX12, TX23, TX26, TX27). With memories of latency `l`:
//!
//! ```text
//!  cycle n            packet   leaves the FIFO, or is a control packet, which does not wait there
//!        n + 1                 where its PDC sends to is read
//!        n + l + 2    record   to the header builder
//! ```
//!
//! One record is under way at a time. The bytes of the packet do not come this way: the header builder takes them from
//! `s_axis`.

use super::config::{PACKETS, PAYLOAD_WIDTH, TxConfig};
use super::destination::{Destination, DestinationWrite};
use crate::blocks::fifo::Fifo;
use crate::ccc_table::CREDIT_WIDTH;
use crate::entropy_selector::EV_WIDTH;
use crate::frame::side_band::SideBand;
use crate::headers::record::{HEADER_WORDS, HeaderPresence, HeaderRecord, l3, transport};
use crate::headers::uet::{self, Control, ControlPayload, Dpdcid, Request, RequestCc};
use rtl_model::{Bits, Bundle, Logic, Ram, RamShape, Reading, Reg, Shape, bits, clog2, name_nets, select, when};

/// Latency of the FIFO, which is small.
const FIFO_LATENCY: u32 = 1;

/// A packet that has been sent, as far as its frame depends on it.
#[derive(Bundle)]
pub struct Packet<L: Reading> {
    pub pdc: Bits<L>,
    pub psn: Bits<L>,
    pub ev: Bits<L>,
    /// Payload bytes.
    pub length: Bits<L>,
    pub retransmission: Bits<L>,
    /// It asks for an ACK.
    pub ack_request: Bits<L>,
    /// RUD_CC_REQ and CREDIT_REQUEST: the credit number that it asks for. CREDIT: the one that it grants.
    pub credit: Option<Bits<L>>,
}

impl TxConfig {
    pub(super) fn packet(&self) -> Packet<Shape> {
        let flag = bits(1);
        Packet {
            pdc: self.pdc(),
            psn: self.psn(),
            ev: bits(EV_WIDTH),
            length: bits(PAYLOAD_WIDTH),
            retransmission: flag,
            ack_request: flag,
            credit: self.asks_credit().then_some(bits(CREDIT_WIDTH)),
        }
    }
}

/// A control packet, which has neither PSN nor payload.
pub struct ControlPacket<L: Logic> {
    pub valid: Bits<L>,
    /// CREDIT, not CREDIT_REQUEST.
    pub grants: Bits<L>,
    pub packet: Packet<L>,
}

/// A record with what stands beside it.
#[derive(Bundle)]
struct Ready<L: Reading> {
    record: HeaderRecord<L>,
    has_payload: Bits<L>,
}

/// What the header builder is offered.
pub struct Offered<L: Logic> {
    pub valid: Bits<L>,
    pub record: HeaderRecord<L>,
    pub has_payload: Bits<L>,
}

/// The packets that wait for their frames.
#[name_nets]
pub struct Records<L: Logic> {
    config: TxConfig,
    packets: Fifo<L, Packet<L>>,
    /// Packets taken into the FIFO, and those whose records have left, modulo 64.
    taken: Reg<Bits<L>>,
    left: Reg<Bits<L>>,
    /// The last packet was a control packet, so one of the FIFO is next (row TX27).
    turn_of_data: Option<Reg<Bits<L>>>,
    /// That was CREDIT.
    grants: Option<Reg<Bits<L>>>,
    /// Where each PDC sends to.
    destinations: Ram<Destination<L>>,
    packet: Reg<Packet<L>>,
    /// Bit i is 1 if the packet was taken i + 1 clock cycles ago.
    reads: Reg<Bits<L>>,
    offered: Reg<Ready<L>>,
    valid: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Records<L> {
    pub fn new(config: TxConfig) -> Self {
        let (flag, place) = (bits(1), bits(clog2(2 * PACKETS)));
        let record = HeaderRecord::<Shape>::new(SideBand::NONE);
        let rows = RamShape::new(config.packet_tracker.pdcs).latency(config.latency()).read_first();
        Records {
            config,
            packets: Fifo::new(PACKETS, FIFO_LATENCY, &config.packet()),
            taken: Reg::new(&place).with_reset(),
            left: Reg::new(&place).with_reset(),
            turn_of_data: config.asks_credit().then(|| Reg::new(&flag).with_reset()),
            grants: config.asks_credit().then(|| Reg::new(&flag)),
            destinations: Ram::new(rows, &Destination::<Shape>::new()),
            packet: Reg::new(&config.packet()),
            reads: Reg::new(&bits(config.latency() + 1)).with_reset(),
            offered: Reg::new(&Ready { record, has_payload: flag }),
            valid: Reg::new(&flag).with_reset(),
        }
    }

    /// A packet can be taken: fewer than 32 wait.
    pub fn room(&self) -> Bits<L> {
        (self.taken.get() - self.left.get()).less(PACKETS)
    }

    /// How many packets have been taken into the FIFO and have left, modulo 64.
    pub fn progress(&self) -> (Bits<L>, Bits<L>) {
        (self.taken.get(), self.left.get())
    }

    /// A control packet is under way. If they follow each other there is still a clock cycle without one between them.
    pub fn has_control(&self) -> Bits<L> {
        self.is_control() & !self.idle()
    }

    /// What the header builder is offered.
    pub fn offered(&self) -> Offered<L> {
        let Ready { record, has_payload } = self.offered.get();
        Offered { valid: self.valid.get(), record, has_payload }
    }

    /// No record is under way.
    fn idle(&self) -> Bits<L> {
        !self.reads.get().any() & !self.valid.get()
    }

    /// The last packet was a control packet.
    fn is_control(&self) -> Bits<L> {
        self.turn_of_data.as_ref().map_or(Bits::lit(1, 0), Reg::get)
    }

    /// A control packet can be taken.
    pub fn takes_control(&self) -> Bits<L> {
        self.idle() & !(self.is_control() & self.packets.valid())
    }

    /// One clock cycle: a packet and a control packet come, *open* writes where to send to, the header builder is ready.
    pub fn clock(
        &self,
        (valid, packet): (Bits<L>, impl Fn() -> Packet<L>),
        control: Option<ControlPacket<L>>,
        destination: DestinationWrite<L>,
        builder: Bits<L>,
    ) {
        let latency = self.config.latency();
        let (reads, held, offers) = (self.reads.get(), self.packet.get(), self.valid.get());
        let leaves = offers & builder;
        let takes_control = control.as_ref().map_or(Bits::lit(1, 0), |control| control.valid & self.takes_control());
        let takes_data = self.packets.valid() & self.idle() & !takes_control;
        let takes = takes_control | takes_data;
        let arrived = reads.bit(latency);

        when(leaves, || {
            self.valid.set(Bits::lit(1, 0));
            self.left.set(self.left.get() + (!self.is_control()).extend(self.left.get().width()));
        });
        when(arrived, || {
            let control = self.turn_of_data.as_ref().zip(self.grants.as_ref());
            let control = control.map(|(is_control, grants)| (is_control.get(), grants.get()));
            self.offered.set(compose(&self.config, &held, control, &self.destinations.data()));
            self.valid.set(Bits::lit(1, 1));
        });
        when(takes_data, || self.packet.set(self.packets.front()));
        if let Some((control, grants)) = control.zip(self.grants.as_ref()) {
            when(takes_control, || {
                self.packet.set(control.packet);
                grants.set(control.grants);
            });
        }
        if let Some(turn_of_data) = &self.turn_of_data {
            when(takes, || turn_of_data.set(takes_control));
        }
        self.reads.set(reads << 1 | takes.extend(latency + 1));
        when(destination.valid, || self.destinations.write(destination.pdc, destination.destination));
        self.destinations.read(held.pdc);
        self.destinations.clock();
        when(valid, || self.taken.set(self.taken.get() + 1));
        self.packets.clock(valid, packet, takes_data);
    }
}

/// The record of a packet. `control`: whether it is a control packet, and whether that is CREDIT.
#[name_nets]
fn compose<L: Logic>(
    config: &TxConfig,
    packet: &Packet<L>,
    control: Option<(Bits<L>, Bits<L>)>,
    to: &Destination<L>,
) -> Ready<L> {
    let lit = Bits::lit;
    let dscp = lit(6, config.dscp);
    let (ethernet, ip) =
        to.network(control.map_or(dscp, |(control, _)| select(control, lit(6, config.control_dscp), dscp)));
    let request = Request {
        kind: lit(5, config.packet_type()),
        next_hdr: lit(4, config.next_header()),
        reserved_65: lit(2, 0),
        retx: packet.retransmission,
        ar: packet.ack_request,
        syn: lit(1, 0),
        reserved_10: lit(2, 0),
        // So far behind no packet is outstanding.
        clear_psn_offset: lit(16, (1 << 16) - config.packet_tracker.window),
        psn: packet.psn,
        spdcid: to.local_pdcid,
    };
    let mut words = with_dpdcid(&request.words(), to);
    let bytes = packet.length.extend(16) + config.header_bytes;
    let has_payload = if config.header_bytes == 0 { bytes.any() } else { lit(1, 1) };
    // A request with credit has as many words as a control packet.
    let (bytes, has_payload) = match packet.credit.zip(control) {
        None => (bytes, has_payload),
        Some((credit, (control, grants))) => {
            let ccc_id = if packet.pdc.width() < 8 { packet.pdc.extend(8) } else { packet.pdc.truncate(8) };
            words.extend(RequestCc { ccc_id, credit_target: credit }.words());
            let others = control_packet(grants, credit, to);
            words = words.into_iter().zip(others).map(|(word, other)| select(control, other, word)).collect();
            (bytes.gate(!control), has_payload & !control)
        }
    };
    let count = lit(4, words.len() as u64);
    let header: [_; HEADER_WORDS] = std::array::from_fn(|i| words.get(i).copied().unwrap_or(lit(32, 0)));
    let record = HeaderRecord {
        ethernet,
        vlan_count: to.tagged.extend(2),
        l3: select(to.ipv6, lit(2, l3::IPV6), lit(2, l3::IPV4)),
        ip,
        udp: [packet.ev.concat(lit(16, config.builder.protocols.uet_port.into())), lit(32, 0)],
        mpeh: [lit(32, 0); 2],
        header,
        transport: lit(3, transport::UET),
        uet_native: lit(1, 0),
        has: HeaderPresence::of(lit(1, 0), lit(9, 0)),
        transport_words: count,
        inner_protocol: lit(8, 0),
        payload_offset: lit(8, 0),
        payload_length: bytes,
        ip_slack: lit(16, 0),
        tid: None,
        tdest: None,
        tuser: None,
    };
    Ready { record, has_payload }
}

/// The words of a header, the last of which ends with the PDC identifier at the receiver.
fn with_dpdcid<L: Logic>(header: &[Bits<L>], to: &Destination<L>) -> Vec<Bits<L>> {
    let mut words = header.to_vec();
    let last = words.len() - 1;
    words[last] = words[last].slice(16, 16).concat(Dpdcid { dpdcid: to.remote_pdcid }.dpdcid);
    words
}

/// The words of a control packet, CREDIT or CREDIT_REQUEST (rows TX23, TX26).
#[name_nets]
fn control_packet<L: Logic>(grants: Bits<L>, credit: Bits<L>, to: &Destination<L>) -> Vec<Bits<L>> {
    let lit = Bits::lit;
    let flag = lit(1, 0);
    let control = Control {
        kind: lit(5, uet::CONTROL),
        ctl_type: select(grants, lit(4, uet::CTL_CREDIT), lit(4, uet::CTL_CREDIT_REQUEST)),
        reserved_6: flag,
        isrod: flag,
        retx: flag,
        ar: flag,
        syn: flag,
        reserved_10: lit(2, 0),
        probe_opaque: lit(16, 0),
        psn: lit(32, 0),
        spdcid: to.local_pdcid,
    };
    let payload = lit(8, 0).concat(credit);
    with_dpdcid(&control.words(), to).into_iter().chain(ControlPayload { payload }.words()).collect()
}
