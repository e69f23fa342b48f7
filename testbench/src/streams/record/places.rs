// SPDX-License-Identifier: MIT OR Apache-2.0
//! Positions of the fields of a header record in its ports, taken from the layouts that the hardware is made of.

use pipeline::headers::opcode::EXTENSIONS;
use pipeline::headers::record::{l3, transport};
use pipeline::headers::uet::{self, CreditState, Entropy, OtherState, Syn, Uud};
use pipeline::headers::{Bth, Elab, ElabRate, Ethernet, Ipv4, Ipv6, Layout, Mpeh, Udp};
use std::iter::once;

/// The position of a field: slices of ports, the upper ones first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The field's name.
    pub name: String,
    /// Port, lowest bit, and number of bits of each slice.
    pub parts: Vec<(String, u32, u32)>,
    /// Number of zero bits below the field: an IPv4 address is the first four bytes of sixteen.
    pub up: u32,
}

impl Place {
    /// Number of bits of the field.
    pub fn width(&self) -> u32 {
        self.up + self.parts.iter().map(|part| part.2).sum::<u32>()
    }
}

/// Fields that are ports of their own, and their widths.
const PORTS: [(&str, u32); 9] = [
    ("vlan_count", 2),
    ("l3", 2),
    ("transport", 3),
    ("uet_native", 1),
    ("transport_words", 4),
    ("inner_protocol", 8),
    ("payload_offset", 8),
    ("payload_length", 16),
    ("ip_slack", 16),
];

/// Pairs of a field of a layout and its name in the record.
type Names = &'static [(&'static str, &'static str)];

const OF_IPV4: Names = &[
    ("ihl", "ip_ihl"),
    ("dscp", "dscp"),
    ("ecn", "ecn"),
    ("total_length", "ip_length"),
    ("id", "ip_id"),
    ("reserved", "ip_reserved"),
    ("df", "ip_df"),
    ("mf", "ip_mf"),
    ("fragment_offset", "ip_fragment_offset"),
    ("ttl", "hop_limit"),
    ("protocol", "protocol"),
    ("checksum", "ip_checksum"),
    ("source", "src_ip"),
    ("destination", "dst_ip"),
];

const OF_IPV6: Names = &[
    ("dscp", "dscp"),
    ("ecn", "ecn"),
    ("flow_label", "flow_label"),
    ("payload_length", "ip_length"),
    ("next_header", "protocol"),
    ("hop_limit", "hop_limit"),
    ("source", "src_ip"),
    ("destination", "dst_ip"),
];

const OF_UDP: Names =
    &[("source", "sport"), ("destination", "dport"), ("length", "udp_length"), ("checksum", "udp_checksum")];

/// Returns the fields of a record. Which fields it has depends on the values of some others, which `value` returns.
pub fn places(value: &dyn Fn(&Place) -> u128) -> Vec<Place> {
    let port = |name: &str, width: u32| Place { name: name.into(), parts: vec![(name.into(), 0, width)], up: 0 };
    let of_port = |name: &str| value(&port(name, 16)) as u64;
    let mut all: Vec<_> = PORTS.iter().map(|&(name, width)| port(name, width)).collect();
    all.extend(ethernet(of_port("vlan_count")));
    match of_port("l3") {
        l3::IPV4 => all.extend(named(&Ipv4::LAYOUT, "ip", OF_IPV4)),
        l3::IPV6 => all.extend(named(&Ipv6::LAYOUT, "ip", OF_IPV6)),
        _ => {}
    }
    let native = of_port("uet_native") == 1;
    let kind = of_port("transport");
    if kind != transport::NONE && !native {
        all.extend(named(&Udp::LAYOUT, "udp", OF_UDP));
    }
    match kind {
        transport::ROCEV2 => all.extend(rocev2(|name| of_port(name) == 1, port)),
        transport::UET => {
            if native {
                all.extend(header(&Entropy::LAYOUT, "udp", 32));
            }
            all.extend(of_uet(value));
        }
        transport::ELAB => {
            let info: Vec<_> = header(&Elab::LAYOUT, "header", 0).collect();
            let rate = info.iter().any(|place| place.name == "elab_b" && value(place) == 1);
            all.extend(info);
            if rate {
                all.extend(header(&ElabRate::LAYOUT, "header", Elab::LAYOUT.bits()));
            }
        }
        _ => {}
    }
    all
}

/// The fields of a header whose first bit is bit `at` of the words `words_0`, `words_1` ..; their names begin with the
/// layout's object.
fn header(layout: &Layout, words: &str, at: u32) -> impl Iterator<Item = Place> {
    let called = |field: &str| match field {
        "data" => layout.object.to_owned(),
        field => format!("{}_{field}", layout.object),
    };
    layout
        .places()
        .map(|(start, field)| at_words(called(field.name), words, at + start, field.width))
        .collect::<Vec<_>>()
        .into_iter()
}

/// The fields of a header with other names than those of the layout.
fn named<'a>(layout: &'a Layout, words: &'a str, names: Names) -> impl Iterator<Item = Place> + 'a {
    layout.places().filter_map(move |(start, field)| {
        let (_, name) = names.iter().find(|(inner, _)| *inner == field.name)?;
        let mut place = at_words((*name).to_owned(), words, start, field.width);
        // Of the addresses of IPv4 and IPv6, only those of IPv4 have 32 bits.
        if name.ends_with("_ip") {
            place.up = 128 - field.width;
        }
        Some(place)
    })
}

/// The 32-bit ports that hold the bits from `at` on.
fn at_words(name: String, words: &str, at: u32, width: u32) -> Place {
    let mut parts = Vec::new();
    let mut done = 0;
    while done < width {
        let (word, used) = ((at + done) / 32, (at + done) % 32);
        let count = (width - done).min(32 - used);
        parts.push((format!("{words}_{word}"), 32 - used - count, count));
        done += count;
    }
    Place { name, parts, up: 0 }
}

fn ethernet(tags: u64) -> Vec<Place> {
    let ethertype = format!("type_{tags}");
    let mut names = vec![("dst_mac", "dst_mac"), ("src_mac", "src_mac"), (ethertype.as_str(), "ethertype")];
    if tags > 0 {
        names.extend([("type_0", "vlan0_tpid"), ("tci_0", "vlan0_tci")]);
    }
    if tags > 1 {
        names.extend([("type_1", "vlan1_tpid"), ("tci_1", "vlan1_tci")]);
    }
    let place = |(start, field): (u32, pipeline::headers::Field)| {
        let (_, name) = names.iter().find(|(inner, _)| *inner == field.name)?;
        Some(at_words((*name).to_owned(), "ethernet", start, field.width))
    };
    Ethernet::LAYOUT.places().filter_map(place).collect()
}

fn rocev2(has: impl Fn(&str) -> bool, port: impl Fn(&str, u32) -> Place) -> Vec<Place> {
    let flag = |object: &str| format!("has_{object}");
    let mut all: Vec<_> = header(&Bth::LAYOUT, "header", 0).collect();
    all.extend(once(&Mpeh::LAYOUT).chain(&EXTENSIONS).map(|layout| port(&flag(layout.object), 1)));
    if has("has_mpeh") {
        all.extend(header(&Mpeh::LAYOUT, "mpeh", 0));
    }
    let mut at = Bth::LAYOUT.bits();
    for layout in EXTENSIONS.iter().filter(|layout| has(&flag(layout.object))) {
        all.extend(header(layout, "header", at));
        at += layout.bits();
    }
    all
}

/// The UET headers of a type. If one header depends on a field of another, its first candidate is replaced by the right
/// one.
fn of_uet(value: &dyn Fn(&Place) -> u128) -> Vec<Place> {
    let is = |places: &[Place], name: &str| {
        places.iter().find(|place| place.name == name).map_or(0, |place| value(place) as u64)
    };
    let first: Vec<_> = header(&Uud::LAYOUT, "header", 0).collect();
    let kind = is(&first, "uet_type");
    let mut all: Vec<_> = first.into_iter().filter(|place| place.name == "uet_type").collect();
    let mut at = 0;
    for layout in uet::headers(kind) {
        let fields: Vec<_> = match layout.fields[0].name {
            "dpdcid" if is(&all, "uet_syn") == 1 => header(&Syn::LAYOUT, "header", at).collect(),
            "service_time" => match is(&all, "uet_cc_type") {
                0 => header(layout, "header", at).collect(),
                uet::CREDIT => header(&CreditState::LAYOUT, "header", at).collect(),
                _ => header(&OtherState::LAYOUT, "header", at).collect(),
            },
            _ => header(layout, "header", at).collect(),
        };
        all.extend(fields.into_iter().filter(|place| place.name != "uet_type"));
        at += layout.bits();
    }
    all
}
