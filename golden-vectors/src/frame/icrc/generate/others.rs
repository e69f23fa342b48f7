// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames without an ICRC, or with headers that do not state where it is. They must pass (rows 2 to 8), whatever the
//! last four bytes are.

use crate::frame::icrc::suite::{Case, Frames};
use crate::frame::samples::rocev2::kind;
use crate::frame::samples::tags::turn;
use crate::headers::codec::encode::{Frame, Network};
use crate::rng::SplitMix64;
use std::collections::BTreeSet;

/// Adds the groups `other`, `lengths`, `marked` and `stale`. Most of their frames end with bytes that would be a
/// wrong ICRC, so that a stage that checks them fails.
pub fn add(frames: &mut Frames, rng: &mut SplitMix64) {
    not_rocev2(frames, rng);
    wrong_lengths(frames, rng);
    marked(frames);
    stale(frames, rng);
}

fn not_rocev2(frames: &mut Frames, rng: &mut SplitMix64) {
    frames.group("other", "no RoCEv2, with an ICRC or without");
    let ours: &[&str] = &["NotOurs"];
    frames.add("arp", "ARP", (ours, &["R3"]), Frame::other(0x0806, vec![0; 46]).bytes());
    let mut third = Frame::v4().with(|frame| frame.payload = rng.bytes(20));
    for tag in 0..3 {
        third = third.tagged(0x8100, tag);
    }
    frames.add("third-tag", "a third tag", (&["NotOurs", "Tagged"], &["R3"]), third.bytes());
    for (id, version, frame) in [
        ("v4-says-6", 6, Frame::v4().with_v4(|header| header.set_version(6))),
        ("v4-says-0", 0, Frame::v4().with_v4(|header| header.set_version(0))),
    ] {
        frames.add(id, format!("version {version} behind 0x0800"), (ours, &["R4"]), wrong(&frame));
    }
    let v6 = Frame::v6().with_v6(|header| header.set_version(4));
    frames.add("v6-says-4", "version 4 behind 0x86DD", (ours, &["R4"]), wrong(&v6));
    for ihl in 0..5 {
        let frame = Frame::v4().with_v4(|header| header.set_ihl(ihl)).with(|frame| frame.payload = vec![0x12; 30]);
        frames.add(format!("ihl-{ihl}"), "IHL below 5", (&["Boundary"], &["R4"]), wrong(&frame));
    }
    for (id, frame) in [
        ("first", Frame::v4().with_v4(|header| header.set_more_fragments(true))),
        ("offset-1", Frame::v4().with_v4(|header| header.set_fragment_offset(1))),
        ("offset-4096", Frame::v4().with_v4(|header| header.set_fragment_offset(4096))),
    ] {
        frames.add(format!("fragment-{id}"), "a fragment", (&["Fragment"], &["R5"]), wrong(&turn(frame, id.len())));
    }
    let reserved = Frame::v4().with_v4(|header| {
        header.set_reserved(true);
        header.set_dont_fragment(false);
    });
    frames.add("reserved-flag", "the reserved flag makes no fragment", (&[], &["R10", "R5"]), reserved.bytes());
    for protocol in [0, 6, 16, 18, 145] {
        let number =
            |frame: Frame| frame.with_v4(|h| h.set_protocol(protocol)).with_v6(|h| h.set_next_header(protocol));
        let text = format!("protocol {protocol}");
        frames.add(format!("protocol-{protocol}-v4"), text.clone(), (ours, &["R5"]), wrong(&number(Frame::v4())));
        frames.add(format!("protocol-{protocol}-v6"), text, (ours, &["R5"]), wrong(&number(Frame::v6())));
    }
    let extended = Frame::v6().with(|frame| {
        if let Network::V6(header, extensions) = &mut frame.network {
            header.set_next_header(60);
            *extensions = vec![17, 0, 1, 4, 0, 0, 0, 0];
        }
    });
    frames.add("extension", "destination options ahead of UDP", (&["ExtensionHeader"], &["R5"]), wrong(&extended));
    for bit in 0..16 {
        let frame = Frame::v4().with(|frame| frame.udp.iter_mut().for_each(|udp| udp.set_destination(4791 ^ 1 << bit)));
        frames.add(format!("port-bit-{bit}"), "one bit off the port", (ours, &["R7"]), wrong(&turn(frame, bit)));
    }
    let from = Frame::v6().with(|frame| {
        frame.udp.iter_mut().for_each(|udp| {
            udp.set_source(4791);
            udp.set_destination(53);
        })
    });
    frames.add("from-4791", "the port of RoCEv2 as source", (ours, &["R7"]), wrong(&from));
}

/// If RoCEv2 has another port, a frame to the default port has no ICRC.
pub fn default_port(frames: &mut Frames) {
    frames.group("default-port", "frames to the port that RoCEv2 has by default");
    for (name, frame) in [("v4", Frame::v4()), ("v6", Frame::v6())] {
        frames.add(format!("{name}-right"), "with a right ICRC", (&["NotOurs"], &["R7"]), frame.bytes());
        frames.add(format!("{name}-wrong"), "with a wrong one", (&["NotOurs"], &["R7"]), wrong(&frame));
    }
}

fn wrong_lengths(frames: &mut Frames, rng: &mut SplitMix64) {
    frames.group("lengths", "lengths that contradict each other, and those that just do not");
    let edge: &[&str] = &["Boundary"];
    for (name, base, header) in [("v4", Frame::v4(), 20u16), ("v6", Frame::v6(), 0)] {
        let base = base.with(|frame| frame.payload = rng.bytes(32));
        let right = header + 24 + 32;
        for (id, length) in [("one-more", right + 1), ("many-more", right + 600), ("most", u16::MAX)] {
            let frame = base.clone().with(|frame| frame.ip_length = Some(length));
            let text = "the IP packet is longer than the frame";
            frames.add(format!("ip-{name}-{id}"), text, (edge, &["R6"]), wrong(&frame));
        }
        let shorter = [0, header.saturating_sub(1), header, header + 7, header + 8, header + 23, right - 1];
        for length in shorter.into_iter().collect::<BTreeSet<_>>() {
            let frame = base.clone().with(|frame| frame.ip_length = Some(length));
            let text = format!("IP length {length}, shorter than the datagram");
            frames.add(format!("ip-{name}-{length}"), text, (edge, &["R6", "R8"]), wrong(&frame));
        }
        for length in [0, 7, 8, 20, 23] {
            let frame = base.clone().with(|frame| frame.udp_length = Some(length));
            let text = format!("UDP length {length}, too short for BTH and ICRC");
            frames.add(format!("udp-{name}-{length}"), text, (edge, &["R8"]), wrong(&frame));
        }
        for length in [57, 100, 0x8000, u16::MAX] {
            let frame = base.clone().with(|frame| frame.udp_length = Some(length));
            let text = format!("UDP length {length}, longer than the packet");
            frames.add(format!("udp-{name}-{length}"), text, (edge, &["R8"]), wrong(&frame));
        }
    }
    for missing in 1..6 {
        let base = if missing % 2 == 0 { Frame::v6() } else { Frame::v4() };
        let mut bytes = base.with(|frame| frame.payload = rng.bytes(61 - missing)).bytes();
        bytes.truncate(bytes.len() - missing);
        let text = format!("the frame ends {missing} bytes ahead of the end of its ICRC");
        frames.add(format!("icrc-cut-{missing}"), text, (&["Truncated"], &["R6"]), bytes);
    }
    let checksum = Frame::v4().with(|frame| frame.ip_checksum = Some(0x1234));
    frames.add("ip-sum", "a wrong IPv4 checksum is the parser's matter", (&[], &["R10"]), checksum.bytes());
    let cut = kind(Frame::v4(), 0x0A, true).with_rocev2(|headers| headers.mpeh = None);
    frames.add("no-room", "no room for the MPEH, which is the parser's matter", (&[], &["R10"]), cut.bytes());
}

fn marked(frames: &mut Frames) {
    frames.group("marked", "frames that come with a mark keep it");
    let right = Frame::v4().bytes();
    for (id, bytes) in
        [("right", right.clone()), ("wrong", wrong(&Frame::v6())), ("arp", Frame::other(0x0806, vec![1; 46]).bytes())]
    {
        frames.push(Case {
            id: id.into(),
            comment: "marked as bad when it comes".into(),
            flags: vec!["BadFrame"],
            rows: vec!["R1"],
            bytes,
            marked: true,
        });
    }
    frames.add("after", "an unmarked frame behind them", (&["StaleState"], &["R10"]), right);
}

fn stale(frames: &mut Frames, rng: &mut SplitMix64) {
    frames.group("stale", "short frames behind whole ones: what those said must not count");
    for (at, length) in (1..64).chain([70, 77, 81]).enumerate() {
        let (whole, cut) = if at % 2 == 0 { (Frame::v6(), Frame::v4()) } else { (Frame::v4(), Frame::v6()) };
        let whole = turn(whole, at).with(|frame| frame.payload = rng.bytes(at % 5 * 30));
        let cut = turn(cut, at / 2).with(|frame| frame.payload = rng.bytes(12)).bytes();
        frames.add(format!("before-{length}"), "a whole frame", (&["StaleState"], &["R10"]), whole.bytes());
        frames.add(
            format!("cut-{length}"),
            format!("{length} bytes of a frame behind a whole one"),
            (&["StaleState", "Truncated"], &["R6"]),
            cut[..length.min(cut.len())].to_vec(),
        );
    }
    let mut bytes = kind(Frame::v4(), 0x11, true).bytes();
    bytes.extend(rng.bytes(500));
    frames.add("long", "a frame with much padding", (&["StaleState", "Padding"], &["R10"]), bytes);
    frames.add("arp", "ARP behind it", (&["StaleState"], &["R3"]), Frame::other(0x0806, vec![0; 46]).bytes());
    frames.add("right", "and a right one", (&["StaleState"], &["R10"]), Frame::v4().bytes());
}

/// Changes one bit of the last byte: if the frame had an ICRC, it would be wrong.
fn wrong(frame: &Frame) -> Vec<u8> {
    let mut bytes = frame.bytes();
    if let Some(last) = bytes.last_mut() {
        *last ^= 1;
    }
    bytes
}
