// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packets of UET, over UDP and without: the CRC at every byte of a beat, every type, what is covered and what is not.

use crate::frame::icrc::suite::Frames;
use crate::frame::samples::tags::{TAG_SETS, tag, turn};
use crate::headers::codec::Options;
use crate::headers::codec::encode::Frame;
use crate::headers::codec::icrc_place::filled;
use crate::headers::uet::{crc, prologue};
use crate::rng::SplitMix64;

/// What carries UET.
#[derive(Clone, Copy)]
enum Carrier {
    Udp,
    Ip,
}

impl Carrier {
    const BOTH: [(&'static str, Self); 2] = [("udp", Self::Udp), ("ip", Self::Ip)];

    /// Bytes ahead of the type behind the IP header.
    const fn ahead(self) -> usize {
        match self {
            Self::Udp => 8,
            Self::Ip => 4,
        }
    }
}

/// A frame with a packet of this type and so many bytes behind the first one, and the right CRC.
fn uet(base: Frame, carrier: Carrier, kind: u8, length: usize, rng: &mut SplitMix64) -> Vec<u8> {
    filled(packet(base, carrier, kind, length, rng).bytes(), &Options::default())
}

/// The same with another CRC.
fn packet(base: Frame, carrier: Carrier, kind: u8, length: usize, rng: &mut SplitMix64) -> Frame {
    let mut payload = rng.bytes(1 + length + crc::LEN);
    payload[0] = kind << 3 | payload[0] & 7;
    match carrier {
        Carrier::Udp => {
            let checksum = rng.below(1 << 16) as u16;
            let frame = base.with_port(prologue::PORT, payload);
            frame.with(|frame| frame.udp.iter_mut().for_each(|udp| udp.set_checksum(checksum)))
        }
        Carrier::Ip => base.with_protocol(prologue::PROTOCOL, [rng.bytes(4), payload].concat()),
    }
}

/// Adds the groups `uet-length`, `uet-header`, `uet-type`, `uet-bit`, `uet-lengths`, `uet-padding` and `uet-stale`.
pub fn add(frames: &mut Frames, rng: &mut SplitMix64) {
    lengths(frames, rng);
    headers(frames, rng);
    types(frames, rng);
    changed(frames, rng);
    wrong_lengths(frames, rng);
    behind(frames, rng);
    stale(frames, rng);
}

fn lengths(frames: &mut Frames, rng: &mut SplitMix64) {
    frames.group("uet-length", "packets of UET of every length, so that the CRC ends at every byte of a beat");
    for (by, carrier) in Carrier::BOTH {
        for end in 0..128 {
            let base = turn(if end % 2 == 0 { Frame::v4() } else { Frame::v6() }, end / 2);
            let shortest = packet(base.clone(), carrier, 2, 3, rng).bytes().len();
            let length = 3 + (end + 256 - shortest) % 128;
            let text = format!("the CRC ends {end} bytes behind a multiple of 128");
            frames.add(format!("{by}-end-{end}"), text, (&[], &["R10"]), uet(base, carrier, 2, length, rng));
        }
        for length in [3, 4, 5, 6, 7, 1024, 4096, 8960] {
            let flags: &[&str] = if length > 8000 { &["Jumbo"] } else { &[] };
            let text = format!("{length} bytes between type and CRC");
            let bytes = uet(Frame::v4(), carrier, 13, length, rng);
            frames.add(format!("{by}-{length}"), text, (flags, &["R10"]), bytes);
        }
    }
}

fn headers(frames: &mut Frames, rng: &mut SplitMix64) {
    frames.group("uet-header", "every set of tags ahead of IP headers of every length");
    for (by, carrier) in Carrier::BOTH {
        for (tags, tpids) in TAG_SETS {
            for words in 0..=11 {
                let options = rng.bytes(4 * (words % 11));
                let base = if words == 11 { Frame::v6() } else { Frame::v4().with_options(options) };
                let bytes = uet(tag(base, tpids), carrier, 8, 40 + words, rng);
                let id = format!("{by}-{tags}-{words}");
                frames.add(id, "tags and IP header", (&["Tagged", "Options"], &["R10"]), bytes);
            }
        }
    }
}

fn types(frames: &mut Frames, rng: &mut SplitMix64) {
    frames.group("uet-type", "every type: what is encrypted, and what is reserved, has no CRC to look at");
    for (by, carrier) in Carrier::BOTH {
        for kind in 0..32 {
            let base = turn(if kind % 2 == 0 { Frame::v4() } else { Frame::v6() }, usize::from(kind));
            let mut bytes = uet(base, carrier, kind, 43, rng);
            let (right, wrong) = if crc::TYPES.contains(&kind) { ("R10", "R9") } else { ("R8", "R8") };
            let text = format!("type {kind}");
            frames.add(format!("{by}-{kind}"), text.clone(), (&["Corner"], &[right]), bytes.clone());
            let last = bytes.len() - 1;
            bytes[last] ^= 1;
            frames.add(format!("{by}-{kind}-wrong"), text, (&["Corner", "Corrupted"], &[wrong]), bytes);
        }
    }
}

fn changed(frames: &mut Frames, rng: &mut SplitMix64) {
    frames.judged_group(
        "uet-bit",
        "one bit of each byte of a packet of UET changed, and every bit ahead of the source address",
    );
    for (by, carrier) in Carrier::BOTH {
        for (name, base, source, header) in [("v4", Frame::v4(), 12, 20), ("v6", Frame::v6(), 8, 40)] {
            let (start, bytes) = (base.link_length(), uet(base, carrier, 3, 20, rng));
            let (kind, lengths) = (start + header + carrier.ahead(), start + header + 2..start + header + 6);
            for at in start..bytes.len() {
                // Of what says where the CRC is and which one, other groups have changes.
                let (byte, covered) = (at - start, at >= start + source);
                let says = matches!((name, byte), ("v4", 0..4 | 6 | 7 | 9) | ("v6", 0 | 4..7));
                if says || at == kind || (lengths.contains(&at) && matches!(carrier, Carrier::Udp)) {
                    continue;
                }
                let chosen = rng.below(8) as u8;
                for bit in (0..8).filter(|bit| !covered || *bit == chosen) {
                    let mut changed = bytes.clone();
                    changed[at] ^= 1 << bit;
                    let (flag, row) = if covered { ("Covered", "R9") } else { ("Masked", "R10") };
                    let text = format!("bit {bit} of byte {byte} of the packet changed");
                    frames.add(format!("{by}-{name}-{byte}-{bit}"), text, (&[flag], &[row]), changed);
                }
            }
        }
    }
    frames.group("uet-tos", "type of service, traffic class and flow label are not covered");
    for (by, carrier) in Carrier::BOTH {
        for (name, base, at) in [("v4", Frame::v4(), 1), ("v6", Frame::v6(), 1), ("v6-label", Frame::v6(), 3)] {
            let start = base.link_length();
            let mut bytes = uet(base, carrier, 7, 11, rng);
            bytes[start + at] ^= 0x33;
            frames.add(format!("{by}-{name}"), "changed on the way", (&["Masked"], &["R10"]), bytes);
        }
    }
}

fn wrong_lengths(frames: &mut Frames, rng: &mut SplitMix64) {
    frames.group("uet-lengths", "lengths of UET that leave no room for a CRC, or contradict each other");
    let edge: &[&str] = &["Boundary"];
    for (name, base, header) in [("v4", Frame::v4(), 20u16), ("v6", Frame::v6(), 0)] {
        for length in [0, 7, 8, 11, 12, 15, 16, 17] {
            let frame = packet(base.clone(), Carrier::Udp, 6, 30, rng).with(|frame| frame.udp_length = Some(length));
            let bytes = filled(frame.bytes(), &Options::default());
            let row = if length < 16 { "R8" } else { "R10" };
            frames.add(format!("udp-{name}-{length}"), format!("UDP length {length}"), (edge, &[row]), bytes);
        }
        for length in [44, 45, 0x8000, u16::MAX] {
            let frame = packet(base.clone(), Carrier::Udp, 6, 30, rng).with(|frame| frame.udp_length = Some(length));
            let text = format!("UDP length {length}, longer than the packet");
            frames.add(format!("udp-{name}-{length}"), text, (edge, &["R8"]), frame.bytes());
        }
        for length in [0, 4, 8, 11, 12, 13, 39, 40, 600] {
            let of_ip = header + length;
            let frame = packet(base.clone(), Carrier::Ip, 6, 30, rng).with(|frame| frame.ip_length = Some(of_ip));
            let row = match length {
                0..12 => "R8",
                12..40 => "R10",
                _ => "R6",
            };
            let bytes = filled(frame.bytes(), &Options::default());
            let text = format!("{length} bytes behind the IP header, as that says");
            frames.add(format!("ip-{name}-{length}"), text, (edge, &[row]), bytes);
        }
    }
    for (by, carrier) in Carrier::BOTH {
        for missing in (1..8).chain(20..44) {
            let base = if missing % 2 == 0 { Frame::v6() } else { Frame::v4() };
            let mut bytes = uet(turn(base, missing), carrier, 2, 30, rng);
            bytes.truncate(bytes.len() - missing);
            let text = format!("the frame ends {missing} bytes ahead of the end of its CRC");
            frames.add(format!("{by}-cut-{missing}"), text, (&["Truncated"], &["R6"]), bytes);
        }
    }
    let fragment = packet(Frame::v4(), Carrier::Ip, 2, 20, rng).with_v4(|header| header.set_more_fragments(true));
    frames.add("ip-fragment", "a fragment", (&["Fragment"], &["R5"]), fragment.bytes());
}

fn behind(frames: &mut Frames, rng: &mut SplitMix64) {
    frames.group("uet-padding", "bytes behind the CRC: of the IP packet, and of Ethernet");
    for (at, count) in (1..12).chain([31, 64, 65, 127, 200]).enumerate() {
        let (by, carrier) = Carrier::BOTH[at % 2];
        let base = turn(if at / 2 % 2 == 0 { Frame::v4() } else { Frame::v6() }, at);
        let padded = packet(base.clone(), carrier, 10, at * 3 + 14, rng).with(|frame| frame.trailer = rng.bytes(count));
        let bytes = filled(padded.bytes(), &Options::default());
        let text = format!("{count} bytes of padding");
        frames.add(format!("{by}-trailer-{count}"), text, (&["Padding"], &["R10"]), bytes);
        let slack = packet(base, Carrier::Udp, 10, at * 3 + 14 + count, rng)
            .with(|frame| frame.udp_length = Some((8 + 1 + at * 3 + 14 + crc::LEN) as u16));
        let bytes = filled(slack.bytes(), &Options::default());
        let text = format!("{count} bytes of the packet behind the datagram");
        frames.add(format!("slack-{count}"), text, (&["Padding"], &["R10"]), bytes);
    }
}

/// Both CRCs in turn, frames cut short behind whole ones.
fn stale(frames: &mut Frames, rng: &mut SplitMix64) {
    frames.group("uet-stale", "frames of UET and RoCEv2 in turn, some of them cut short");
    for length in 1..80 {
        let (_, carrier) = Carrier::BOTH[length % 2];
        let base = |at: usize| turn(if at.is_multiple_of(3) { Frame::v6() } else { Frame::v4() }, at / 3);
        let text = "a packet of UET";
        let whole = uet(base(length), carrier, 2 + (length % 13) as u8, length, rng);
        frames.add(format!("uet-{length}"), text, (&["StaleState"], &["R10"]), whole);
        let rocev2 = base(length + 1).with(|frame| frame.payload = rng.bytes(length % 17)).bytes();
        frames.add(format!("rocev2-{length}"), "a packet of RoCEv2", (&["StaleState"], &["R10"]), rocev2);
        let cut = uet(base(length + 2), Carrier::BOTH[length / 2 % 2].1, 2, 40, rng);
        let cut = cut[..length.min(cut.len() - 1)].to_vec();
        let text = format!("{length} bytes of a packet of UET");
        frames.add(format!("cut-{length}"), text, (&["StaleState", "Truncated"], &["R6"]), cut);
        let encrypted = uet(base(length), carrier, prologue::TSS, length, rng);
        frames.add(format!("tss-{length}"), "an encrypted packet", (&["StaleState"], &["R8"]), encrypted);
    }
}
