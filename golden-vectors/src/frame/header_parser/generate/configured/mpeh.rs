// SPDX-License-Identifier: MIT OR Apache-2.0
//! The MPEH is announced by the OpCode (M13): 0xC0 plus the operation of RC. The bit of the BTH then announces
//! nothing.

use crate::collect::aim;
use crate::collect::frames::Suite;
use crate::frame::header_parser::generate::protocols::base;
use crate::headers::codec::encode::Frame;
use crate::headers::codec::{MpehIndicator, Rocev2};
use crate::headers::opcode;
use crate::rng::SplitMix64;

/// Adds the group `mpeh-opcode`: every OpCode.
pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    suite.configured("mpeh-opcode", "each BTH OpCode where the OpCode announces the MPEH", &[("mpeh", "opcode")]);
    for opcode in 0..=255_u8 {
        // The OpCodes of RC are tested with the bit of the other mark set and clear.
        let reliable = opcode < 0x20 || (opcode::MPEH..opcode::MPEH + 0x20).contains(&opcode);
        for bit in [0, 0x40] {
            if reliable || (opcode >> 1 ^ opcode) & 1 == bit >> 6 {
                let frame = headed(base(opcode.into()), opcode, bit, rng);
                suite.add(
                    format!("{opcode:02x}-bit-{}", bit >> 6),
                    format!("OpCode {opcode:#04x}, the bit of the other mark is {}", bit >> 6),
                    aim(&["OpCode", "Configured"], &["R16", "M13"]),
                    frame.bytes(),
                );
            }
        }
    }
    for opcode in [0xC4, 0xCA, 0xCB, 0xD1, 0xD2, 0xD3, 0xD5, 0xD7, 0x0A, 0x81] {
        let headers = headed(Frame::v4(), opcode, 0x40, rng).bytes().len() - 42;
        for less in [1, 4, 8, 9] {
            let frame = headed(base(less), opcode, 0x40, rng);
            let short = frame.with(|frame| frame.udp_length = Some((8 + headers - less) as u16));
            let comment = format!("OpCode {opcode:#04x}, UDP length {less} too small for the headers");
            suite.add(
                format!("{opcode:02x}-less-{less}"),
                comment,
                aim(&["Boundary", "Configured"], &["R13", "M13"]),
                short.bytes(),
            );
        }
    }
}

/// A frame with the headers of an OpCode, filled with random bits, where the OpCode announces the MPEH.
pub fn headed(base: Frame, opcode: u8, bit: u8, rng: &mut SplitMix64) -> Frame {
    let mut bits = rng.bytes(80);
    (bits[0], bits[8]) = (opcode, bits[8] & !0x40 | bit);
    base.with(|frame| frame.rocev2 = Rocev2::read(&mut bits.as_slice(), MpehIndicator::OpCode))
}
