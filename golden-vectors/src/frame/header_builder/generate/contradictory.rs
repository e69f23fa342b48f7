// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records that no parser produces: one field after the other contradicts the rest, or has a value without meaning.
//! The builder must still follow its tables.

use super::kinds::{KINDS, Kind, record, rest_of};
use crate::frame::header_builder::oracle::{ROCEV2, Record, UET};
use crate::frame::header_builder::suite::Suite;
use crate::rng::SplitMix64;

/// Adds the groups `contradictory-...`: layers, transports, words of headers, and lengths.
pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    layers(suite, rng);
    transports(suite, rng);
    words(suite, rng);
    lengths(suite, rng);
}

fn add_record(suite: &mut Suite, id: String, comment: &str, rows: &[&str], record: &Record, rng: &mut SplitMix64) {
    let rest = match record.payload_length {
        0..1000 => rest_of(&Record { ip_slack: record.ip_slack % 100, ..*record }, rng),
        _ => rng.bytes(20),
    };
    suite.add(id, comment, (&["Contradictory"], rows), record, rest);
}

fn layers(suite: &mut Suite, rng: &mut SplitMix64) {
    suite.group("contradictory-layers", "three tags, a third kind of IP, transports without IP");
    for kind in KINDS {
        let mut tagged = record(kind, 3, 1, rng);
        tagged.payload_length = 7;
        add_record(suite, format!("tags-3-v4-{}", kind.4), "3 counts as 2", &["R1"], &tagged, rng);
        let mut third = record(kind, 1, 3, rng);
        (third.payload_length, third.ip_slack) = (20, 2);
        add_record(suite, format!("l3-3-{}", kind.4), "3 is IPv6", &["R2"], &third, rng);
        let mut none = record(kind, kind.3 % 4, 0, rng);
        none.payload_length = 11;
        let rows = &["R3", "R4", "R5"];
        add_record(suite, format!("l3-0-{}", kind.4), "no IP, so nothing behind it", rows, &none, rng);
    }
    let mut label = record(KINDS[2], 3, 3, rng);
    (label.entropy_target, label.payload_length) = (2, 5);
    add_record(suite, "l3-3-flow-label".into(), "a flow label too", &["R2", "R14"], &label, rng);
    for (at, version) in [0, 4, 5, 6, 15].into_iter().enumerate() {
        for l3 in [1, 2] {
            let mut record = record(KINDS[2 * at], 0, l3, rng);
            record.ip[0] = record.ip[0] & 0x0FFF_FFFF | version << 28;
            let id = format!("version-{version}-{}", if l3 == 1 { "v4" } else { "v6" });
            add_record(suite, id, "the version as recorded, whatever l3 says", &["R2"], &record, rng);
        }
    }
}

fn transports(suite: &mut Suite, rng: &mut SplitMix64) {
    suite.group("contradictory-transport", "flags of another transport, transports that mean nothing");
    for transport in 0..8 {
        for (l3, version) in [(1, "v4"), (2, "v6")] {
            for (native, mpeh, what) in
                [(true, false, "native"), (false, true, "mpeh"), (true, true, "native-mpeh"), (false, false, "words")]
            {
                let kind: Kind = (transport, native, mpeh, 3 + transport, what);
                let mut record = record(kind, transport % 3, l3, rng);
                (record.payload_length, record.ip_slack) = (13, 3);
                record.entropy_target = u8::from(native);
                let id = format!("{transport}-{version}-{what}");
                let comment = "a flag counts for its own transport alone, and so do words";
                add_record(suite, id, comment, &["R3", "R4", "R5", "R7"], &record, rng);
            }
        }
    }
}

fn words(suite: &mut Suite, rng: &mut SplitMix64) {
    suite.group("contradictory-words", "every number of words of a transport header, with an MPEH and without");
    for count in 0..16 {
        for (transport, native, mpeh, name) in [
            (1, false, false, "udp"),
            (ROCEV2, false, false, "rocev2"),
            (ROCEV2, false, true, "rocev2-mpeh"),
            (UET, true, false, "uet-native"),
            (4, false, false, "elab"),
            (7, false, false, "7"),
        ] {
            let mut record = record((transport, native, mpeh, count, name), count % 3, 1 + count % 2, rng);
            record.payload_length = 3;
            let comment = "so many words, of which more than 11 count as 11, and the MPEH behind the third";
            add_record(suite, format!("{name}-{count}"), comment, &["R4", "R5", "R7"], &record, rng);
        }
    }
}

fn lengths(suite: &mut Suite, rng: &mut SplitMix64) {
    suite.group("contradictory-length", "sums of lengths beyond 16 bits, IHLs that mean nothing");
    for (at, (payload, slack)) in
        [(0xFFFF, 0), (0, 0xFFFF), (0xFFFF, 0xFFFF), (0xFFC0, 4), (0xFFE0, 0x20), (0x8000, 0x8000)]
            .into_iter()
            .enumerate()
    {
        for (l3, version) in [(1, "v4"), (2, "v6")] {
            for kind in [KINDS[1], KINDS[4], KINDS[7], KINDS[10]] {
                let mut record = record(kind, at as u8 % 3, l3, rng);
                (record.payload_length, record.ip_slack) = (payload, slack);
                let id = format!("{payload:04x}-{slack:04x}-{version}-{}", kind.4);
                let rest = rng.bytes(at * 5);
                let aim: (&[&str], &[&str]) = (&["Overflow", "Contradictory"], &["R7", "R8", "R9"]);
                suite.add(id, "sums are taken modulo 65,536", aim, &record, rest);
            }
        }
    }
    for ihl in 0..16 {
        for (kind, rows) in [(KINDS[0], ["R6", "R10"]), (KINDS[2], ["R6", "R8"])] {
            let mut record = record(kind, 0, 1, rng);
            record.ip[0] = record.ip[0] & 0xF0FF_FFFF | ihl << 24;
            if ihl % 4 == 0 {
                // The length is smaller than the options, so that the difference wraps.
                record.ip[0] &= 0xFFFF_0003;
            }
            add_record(suite, format!("ihl-{ihl}-{}", kind.4), "5 is built, whatever is recorded", &rows, &record, rng);
        }
    }
    let mut foreign = record(KINDS[0], 1, 2, rng);
    (foreign.payload_length, foreign.ip_slack) = (0x1234, 0x5678);
    let comment = "a foreign packet has the recorded length";
    add_record(suite, "none-v6".into(), comment, &["R10"], &foreign, rng);
}
