// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ethernet, IP and UDP: patterns that make every bit unique, limits of fields, and bytes after the datagram.

use super::fields::number_digits;
use super::{Carrier, stacks};
use crate::collect::aim;
use crate::collect::frames::Suite;
use crate::headers::codec::encode::{Frame, Network};
use crate::headers::ethernet::{C_TAG, S_TAG};
use crate::headers::{Header, Ipv6, Tag, Udp, udp};

/// Digits of a bit number in 68 bytes.
const DIGITS: usize = 10;

/// Adds the groups `outer` and `slack`.
pub fn add(suite: &mut Suite) {
    suite.group("outer", "bits of Ethernet, IP and UDP headers read from the wrong place");
    for digit in 0..DIGITS {
        for (name, base) in [("v4", Frame::v4()), ("v6", Frame::v6())] {
            let mut bits = number_digits(76, digit);
            let comment = format!("each bit of the headers ahead of RoCEv2 is digit {digit} of its number");
            let frame = filled(base, &mut bits);
            suite.add(format!("{name}-bits-{digit}"), comment, aim(&["Bits"], &["M11"]), frame.bytes());
        }
    }
    for value in [0, 0xFFFF] {
        let frame = Frame::v4().with_v4(|header| header.set_identification(value));
        suite.add(format!("id-{value:04x}"), "the identification of IPv4", aim(&["Corner"], &[]), frame.bytes());
    }
    for (name, carrier, base) in [("udp", Carrier::Uet, Frame::v4()), ("native", Carrier::UetNative, Frame::v6())] {
        for length in [2100, 5000, 9000] {
            let frame = carrier.cut(base.clone(), &vec![0x30; length]);
            let comment = format!("UET with {length} bytes");
            suite.add(format!("jumbo-{name}-{length}"), comment, aim(&["Jumbo"], &["R9"]), frame.bytes());
        }
    }
    for stack in stacks().iter().filter(|stack| stack.name == "xrc-atomic-mpeh") {
        let deep = Frame::v4().with_options(vec![1; 40]).tagged(S_TAG, 1).tagged(C_TAG, 2);
        let frame = stack.carrier.frame(deep, &stack.bytes, &[0x19; 4]);
        let comment = "no payload begins further behind: two tags, ten words of options, the longest headers";
        suite.add("deepest", comment, aim(&["Boundary"], &["M11"]), frame.bytes());
    }
    slack(suite);
}

/// The frame with two tags, and with these bits in all fields that do not decide on the kind of frame.
fn filled(base: Frame, bits: &mut Vec<u8>) -> Frame {
    let mut frame = base;
    frame.addresses = take(bits, frame.addresses);
    let tags = [S_TAG, C_TAG].map(|tpid| take(bits, Tag::new()).with_tpid(tpid));
    frame.tags = tags.to_vec();
    frame.network = match frame.network {
        Network::V4(header, options) => {
            let flags = take(bits, header).with_version(4).with_ihl(5).with_protocol(udp::PROTOCOL);
            Network::V4(flags.with_more_fragments(false).with_fragment_offset(0), options)
        }
        Network::V6(header, extensions) => {
            Network::V6(take(bits, header).with_version(6).with_next_header(udp::PROTOCOL), extensions)
        }
        Network::None => Network::None,
    };
    let header = take(bits, Udp::new()).with_destination(udp::ROCEV2);
    frame.with(|frame| frame.udp = Some(header))
}

/// Takes a header from the front of `bits`, or returns `otherwise` if too few are left.
fn take<H: Header>(bits: &mut Vec<u8>, otherwise: H) -> H {
    let header = H::read(bits).unwrap_or(otherwise);
    bits.drain(..H::LEN.min(bits.len()));
    header
}

/// The IP packet is longer than the UDP datagram. This is no fault (row 11), and the payload ends with the datagram.
fn slack(suite: &mut Suite) {
    suite.group("slack", "bytes of the IP packet behind the UDP datagram, and padding behind both");
    let aim = aim(&["Slack"], &["R11", "R16"]);
    for (at, slack) in [1, 2, 3, 4, 5, 15, 16, 32, 64, 128, 255, 256, 512, 2100].into_iter().enumerate() {
        for stack in stacks().iter().filter(|stack| ["send-mpeh", "udp-ack-nscc", "rate"].contains(&&*stack.name)) {
            let base = if at % 2 == 0 { Frame::v4() } else { Frame::v6() };
            let frame = stack.carrier.frame(base, &stack.bytes, &[0x42; 5]);
            let bytes = longer(&frame, slack, at % 3 * 9);
            suite.add(format!("{}-{slack}", stack.name), format!("{slack} bytes more in the IP packet"), aim, bytes);
        }
        let frame = longer(&Frame::v4().with_port(53, vec![7; 3]), slack, at % 2 * 20);
        suite.add(format!("udp-{slack}"), format!("{slack} bytes more in the IP packet, another port"), aim, frame);
    }
}

/// The frame with `slack` more bytes in its IP packet and `padding` bytes after it.
fn longer(frame: &Frame, slack: usize, padding: usize) -> Vec<u8> {
    let behind = frame.link_length() + if matches!(frame.network, Network::V6(..)) { Ipv6::LEN } else { 0 };
    let length = frame.bytes().len() - behind + slack;
    let trailer = vec![0xEE; slack + padding];
    frame.clone().with(|frame| (frame.ip_length, frame.trailer) = (Some(length as u16), trailer)).bytes()
}
