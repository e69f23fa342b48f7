// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows 11 and 12: UDP lengths at their limits, and destination ports near those of the transports.

use crate::collect::frames::Suite;
use crate::collect::{Aim, aim};
use crate::frame::samples::tags::turn;
use crate::headers::codec::encode::Frame;
use crate::headers::{elab, uet};

const PORT: Aim = aim(&["NotOurs"], &["R12"]);
const LENGTH: Aim = aim(&["Boundary"], &["R11"]);

pub fn add(suite: &mut Suite) {
    suite.group("udp", "UDP ports, length and checksum");
    for (at, port) in [0, 53, 4789, 4790, 4792, 4793, 7851, 0xB712, 0xFFFF].into_iter().enumerate() {
        let base = if at % 2 == 0 { Frame::v4() } else { Frame::v6() };
        let frame = turn(base, at).with_port(port, vec![0x77; 24]);
        let (what, aim) = match port {
            uet::prologue::PORT => {
                ("the port of UET, a request with congestion control", aim(&[], &["R12", "uet.md 1.1"]))
            }
            elab::PORT => ("the port of ELAB, a rate behind the header", aim(&[], &["R12", "E03"])),
            _ => ("the port of nobody", PORT),
        };
        suite.add(format!("port-{port}"), what, aim, frame.bytes());
    }
    suite.add("port-4791", "the port of RoCEv2", aim(&[], &["R12"]), Frame::v6().bytes());
    for bit in 0..16 {
        let frame = Frame::v4().with(|frame| frame.udp.iter_mut().for_each(|udp| udp.set_destination(4791 ^ 1 << bit)));
        suite.add(
            format!("port-bit-{bit}"),
            "one bit off the port of RoCEv2, RoCEv2 headers behind it",
            PORT,
            frame.bytes(),
        );
    }
    let from = Frame::v4()
        .with_port(53, vec![0x77; 24])
        .with(|frame| frame.udp.iter_mut().for_each(|udp| udp.set_source(4791)));
    suite.add("from-4791", "the port of RoCEv2 as source", PORT, from.bytes());
    for (name, base) in [("v4", Frame::v4 as fn() -> Frame), ("v6", Frame::v6)] {
        short_payload(suite, name, base);
        lengths(suite, name, base);
        checksums(suite, name, base);
    }
}

fn short_payload(suite: &mut Suite, name: &str, base: fn() -> Frame) {
    for left in 0..8 {
        let frame = turn(base(), left).with_protocol(17, vec![0; left]);
        suite.add(
            format!("{name}-payload-{left}"),
            format!("only {left} bytes behind the IP header"),
            LENGTH,
            frame.bytes(),
        );
    }
}

fn lengths(suite: &mut Suite, name: &str, base: fn() -> Frame) {
    for (at, length) in [0, 1, 7, 8, 9, 15, 16, 17, 0x0110, 0xFFFF].into_iter().enumerate() {
        let frame = turn(base(), at).with_port(53, vec![0x33; 8]).with(|frame| frame.udp_length = Some(length));
        let comment = format!("UDP length {length} in 16 bytes of IP payload");
        suite.add(format!("{name}-length-{length}"), comment, LENGTH, frame.bytes());
    }
    let empty = base().with_port(53, Vec::new());
    suite.add(format!("{name}-empty"), "a UDP header and nothing else", LENGTH, empty.bytes());
    let padded = base().with_port(53, Vec::new()).with(|frame| {
        frame.udp_length = Some(9);
        frame.trailer = vec![0; 18];
    });
    let padding = aim(&["Boundary", "Padding"], &["R11"]);
    suite.add(format!("{name}-into-padding"), "UDP length reaches into the padding", padding, padded.bytes());
}

fn checksums(suite: &mut Suite, name: &str, base: fn() -> Frame) {
    let aim = aim(&["UdpChecksum"], &["R16"]);
    for (value, what) in [(0, "no UDP checksum"), (0x1234, "a wrong UDP checksum"), (0xFFFF, "UDP checksum 0xffff")] {
        let set = |frame: &mut Frame| frame.udp.iter_mut().for_each(|udp| udp.set_checksum(value));
        suite.add(format!("{name}-checksum-{value:04x}"), what, aim, base().with(set).bytes());
        let other = base().with_port(53, vec![1; 5]).with(set);
        suite.add(format!("{name}-checksum-{value:04x}-other"), format!("{what}, another port"), aim, other.bytes());
    }
}
