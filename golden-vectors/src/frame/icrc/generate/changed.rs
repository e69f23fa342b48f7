// SPDX-License-Identifier: MIT OR Apache-2.0
//! One bit of a frame with a right ICRC is changed. If the ICRC covers it, the frame must be dropped (row 9); if the
//! bit is masked, it must pass (row 10).

use crate::frame::icrc::suite::Frames;
use crate::frame::samples::rocev2::kind;
use crate::headers::codec::encode::Frame;
use crate::rng::SplitMix64;

/// Bytes of the packet with bits that the ICRC masks: offset and mask, from the IP header and from the UDP header on.
const MASKED_V4: [(usize, u8); 4] = [(1, 0xFF), (8, 0xFF), (10, 0xFF), (11, 0xFF)];
const MASKED_V6: [(usize, u8); 5] = [(0, 0x0F), (1, 0xFF), (2, 0xFF), (3, 0xFF), (7, 0xFF)];
const MASKED_UDP: [usize; 3] = [6, 7, 12];

/// Adds the groups `bit` and `ahead`. `bit` has every bit of the masked bytes, and one bit of every other byte.
pub fn add(frames: &mut Frames, rng: &mut SplitMix64) {
    frames.judged_group("bit", "one bit of each byte of a packet changed, and every bit of the masked ones");
    for (name, base, header, masked) in
        [("v4", Frame::v4(), 20, &MASKED_V4[..]), ("v6", Frame::v6(), 40, &MASKED_V6[..])]
    {
        let frame = kind(base, 0x0A, true).with(|frame| frame.payload = rng.bytes(7));
        let (bytes, start) = (frame.bytes(), frame.link_length());
        let udp = MASKED_UDP.iter().map(|at| (header + at, 0xFF));
        let masked: Vec<(usize, u8)> = masked.iter().copied().chain(udp).collect();
        for at in start..bytes.len() {
            let byte = at - start;
            let free = masked.iter().find(|(masked, _)| *masked == byte).map_or(0, |(_, bits)| *bits);
            let chosen = rng.below(8) as u8;
            for bit in (0..8).filter(|bit| free >> bit & 1 == 1 || *bit == chosen) {
                let mut changed = bytes.clone();
                changed[at] ^= 1 << bit;
                let (flag, row) = if free >> bit & 1 == 1 { ("Masked", "R10") } else { ("Covered", "R9") };
                let text = format!("bit {bit} of byte {byte} of the packet changed");
                frames.add(format!("{name}-{byte}-{bit}"), text, (&[flag], &[row]), changed);
            }
        }
    }

    frames.group("ahead", "what stands ahead of the IP header is not covered");
    for at in [0, 5, 6, 11, 14, 15, 18, 19] {
        let mut bytes =
            Frame::v6().tagged(0x88A8, 5).tagged(0x8100, 6).with(|frame| frame.payload = rng.bytes(at)).bytes();
        bytes[at] ^= 0xFF;
        frames.add(format!("byte-{at}"), format!("byte {at} of the frame changed"), (&["Masked"], &["R10"]), bytes);
    }
}
