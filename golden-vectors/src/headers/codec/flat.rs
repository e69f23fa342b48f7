// SPDX-License-Identifier: MIT OR Apache-2.0
//! The flat form of the record: every field under the name that it has in hardware.
//!
//! A transport header's field is called `object_field`, or `object` alone if the header is one field called `data`.
//! Which fields are there is said by `transport`, the `has_` flags, `uet_native`, `uet_type`, `uet_syn`,
//! `uet_cc_type` and `elab_b`. Where the payload lies is not part of the headers: a [`Reading`] knows it.

use super::rocev2::Shape;
use super::{Network, PartField, Reading, Record, Rocev2, Transport};
use crate::headers::uet;
use crate::headers::{Bth, Elab, ElabRate, Ipv4, Ipv6, Layout};
use crate::schema::Field;
use std::collections::{BTreeMap, BTreeSet};

/// The flat form: each field by its name.
pub type Fields = BTreeMap<String, Field>;

/// A field outside the transport headers: name, width in bits, and its value where the record has it.
type Column = (&'static str, u32, fn(&Record) -> Option<Field>);

/// The fields outside the transport headers.
const COLUMNS: [Column; 34] = [
    ("dst_mac", 48, |record| record.link.as_ref().map(|link| exact(link.addresses.destination()))),
    ("src_mac", 48, |record| record.link.as_ref().map(|link| exact(link.addresses.source()))),
    ("ethertype", 16, |record| record.link.as_ref().map(|link| exact(link.ethertype))),
    ("vlan_count", 2, |record| record.link.as_ref().map(|link| exact(link.tags.len() as u64))),
    ("vlan0_tpid", 16, |record| Some(exact(record.link.as_ref()?.tags.first()?.tpid()))),
    ("vlan0_tci", 16, |record| Some(exact(record.link.as_ref()?.tags.first()?.tci()))),
    ("vlan1_tpid", 16, |record| Some(exact(record.link.as_ref()?.tags.get(1)?.tpid()))),
    ("vlan1_tci", 16, |record| Some(exact(record.link.as_ref()?.tags.get(1)?.tci()))),
    ("l3", 2, |record| record.link.as_ref().map(|_| exact(l3(record)))),
    ("dscp", 6, |record| ip(record, |header| header.dscp(), |header| header.dscp())),
    ("ecn", 2, |record| ip(record, |header| header.ecn(), |header| header.ecn())),
    ("ip_length", 16, |record| ip(record, |header| header.total_length(), |header| header.payload_length())),
    ("hop_limit", 8, |record| ip(record, |header| header.ttl(), |header| header.hop_limit())),
    ("protocol", 8, |record| ip(record, |header| header.protocol(), |header| header.next_header())),
    ("fragment", 1, |record| v4(record, |header| Network::V4(header).is_fragment())),
    ("ip_ihl", 4, |record| v4(record, |header| header.ihl())),
    ("ip_id", 16, |record| v4(record, |header| header.identification())),
    ("ip_reserved", 1, |record| v4(record, |header| header.reserved())),
    ("ip_df", 1, |record| v4(record, |header| header.dont_fragment())),
    ("ip_mf", 1, |record| v4(record, |header| header.more_fragments())),
    ("ip_fragment_offset", 13, |record| v4(record, |header| header.fragment_offset())),
    ("ip_checksum", 16, |record| v4(record, |header| header.checksum())),
    ("flow_label", 20, |record| v6(record, |header| header.flow_label())),
    ("src_ip", 128, |record| address(record, |header| header.source(), |header| header.source())),
    ("dst_ip", 128, |record| address(record, |header| header.destination(), |header| header.destination())),
    ("sport", 16, |record| record.udp.map(|header| exact(header.source()))),
    ("dport", 16, |record| record.udp.map(|header| exact(header.destination()))),
    ("udp_length", 16, |record| record.udp.map(|header| exact(header.length()))),
    ("udp_checksum", 16, |record| record.udp.map(|header| exact(header.checksum()))),
    ("ip_slack", 16, |record| record.udp.map(|_| exact(record.slack))),
    ("transport", 3, |record| record.link.as_ref().map(|_| exact(transport(record)))),
    ("uet_native", 1, |record| match &record.transport {
        Some(Transport::Uet(headers)) => Some(exact(headers.entropy.is_some())),
        _ => None,
    }),
    ("uet_type", 5, |record| match &record.transport {
        Some(Transport::Uet(headers)) => Some(exact(headers.kind())),
        _ => None,
    }),
    ("transport_words", 4, |record| record.transport.as_ref().map(|headers| exact(transport_words(headers)))),
];

/// Where the payload lies: name and width in bits of its first byte's place in the frame, and of its length in bytes.
const PAYLOAD: [(&str, u32); 2] = [("payload_offset", 8), ("payload_length", 16)];

/// The transport headers. Fields of the same name in one object are one field.
fn shapes() -> Vec<Shape> {
    let rest = [
        ("uet", uet::Entropy::fields()),
        ("uet", uet::Request::fields()),
        ("uet", uet::Dpdcid::fields()),
        ("uet", uet::Syn::fields()),
        ("uet", uet::RequestCc::fields()),
        ("uet", uet::Ack::fields()),
        ("uet", uet::AckCc::fields()),
        ("uet", uet::NsccState::fields()),
        ("uet", uet::CreditState::fields()),
        ("uet", uet::OtherState::fields()),
        ("uet", uet::AckCcx::fields()),
        ("uet", uet::Nack::fields()),
        ("uet", uet::NackCcx::fields()),
        ("uet", uet::Control::fields()),
        ("uet", uet::ControlPayload::fields()),
        ("uet", uet::Rudi::fields()),
        ("uet", uet::Uud::fields()),
        ("elab", Elab::fields()),
        ("elab", ElabRate::fields()),
    ];
    Rocev2::shapes().into_iter().chain(rest).collect()
}

/// Every field of the record with its width in bits, each once.
#[must_use]
pub fn fields() -> Vec<(String, u32)> {
    let columns = COLUMNS.iter().map(|&(name, width, _)| (name, width)).chain(PAYLOAD);
    let columns = columns.map(|(name, width)| (name.to_owned(), width));
    let flags = Rocev2::new(Bth::new()).presence().into_iter().map(|(header, _)| (flag(header), 1));
    let headers = shapes().into_iter().flat_map(|(object, fields)| {
        fields.into_iter().map(move |(field, width)| (flat_name(object, field), width)).collect::<Vec<_>>()
    });
    let mut seen = BTreeSet::new();
    columns.chain(flags).chain(headers).filter(|(name, _)| seen.insert(name.clone())).collect()
}

impl Record {
    /// The fields that this record has, under their flat names.
    #[must_use]
    pub fn fields(&self) -> Fields {
        let mut fields = Fields::new();
        for (name, _, value) in COLUMNS {
            fields.extend(value(self).map(|value| (name.to_owned(), value)));
        }
        if let Some(Transport::Rocev2(headers)) = &self.transport {
            fields.extend(headers.presence().into_iter().map(|(header, present)| (flag(header), exact(present))));
        }
        for part in self.parts() {
            let named = |field: &PartField| (flat_name(part.object, field.name), Field::exact(field.number.bits()));
            fields.extend(part.fields.iter().map(named));
        }
        fields
    }

    /// The names of the fields of the transport header that end behind so many bits of it.
    fn fields_from(&self, bits: usize) -> Vec<String> {
        let (mut end, mut names) = (0, Vec::new());
        for part in self.parts() {
            for field in &part.fields {
                end += field.width as usize;
                names.extend((end > bits).then(|| flat_name(part.object, field.name)));
            }
        }
        names
    }
}

impl Reading {
    /// The fields of the record, and where the payload of UDP or of one of our transports lies. Of a trimmed packet it has
    /// those that are left, and where the payload lay.
    #[must_use]
    pub fn fields(&self) -> Fields {
        let mut fields = self.record.fields();
        let mut payload = [self.payload.start, self.payload.len()];
        if let Some(trimmed) = self.trimmed {
            fields.remove("ip_slack");
            let cut_off = self.record.fields_from(8 * trimmed.left);
            fields.retain(|name, _| !cut_off.contains(name));
            payload = [trimmed.payload_offset, trimmed.payload_length];
        }
        if transport(&self.record) != 0 {
            fields.extend(
                PAYLOAD.iter().zip(payload).map(|((name, _), value)| ((*name).to_owned(), exact(value as u64))),
            );
        }
        fields
    }
}

/// The field that says whether there is a header.
fn flag(header: &str) -> String {
    format!("has_{header}")
}

fn flat_name(object: &str, field: &str) -> String {
    if field == "data" { object.to_owned() } else { format!("{object}_{field}") }
}

fn exact(value: impl Into<u128>) -> Field {
    Field::exact(value.into())
}

/// 0 other, 1 IPv4, 2 IPv6.
fn l3(record: &Record) -> u8 {
    match record.network {
        None => 0,
        Some(Network::V4(_)) => 1,
        Some(Network::V6(_)) => 2,
    }
}

/// 0 none, 1 UDP, 2 RoCEv2, 3 UET, 4 ELAB.
fn transport(record: &Record) -> u8 {
    match (&record.transport, &record.udp) {
        (Some(Transport::Rocev2(_)), _) => 2,
        (Some(Transport::Uet(_)), _) => 3,
        (Some(Transport::Elab(_)), _) => 4,
        (None, Some(_)) => 1,
        (None, None) => 0,
    }
}

/// 32-bit words of the transport header behind UDP or the entropy header. The MPEH is not among them: it is there or
/// not whatever the OpCode or type says.
fn transport_words(transport: &Transport) -> u16 {
    let parts = match transport {
        Transport::Rocev2(headers) => headers.parts(),
        Transport::Uet(headers) => headers.delivery.parts(),
        Transport::Elab(headers) => headers.parts(),
    };
    let bytes: usize = parts.iter().filter(|part| part.object != "mpeh").map(|part| part.bytes.len()).sum();
    (bytes / 4) as u16
}

/// What both versions of IP have.
fn ip<T: Into<u128>>(record: &Record, four: fn(&Ipv4) -> T, six: fn(&Ipv6) -> T) -> Option<Field> {
    record.network.map(|network| match network {
        Network::V4(header) => exact(four(&header)),
        Network::V6(header) => exact(six(&header)),
    })
}

fn v4<T: Into<u128>>(record: &Record, value: fn(Ipv4) -> T) -> Option<Field> {
    match record.network {
        Some(Network::V4(header)) => Some(exact(value(header))),
        _ => None,
    }
}

fn v6<T: Into<u128>>(record: &Record, value: fn(Ipv6) -> T) -> Option<Field> {
    match record.network {
        Some(Network::V6(header)) => Some(exact(value(header))),
        _ => None,
    }
}

/// An IPv4 address is the first four bytes of sixteen; the rest is undefined.
fn address(record: &Record, four: fn(&Ipv4) -> u32, six: fn(&Ipv6) -> u128) -> Option<Field> {
    record.network.map(|network| match network {
        Network::V4(header) => Field { value: u128::from(four(&header)) << 96, mask: 0xFFFF_FFFF << 96 },
        Network::V6(header) => Field::exact(six(&header)),
    })
}
