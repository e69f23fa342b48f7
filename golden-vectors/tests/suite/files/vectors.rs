// SPDX-License-Identifier: MIT OR Apache-2.0
//! The committed files: up to date, consistent, and complete in what they cover.

use golden_vectors::frame::header_parser;
use golden_vectors::frame::header_parser::oracle::parse;
use golden_vectors::headers::codec::Options;
use golden_vectors::headers::ipv4::word_sum;
use golden_vectors::{Archive, Case, Expect, Outcome, Reason, VectorError, VectorFile, Verdict};
use pcap_file::pcap::PcapReader;
use std::collections::{BTreeMap, BTreeSet};

fn committed() -> VectorFile {
    VectorFile::embedded_stage("header_parser").unwrap().unwrap()
}

/// The row that decided a case, and the rows it is about besides.
fn rows(case: &Case) -> (u8, Vec<u8>) {
    let numbers = |row: &String| row.strip_prefix('R').map(|number| number.parse().unwrap());
    (numbers(&case.rows[0]).unwrap(), case.rows[1..].iter().filter_map(numbers).collect())
}

/// Of the other files the tests of their stages say so.
#[test]
fn file_reads_back_as_it_was_made() {
    assert_eq!(committed(), header_parser::vectors());
}

#[test]
fn expectations_are_the_oracle_s() {
    for (group, case) in committed().grouped_cases() {
        let options = Options::of_configuration(&group.configuration).unwrap();
        assert_eq!(Expect::from(&parse(&case.frame, case.bad_frame, &options)), case.expect, "{}", case.id);
    }
}

/// Those that the JSON has to shorten are not in it.
#[test]
fn capture_holds_the_same_frames() {
    let bytes = Archive::embedded().unwrap().read("header_parser.pcap").unwrap().unwrap();
    let mut reader = PcapReader::new(&bytes[..]).unwrap();
    for (_, case) in committed().grouped_cases().filter(|(_, case)| case.frame.len() <= 1 << 16) {
        assert_eq!(reader.next_packet().unwrap().unwrap().data, case.frame, "{}", case.id);
    }
    assert!(reader.next_packet().is_none());
}

/// `cases` is for whoever has a stage as it is by default.
#[test]
fn cases_are_those_of_the_default_configuration() {
    let file = committed();
    let all: Vec<_> = file.grouped_cases().map(|(_, case)| &case.id).collect();
    let own: Vec<_> = file.cases().map(|case| &case.id).collect();
    assert_eq!(all.len(), file.number_of_tests);
    assert!(own.len() < all.len());
    let of_group = |id: &String| file.groups.iter().find(|group| id.starts_with(&format!("{}/", group.name))).unwrap();
    let expected: Vec<_> = all.into_iter().filter(|id| of_group(id).configuration.is_empty()).collect();
    assert_eq!(own, expected);
}

#[test]
fn two_in_five_cases_are_invalid() {
    let file = committed();
    let invalid = file.grouped_cases().filter(|(_, case)| case.result == Outcome::Invalid).count();
    assert!(invalid * 5 >= file.number_of_tests * 2, "{invalid} of {}", file.number_of_tests);
}

#[test]
fn every_reason_occurs_often() {
    let mut counts = BTreeMap::new();
    for (_, case) in committed().grouped_cases() {
        *counts.entry(case.expect.reason.unwrap_or(Reason::None)).or_insert(0) += 1;
    }
    // The ICRC is judged by the next stage.
    for reason in Reason::ALL.into_iter().filter(|reason| *reason != Reason::Icrc) {
        assert!(counts.get(&reason).is_some_and(|&count| count >= 5), "{}: {counts:?}", reason.name());
    }
}

#[test]
fn every_row_decides_and_just_does_not() {
    let file = committed();
    let (mut decided, mut passed) = (BTreeSet::new(), BTreeSet::new());
    for (_, case) in file.grouped_cases() {
        let (row, about) = rows(case);
        decided.insert(row);
        passed.extend(about.into_iter().filter(|&other| other < row));
    }
    // Row 14 is the next stage's.
    assert_eq!(decided, (1..=13).chain([15, 16, 17]).collect());
    assert_eq!(passed, (1..=15).collect(), "the last row has no next one");
}

#[test]
fn the_upper_of_two_rows_decides() {
    let file = committed();
    let pairs: Vec<_> = file.cases().filter(|case| case.id.starts_with("precedence/")).collect();
    assert!(pairs.len() > 40);
    for case in pairs {
        let id = case.id.trim_start_matches("precedence/");
        let (upper, _) = id.split_once("-before-").unwrap();
        assert_eq!(rows(case).0.to_string(), upper, "{}", case.id);
    }
}

#[test]
fn checksums_have_every_number_of_carries_in_every_lane() {
    let (mut right, mut wrong) = (BTreeSet::new(), BTreeSet::new());
    let file = committed();
    for case in file.cases().filter(|case| case.flags.iter().any(|flag| flag == "ChecksumFold")) {
        let tags =
            [12, 16].iter().take_while(|&&at| matches!(case.frame[at..at + 2], [0x81, 0x00] | [0x88, 0xA8])).count();
        let start = 14 + 4 * tags;
        let length = usize::from(case.frame[start] & 0xF) * 4;
        let carries = word_sum(&case.frame[start..start + length]) >> 16;
        let set = if case.expect.verdict == Verdict::Ok { &mut right } else { &mut wrong };
        set.insert((carries, tags));
    }
    for carries in 0..10 {
        for tags in 0..3 {
            assert!(right.contains(&(carries, tags)), "right, {carries} carries, {tags} tags");
            assert!(wrong.contains(&(carries, tags)), "wrong, {carries} carries, {tags} tags");
        }
    }
}

#[test]
fn schema_file_is_named_and_asks_for_the_same_members() {
    let text = include_str!("../../../schemas/mpnic-vectors-v2.schema.json");
    let schema: serde_json::Value = serde_json::from_str(text).unwrap();
    assert!(schema["$id"].as_str().unwrap().ends_with("mpnic-vectors-v2.schema.json"));
    assert_eq!(committed().schema.name, "mpnic-vectors-v2");
    let known = committed();
    let file = serde_json::to_value(&known).unwrap();
    let members = |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    assert_eq!(members(&file), members(&schema["properties"]));
    let configured = known.groups.iter().position(|group| !group.configuration.is_empty()).unwrap();
    let group = &schema["properties"]["groups"]["items"];
    assert_eq!(members(&file["groups"][configured]), members(&group["properties"]));
    assert_eq!(members(&file["groups"][0]).into_iter().collect::<Vec<_>>(), ["comment", "name", "tests"]);
    let mut test = members(&file["groups"][0]["tests"][0]);
    assert!(test.insert("record".into()), "the builder's have one");
    assert_eq!(test, members(&schema["$defs"]["test"]["properties"]));
}

#[test]
fn a_broken_file_is_told_from_a_good_one() {
    let broken = |change: fn(&mut VectorFile)| {
        let mut file = committed();
        change(&mut file);
        file.check().unwrap_err()
    };
    assert!(matches!(broken(|file| file.schema.version = "1.1.0".into()), VectorError::Schema { .. }));
    assert!(matches!(broken(|file| file.number_of_tests += 1), VectorError::Count { .. }));
    assert!(matches!(
        broken(|file| file.groups[0].tests[1].id = file.groups[0].tests[0].id.clone()),
        VectorError::DuplicateId(_)
    ));
    assert!(matches!(broken(|file| file.notes.clear()), VectorError::UnexplainedFlag { .. }));
    assert!(matches!(broken(|file| file.fields.clear()), VectorError::Field { .. }));
    assert!(matches!(
        broken(|file| file.groups[0].tests[0].expect.verdict = Verdict::Drop),
        VectorError::Contradiction(_)
    ));
    assert!(matches!(VectorFile::from_json("x", "{}"), Err(VectorError::Json { .. })));
    assert!(matches!(VectorFile::load("no/such/file"), Err(VectorError::Read { .. })));
}
