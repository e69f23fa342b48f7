// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row 13: UDP datagrams that are just long enough for their RoCEv2 headers, or a byte too short.

use crate::collect::aim;
use crate::collect::frames::Suite;
use crate::frame::samples::rocev2::{KINDS, kind};
use crate::frame::samples::tags::turn;
use crate::headers::codec::Rocev2;
use crate::headers::codec::encode::Frame;
use crate::headers::{aeth, reth};

/// The UDP length that the frame needs for UDP header, RoCEv2 headers and ICRC.
fn need(frame: &Frame) -> u16 {
    let headers: usize = frame.rocev2.iter().flat_map(Rocev2::parts).map(|part| part.bytes.len()).sum();
    (8 + headers + 4) as u16
}

/// Adds the group `header-cut`. It finds header lengths that are wrong for some OpCode.
pub fn add(suite: &mut Suite) {
    suite.group("header-cut", "UDP lengths about the end of the RoCEv2 headers");
    let edge = aim(&["Boundary"], &["R13", "M11"]);
    for (at, (name, opcode, mpeh)) in KINDS.into_iter().enumerate() {
        for (version, base) in [("v4", Frame::v4()), ("v6", Frame::v6())] {
            let frame = turn(kind(base, opcode, mpeh), at);
            let need = need(&frame);
            let less = frame.clone().with(|frame| frame.udp_length = Some(need - 1));
            suite.add(
                format!("{name}-{version}-less"),
                "one byte too few by UDP length, present by IP length",
                edge,
                less.bytes(),
            );
            suite.add(format!("{name}-{version}-fits"), "headers and ICRC just fit", edge, frame.bytes());
            let more = frame.clone().with(|frame| frame.payload = vec![0x6B]);
            suite.add(format!("{name}-{version}-more"), "one byte of payload", edge, more.bytes());
            let cut = frame.clone().with(|frame| {
                frame.udp_length = Some(need - 1);
                frame.ip_length = Some(if version == "v4" { 20 + need - 1 } else { need - 1 });
            });
            let mut bytes = cut.bytes();
            bytes.pop();
            suite.add(format!("{name}-{version}-cut"), "one byte too few, all lengths agree", edge, bytes);
        }
    }
    for length in 8..24 {
        let frame = Frame::v4().with(|frame| frame.udp_length = Some(length));
        suite.add(format!("sweep-{length}"), "too short for BTH and ICRC", edge, frame.bytes());
    }
    for length in 24..36 {
        let frame = kind(Frame::v6(), 0x11, true).with(|frame| frame.udp_length = Some(length));
        suite.add(format!("sweep-mpeh-aeth-{length}"), "BTH readable, MPEH or AETH cut", edge, frame.bytes());
    }
    for opcode in reth::OPCODES {
        let frame = kind(Frame::v4(), opcode, false).with(|frame| frame.udp_length = Some(39));
        suite.add(format!("opcode-{opcode:02x}"), "RETH one byte short", edge, frame.bytes());
    }
    for opcode in aeth::OPCODES {
        let frame = kind(Frame::v6(), opcode, false).with(|frame| frame.udp_length = Some(27));
        suite.add(format!("opcode-{opcode:02x}"), "AETH one byte short", edge, frame.bytes());
    }
}
