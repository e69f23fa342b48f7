// SPDX-License-Identifier: MIT OR Apache-2.0
//! The header record: its parts as the oracle reads them, and its flat form under the hardware's names.

use crate::schema::Field;
use crate::wire::{Addresses, Aeth, Bth, Ipv4, Ipv6, Mpeh, Reth, Udp};
use std::collections::BTreeMap;

/// Every field of the record with its width in bits, in the order of the contract.
pub const FIELDS: [(&str, u32); 43] = [
    ("dst_mac", 48),
    ("src_mac", 48),
    ("ethertype", 16),
    ("vlan_count", 2),
    ("vlan0_tci", 16),
    ("vlan1_tci", 16),
    ("l3", 2),
    ("dscp", 6),
    ("ecn", 2),
    ("ip_length", 16),
    ("hop_limit", 8),
    ("protocol", 8),
    ("fragment", 1),
    ("flow_label", 20),
    ("src_ip", 128),
    ("dst_ip", 128),
    ("sport", 16),
    ("dport", 16),
    ("udp_length", 16),
    ("transport", 3),
    ("bth_opcode", 8),
    ("bth_se", 1),
    ("bth_migreq", 1),
    ("bth_pad", 2),
    ("bth_tver", 4),
    ("bth_pkey", 16),
    ("bth_fecn", 1),
    ("bth_becn", 1),
    ("bth_dqpn", 24),
    ("bth_ackreq", 1),
    ("bth_psn", 24),
    ("has_mpeh", 1),
    ("mpeh_path_id", 8),
    ("mpeh_flags", 8),
    ("mpeh_flowlet_seq", 16),
    ("mpeh_sched_tag", 16),
    ("has_aeth", 1),
    ("aeth_syndrome", 8),
    ("aeth_msn", 24),
    ("has_reth", 1),
    ("reth_vaddr", 64),
    ("reth_rkey", 32),
    ("reth_length", 32),
];

/// The flat form: each promised field by its name.
pub type Fields = BTreeMap<String, Field>;

/// The record of one frame; a part that is absent is not promised.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Ethernet. Absent only if the frame was dropped, and then all parts are.
    pub link: Option<Link>,
    /// IPv4 or IPv6.
    pub network: Option<Network>,
    /// UDP.
    pub udp: Option<Udp>,
    /// BTH and what follows it.
    pub rocev2: Option<Rocev2>,
}

/// Ethernet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The MAC addresses.
    pub addresses: Addresses,
    /// The EtherType behind the tags.
    pub ethertype: u16,
    /// The tags' control information, outermost first.
    pub tags: Vec<u16>,
}

/// What IPv4 and IPv6 have in common, and what one of them has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// Differentiated services code point.
    pub dscp: u8,
    /// Explicit congestion notification.
    pub ecn: u8,
    /// Total length (IPv4) or payload length (IPv6).
    pub length: u16,
    /// Time to live or hop limit.
    pub hop_limit: u8,
    /// Protocol or next header.
    pub protocol: u8,
    /// IPv4 only: this is a fragment.
    pub fragment: Option<bool>,
    /// IPv6 only: the flow label.
    pub flow_label: Option<u32>,
    /// Source address; an IPv4 address in the low 32 bits.
    pub source: u128,
    /// Destination address; an IPv4 address in the low 32 bits.
    pub destination: u128,
}

/// RoCEv2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rocev2 {
    /// Base transport header.
    pub bth: Bth,
    /// Multipath extension header.
    pub mpeh: Option<Mpeh>,
    /// Acknowledge header.
    pub aeth: Option<Aeth>,
    /// RDMA header.
    pub reth: Option<Reth>,
}

impl From<Ipv4> for Network {
    fn from(header: Ipv4) -> Self {
        Self {
            dscp: header.dscp(),
            ecn: header.ecn(),
            length: header.total_length(),
            hop_limit: header.ttl(),
            protocol: header.protocol(),
            fragment: Some(header.more_fragments() || header.fragment_offset() != 0),
            flow_label: None,
            source: header.source().into(),
            destination: header.destination().into(),
        }
    }
}

impl From<Ipv6> for Network {
    fn from(header: Ipv6) -> Self {
        Self {
            dscp: header.dscp(),
            ecn: header.ecn(),
            length: header.payload_length(),
            hop_limit: header.hop_limit(),
            protocol: header.next_header(),
            fragment: None,
            flow_label: Some(header.flow_label()),
            source: header.source(),
            destination: header.destination(),
        }
    }
}

impl Record {
    /// The promised fields under the hardware's names.
    #[must_use]
    pub fn fields(&self) -> Fields {
        let mut fields = Fields::new();
        let Some(link) = &self.link else {
            return fields;
        };
        let mut put = |name: &str, value: u128| fields.insert(name.to_owned(), Field::exact(value));

        put("dst_mac", link.addresses.destination().into());
        put("src_mac", link.addresses.source().into());
        put("ethertype", link.ethertype.into());
        put("vlan_count", link.tags.len() as u128);
        for (name, &tci) in ["vlan0_tci", "vlan1_tci"].iter().zip(&link.tags) {
            put(name, tci.into());
        }
        put("l3", self.network.as_ref().map_or(0, Network::l3));
        put("transport", self.transport());

        if let Some(udp) = &self.udp {
            put("sport", udp.source().into());
            put("dport", udp.destination().into());
            put("udp_length", udp.length().into());
        }
        if let Some(rocev2) = &self.rocev2 {
            rocev2.put(&mut put);
        }
        if let Some(network) = &self.network {
            network.put(&mut fields);
        }
        fields
    }

    /// 0 none, 1 UDP, 2 RoCEv2.
    fn transport(&self) -> u128 {
        match (&self.udp, &self.rocev2) {
            (_, Some(_)) => 2,
            (Some(_), None) => 1,
            (None, None) => 0,
        }
    }
}

impl Network {
    /// 1 IPv4, 2 IPv6.
    fn l3(&self) -> u128 {
        if self.flow_label.is_some() { 2 } else { 1 }
    }

    fn put(&self, fields: &mut Fields) {
        let address = |address: u128| match self.l3() {
            // The first four bytes of sixteen; the rest is undefined.
            1 => Field { value: address << 96, mask: 0xFFFF_FFFF << 96 },
            _ => Field::exact(address),
        };
        let mut put = |name: &str, field: Field| fields.insert(name.to_owned(), field);
        put("src_ip", address(self.source));
        put("dst_ip", address(self.destination));
        put("dscp", Field::exact(self.dscp.into()));
        put("ecn", Field::exact(self.ecn.into()));
        put("ip_length", Field::exact(self.length.into()));
        put("hop_limit", Field::exact(self.hop_limit.into()));
        put("protocol", Field::exact(self.protocol.into()));
        if let Some(fragment) = self.fragment {
            put("fragment", Field::exact(fragment.into()));
        }
        if let Some(flow_label) = self.flow_label {
            put("flow_label", Field::exact(flow_label.into()));
        }
    }
}

impl Rocev2 {
    fn put(&self, put: &mut impl FnMut(&str, u128) -> Option<Field>) {
        put("bth_opcode", self.bth.opcode().into());
        put("bth_se", self.bth.se().into());
        put("bth_migreq", self.bth.migreq().into());
        put("bth_pad", self.bth.pad().into());
        put("bth_tver", self.bth.tver().into());
        put("bth_pkey", self.bth.pkey().into());
        put("bth_fecn", self.bth.fecn().into());
        put("bth_becn", self.bth.becn().into());
        put("bth_dqpn", self.bth.dqpn().into());
        put("bth_ackreq", self.bth.ackreq().into());
        put("bth_psn", self.bth.psn().into());
        put("has_mpeh", self.mpeh.is_some().into());
        put("has_aeth", self.aeth.is_some().into());
        put("has_reth", self.reth.is_some().into());
        if let Some(mpeh) = &self.mpeh {
            put("mpeh_path_id", mpeh.path_id().into());
            put("mpeh_flags", mpeh.flags().into());
            put("mpeh_flowlet_seq", mpeh.flowlet_seq().into());
            put("mpeh_sched_tag", mpeh.sched_tag().into());
        }
        if let Some(aeth) = &self.aeth {
            put("aeth_syndrome", aeth.syndrome().into());
            put("aeth_msn", aeth.msn().into());
        }
        if let Some(reth) = &self.reth {
            put("reth_vaddr", reth.vaddr().into());
            put("reth_rkey", reth.rkey().into());
            put("reth_length", reth.length().into());
        }
    }
}
