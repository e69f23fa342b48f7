// SPDX-License-Identifier: MIT OR Apache-2.0
//! Headers at every place in a beat, and with any content. A masked field that is looked for at a wrong offset makes
//! a wrong ICRC.

use crate::frame::icrc::oracle::place;
use crate::frame::icrc::suite::Frames;
use crate::frame::samples::rocev2::{KINDS, kind, random};
use crate::frame::samples::tags::{TAG_SETS, tag};
use crate::headers::codec::Options;
use crate::headers::codec::encode::{Frame, Network};
use crate::rng::SplitMix64;

/// IP headers of every length: IPv4 with 0 to 40 bytes of options, and IPv6.
fn networks(rng: &mut SplitMix64) -> Vec<(String, Frame)> {
    let mut all = vec![("v6".to_owned(), Frame::v6())];
    for words in 0..11 {
        all.push((format!("v4-{words}"), Frame::v4().with_options(rng.bytes(4 * words))));
    }
    all
}

/// Adds the groups `header`, `kind` and `masked`.
pub fn add(frames: &mut Frames, rng: &mut SplitMix64) {
    frames.group("header", "every set of tags ahead of every length of an IP header");
    for (at, (tags, tpids)) in TAG_SETS.into_iter().enumerate() {
        // The ICRC depends on the number of tags only, so the later sets are not combined with every header.
        for (name, base) in
            networks(rng).into_iter().skip(if at < 4 { 0 } else { at }).step_by(if at < 4 { 1 } else { 4 })
        {
            let frame = tag(base, tpids).with(|frame| frame.payload = rng.bytes(at + name.len()));
            let flags: &[&str] = if tpids.is_empty() { &["Options"] } else { &["Tagged", "Options"] };
            frames.add(format!("{tags}-{name}"), "tags and IP header", (flags, &["R10", "M11"]), frame.bytes());
        }
    }

    frames.group("kind", "the headers of RoCEv2, MPEH among them: covered like any byte");
    for (name, opcode, mpeh) in KINDS {
        for (at, base) in [Frame::v4(), Frame::v6()].into_iter().enumerate() {
            let frame = random(kind(base, opcode, mpeh), rng).with(|frame| frame.payload = rng.bytes(16));
            let id = format!("{name}-{}", if at == 0 { "v4" } else { "v6" });
            frames.add(id, "random numbers in all headers", (&["Corner"], &["R10", "M11"]), frame.bytes());
        }
    }
    for value in [0x00, 0xFF, 0x55] {
        let frame = Frame::v4().with(|frame| frame.payload = vec![value; 90]);
        let text = format!("payload of {value:#04x}");
        frames.add(format!("payload-of-{value:02x}"), text, (&["Corner"], &["R10"]), frame.bytes());
    }

    frames.judged_group("masked", "the fields that may change, all changed at once, behind every set of headers");
    for (tags, (name, tpids)) in TAG_SETS.into_iter().enumerate().filter(|(at, _)| [0, 1, 4].contains(at)) {
        for (kind, base) in networks(rng) {
            let frame = tag(base, tpids).with(|frame| frame.payload = rng.bytes(tags + kind.len()));
            let start = frame.link_length();
            let udp = start
                + match &frame.network {
                    Network::V4(_, options) => 20 + options.len(),
                    _ => 40,
                };
            let bytes = frame.bytes();
            let mut changed = bytes.clone();
            mask(&mut changed, start, udp, rng);
            frames.add(format!("{name}-{kind}"), "masked fields changed", (&["Masked"], &["R10"]), changed.clone());
            // A byte next to a masked one.
            let beside = [udp + 1, udp + 11, udp + 13, start + 12, start + 9][(tags + kind.len()) % 4];
            changed[beside] ^= 4;
            let text = format!("masked fields changed, and byte {} of the packet", beside - start);
            frames.add(format!("{name}-{kind}-bad"), text, (&["Covered"], &["R9"]), changed);
            assert!(place(&bytes, &Options::default()).is_some());
        }
    }
}

/// Puts other values into all masked fields. The version of IPv6 is not masked and stays.
fn mask(bytes: &mut [u8], start: usize, udp: usize, rng: &mut SplitMix64) {
    let v6 = bytes[start] >> 4 == 6;
    let variant: &[usize] = if v6 { &[1, 2, 3, 7] } else { &[1, 8, 10, 11] };
    for at in variant.iter().map(|at| start + at).chain([udp + 6, udp + 7, udp + 12]) {
        bytes[at] ^= 1 + rng.below(255) as u8;
    }
    if v6 {
        bytes[start] ^= 1 + rng.below(15) as u8;
    }
}
