// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row 16: the BTH announces an MPEH where there is one, and only there, whatever is recorded (M12, M13, M41).

use super::kinds::{Kind, record, rest_of};
use crate::frame::header_builder::oracle::ROCEV2;
use crate::frame::header_builder::suite::Suite;
use crate::rng::SplitMix64;

const BIT: u32 = 0x4000_0000;

/// Adds the group `announced`: the bit as recorded 0 and 1, with the other bits of its byte all 0 and all 1, of packets
/// with and without an MPEH; and the same place in headers of other transports, which stays.
pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    suite.group("announced", "a recorded bit that says there is an MPEH, or that there is none");
    for (transport, name) in [(ROCEV2, "rocev2"), (3, "uet"), (5, "5")] {
        for has_mpeh in [false, true] {
            for (byte, recorded) in [(0x00, "0"), (0x40, "1"), (0xBF, "0-and-others"), (0xFF, "1-and-others")] {
                let kind: Kind = (transport, false, has_mpeh, 5, "");
                let mut record = record(kind, 0, 1 + u8::from(byte > 0x40), rng);
                record.payload_length = 5;
                record.header[2] = record.header[2] & 0x00FF_FFFF | byte << 24;
                let with = if has_mpeh { "mpeh" } else { "none" };
                let aim: (&[&str], &[&str]) = match transport {
                    ROCEV2 => (&["Announced"], rows(has_mpeh)),
                    _ => (&["Announced"], &["R5", "R16"]),
                };
                let comment = "the bit follows has_mpeh, in a BTH only";
                let rest = rest_of(&record, rng);
                suite.add(format!("M13-{name}-{with}-recorded-{recorded}"), comment, aim, &record, rest);
            }
        }
    }
}

/// Adds OpCodes of every service, defined and undefined, to a group whose stage announces an MPEH by OpCode.
pub fn opcodes(suite: &mut Suite, rng: &mut SplitMix64) {
    let plain = [0x00, 0x0A, 0x11, 0x14, 0x15, 0x16, 0x17, 0x18, 0x1F];
    let reliable = plain.into_iter().flat_map(|operation| [operation, 0xC0 | operation]);
    for opcode in reliable.chain([0x24, 0x44, 0x64, 0x81, 0x84, 0xA4, 0xE4]) {
        for has_mpeh in [false, true] {
            let mut record = record((ROCEV2, false, has_mpeh, 3, ""), 0, 1, rng);
            record.header[0] = record.header[0] & 0x00FF_FFFF | opcode << 24;
            // With this configuration the bit says nothing.
            record.header[2] = if has_mpeh { record.header[2] & !BIT } else { record.header[2] | BIT };
            let with = if has_mpeh { "mpeh" } else { "none" };
            let comment = "an OpCode of RC follows has_mpeh, any other stays";
            let rest = rest_of(&record, rng);
            let aim: (&[&str], &[&str]) = (&["Announced", "Configured"], rows(has_mpeh));
            suite.add(format!("M13-{opcode:02x}-{with}"), comment, aim, &record, rest);
        }
    }
}

const fn rows(has_mpeh: bool) -> &'static [&'static str] {
    if has_mpeh { &["R4", "R16", "M13"] } else { &["R5", "R16", "M12", "M13", "M41"] }
}
