// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records of every kind of frame, and payloads of many lengths after the headers.

use crate::frame::header_builder::oracle::{ROCEV2, Record, UET};
use crate::frame::header_builder::suite::Suite;
use crate::rng::SplitMix64;

/// A kind of frame: transport, whether UDP is absent, whether there is an MPEH, words of the transport header, name.
pub type Kind = (u8, bool, bool, u8, &'static str);

/// The kinds of frames with an IP header. They differ in the place or the length of a header.
pub const KINDS: [Kind; 11] = [
    (0, false, false, 0, "none"),
    (1, false, false, 0, "udp"),
    (ROCEV2, false, false, 3, "bth"),
    (ROCEV2, false, false, 11, "xrc-atomic"),
    (ROCEV2, false, true, 3, "bth-mpeh"),
    (ROCEV2, false, true, 11, "xrc-atomic-mpeh"),
    (UET, false, false, 3, "uet"),
    (UET, true, false, 10, "uet-native"),
    (UET, true, false, 0, "uet-native-opaque"),
    (4, false, false, 2, "elab"),
    (4, false, false, 3, "elab-rate"),
];

/// A record of this kind with random bits in every word.
pub fn record(
    (transport, uet_native, has_mpeh, transport_words, _): Kind,
    tags: u8,
    l3: u8,
    rng: &mut SplitMix64,
) -> Record {
    let mut word = || rng.next_u64() as u32;
    let mut record = Record {
        ethernet: std::array::from_fn(|_| word()),
        vlan_count: tags,
        l3,
        ip: std::array::from_fn(|_| word()),
        udp: [word(), word()],
        mpeh: [word(), word()],
        header: std::array::from_fn(|_| word()),
        transport,
        uet_native,
        has_mpeh,
        transport_words,
        payload_length: 0,
        ip_slack: 0,
        entropy: word() & 0xF_FFFF,
        entropy_target: 0,
    };
    // Version and IHL are those of a frame that a parser accepts.
    record.ip[0] = record.ip[0] & 0x00FF_FFFF | if l3 == 1 { 0x4500_0000 } else { 0x6000_0000 };
    record
}

/// Random bytes for payload, slack, and ICRC or CRC, as many as the record states.
pub fn rest_of(record: &Record, rng: &mut SplitMix64) -> Vec<u8> {
    let has_crc = record.transport == ROCEV2 || record.transport == UET && record.transport_words > 0;
    let crc = if has_crc { 4 } else { 0 };
    rng.bytes(usize::from(record.payload_length) + usize::from(record.ip_slack) + crc)
}

/// The requirement rows that a frame of this kind tests: M51 for RoCEv2, and M49 if there is an MPEH to fill in.
const fn requirements((transport, _, has_mpeh, ..): Kind) -> &'static [&'static str] {
    match (transport, has_mpeh) {
        (ROCEV2, true) => &["M49", "M51"],
        (ROCEV2, false) => &["M51"],
        _ => &[],
    }
}

/// Adds the group `kind`: what follows has exactly the length that the record states.
pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    suite.group("kind", "every kind of headers behind every number of tags");
    for tags in 0..3 {
        for (l3, version) in [(1, "v4"), (2, "v6")] {
            for (at, kind) in KINDS.into_iter().enumerate() {
                let mut record = record(kind, tags, l3, rng);
                record.payload_length = (at as u16 * 11 + u16::from(tags) * 17) % 70;
                record.ip_slack = if at % 3 == 1 { at as u16 } else { 0 };
                let rest = rest_of(&record, rng);
                let rows = [&["R1", "R2", "R3", "R4", "R5", "R8"], requirements(kind)].concat();
                let aim: (&[&str], &[&str]) = (&["Kind"], &rows);
                suite.add(format!("{tags}-{version}-{}", kind.4), "a record and what it says", aim, &record, rest);
            }
        }
        let other = record(KINDS[0], tags, 0, rng);
        suite.add(format!("{tags}-other"), "no IP", (&["Kind"], &["R1"]), &other, rng.bytes(46));
        suite.add(format!("{tags}-bare"), "no IP, and nothing behind", (&["Kind"], &["R1"]), &other, Vec::new());
    }
}

/// Adds the group `rest`: lengths in the headers come from the record, whatever the number of bytes that follow.
pub fn add_rests(suite: &mut Suite, rng: &mut SplitMix64) {
    suite.group("rest", "what follows the headers: nothing, a beat and a byte less or more, other lengths than the record says; good and bad");
    let lengths = [0_usize, 1, 2, 6, 7, 8, 14, 16, 30, 32, 33, 62, 63, 64, 65, 126, 127, 128, 129, 200, 257];
    for (at, length) in lengths.into_iter().enumerate() {
        let mut record = record(KINDS[at % KINDS.len()], at as u8 % 3, 1 + at as u8 % 2, rng);
        record.payload_length = [0, 100, length as u16, 0xFFFF][at % 4];
        let text = "lengths say what the record says, whatever comes";
        suite.add(format!("length-{length}"), text, (&["Boundary"], &["R7", "R8", "R9"]), &record, rng.bytes(length));
        if length > 0 {
            let record = self::record(KINDS[length % KINDS.len()], at as u8 % 3, 2 - at as u8 % 2, rng);
            let rest = rng.bytes(length);
            suite.add_bad(
                format!("bad-{length}"),
                "the source found it bad",
                (&["BadSource"], &["R15"]),
                &record,
                rest,
            );
            let record = self::record(KINDS[at % KINDS.len()], 0, 1, rng);
            suite.add(format!("behind-bad-{length}"), "a good one behind it", (&[], &["R15"]), &record, rng.bytes(at));
        }
    }
}

/// Adds the group `checksum-ends`: IPv4 headers for which 0 and 0xFFFF are both right checksums, and their
/// neighbours.
pub fn add_checksums(suite: &mut Suite, rng: &mut SplitMix64) {
    suite.group("checksum-ends", "IPv4 header checksums about 0");
    for recorded in [0, 1, 0xFFFF, 0xFFFE] {
        for more in [0_u32, 1, 0xFFFF] {
            let mut record = record(KINDS[2], 1, 1, rng);
            record.payload_length = 12;
            record.ip[1..].iter_mut().for_each(|word| *word = 0);
            // The sum of the header in half words: 0x4500, the length of 20 + 8 + 12 + 12 + 4 bytes, and the rest up
            // to 0xFFFF.
            record.ip[0] = 0x4500_0000;
            record.ip[3] = (0xFFFF - 0x4500 - 56 + more) & 0xFFFF;
            record.ip[2] = recorded;
            let id = format!("{recorded:04x}-{more}");
            let rest = rest_of(&record, rng);
            suite.add(id, "a sum at its end or beside it", (&["Boundary"], &["R11"]), &record, rest);
        }
    }
}

/// One record of every kind, for stages with other configurations.
pub fn some(suite: &mut Suite, rng: &mut SplitMix64) {
    for (at, kind) in KINDS.into_iter().enumerate() {
        let mut record = record(kind, at as u8 % 3, 1 + at as u8 / 2 % 2, rng);
        record.payload_length = at as u16 * 5;
        let rest = rest_of(&record, rng);
        suite.add(
            format!("kind-{}", kind.4),
            "headers of this kind",
            (&["Kind", "Configured"], &["R3", "R5", "R12"]),
            &record,
            rest,
        );
    }
}
