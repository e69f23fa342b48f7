// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every type of UET, over UDP and on IP, and payloads of many lengths.

use super::{Carrier, base, stacks};
use crate::collect::aim;
use crate::collect::frames::Suite;
use crate::headers::codec::encode::Frame;
use crate::headers::uet::prologue;
use crate::rng::SplitMix64;

/// The flag `syn` in the second byte, and the flag `sp` of the security header in the first (uet.md 1.2, 1.8).
const SYN: u8 = 4;
const SP: u8 = 4;

/// Adds the groups `uet-type` and `uet-payload`.
pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    suite.group("uet-type", "each type of UET over UDP and on IP, over both versions of IP, with random bits");
    for kind in 0..32 {
        for (variant, what, set) in variants(kind) {
            for (at, carrier) in [Carrier::Uet, Carrier::UetNative].into_iter().enumerate() {
                for version in 0..2 {
                    let base = base(usize::from(kind) * 3 + version + at);
                    let entropy = if at == 0 { 0 } else { 4 };
                    let mut bytes = rng.bytes(entropy + 40 + rng.clone().below(30) as usize);
                    set(&mut bytes[entropy..]);
                    bytes[entropy] = kind << 3 | bytes[entropy] & 7;
                    let name = if at == 0 { "udp" } else { "native" };
                    suite.add(
                        format!("{kind}{variant}-{name}-{version}"),
                        format!("type {kind}{what}"),
                        aim(if at == 0 { &["Type"] } else { &["Type", "Native"] }, &["uet.md 1.1", "uet.md 1.2"]),
                        carrier.cut(base, &bytes).bytes(),
                    );
                }
            }
        }
    }
    payload(suite, rng);
    networks(suite, rng);
}

/// A variant of a type: name, comment, and the change of the first bytes.
type Variant = (&'static str, &'static str, fn(&mut [u8]));

fn variants(kind: u8) -> Vec<Variant> {
    match kind {
        prologue::TSS => vec![
            ("", ", the security header, without source identifier", |bytes| bytes[0] &= !SP),
            ("-sp", ", the security header, with source identifier", |bytes| bytes[0] |= SP),
        ],
        prologue::RUD_REQ | prologue::ROD_REQ | prologue::RUD_CC_REQ | prologue::ROD_CC_REQ | prologue::CONTROL => {
            vec![
                ("", ", context known", |bytes| bytes[1] &= !SYN),
                ("-syn", ", context being set up", |bytes| bytes[1] |= SYN),
            ]
        }
        prologue::ACK_CC => vec![
            ("", ", NSCC", |bytes| bytes[12] &= 0x0F),
            ("-credit", ", credit", |bytes| bytes[12] = 0x10 | bytes[12] & 0x0F),
            ("-cc-2", ", the first reserved cc_type", |bytes| bytes[12] = 0x20 | bytes[12] & 0x0F),
            ("-cc-4", ", reserved cc_type 4", |bytes| bytes[12] = 0x40 | bytes[12] & 0x0F),
            ("-cc-8", ", reserved cc_type 8", |bytes| bytes[12] = 0x80 | bytes[12] & 0x0F),
            ("-cc-15", ", the last reserved cc_type", |bytes| bytes[12] |= 0xF0),
        ],
        _ => vec![("", "", |_| {})],
    }
}

fn payload(suite: &mut Suite, rng: &mut SplitMix64) {
    suite.group("uet-payload", "UET with payloads of all lengths, over IPv4 with options and behind tags too");
    for name in ["udp-uud", "native-uud", "udp-ack", "native-ack-nscc"] {
        for stack in stacks().iter().filter(|stack| stack.name == name) {
            for length in (0..20).chain([63, 64, 65, 1500]) {
                let payload = rng.bytes(length);
                let frame = stack.carrier.frame(base(length), &stack.filled(&rng.bytes(40)), &payload);
                let comment = format!("{length} bytes behind the headers");
                suite.add(format!("{name}-{length}"), comment, aim(&["Boundary"], &["R16", stack.row]), frame.bytes());
            }
        }
    }
}

/// IPv4 headers of all lengths, with all sets of tags.
fn networks(suite: &mut Suite, rng: &mut SplitMix64) {
    for words in 0..=10 {
        for stack in stacks().iter().filter(|stack| ["udp-rud-cc", "native-rod-syn"].contains(&&*stack.name)) {
            let frame = crate::frame::samples::tags::turn(Frame::v4().with_options(rng.bytes(words * 4)), words);
            let frame = stack.carrier.frame(frame, &stack.filled(&rng.bytes(40)), &[0x11; 6]);
            let id = format!("{}-options-{words}", stack.name);
            let comment = format!("{words} words of options ahead of UET");
            suite.add(id, comment, aim(&["Options", "Tagged"], &["R16", "uet.md 1.1"]), frame.bytes());
        }
    }
}
