// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors of `icrc` and `icrc_insert`: up to date, complete in what they cover, and in agreement with the oracle for
//! whole frames and with an encoder outside the project.

use golden_vectors::frame::icrc;
use golden_vectors::frame::icrc::oracle::{Counted, check, insert, place};
use golden_vectors::headers::codec::icrc_place::covered;
use golden_vectors::headers::codec::{self, Options};
use golden_vectors::{Reason, VectorFile, Verdict};
use std::collections::BTreeSet;

fn committed(stage: &str) -> VectorFile {
    VectorFile::embedded_stage(stage).unwrap().unwrap()
}

/// Number of tags, and where the IP header begins.
fn start(frame: &[u8]) -> (usize, usize) {
    let tags = [12, 16].iter().take_while(|&&at| matches!(frame[at..at + 2], [0x81, 0x00] | [0x88, 0xA8])).count();
    (tags, 14 + 4 * tags)
}

#[test]
fn files_read_back_as_they_were_made() {
    assert_eq!(committed("icrc"), icrc::check_vectors());
    assert_eq!(committed("icrc_insert"), icrc::insert_vectors());
}

#[test]
fn expectations_are_the_oracle_s() {
    for case in committed("icrc").cases() {
        assert_eq!(check(&case.frame, case.bad_frame, &Options::default()).expect, case.expect, "{}", case.id);
    }
    for case in committed("icrc_insert").cases() {
        assert_eq!(insert(&case.frame, case.bad_frame, &Options::default()).expect, case.expect, "{}", case.id);
    }
}

#[test]
fn every_row_decides() {
    let rows = |stage| committed(stage).cases().map(|case| case.rows[0].clone()).collect::<BTreeSet<_>>();
    let all: BTreeSet<_> = (1..=10).map(|row| format!("R{row}")).collect();
    assert_eq!(rows("icrc"), all);
    assert_eq!(rows("icrc_insert"), all.into_iter().filter(|row| row != "R9").collect());
}

#[test]
fn the_icrc_ends_at_every_byte_of_a_beat_with_every_number_of_tags_and_length_of_ip_header() {
    let (mut ends, mut headers) = (BTreeSet::new(), BTreeSet::new());
    for case in committed("icrc").cases().filter(|case| case.rows[0] == "R10") {
        ends.insert(place(&case.frame, &Options::default()).unwrap().end % 128);
        let (tags, start) = start(&case.frame);
        headers.insert((
            tags,
            case.frame[start] >> 4,
            case.frame[start] & if case.frame[start] >> 4 == 4 { 15 } else { 0 },
        ));
    }
    assert_eq!(ends, (0..128).collect());
    let expected = (0..3).flat_map(|tags| (5..16).map(move |ihl| (tags, 4, ihl)).chain([(tags, 6, 0)]));
    assert_eq!(headers, expected.collect());
}

#[test]
fn every_masked_bit_is_changed_alone_and_every_other_byte_too() {
    let file = committed("icrc");
    let mut changed = BTreeSet::new();
    for case in file.cases().filter(|case| case.id.starts_with("bit/")) {
        let passes = case.expect.verdict == Verdict::Ok;
        changed.insert((case.id.trim_start_matches("bit/").to_owned(), passes));
    }
    let all =
        |version: &str, byte: usize| (0..8).all(|bit| changed.contains(&(format!("{version}-{byte}-{bit}"), true)));
    assert!([1, 8, 10, 11, 26, 27, 32].into_iter().all(|byte| all("v4", byte)));
    assert!([1, 2, 3, 7, 46, 47, 52].into_iter().all(|byte| all("v6", byte)));
    assert!((0..4).all(|bit| changed.contains(&(format!("v6-0-{bit}"), true))));
    // What the parser reads decides by itself.
    let covered =
        |version: &str, byte: usize| (0..8).any(|bit| changed.contains(&(format!("{version}-{byte}-{bit}"), false)));
    assert!((12..22).chain([28, 29, 30, 31]).chain(33..71).all(|byte| covered("v4", byte)));
    assert!((8..42).chain(48..52).chain(53..91).all(|byte| covered("v6", byte)));
}

#[test]
fn the_oracle_for_whole_frames_says_the_same() {
    let mut judged = 0;
    for case in committed("icrc").cases().filter(|case| !case.bad_frame) {
        let reading = codec::read(&case.frame, &Options::default());
        if let Some(right) = reading.icrc {
            judged += 1;
            assert_eq!(check(&case.frame, false, &Options::default()).row, if right { 10 } else { 9 }, "{}", case.id);
        }
    }
    assert!(judged > 500, "{judged}");
}

#[test]
fn captures_are_judged_as_their_encoder_meant() {
    let text = |name: &str| {
        std::fs::read_to_string(format!("{}/../../captures/{name}.jsonl", env!("CARGO_MANIFEST_DIR"))).unwrap()
    };
    for name in ["rocev2", "mixed"] {
        let file = std::fs::File::open(format!("{}/../../captures/{name}.pcap", env!("CARGO_MANIFEST_DIR"))).unwrap();
        let mut reader = pcap_file::pcap::PcapReader::new(file).unwrap();
        let (mut good, mut bad) = (0, 0);
        for line in text(name).lines() {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            let bytes = reader.next_packet().unwrap().unwrap().data.into_owned();
            let judged = check(&bytes, false, &Options::default());
            if line["icrc"] == "ok" {
                assert_eq!(judged.counted, Counted::Good, "{line}");
                good += 1;
            }
            if line["why"] == "icrc" {
                assert_eq!(judged.expect.reason, Some(Reason::Icrc), "{line}");
                bad += 1;
            }
        }
        assert!(good > 50, "{name}: {good} good, {bad} bad");
    }
}

#[test]
fn what_is_put_in_is_the_icrc() {
    let mut filled = 0;
    for case in committed("icrc_insert").cases().filter(|case| case.rows[0] == "R10") {
        let frame = case.expect.frame.as_ref().unwrap_or(&case.frame);
        let (_, start) = start(frame);
        let place = place(frame, &Options::default()).unwrap();
        let (code, _, _) = covered(frame, &Options::default()).unwrap();
        assert_eq!(frame[place.clone()], code.of(&frame[start..place.start]), "{}", case.id);
        assert_eq!(
            (&frame[..place.start], &frame[place.end..]),
            (&case.frame[..place.start], &case.frame[place.end..])
        );
        filled += usize::from(case.expect.frame.is_some());
    }
    assert!(filled > 300, "{filled}");
}
