// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sequences of frames with more and fewer headers. State left by one frame is seen in the answer for the next.

use crate::collect::aim;
use crate::collect::frames::Suite;
use crate::frame::samples::rocev2::{KINDS, kind, random};
use crate::frame::samples::tags::TAG_SETS;
use crate::frame::samples::tags::tag;
use crate::headers::codec::encode::Frame;
use crate::rng::SplitMix64;

pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    suite.group("sequence", "frames with fewer headers behind frames with more, and the other way round");
    let stale = aim(&["StaleState"], &[]);
    let mut step = 0;
    let mut next = |suite: &mut Suite, comment: &str, frame: Frame| {
        step += 1;
        suite.add(format!("{step}"), comment, stale, frame.bytes());
    };
    let full = |rng: &mut SplitMix64, at: usize| {
        let (base, opcode) = match at % 4 {
            0 => (Frame::v4(), 0x11),
            1 => (Frame::v6(), 0x11),
            2 => (Frame::v4(), 0x0A),
            _ => (Frame::v6(), 0x0A),
        };
        random(tag(kind(base, opcode, true), TAG_SETS[3 + at % 4].1), rng)
    };
    let fewer: [(&str, Frame); 8] = [
        ("ARP", Frame::other(0x0806, vec![0; 28])),
        ("an EtherType and nothing else", Frame::other(0x88CC, Vec::new())),
        ("IPv4, TCP", Frame::v4().with_protocol(6, vec![0; 20])),
        ("IPv6, no next header", Frame::v6().with_protocol(59, Vec::new())),
        ("IPv4, UDP to another port", Frame::v4().with_port(53, vec![0; 4])),
        ("IPv4, fragment", Frame::v4().with_v4(|header| header.set_more_fragments(true))),
        ("IPv6, BTH alone", Frame::v6()),
        ("IPv4, BTH alone", Frame::v4()),
    ];
    for (at, (what, frame)) in fewer.into_iter().enumerate() {
        next(suite, "every header there is", full(rng, at));
        next(suite, what, frame);
    }
    for (at, (what, opcode, mpeh)) in KINDS.into_iter().enumerate() {
        next(suite, "every header there is", full(rng, at));
        next(suite, what, random(kind(Frame::v4(), opcode, mpeh), rng));
    }
    let drops: [(&str, Frame); 4] = [
        ("a wrong checksum", Frame::v4().with(|frame| frame.ip_checksum = Some(1))),
        ("a wrong version", Frame::v6().with_v6(|header| header.set_version(4))),
        ("UDP length beyond the packet", Frame::v6().with(|frame| frame.udp_length = Some(1000))),
        ("RoCEv2 headers cut", kind(Frame::v4(), 0x0A, true).with(|frame| frame.udp_length = Some(30))),
    ];
    for (what, frame) in drops {
        next(suite, what, frame);
        next(suite, "a good frame behind a bad one", Frame::v4());
    }
    for length in [1, 13, 14, 33] {
        let frame = Frame::v4().bytes();
        suite.add(format!("cut-{length}"), "cut, behind a good frame", stale, frame[..length].to_vec());
        suite.add(format!("after-cut-{length}"), "a good frame behind a cut one", stale, Frame::v6().bytes());
    }
    let good = kind(Frame::v4(), 0x0A, true).bytes();
    suite.add_bad("bad", "marked bad", stale, good.clone());
    suite.add("after-bad", "the same frame, not marked bad", aim(&["StaleState"], &["R1"]), good);
}
