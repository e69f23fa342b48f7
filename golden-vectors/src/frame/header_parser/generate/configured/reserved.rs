// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row 15: reserved bits are counted or refused. Each is set alone, some together, and none.

use super::mpeh::headed;
use crate::collect::aim;
use crate::collect::frames::Suite;
use crate::frame::header_parser::generate::protocols::{Place, Stack, base, stacks};
use crate::headers::codec::encode::Frame;
use crate::headers::codec::is_reserved;
use crate::headers::uet::prologue;
use crate::rng::SplitMix64;
use std::collections::BTreeSet;

/// Reserved fields up to this width are tested bit by bit.
const NARROW: usize = 16;
/// A field and a mask of its reserved bits.
type Bits = (Place, u128);

/// Adds the groups `reserved-count`, `reserved-refuse` and `reserved-opcode`.
pub fn add(suite: &mut Suite) {
    suite.configured("reserved-count", "reserved bits that are counted", &[("reserved", "count")]);
    each(suite, false);
    suite.configured("reserved-refuse", "reserved bits that are refused", &[("reserved", "refuse")]);
    each(suite, true);
    precedence(suite);
    by_opcode(suite);
}

fn each(suite: &mut Suite, every_bit: bool) {
    let mut seen = BTreeSet::new();
    for (at, stack) in stacks().iter().enumerate() {
        let reserved = reserved(stack);
        let none = without(stack, &reserved);
        add_to(suite, stack, format!("{}-none", stack.name), "every bit is set that is not reserved", at, &none);
        for &(place, mask) in &reserved {
            if !seen.insert((stack.carrier, place.object, place.name, place.at, mask)) {
                continue;
            }
            for value in values(place, mask, every_bit) {
                // All other bits are 0, or all other bits are 1.
                let mut bytes = if (at + value.count_ones() as usize).is_multiple_of(2) {
                    none.clone()
                } else {
                    stack.bytes.clone()
                };
                place.add(&mut bytes, value);
                let id = format!("{}-{}-{value:x}", stack.name, place.name.replace('_', "-"));
                add_to(suite, stack, id, "one reserved field is not 0", at, &bytes);
            }
        }
        if reserved.len() > 1 {
            let mut bytes = stack.bytes.clone();
            reserved.iter().for_each(|&(place, mask)| place.add(&mut bytes, mask));
            add_to(suite, stack, format!("{}-all", stack.name), "every reserved bit is set", at, &bytes);
            let mut bytes = none;
            reserved.iter().step_by(2).for_each(|&(place, mask)| place.add(&mut bytes, mask));
            add_to(suite, stack, format!("{}-some", stack.name), "some reserved fields are not 0", at, &bytes);
        }
    }
    // Frames of other protocols have no reserved bits, whatever their bits are.
    for (name, frame) in [
        ("udp", Frame::v4().with_port(53, vec![0xFF; 20])),
        ("protocol", Frame::v6().with_protocol(6, vec![0xFF; 40])),
        ("type", Frame::v4().with_port(prologue::PORT, vec![0xFF; 20])),
        ("tss", Frame::v6().with_protocol(prologue::PROTOCOL, [vec![0; 4], vec![0x0F; 20]].concat())),
        ("ip-flag", Frame::v4().with_v4(|header| header.set_reserved(true))),
    ] {
        let comment = "nothing here is a reserved bit of RoCEv2, UET or ELAB";
        suite.add(format!("others-{name}"), comment, aim(&["Reserved", "Configured"], &["R15"]), frame.bytes());
    }
}

/// The reserved bits of a header stack: reserved fields, and reserved parts of fields.
fn reserved(stack: &Stack) -> Vec<Bits> {
    let field = |name: &str| stack.places.iter().find(move |place| place.name == name);
    let opcode = stack.bytes[0];
    let type_at = if field("entropy").is_some() { 4 } else { 0 };
    let is_request = stack.bytes.get(type_at).is_some_and(|byte| byte >> 3 == prologue::RUDI_REQ);
    // M20 and M30: data flags 4 to 7 and acknowledgement flags 3 to 7 are reserved.
    let flags = if [0x11, 0x12, 0xB1, 0xB2].contains(&opcode) { 0xF8 } else { 0xF0 };
    let part = |place: &Place| match (place.object, place.name) {
        ("mpeh", "flags") => Some((*place, flags)),
        ("aeth", "syndrome") => Some((*place, 0x80)),
        ("uet", "m") if is_request => Some((*place, 1)),
        (object, name) if is_reserved(object, name) => Some((*place, u128::MAX >> (128 - place.width))),
        _ => None,
    };
    stack.places.iter().filter_map(part).collect()
}

/// The stack with all bits set except the reserved ones.
fn without(stack: &Stack, reserved: &[Bits]) -> Vec<u8> {
    let mut bytes = stack.filled(&vec![0xFF; stack.bytes.len()]);
    for &(place, mask) in reserved {
        let kept = place.get(&bytes) & !mask;
        place.set(&mut bytes, kept);
    }
    bytes
}

/// The values for a reserved field: all its bits, and with `one_by_one` each bit of a narrow field, or the first and
/// last bit of a wide one.
fn values(place: Place, mask: u128, one_by_one: bool) -> BTreeSet<u128> {
    let tried = |bit: &usize| place.width <= NARROW || *bit == 0 || *bit + 1 == place.width;
    let bits = (0..place.width).filter(tried).map(|bit| mask & 1 << bit);
    bits.filter(|&bit| one_by_one && bit != 0).chain([mask]).collect()
}

fn add_to(suite: &mut Suite, stack: &Stack, id: String, comment: &str, at: usize, bytes: &[u8]) {
    let frame = stack.carrier.frame(base(at), bytes, &[0xFF; 6]);
    suite.add(id, comment, aim(&["Reserved", "Configured"], &["R15", stack.row]), frame.bytes());
}

/// Rows 1 to 14 decide before row 15.
fn precedence(suite: &mut Suite) {
    let aim = |row: &'static str| [row, "R15"];
    let full = Frame::v4().with_bth(|bth| bth.set_reserved1(0x3F));
    let flags: &[&str] = &["Reserved", "Configured", "Precedence"];
    let cases: [(&str, &'static str, &str, Frame); 4] = [
        ("8", "R8", "a wrong checksum, and reserved bits", full.clone().with(|frame| frame.ip_checksum = Some(1))),
        (
            "9",
            "R9",
            "a total length beyond the frame, and reserved bits",
            full.clone().with(|f| f.ip_length = Some(999)),
        ),
        ("11", "R11", "a wrong UDP length, and reserved bits", full.clone().with(|f| f.udp_length = Some(7))),
        ("13", "R13", "headers cut, and reserved bits", full.clone().with(|f| f.udp_length = Some(23))),
    ];
    for (id, row, comment, frame) in cases {
        let rows = aim(row);
        suite.add(format!("row-{id}"), comment, crate::collect::aim(flags, &rows), frame.bytes());
    }
    let rows = aim("R1");
    suite.add_bad("row-1", "marked bad, and reserved bits", crate::collect::aim(flags, &rows), full.bytes());
    let mut wrong = full.bytes();
    wrong.iter_mut().rev().take(4).for_each(|byte| *byte ^= 0xFF);
    let rows = aim("R14");
    let comment = "reserved bits and a wrong ICRC, which is the next stage's matter";
    suite.add("row-14", comment, crate::collect::aim(flags, &rows), wrong);
}

/// If the OpCode announces the MPEH, the MPEH bit of the BTH is reserved, and OpCodes 0xD1 and 0xD2 are
/// acknowledgements.
fn by_opcode(suite: &mut Suite) {
    let configuration = [("mpeh", "opcode"), ("reserved", "refuse")];
    suite.configured("reserved-opcode", "reserved bits that are refused, an MPEH by OpCode", &configuration);
    let mut rng = SplitMix64::new(0);
    for opcode in [0x04, 0x11, 0xC4, 0xCA, 0xD0, 0xD1, 0xD2] {
        for (bit, flag) in (0..10).map(|at| (at == 9, 1_u8.checked_shl(at).unwrap_or(0))) {
            let frame = headed(base(flag.into()), opcode, 0, &mut rng).with_rocev2(|headers| {
                headers.bth = headers.bth.with_reserved1(0).with_reserved2(0).with_tver(0).with_mpeh(bit);
                headers.mpeh = headers.mpeh.map(|mpeh| mpeh.with_flags(flag).with_reserved(0));
                headers.aeth = headers.aeth.map(|aeth| aeth.with_syndrome(0x60));
            });
            suite.add(
                format!("{opcode:02x}-flags-{flag:02x}-bit-{}", u8::from(bit)),
                format!("flags {flag:#04x} in the MPEH if there is one, the bit of the other mark {}", u8::from(bit)),
                aim(&["Reserved", "Configured"], &["R15", "M13", "M20", "M30"]),
                frame.bytes(),
            );
        }
    }
}
