// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames for which two rows of the contract hold. The upper row must decide.

use crate::collect::aim;
use crate::collect::frames::Suite;
use crate::frame::samples::rocev2::kind;
use crate::headers::codec::encode::Frame;
use crate::headers::ethernet::{C_TAG, IPV4, IPV6, S_TAG};

pub fn add(suite: &mut Suite) {
    suite.group("precedence", "two rows hold; the upper one decides");
    for (upper, lower, comment, frame) in pairs() {
        let rows = [format!("R{upper}"), format!("R{lower}")];
        let rows = [rows[0].as_str(), rows[1].as_str()];
        let aim = aim(&["Precedence"], &rows);
        let id = format!("{upper}-before-{lower}");
        if upper == 1 {
            suite.add_bad(id, comment, aim, frame);
        } else {
            suite.add(id, comment, aim, frame);
        }
    }
}

/// Pairs of rows: the upper row, the lower row, what makes both hold, and the frame.
fn pairs() -> Vec<(u8, u8, &'static str, Vec<u8>)> {
    let v4 = Frame::v4;
    let wrong = |frame: Frame| frame.with(|frame| frame.ip_checksum = Some(0xDEAD));
    let long = |frame: Frame| frame.with(|frame| frame.ip_length = Some(0x7000));
    let cut = |frame: Frame, length: usize| frame.bytes()[..length].to_vec();
    let udp = |frame: Frame, length: u16| frame.with(|frame| frame.udp_length = Some(length));
    let version = |frame: Frame| frame.with_v4(|header| header.set_version(6));
    let ihl = |frame: Frame, ihl: u8| frame.with_v4(|header| header.set_ihl(ihl));
    let fragment = |frame: Frame| frame.with_v4(|header| header.set_more_fragments(true));
    vec![
        (1, 2, "bad and shorter than an Ethernet header", cut(v4(), 9)),
        (1, 3, "bad, and nothing of ours", Frame::other(0x0806, vec![0; 28]).bytes()),
        (1, 4, "bad and cut inside IPv4", cut(v4(), 30)),
        (1, 5, "bad and of the wrong version", version(v4()).bytes()),
        (1, 6, "bad with IHL 2", ihl(v4(), 2).bytes()),
        (1, 7, "bad and cut inside the options", cut(v4().with_options(vec![1; 8]), 40)),
        (1, 8, "bad with a wrong checksum", wrong(v4()).bytes()),
        (1, 9, "bad with a total length beyond the frame", long(v4()).bytes()),
        (1, 10, "bad and a fragment", fragment(v4()).bytes()),
        (1, 11, "bad with UDP length 3", udp(v4(), 3).bytes()),
        (1, 12, "bad and to another port", v4().with_port(53, vec![0; 8]).bytes()),
        (1, 13, "bad with RoCEv2 headers cut", udp(v4(), 20).bytes()),
        (
            2,
            3,
            "second tag cut: what stands in its place is not read as EtherType",
            cut(v4().tagged(S_TAG, 1).tagged(C_TAG, 2), 19),
        ),
        (
            3,
            5,
            "an EtherType of others over something with a version",
            v4().with(|frame| frame.ethertype = Some(0x0806)).bytes(),
        ),
        (4, 5, "IPv4 cut, wrong version", cut(version(v4()), 33)),
        (4, 6, "IPv4 cut, IHL 0", cut(ihl(v4(), 0), 20)),
        (4, 9, "IPv4 cut, total length beyond", cut(long(v4()), 32)),
        (5, 6, "wrong version, IHL 1", ihl(version(v4()), 1).bytes()),
        (5, 7, "wrong version, IHL beyond the frame", cut(ihl(version(v4()), 15), 40)),
        (5, 8, "wrong version, wrong checksum", wrong(version(v4())).bytes()),
        (5, 9, "IPv6 packet in IPv4's EtherType", Frame::v6().with(|frame| frame.ethertype = Some(IPV4)).bytes()),
        (
            5,
            10,
            "IPv4 packet in IPv6's EtherType",
            v4().with(|frame| {
                frame.ethertype = Some(IPV6);
                frame.trailer = vec![0; 20];
            })
            .bytes(),
        ),
        (6, 8, "IHL 4, wrong checksum", wrong(ihl(v4(), 4)).bytes()),
        (6, 9, "IHL 4, total length beyond", long(ihl(v4(), 4)).bytes()),
        (7, 8, "options cut, wrong checksum", cut(wrong(v4().with_options(vec![1; 40])), 60)),
        (
            7,
            9,
            "options cut, total length below the header",
            cut(v4().with_options(vec![1; 40]).with(|frame| frame.ip_length = Some(24)), 60),
        ),
        (8, 9, "wrong checksum, total length beyond", wrong(long(v4())).bytes()),
        (8, 10, "wrong checksum, fragment", wrong(fragment(v4())).bytes()),
        (8, 11, "wrong checksum, UDP length 0", wrong(udp(v4(), 0)).bytes()),
        (8, 12, "wrong checksum, another port", wrong(v4().with_port(53, vec![0; 4])).bytes()),
        (8, 13, "wrong checksum, RoCEv2 headers cut", wrong(udp(v4(), 19)).bytes()),
        (9, 10, "total length beyond, fragment", long(fragment(v4())).bytes()),
        (9, 11, "total length beyond, UDP length beyond that", udp(long(v4()), 0x7001).bytes()),
        (9, 12, "payload length beyond, another port", long(Frame::v6().with_port(53, vec![0; 4])).bytes()),
        (9, 13, "payload length beyond, RoCEv2 headers cut", udp(long(Frame::v6()), 20).bytes()),
        (10, 11, "fragment with what looks like a wrong UDP length", udp(fragment(v4()), 5).bytes()),
        (10, 12, "fragment with what looks like another port", fragment(v4().with_port(53, vec![0; 4])).bytes()),
        (
            10,
            13,
            "TCP with what looks like RoCEv2 headers cut",
            udp(v4(), 20).with_v4(|header| header.set_protocol(6)).bytes(),
        ),
        (11, 12, "UDP length beyond, another port", udp(v4().with_port(53, vec![0; 4]), 13).bytes()),
        (11, 13, "UDP length 7, too short for a BTH too", udp(v4(), 7).bytes()),
        (12, 13, "another port, too short for a BTH", v4().with_port(4794, vec![0; 3]).bytes()),
        (13, 14, "RETH cut in a frame long enough", udp(kind(v4(), 0x0A, true), 47).bytes()),
    ]
}
