// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where frames are sent to: the addresses, and the headers up to IP that follow from them (row TX31).

use super::{Ethernet, Ipv4};
use rtl_model::{Bits, Bundle, Logic, Reading, constant, name_nets, select};

/// Time to live, and hop limit.
const TTL: u64 = 64;
/// The codepoint of a packet that can be marked by ECN.
const ECT_0: u64 = 2;
/// UDP as the protocol of an IP packet.
const UDP: u64 = 17;

/// An address of a frame, with the context that it is for.
#[derive(Bundle)]
#[shape(rocev2: bool, uet: bool)]
pub struct Destination<L: Reading> {
    #[width(48)]
    pub destination_mac: Bits<L>,
    #[width(48)]
    pub source_mac: Bits<L>,
    pub tagged: Bits<L>,
    #[width(16)]
    pub tag: Bits<L>,
    pub ipv6: Bits<L>,
    #[width(32)]
    pub destination_ip: [Bits<L>; 4],
    #[width(32)]
    pub source_ip: [Bits<L>; 4],
    /// RoCEv2.
    #[width(rocev2.then_some(24))]
    pub remote_qp: Option<Bits<L>>,
    #[width(rocev2.then_some(16))]
    pub pkey: Option<Bits<L>>,
    /// Its packets have an MPEH.
    #[width(rocev2.then_some(1))]
    pub multipath: Option<Bits<L>>,
    /// UET.
    #[width(uet.then_some(16))]
    pub local_pdcid: Option<Bits<L>>,
    #[width(uet.then_some(16))]
    pub remote_pdcid: Option<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Destination<L> {
    /// Ethernet and IP, without lengths and checksum, which the header builder finds. `flow_label` is that of IPv6.
    pub fn network(&self, dscp: Bits<L>, flow_label: Bits<L>) -> ([Bits<L>; 6], [Bits<L>; 10]) {
        let lit = Bits::lit;
        let layer3 = select(self.ipv6, lit(16, 0x86DD), lit(16, 0x0800));
        let vlan = constant!("ETHERTYPE_C_TAG", 0x8100).lit(16);
        let ethernet = Ethernet {
            ahead: lit(16, 0),
            dst_mac: self.destination_mac,
            src_mac: self.source_mac,
            type_0: select(self.tagged, vlan, layer3),
            tci_0: self.tag,
            type_1: layer3,
            tci_1: lit(16, 0),
            type_2: lit(16, 0),
        };
        let ecn = lit(2, ECT_0);
        let v4 = Ipv4 {
            version: lit(4, 4),
            ihl: lit(4, 5),
            dscp,
            ecn,
            total_length: lit(16, 0),
            id: lit(16, 0),
            reserved: lit(1, 0),
            df: lit(1, 1),
            mf: lit(1, 0),
            fragment_offset: lit(13, 0),
            ttl: lit(8, TTL),
            protocol: lit(8, UDP),
            checksum: lit(16, 0),
            source: self.source_ip[0],
            destination: self.destination_ip[0],
        };
        let v4 = v4.words();
        // Version, traffic class, flow label; then next header and hop limit.
        let class = lit(4, 6).concat(dscp).concat(ecn).concat(flow_label);
        let v6 = [class, lit(16, 0).concat(lit(8, UDP)).concat(lit(8, TTL))];
        let v6: Vec<_> = v6.into_iter().chain(self.source_ip).chain(self.destination_ip).collect();
        let ip = |i: usize| if i < v4.len() { select(self.ipv6, v6[i], v4[i]) } else { v6[i] };
        (ethernet.words(), std::array::from_fn(ip))
    }
}
