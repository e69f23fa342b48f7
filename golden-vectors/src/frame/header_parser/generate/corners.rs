// SPDX-License-Identifier: MIT OR Apache-2.0
//! Each header field at its limits: all fields at once with every set of tags, and each field alone different from
//! all others. A field that is shifted, cut or taken from a neighbour is seen.

use crate::collect::aim;
use crate::collect::frames::Suite;
use crate::frame::samples::rocev2::kind;
use crate::frame::samples::tags::{TAG_SETS, tag, turn};
use crate::headers::codec::Rocev2;
use crate::headers::codec::encode::{Frame, Network};
use crate::headers::{Aeth, Bth, Mpeh, Reth, Udp};

/// Sets one field of a frame, if the frame has that field.
type Set = fn(&mut Frame, u128);

fn udp(frame: &mut Frame) -> Option<&mut Udp> {
    frame.udp.as_mut()
}

fn bth(frame: &mut Frame) -> Option<&mut Bth> {
    frame.rocev2.as_mut().map(|headers| &mut headers.bth)
}

fn mpeh(frame: &mut Frame) -> Option<&mut Mpeh> {
    frame.rocev2.as_mut()?.mpeh.as_mut()
}

fn aeth(frame: &mut Frame) -> Option<&mut Aeth> {
    frame.rocev2.as_mut()?.aeth.as_mut()
}

fn reth(frame: &mut Frame) -> Option<&mut Reth> {
    frame.rocev2.as_mut()?.reth.as_mut()
}

/// Defines the setters of header fields.
macro_rules! setters {
    ($($name:literal, $width:literal, $header:ident.$set:ident as $as:ty;)*) => {
        &[$(($name, $width, |frame, value| {
            if let Some(header) = $header(frame) {
                header.$set(value as $as);
            }
        })),*]
    };
}

/// The fields of the headers after IP: name, width, setter.
const INNER: &[(&str, u32, Set)] = setters! {
    "sport", 16, udp.set_source as u16;
    "udp-checksum", 16, udp.set_checksum as u16;
    "bth-pad", 2, bth.set_pad as u8;
    "bth-tver", 4, bth.set_tver as u8;
    "bth-pkey", 16, bth.set_pkey as u16;
    "bth-reserved1", 6, bth.set_reserved1 as u8;
    "bth-dqpn", 24, bth.set_dqpn as u32;
    "bth-reserved2", 6, bth.set_reserved2 as u8;
    "bth-psn", 24, bth.set_psn as u32;
    "mpeh-path-id", 8, mpeh.set_path_id as u8;
    "mpeh-flags", 8, mpeh.set_flags as u8;
    "mpeh-flowlet-seq", 16, mpeh.set_flowlet_seq as u16;
    "mpeh-sched-tag", 16, mpeh.set_sched_tag as u16;
    "mpeh-reserved", 16, mpeh.set_reserved as u16;
    "aeth-syndrome", 8, aeth.set_syndrome as u8;
    "aeth-msn", 24, aeth.set_msn as u32;
    "reth-vaddr", 64, reth.set_vaddr as u64;
    "reth-rkey", 32, reth.set_rkey as u32;
    "reth-length", 32, reth.set_length as u32;
};

/// The fields up to IP that can be set without making another kind of frame: name, width, setter.
const OUTER: &[(&str, u32, Set)] = &[
    ("dst-mac", 48, |frame, value| frame.addresses.set_destination(value as u64)),
    ("src-mac", 48, |frame, value| frame.addresses.set_source(value as u64)),
    ("vlan0-tci", 16, |frame, value| frame.tags.iter_mut().take(1).for_each(|tag| tag.set_tci(value as u16))),
    ("vlan1-tci", 16, |frame, value| frame.tags.iter_mut().skip(1).for_each(|tag| tag.set_tci(value as u16))),
    ("dscp", 6, |frame, value| match &mut frame.network {
        Network::V4(header, _) => header.set_dscp(value as u8),
        Network::V6(header, _) => header.set_dscp(value as u8),
        Network::None => {}
    }),
    ("ecn", 2, |frame, value| match &mut frame.network {
        Network::V4(header, _) => header.set_ecn(value as u8),
        Network::V6(header, _) => header.set_ecn(value as u8),
        Network::None => {}
    }),
    ("hop-limit", 8, |frame, value| match &mut frame.network {
        Network::V4(header, _) => header.set_ttl(value as u8),
        Network::V6(header, _) => header.set_hop_limit(value as u8),
        Network::None => {}
    }),
    ("flow-label", 20, |frame, value| match &mut frame.network {
        Network::V4(header, _) => header.set_identification(value as u16),
        Network::V6(header, _) => header.set_flow_label(value as u32),
        Network::None => {}
    }),
    ("src-ip", 128, |frame, value| match &mut frame.network {
        Network::V4(header, _) => header.set_source(value as u32),
        Network::V6(header, _) => header.set_source(value),
        Network::None => {}
    }),
    ("dst-ip", 128, |frame, value| match &mut frame.network {
        Network::V4(header, _) => header.set_destination(value as u32),
        Network::V6(header, _) => header.set_destination(value),
        Network::None => {}
    }),
    ("bth-se", 1, |frame, value| bth(frame).into_iter().for_each(|bth| bth.set_se(value != 0))),
    ("bth-migreq", 1, |frame, value| bth(frame).into_iter().for_each(|bth| bth.set_migreq(value != 0))),
    ("bth-fecn", 1, |frame, value| bth(frame).into_iter().for_each(|bth| bth.set_fecn(value != 0))),
    ("bth-becn", 1, |frame, value| bth(frame).into_iter().for_each(|bth| bth.set_becn(value != 0))),
    ("bth-ackreq", 1, |frame, value| bth(frame).into_iter().for_each(|bth| bth.set_ackreq(value != 0))),
];

const CORNERS: [(&str, u128); 5] = [
    ("zero", 0),
    ("one", 1),
    ("max", u128::MAX),
    ("five", 0x5555_5555_5555_5555_5555_5555_5555_5555),
    ("ten", 0xAAAA_AAAA_AAAA_AAAA_AAAA_AAAA_AAAA_AAAA),
];

fn fields() -> impl Iterator<Item = &'static (&'static str, u32, Set)> {
    OUTER.iter().chain(INNER)
}

fn set(frame: &mut Frame, &(_, width, set): &(&str, u32, Set), value: u128) {
    set(frame, value & (u128::MAX >> (128 - width)));
}

/// Adds the group `corner`: fields at 0, 1, their largest value and alternating bits.
pub fn add(suite: &mut Suite) {
    suite.group("corner", "fields at their corners");
    let aim = aim(&["Corner"], &["R16", "M14"]);
    for (at, (corner, value)) in CORNERS.into_iter().enumerate() {
        for (turn, (tags, tpids)) in TAG_SETS.into_iter().enumerate() {
            let base = if (at + turn) % 2 == 0 { Frame::v4() } else { Frame::v6() };
            let opcode = if (at + turn) / 2 % 2 == 0 { 0x11 } else { 0x0B };
            let mut frame = tag(kind(base, opcode, true), tpids);
            fields().for_each(|field| set(&mut frame, field, value));
            let immediate =
                |headers: &mut Rocev2| headers.immdt.iter_mut().for_each(|immdt| immdt.set_data(value as u32));
            frame = frame.with_rocev2(immediate);
            suite.add(format!("{corner}-{tags}"), format!("every field at {corner}"), aim, frame.bytes());
        }
    }
    for (at, field) in fields().enumerate() {
        for (name, rest, value) in [("alone", 0, u128::MAX), ("missing", u128::MAX, 0)] {
            let version = at + usize::from(name == "alone");
            let base = if version % 2 == 0 || field.0 == "flow-label" { Frame::v6() } else { Frame::v4() };
            let opcode = if field.0.starts_with("aeth") { 0x11 } else { 0x0A };
            let tags = if field.0.starts_with("vlan") { 3 + at % 2 } else { at };
            let mut frame = turn(kind(base, opcode, true), tags);
            fields().for_each(|other| set(&mut frame, other, rest));
            set(&mut frame, field, value);
            let comment = format!("{} at {}, every other field at {}", field.0, word(value), word(rest));
            suite.add(format!("{}-{name}", field.0), comment, aim, frame.bytes());
        }
    }
}

fn word(value: u128) -> &'static str {
    if value == 0 { "zero" } else { "its maximum" }
}
