// SPDX-License-Identifier: MIT OR Apache-2.0
//! ELAB with and without a rate, over IPv4 and IPv6 with all tags, with the header of another transport in the tunnel
//! or with nothing.

use super::{Carrier, base};
use crate::collect::aim;
use crate::collect::frames::Suite;
use crate::rng::SplitMix64;

/// Flag B in byte 5 of the info header (E04): a rate follows.
const B: u8 = 2;

pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    suite.group("elab", "ELAB with and without a rate, around other transports");
    for at in 0..30 {
        for (name, flags) in [("plain", 0), ("rate", B)] {
            let mut info = rng.bytes(if flags == 0 { 8 } else { 12 });
            info[5] = info[5] & !B | flags;
            let (inner, what) = inner(at, rng);
            let frame = Carrier::Elab.frame(base(at), &info, &inner);
            let comment = format!("{name}, {what}, {} bytes behind the info header", inner.len());
            suite.add(format!("{name}-{at}"), comment, aim(&["Inner"], &["R16", "E03", "E04"]), frame.bytes());
        }
    }
    for (name, value) in [("b", 2), ("e", 1), ("b-and-e", 3), ("none", 0), ("all-but-b", 0xFD), ("reserved", 0xFC)] {
        let reserved = if value > 3 { 0xFF } else { 0 };
        let frame = Carrier::Elab.frame(base(value.into()), &[1, 2, 3, 4, reserved, value, 5, 6], &[0x77; 8]);
        let comment = "the flags beside each other: B alone says that a rate follows";
        suite.add(format!("flags-{name}"), comment, aim(&["Corner"], &["E06", "E04"]), frame.bytes());
    }
    for burst in [0, 1, 0x8000, 0xFFFF_u16] {
        let [high, low] = burst.to_be_bytes();
        let frame = Carrier::Elab.frame(base(burst.into()), &[0, 7, 1, 44, 0, 0, high, low], &[0x50; 20]);
        suite.add(
            format!("burst-{burst}"),
            "the number of the probe",
            aim(&["Corner"], &["E07", "E05"]),
            frame.bytes(),
        );
    }
}

/// The content of the tunnel, with a description. The parser does not read it, so no content may stop the frame.
fn inner(at: usize, rng: &mut SplitMix64) -> (Vec<u8>, &'static str) {
    let mut bytes = rng.bytes(20 + at);
    match at % 5 {
        0 => {
            bytes[12] = 0x50;
            (bytes, "TCP")
        }
        1 => {
            bytes[12] = 0xF0;
            (bytes, "TCP with options that do not fit")
        }
        2 => {
            bytes.truncate(at % 20);
            (bytes, "less than any header")
        }
        3 => (Vec::new(), "nothing"),
        _ => {
            (bytes[4], bytes[5]) = (0xFF, 0xFF);
            (bytes, "UDP with a wrong length")
        }
    }
}
