// SPDX-License-Identifier: MIT OR Apache-2.0
//! The capture of all protocols against what its encoder put in, field by field.

use super::captures::{all, examine, mixed, rocev2};
use golden_vectors::Verdict;
use golden_vectors::headers::codec::Options;
use serde_json::{Map, Value};

const EXPECTED: &str = include_str!("../../../captures/mixed.jsonl");
const ROCEV2: &str = include_str!("../../../captures/rocev2.jsonl");
/// Objects that a frame has only if its line has them.
const OBJECTS: [&str; 15] = [
    "bth",
    "mpeh",
    "aeth",
    "reth",
    "immdt",
    "atomic_eth",
    "atomic_ack",
    "ieth",
    "deth",
    "xrceth",
    "cnp",
    "uet",
    "elab",
    "icrc",
    "crc",
];

/// Frames that pass and have IPv4 options, which are not in the record.
const OPTIONS: usize = 20;

/// Everything expected is there and the same; there may be more.
fn differences(expected: &Map<String, Value>, actual: &Map<String, Value>) -> Vec<String> {
    let mut differences = Vec::new();
    for (name, value) in expected {
        match (value, actual.get(name)) {
            (Value::Object(value), Some(Value::Object(actual))) => differences.extend(self::differences(value, actual)),
            (value, Some(actual)) if value == actual => {}
            (value, actual) => differences.push(format!("{name}: {actual:?}, expected {value}")),
        }
    }
    differences
}

/// The reasons that fit what the encoder did to a frame: one that was cut ends in a header, or before its IP packet
/// does.
fn reasons(why: &str) -> &'static [&'static str] {
    match why {
        "short" => &["cut_short", "ip_length"],
        "ip_version" => &["ip_version"],
        "udp_length" => &["udp_length"],
        "icrc" => &["icrc"],
        _ => &[],
    }
}

#[test]
fn agrees_with_every_line() {
    let frames = mixed();
    let mut drops = 0;
    for (index, text) in EXPECTED.lines().enumerate() {
        let mut expected: Map<String, Value> = serde_json::from_str(text).unwrap();
        assert_eq!(expected.remove("frame"), Some(index.into()));
        let line = examine(&frames[index], &Options::default()).line();
        if let Some(why) = expected.remove("why") {
            drops += 1;
            assert_eq!(line["verdict"], "drop", "frame {index}, {why}");
            let reason = line["reason"].as_str().unwrap();
            assert!(reasons(why.as_str().unwrap()).contains(&reason), "frame {index}, {why}: {reason}");
            assert_eq!(line.get("icrc").is_some_and(|icrc| icrc == "bad"), why == "icrc", "frame {index}");
            continue;
        }
        assert_eq!(differences(&expected, &line), Vec::<String>::new(), "frame {index}");
        for object in OBJECTS {
            assert_eq!(line.contains_key(object), expected.contains_key(object), "frame {index}: {object}");
        }
    }
    assert_eq!((frames.len(), EXPECTED.lines().count(), drops), (500, 500, 81));
}

/// Nothing but good frames of RoCEv2, and their ICRCs.
#[test]
fn agrees_with_every_line_of_the_capture_of_rocev2() {
    let frames = rocev2();
    for (index, text) in ROCEV2.lines().enumerate() {
        let mut expected: Map<String, Value> = serde_json::from_str(text).unwrap();
        assert_eq!(expected.remove("frame"), Some(index.into()));
        let line = examine(&frames[index], &Options::default()).line();
        assert_eq!(line["icrc"], "ok");
        assert_eq!(differences(&expected, &line), Vec::<String>::new(), "frame {index}");
        for object in OBJECTS.iter().filter(|object| **object != "icrc") {
            assert_eq!(line.get(*object), expected.get(*object), "frame {index}");
        }
    }
    assert_eq!((frames.len(), ROCEV2.lines().count()), (200, 200));
}

#[test]
fn objects_have_no_other_fields() {
    for (frame, text) in mixed().iter().zip(EXPECTED.lines()) {
        let expected: Map<String, Value> = serde_json::from_str(text).unwrap();
        let line = examine(frame, &Options::default()).line();
        for object in OBJECTS.iter().filter(|object| expected.contains_key(**object)) {
            // Reserved fields are named where they are not 0; this encoder leaves none so.
            assert_eq!(line[*object], expected[*object], "{text}");
        }
    }
}

#[test]
fn rebuilds_every_frame_that_passes() {
    let mut rebuilt = [0; 2];
    for frame in all() {
        let reading = examine(&frame, &Options::default());
        if reading.verdict == Verdict::Ok {
            // `examine` has compared the bytes of those that say so.
            rebuilt[usize::from(reading.rebuilt)] += 1;
        }
    }
    assert_eq!(rebuilt, [OPTIONS, 619 - OPTIONS]);
}
