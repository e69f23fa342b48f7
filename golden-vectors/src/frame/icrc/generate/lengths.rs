// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ICRC ends at every byte of a beat, with padding or slack after it.

use crate::frame::icrc::suite::Frames;
use crate::frame::samples::rocev2::kind;
use crate::frame::samples::tags::turn;
use crate::headers::codec::encode::Frame;
use crate::rng::SplitMix64;

/// Adds the groups `length` and `padding`. A stage that takes the last four bytes of the frame for the ICRC fails in
/// `padding`.
pub fn add(frames: &mut Frames, rng: &mut SplitMix64) {
    frames
        .group("length", "payloads of every length, so that the ICRC ends at every byte of a beat of up to 128 bytes");
    for end in 0..128 {
        let base = turn(if end % 2 == 0 { Frame::v4() } else { Frame::v6() }, end / 2);
        let length = (end + 256 - base.bytes().len()) % 128;
        let frame = base.with(|frame| frame.payload = rng.bytes(length));
        let text = format!("the ICRC ends {end} bytes behind a multiple of 128, {length} bytes of payload");
        frames.add(format!("end-{end}"), text, (&[], &["R10"]), frame.bytes());
    }
    for length in 0..8 {
        let frame = Frame::v4().with(|frame| frame.payload = rng.bytes(length));
        let text = format!("{length} bytes of payload");
        frames.add(format!("payload-{length}"), text, (&["Boundary"], &["R10"]), frame.bytes());
    }
    for length in [255, 256, 257, 1024, 1436, 4096, 8960] {
        let flags: &[&str] = if length > 8000 { &["Jumbo"] } else { &[] };
        let frame = kind(Frame::v4(), 0x0A, true).with(|frame| frame.payload = rng.bytes(length));
        frames.add(format!("payload-{length}"), format!("{length} bytes of payload"), (flags, &["R10"]), frame.bytes());
    }
    for length in [63, 500] {
        let mut bytes = Frame::v6().with(|frame| frame.payload = rng.bytes(length)).bytes();
        let last = bytes.len() - 1;
        bytes[last] ^= 0x80;
        frames.add(
            format!("payload-{length}-bad"),
            "the last bit of the ICRC is wrong",
            (&["Corrupted"], &["R9"]),
            bytes,
        );
    }

    frames.group("padding", "bytes behind the ICRC, which do not count");
    let padding = &["Padding"];
    for count in (1..20).chain([31, 32, 33, 63, 64, 65, 127, 128, 129, 200, 300]) {
        let base = if count % 2 == 0 { Frame::v4() } else { Frame::v6() };
        let frame = turn(base, count).with(|frame| {
            frame.payload = rng.bytes(count * 7 % 61);
            frame.trailer = rng.bytes(count);
        });
        let bytes = frame.bytes();
        let mut wrong = bytes.clone();
        let at = wrong.len() - count - 1;
        wrong[at] ^= 1;
        frames.add(format!("trailer-{count}"), format!("{count} bytes of padding"), (padding, &["R10"]), bytes);
        if count % 4 == 1 {
            let text = format!("{count} bytes of padding behind a wrong ICRC");
            frames.add(format!("trailer-{count}-bad"), text, (padding, &["R9"]), wrong);
        }
    }
    for slack in [1, 2, 3, 4, 5, 60, 64, 130] {
        // The IP packet is longer than the UDP datagram.
        for (name, base) in [("v4", Frame::v4()), ("v6", Frame::v6())] {
            let header = if name == "v4" { 20 } else { 0 };
            let frame = base.with(|frame| {
                frame.payload = rng.bytes(slack + 5);
                frame.ip_length = Some((header + 24 + slack + 5 + slack) as u16);
                frame.trailer = rng.bytes(slack);
            });
            let text = format!("the IP packet ends {slack} bytes behind the datagram, of which the ICRC is the end");
            frames.add(format!("slack-{name}-{slack}"), text, (padding, &["R10", "R8"]), frame.bytes());
        }
    }
}
