// SPDX-License-Identifier: MIT OR Apache-2.0
//! From a packet to the header record of its frame (rows TX10 to TX12, TX23, TX26, TX27, TX31, TX32, TX53). With memories of latency `l`:
//!
//! ```text
//!  cycle n            packet   leaves the FIFO, or is a control packet, which does not wait there
//!        n + 1                 where its PDC sends to is read
//!        n + l + 2    record   to the header builder
//! ```
//!
//! One record is under way at a time. The bytes of the packet do not come this way: the header builder takes them from
//! `s_axis`.

mod rocev2;
mod uet;

use super::config::{PACKETS, PAYLOAD_WIDTH, TxConfig};
use super::destination::{DSCP_WIDTH, DestinationWrite};
use super::route::Route;
use crate::blocks::fifo::Fifo;
use crate::headers::destination::Destination;
use crate::headers::record::{HEADER_WORDS, HeaderPresence, HeaderRecord, l3, transport};
use crate::headers::side_band::SideBand;
use crate::transmit::ccc_table::CREDIT_WIDTH;
use rtl_model::{Bits, Bundle, Logic, Ram, RamShape, Reading, Reg, bits, clog2, name_nets, select, when};

pub use rocev2::Rdma;

/// Latency of the FIFO, which is small.
const FIFO_LATENCY: u32 = 1;
/// Width of `ctl_type`.
pub const CTL_TYPE_WIDTH: u32 = 4;

/// A packet that has been sent, as far as its frame depends on it.
#[derive(Bundle)]
#[shape(config: TxConfig)]
pub struct Packet<L: Reading> {
    #[shape(config.pdc())]
    pub pdc: Bits<L>,
    #[shape(config.psn())]
    pub psn: Bits<L>,
    pub route: Route<L>,
    /// Payload bytes.
    #[width(PAYLOAD_WIDTH)]
    pub length: Bits<L>,
    pub retransmission: Bits<L>,
    /// It asks for an ACK.
    pub ack_request: Bits<L>,
    /// RUD_CC_REQ and CREDIT_REQUEST: the credit number that it asks for. CREDIT: the one that it grants.
    #[width(config.asks_credit().then_some(CREDIT_WIDTH))]
    pub credit: Option<Bits<L>>,
    /// RoCEv2.
    #[shape(config.rocev2(Rdma::shape()))]
    pub rdma: Option<Rdma<L>>,
}

/// A control packet of UET, or a probe of RoCEv2, which has no PSN.
#[derive(Bundle)]
#[shape(config: TxConfig)]
pub struct ControlPacket<L: Reading> {
    pub valid: Bits<L>,
    /// UET: which one it is.
    #[width(CTL_TYPE_WIDTH)]
    pub ctl_type: Bits<L>,
    #[shape(Packet::shape(config))]
    pub packet: Packet<L>,
}

/// What a record says of a control packet.
#[derive(Clone, Copy)]
struct OfControl<L: Logic> {
    /// It is one.
    is: Bits<L>,
    ctl_type: Bits<L>,
    /// PROBE: the name that its answer returns.
    opaque: Option<Bits<L>>,
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
    /// Which one that was.
    ctl_type: Option<Reg<Bits<L>>>,
    /// Where each PDC sends to.
    destinations: Ram<Destination<L>>,
    /// The DSCP of data packets of each PDC.
    dscps: Ram<Bits<L>>,
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
        let record = HeaderRecord::shape(SideBand::NONE);
        let rows = RamShape::new(config.packet_tracker.pdcs).latency(config.latency()).read_first();
        Records {
            config,
            packets: Fifo::new(PACKETS, FIFO_LATENCY, &Packet::shape(config)),
            taken: Reg::new(&place).with_reset(),
            left: Reg::new(&place).with_reset(),
            turn_of_data: config.has_others().then(|| Reg::new(&flag).with_reset()),
            ctl_type: config.has_control().then(|| Reg::new(&bits(CTL_TYPE_WIDTH))),
            destinations: Ram::new(rows, &Destination::shape(config.is_rocev2(), !config.is_rocev2())),
            dscps: Ram::new(rows, &bits(DSCP_WIDTH)),
            packet: Reg::new(&Packet::shape(config)),
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
    pub fn idle(&self) -> Bits<L> {
        !self.reads.get().any() & !self.valid.get()
    }

    /// The last packet was a control packet.
    fn is_control(&self) -> Bits<L> {
        self.turn_of_data.as_ref().map_or(Bits::lit(1, 0), Reg::get)
    }

    /// A control packet can be taken. Probes go one behind the other.
    pub fn takes_control(&self) -> Bits<L> {
        let has_turns = Bits::lit(1, self.config.has_control().into());
        self.idle() & !(self.is_control() & self.packets.valid() & has_turns)
    }

    /// One clock cycle: a packet and a control packet come, with the name of a PROBE, and packets may have to wait; *open* writes where to
    /// send to, the header builder is ready.
    pub fn clock(
        &self,
        (valid, packet): (Bits<L>, impl Fn() -> Packet<L>),
        (control, opaque, holds): (Option<ControlPacket<L>>, Option<Bits<L>>, Bits<L>),
        destination: DestinationWrite<L>,
        builder: Bits<L>,
    ) {
        let latency = self.config.latency();
        let (reads, held, offers) = (self.reads.get(), self.packet.get(), self.valid.get());
        let leaves = offers & builder;
        let takes_control = control.as_ref().map_or(Bits::lit(1, 0), |control| control.valid & self.takes_control());
        let takes_data = self.packets.valid() & self.idle() & !takes_control & !holds;
        let takes = takes_control | takes_data;
        let arrived = reads.bit(latency);

        when(leaves, || {
            self.valid.set(Bits::lit(1, 0));
            self.left.set(self.left.get() + (!self.is_control()).extend(self.left.get().width()));
        });
        when(arrived, || {
            let control = self.turn_of_data.as_ref().zip(self.ctl_type.as_ref());
            let control = control.map(|(is, ctl_type)| OfControl { is: is.get(), ctl_type: ctl_type.get(), opaque });
            self.offered.set(compose(&self.config, &held, control, (&self.destinations.data(), self.dscps.data())));
            self.valid.set(Bits::lit(1, 1));
        });
        when(takes_data, || self.packet.set(self.packets.front()));
        if let Some(control) = control {
            when(takes_control, || self.packet.set(control.packet));
            if let Some(ctl_type) = &self.ctl_type {
                when(takes_control, || ctl_type.set(control.ctl_type));
            }
        }
        if let Some(turn_of_data) = &self.turn_of_data {
            when(takes, || turn_of_data.set(takes_control));
        }
        self.reads.set(reads << 1 | takes.extend(latency + 1));
        when(destination.valid, || self.destinations.write(destination.pdc, destination.destination));
        self.destinations.read(held.pdc);
        self.destinations.clock();
        when(destination.writes_dscp, || self.dscps.write(destination.pdc, destination.dscp));
        self.dscps.read(held.pdc);
        self.dscps.clock();
        when(valid, || self.taken.set(self.taken.get() + 1));
        self.packets.clock(valid, packet, takes_data);
    }
}

/// What the headers of a packet are, from UDP on.
struct Headers<L: Logic> {
    udp_source: Bits<L>,
    udp_destination: u16,
    /// Words of the transport header, and how many they are.
    header: [Bits<L>; HEADER_WORDS],
    count: Bits<L>,
    /// The words of an MPEH, if there is one.
    mpeh: [Bits<L>; 2],
    has: HeaderPresence<L>,
    /// Bytes of the payload, as the header record has them, and whether some come on `s_axis`.
    bytes: Bits<L>,
    has_payload: Bits<L>,
}

/// Words up to the longest transport header, and how many they are.
#[name_nets]
fn padded<L: Logic>(words: &[Bits<L>]) -> (Bits<L>, [Bits<L>; HEADER_WORDS]) {
    let header = std::array::from_fn(|i| words.get(i).copied().unwrap_or(Bits::lit(32, 0)));
    (Bits::lit(4, words.len() as u64), header)
}

/// The record of a packet.
#[name_nets]
fn compose<L: Logic>(
    config: &TxConfig,
    packet: &Packet<L>,
    control: Option<OfControl<L>>,
    (to, dscp): (&Destination<L>, Bits<L>),
) -> Ready<L> {
    let lit = Bits::lit;
    let of_control = lit(DSCP_WIDTH, config.control_dscp);
    let dscp = control.map_or(dscp, |control| select(control.is, of_control, dscp));
    let (headers, code, flow_label) = match packet.route.sub_path {
        Some(sub_path) => (rocev2::headers(config, packet, &sub_path, to), transport::ROCEV2, sub_path.entropy),
        None => (uet::headers(config, packet, control, to), transport::UET, lit(20, 0)),
    };
    let Headers { udp_source, udp_destination, header, count, mpeh, has, bytes, has_payload } = headers;
    let (ethernet, ip) = to.network(dscp, flow_label);
    let record = HeaderRecord {
        ethernet,
        vlan_count: to.tagged.extend(2),
        l3: select(to.ipv6, lit(2, l3::IPV6), lit(2, l3::IPV4)),
        ip,
        udp: [udp_source.concat(lit(16, udp_destination.into())), lit(32, 0)],
        mpeh,
        header,
        transport: lit(3, code),
        uet_native: lit(1, 0),
        has,
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
