// SPDX-License-Identifier: MIT OR Apache-2.0
//! The committed captures, against the lines beside them.

use super::tshark::{Shown, Tshark, committed, is_detail, number};
use crate::root;
use serde_json::{Map, Value};

/// Fields of Wireshark's own dissector, and what they are called in the lines.
const INFINIBAND: [(&str, &str); 14] = [
    ("infiniband.bth.opcode", "bth.opcode"),
    ("infiniband.bth.se", "bth.se"),
    ("infiniband.bth.m", "bth.migreq"),
    ("infiniband.bth.padcnt", "bth.pad"),
    ("infiniband.bth.p_key", "bth.pkey"),
    ("infiniband.bth.destqp", "bth.dqpn"),
    ("infiniband.bth.a", "bth.ackreq"),
    ("infiniband.bth.psn", "bth.psn"),
    ("infiniband.reth.va", "reth.vaddr"),
    ("infiniband.reth.r_key", "reth.rkey"),
    ("infiniband.reth.dmalen", "reth.length"),
    ("infiniband.aeth.syndrome", "aeth.syndrome"),
    ("infiniband.aeth.msn", "aeth.msn"),
    ("infiniband.immdt", "immdt.data"),
];

/// How many frames were compared.
#[derive(Debug, Default, PartialEq, Eq)]
struct Compared {
    mpeh: usize,
    plain: usize,
    uet: usize,
    elab: usize,
    infiniband: usize,
}

fn compare(name: &str) -> Compared {
    let tshark = Tshark::new();
    let (capture, _) = committed(&format!("{name}.pcap"));
    let more: Vec<_> = INFINIBAND.iter().map(|(theirs, _)| *theirs).chain(["_ws.malformed", "_ws.col.Info"]).collect();
    let shown = tshark.fields(&capture, &more, &[]);
    let lines =
        std::fs::read_to_string(root().join(format!("golden-vectors/captures/{name}.jsonl"))).expect("committed");
    let mut compared = Compared::default();
    assert_eq!(shown.len(), lines.lines().count());
    for (line, shown) in lines.lines().zip(&shown) {
        let line: Map<String, Value> = serde_json::from_str(line).expect("a line");
        let transport = line.get("transport").and_then(Value::as_str).unwrap_or_default();
        let frame = &line["frame"];
        if line["verdict"] != "ok" {
            continue;
        }
        let ours = shown.keys().any(|name| name.starts_with("mpnic."));
        let count = match (transport, line.contains_key("mpeh")) {
            ("rocev2", true) => &mut compared.mpeh,
            ("uet", _) => &mut compared.uet,
            ("elab", _) => &mut compared.elab,
            _ => {
                assert!(!ours, "frame {frame}: {shown:?}");
                compared.plain += usize::from(transport == "rocev2");
                continue;
            }
        };
        *count += 1;
        assert!(!shown.contains_key("_ws.malformed"), "frame {frame}: {shown:?}");
        agrees(&line, shown);
        compared.infiniband += usize::from(infiniband_agrees(&line, shown));
        let info = &shown["_ws.col.Info"][0];
        let word =
            [("rocev2", "MPEH path "), ("uet", ""), ("elab", "VP ")].into_iter().find(|(name, _)| *name == transport);
        assert!(word.is_some_and(|(_, word)| info.contains(word)), "frame {frame}: {info}");
    }
    compared
}

/// A number of a line; one of more than 53 bits is a string.
fn said(value: &Value) -> i128 {
    match value.as_str() {
        Some(text) => i128::from_str_radix(text.trim_start_matches("0x"), 16).expect("hexadecimal digits"),
        None => value.as_i64().map(i128::from).or(value.as_u64().map(i128::from)).expect("a number"),
    }
}

/// Every field of the line is shown, and what is shown besides is reserved and 0.
fn agrees(line: &Map<String, Value>, shown: &Shown) {
    let frame = &line["frame"];
    let objects = line.iter().filter_map(|(name, value)| Some((name, value.as_object()?)));
    let fields: Vec<_> = objects.flat_map(|(object, fields)| fields.iter().map(move |field| (object, field))).collect();
    for (object, (name, value)) in &fields {
        let name = format!("mpnic.{object}.{name}");
        match (value.as_str(), &shown[&name][0]) {
            (Some(text), bytes) if bytes.contains(':') => {
                let digits = text.trim_start_matches("0x");
                let bytes = bytes.replace(':', "");
                assert_eq!(bytes.trim_start_matches('0'), digits.trim_start_matches('0'), "frame {frame}: {name}");
            }
            _ => assert_eq!(number(shown, &name), Some(said(value)), "frame {frame}: {name}"),
        }
    }
    for name in shown.keys().filter(|name| name.starts_with("mpnic.") && !is_detail(name)) {
        let known = fields.iter().any(|(object, (field, _))| *name == format!("mpnic.{object}.{field}"));
        let expected = i128::from(name == "mpnic.bth.mpeh");
        assert!(known || number(shown, name) == Some(expected), "frame {frame}: {name}: {:?}", shown[name]);
        assert!(known || expected == 1 || name.contains(".reserved"), "frame {frame}: {name}");
    }
}

/// What Wireshark's own dissector says of the packet without MPEH; false if it did not get it.
fn infiniband_agrees(line: &Map<String, Value>, shown: &Shown) -> bool {
    if !shown.contains_key("infiniband.bth.opcode") {
        return false;
    }
    for (theirs, ours) in INFINIBAND {
        let (object, name) = ours.split_once('.').expect("a field");
        let expected = line.get(object).and_then(|fields| fields.get(name)).map(said);
        let actual = match theirs {
            // These are bytes there.
            "infiniband.immdt" => {
                shown.get(theirs).map(|text| i128::from_str_radix(&text[0].replace(':', ""), 16).expect("bytes"))
            }
            _ => number(shown, theirs),
        };
        assert_eq!(actual, expected, "frame {}: {theirs}", line["frame"]);
    }
    true
}

#[test]
fn every_field_of_the_mixed_capture() {
    let compared = compare("mixed");
    assert_eq!(compared, Compared { mpeh: 84, plain: 79, uet: 88, elab: 80, infiniband: 79 });
}

#[test]
fn every_field_of_the_capture_of_rocev2() {
    let compared = compare("rocev2");
    assert_eq!(compared, Compared { mpeh: 101, plain: 99, uet: 0, elab: 0, infiniband: 96 });
}
