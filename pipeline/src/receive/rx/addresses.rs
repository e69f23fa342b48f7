// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where answers go: the headers of a received packet with the two ends exchanged. Each connection has those of its last
//! packet in sequence; packets of no connection, strangers, have theirs in a ring, in the order in which they came.

use super::config::RxConfig;
use super::identify::{Identified, IdentifiedArrival};
use crate::blocks::table::Access;
use crate::headers::record::{HeaderRecord, l3};
use crate::headers::uet::Ack;
use crate::headers::{Ethernet, Ipv4, Ipv6, Udp};
use crate::receive::ack_generator::AckProtocol;
use rtl_model::{Bits, Bundle, Logic, Ram, RamShape, Reading, bits, name_nets, select, when};

/// Packets of no connection whose headers are kept.
const STRANGERS: u64 = 64;
/// The bit of a MAC address that is 1 for a group.
const GROUP_BIT: u32 = 40;
/// Time to live, and hop limit, of an answer.
const TTL: u64 = 64;

/// The headers of a received packet, as far as its answer depends on them.
#[derive(Bundle)]
#[shape(config: RxConfig)]
pub struct Addresses<L: Reading> {
    #[width(48)]
    pub dst_mac: Bits<L>,
    #[width(48)]
    pub src_mac: Bits<L>,
    /// Types and tags, from the first type on.
    #[width(16)]
    pub types: [Bits<L>; 5],
    #[width(2)]
    pub vlan_count: Bits<L>,
    #[width(2)]
    pub l3: Bits<L>,
    #[width(6)]
    pub dscp: Bits<L>,
    /// IPv4: the first word alone.
    #[width(32)]
    pub source: [Bits<L>; 4],
    #[width(32)]
    pub destination: [Bits<L>; 4],
    /// Or the entropy of UET without UDP.
    #[width(16)]
    pub udp_source: Bits<L>,
    #[width(16)]
    pub udp_destination: Bits<L>,
    pub uet_native: Bits<L>,
    /// UET: the contexts at the sender of the packet and at its receiver.
    #[width(config.uet(16))]
    pub spdcid: Option<Bits<L>>,
    #[width(config.uet(16))]
    pub dpdcid: Option<Bits<L>>,
}

/// A packet of no connection.
#[derive(Bundle)]
pub struct Stranger<L: Reading> {
    /// Where it came from.
    pub addresses: Addresses<L>,
    /// Its number, as the ACK generator gives it back.
    pub number: Bits<L>,
    /// One of its addresses is that of a group: it is not answered.
    pub group: Bits<L>,
}

/// Source and destination address of a packet, the first bytes in word 0. IPv4 has word 0 only.
#[name_nets]
pub fn ip_addresses<L: Logic>(record: &HeaderRecord<L>) -> [[Bits<L>; 4]; 2] {
    let (is_v6, ip) = (record.l3.equals(l3::IPV6), record.ip);
    let source = [select(is_v6, ip[2], ip[3]), ip[3], ip[4], ip[5]];
    let destination = [select(is_v6, ip[6], ip[4]), ip[7], ip[8], ip[9]];
    [source, destination]
}

#[name_nets]
impl<L: Logic> Addresses<L> {
    /// Those of a record.
    pub fn of(config: &RxConfig, record: &HeaderRecord<L>) -> Self {
        let ethernet = Ethernet::read(|i| record.ethernet[i as usize]);
        let Ethernet { dst_mac, src_mac, type_0, tci_0, type_1, tci_1, type_2, .. } = ethernet;
        let (v4, v6) = (Ipv4::read(|i| record.ip[i as usize]), Ipv6::read(|i| record.ip[i as usize]));
        let udp = Udp::read(|i| record.udp[i as usize]);
        let is_v6 = record.l3.equals(l3::IPV6);
        let [source, destination] = ip_addresses(record);
        let uet = config.protocol() == AckProtocol::Uet;
        let Ack { spdcid, dpdcid, .. } = Ack::read(|i| record.header[i as usize]);
        Addresses {
            dst_mac,
            src_mac,
            types: [type_0, tci_0, type_1, tci_1, type_2],
            vlan_count: record.vlan_count,
            l3: record.l3,
            dscp: select(is_v6, v6.dscp, v4.dscp),
            source,
            destination,
            // Without UDP the entropy header is the second word.
            udp_source: select(record.uet_native, record.udp[1].slice(16, 16), udp.source),
            udp_destination: udp.destination,
            uet_native: record.uet_native,
            spdcid: uet.then_some(spdcid),
            dpdcid: uet.then_some(dpdcid),
        }
    }

    /// An address, of Ethernet or IP, is one of a group: multicast, broadcast, or reserved.
    fn has_group(&self) -> Bits<L> {
        let is_v6 = self.l3.equals(l3::IPV6);
        // 224.0.0.0 and above, ff00::/8; in Ethernet the lowest bit of the first byte.
        let ip = |word: Bits<L>| select(is_v6, word.slice(24, 8).equals(0xFF), word.slice(29, 3).equals(7));
        let mac = self.src_mac.bit(GROUP_BIT) | self.dst_mac.bit(GROUP_BIT);
        (ip(self.source[0]) | ip(self.destination[0]) | mac).named("has_group")
    }

    /// Ethernet and IP of the answer, without lengths and checksum, which the header builder finds.
    pub fn network(&self, config: &RxConfig) -> ([Bits<L>; 6], [Bits<L>; 10]) {
        let [type_0, tci_0, type_1, tci_1, type_2] = self.types;
        let lit = Bits::lit;
        let ethernet = Ethernet {
            ahead: lit(16, 0),
            dst_mac: self.src_mac,
            src_mac: self.dst_mac,
            type_0,
            tci_0,
            type_1,
            tci_1,
            type_2,
        };
        let protocol = select(self.uet_native, lit(8, config.parser.protocols.uet_protocol.into()), lit(8, 17));
        let dscp = config.ack_dscp.map_or(self.dscp, |dscp| lit(6, dscp));
        let v4 = Ipv4 {
            version: lit(4, 4),
            ihl: lit(4, 5),
            dscp,
            ecn: lit(2, 0),
            total_length: lit(16, 0),
            id: lit(16, 0),
            reserved: lit(1, 0),
            df: lit(1, 1),
            mf: lit(1, 0),
            fragment_offset: lit(13, 0),
            ttl: lit(8, TTL),
            protocol,
            checksum: lit(16, 0),
            source: self.destination[0],
            destination: self.source[0],
        };
        let v4 = v4.words();
        // Version, traffic class, no flow label; then next header and hop limit.
        let v6 = [lit(4, 6).concat(dscp).concat(lit(22, 0)), lit(16, 0).concat(protocol).concat(lit(8, TTL))];
        let v6: Vec<_> = v6.into_iter().chain(self.destination).chain(self.source).collect();
        let is_v6 = self.l3.equals(l3::IPV6);
        let ip = |i: usize| if i < v4.len() { select(is_v6, v6[i], v4[i]) } else { v6[i] };
        (ethernet.words(), std::array::from_fn(ip))
    }
}

/// The addresses of connections and strangers.
#[name_nets]
pub struct AddressTable<L: Logic> {
    config: RxConfig,
    of_connections: Ram<Addresses<L>>,
    /// UET: those of packets of no connection; absent with RoCEv2, which does not answer them.
    of_strangers: Option<Ram<Stranger<L>>>,
}

#[name_nets]
impl<L: Logic> AddressTable<L> {
    pub fn new(config: RxConfig) -> Self {
        let (row, latency) = (Addresses::shape(config), config.reorder.ram_latency);
        // A packet may come in the clock cycle of the read: then the row before it is as good.
        let ram = |depth| RamShape::new(depth).latency(latency).read_first();
        AddressTable {
            config,
            of_connections: Ram::new(ram(config.reorder.connections), &row),
            of_strangers: config.stranger().map(|number| {
                assert!(number.bits() >= STRANGERS.ilog2(), "the number of a stranger has its place in it");
                Ram::new(ram(STRANGERS), &Stranger { addresses: row, number, group: bits(1) })
            }),
        }
    }

    /// The rows that were read: of the connection, and of the stranger.
    pub fn rows(&self) -> (Addresses<L>, Option<Stranger<L>>) {
        (self.of_connections.data(), self.of_strangers.as_ref().map(Ram::data))
    }

    /// One clock cycle: a packet in sequence leaves `identify`; or one is lost, of a connection; rows of a connection and of a
    /// stranger are read.
    pub fn clock(
        &self,
        leaves: Bits<L>,
        packet: &Identified<L>,
        (lost, lost_addresses): (Access<L>, Addresses<L>),
        connection: Access<L>,
        stranger: Option<Bits<L>>,
    ) {
        let addresses = Addresses::of(&self.config, &packet.record);
        let IdentifiedArrival { found, index, stranger: number, .. } = packet.arrival;
        let known = (leaves & found).named("known");
        when(known | lost.valid, || {
            self.of_connections.write(select(known, index, lost.index), select(known, addresses, lost_addresses));
        });
        when(connection.valid, || self.of_connections.read(connection.index));
        self.of_connections.clock();
        if let Some(((strangers, wanted), number)) = self.of_strangers.as_ref().zip(stranger).zip(number) {
            let (place, group) = (|number: Bits<L>| number.truncate(STRANGERS.ilog2()), addresses.has_group());
            when(leaves & !found, || strangers.write(place(number), Stranger { addresses, number, group }));
            when(connection.valid, || strangers.read(place(wanted)));
            strangers.clock();
        }
    }
}
