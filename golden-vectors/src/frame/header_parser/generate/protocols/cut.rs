// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row 13 for the headers of all transports: datagrams and packets that end at every byte of them, and frames cut on
//! the wire.

use super::{Carrier, RESERVED_TYPES, Stack, base, stacks};
use crate::collect::aim;
use crate::collect::frames::Suite;
use crate::headers::codec::encode::Frame;
use crate::headers::uet::{crc, prologue, tss};
use crate::headers::{Header, Ipv4, Udp, icrc};
use crate::rng::SplitMix64;

/// Adds the groups `cut-rocev2`, `cut-uet`, `cut-elab` and `cut-frame`.
pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    let groups: [(&str, &[Carrier]); 3] = [
        ("cut-rocev2", &[Carrier::Rocev2]),
        ("cut-uet", &[Carrier::Uet, Carrier::UetNative]),
        ("cut-elab", &[Carrier::Elab]),
    ];
    for (group, carriers) in groups {
        suite.group(
            group,
            "datagrams and packets that end at every byte of the transport headers, all lengths agreeing",
        );
        for stack in stacks().iter().filter(|stack| carriers.contains(&stack.carrier)) {
            let bytes = stack.filled(&rng.bytes(60));
            let behind = behind(stack.carrier);
            every_byte(suite, stack.carrier, (&stack.name, stack.row), &[bytes, rng.bytes(behind)].concat());
            lying(suite, stack);
        }
        if carriers.contains(&Carrier::UetNative) {
            opaque(suite, rng);
        }
    }
    frames(suite, rng);
}

/// Bytes of the CRC behind the headers.
const fn behind(carrier: Carrier) -> usize {
    match carrier {
        Carrier::Rocev2 => icrc::LEN,
        Carrier::Uet | Carrier::UetNative => crc::LEN,
        Carrier::Elab => 0,
    }
}

/// Every number of header bytes, from none to all of them, which just fit.
fn every_byte(suite: &mut Suite, carrier: Carrier, (name, row): (&str, &str), bytes: &[u8]) {
    for length in 0..=bytes.len() {
        let comment = format!("{length} of {} bytes that there must be", bytes.len());
        let frame = match (carrier, length == bytes.len()) {
            (Carrier::Rocev2, true) => carrier.frame(base(length), &bytes[..length - icrc::LEN], &[]),
            _ => carrier.cut(base(length), &bytes[..length]),
        };
        suite.add(format!("{name}-{length}"), comment, aim(&["Boundary"], &["R13", row]), frame.bytes());
    }
}

/// The last header byte is in the IP packet but not in the UDP datagram; for UET on IP, it is in the frame but not in
/// the packet.
fn lying(suite: &mut Suite, stack: &Stack) {
    let length = stack.bytes.len() + behind(stack.carrier) - 1;
    let place: &[u8] = if stack.carrier == Carrier::Rocev2 { &[] } else { &[0; 4][..behind(stack.carrier)] };
    let frame = stack.carrier.frame(Frame::v4(), &stack.bytes, place);
    let lied = frame.with(|frame| match stack.carrier {
        Carrier::UetNative => frame.ip_length = Some((Ipv4::LEN + length) as u16),
        _ => frame.udp_length = Some((Udp::LEN + length) as u16),
    });
    let comment = "the last byte of the headers is there, but a length leaves it out";
    suite.add(format!("{}-left-out", stack.name), comment, aim(&["Boundary"], &["R13", stack.row]), lied.bytes());
}

/// UET types whose headers are not defined need one word (uet.md 1.2), and the security header three or four (uet.md
/// 1.8).
fn opaque(suite: &mut Suite, rng: &mut SplitMix64) {
    let reserved = RESERVED_TYPES.map(|kind| (format!("type-{kind}"), kind << 3, 4, "uet.md 1.2"));
    let security = [
        ("tss".to_owned(), prologue::TSS << 3, tss::LEN, "uet.md 1.8"),
        ("tss-sp".to_owned(), prologue::TSS << 3 | 4, tss::LEN + tss::SOURCE_LEN, "uet.md 1.8"),
    ];
    for (name, first, need, row) in reserved.into_iter().chain(security) {
        for (by, carrier, entropy) in [("udp", Carrier::Uet, 0), ("native", Carrier::UetNative, 4)] {
            let mut bytes = rng.bytes(entropy + need);
            bytes[entropy] = first | bytes[entropy] & 3;
            every_byte(suite, carrier, (&format!("{by}-{name}"), row), &bytes);
        }
    }
}

/// Good frames cut after every byte. Their lengths state that there is more.
fn frames(suite: &mut Suite, rng: &mut SplitMix64) {
    suite.group("cut-frame", "good frames of all protocols cut behind every byte of their last headers");
    for (at, name) in ["xrc-atomic-mpeh", "udp-control-syn", "native-ack-credit", "rate"].into_iter().enumerate() {
        for stack in stacks().iter().filter(|stack| stack.name == name) {
            let frame = stack.carrier.frame(base(at), &stack.filled(&rng.bytes(60)), &[0x2F; 3]).bytes();
            for length in frame.len() - 60.min(frame.len())..=frame.len() {
                let comment = format!("{length} of {} bytes", frame.len());
                let cut = frame[..length].to_vec();
                suite.add(format!("{name}-{length}"), comment, aim(&["Truncated"], &["R9", stack.row]), cut);
            }
        }
    }
}
