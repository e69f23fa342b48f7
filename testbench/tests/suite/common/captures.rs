// SPDX-License-Identifier: MIT OR Apache-2.0
//! The capture of an encoder outside the project, and the fields that it encoded.

use pcap_file::pcap::PcapReader;
use serde_json::Value;
use std::path::{Path, PathBuf};
use testbench::streams::Frame;

/// The frames of a capture.
pub fn frames(name: &str) -> Vec<Frame> {
    let file = std::fs::File::open(dir().join(format!("{name}.pcap"))).expect("the capture is there");
    let mut reader = PcapReader::new(file).expect("the capture is a pcap");
    let mut frames = Vec::new();
    while let Some(packet) = reader.next_packet() {
        let bytes = packet.expect("the capture is whole").data.into_owned();
        frames.push(Frame { bytes, user: 0 });
    }
    frames
}

fn dir() -> PathBuf {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    above.map(|dir| dir.join("golden-vectors/captures")).find(|dir| dir.is_dir()).expect("the captures are there")
}

/// Frames, and the fields of each.
pub fn rocev2() -> (Vec<Frame>, Vec<Value>) {
    let text = std::fs::read_to_string(dir().join("rocev2.jsonl")).expect("the fields are there");
    let lines = text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON"));
    (frames("rocev2"), lines.collect())
}

/// Every field that the encoder wrote must be reported, and no header that it did not write.
pub fn agree(expected: &[Value], lines: &[Value]) {
    assert_eq!(expected.len(), lines.len());
    for (expected, line) in expected.iter().zip(lines) {
        // The parser does not check the ICRC; a frame with a wrong one may pass.
        if expected["verdict"] == "drop" {
            assert!(line["verdict"] == "drop" || expected["why"] == "icrc", "{line}, expected {expected}");
            continue;
        }
        for (name, value) in expected.as_object().expect("an object").iter().filter(|(name, _)| *name != "icrc") {
            let Some(fields) = value.as_object() else {
                assert_eq!(line[name], *value, "`{name}` of {line}");
                continue;
            };
            for (field, value) in fields {
                // Fields of more than 53 bits are strings.
                let said = match line[name][field].as_str().and_then(|text| text.strip_prefix("0x")) {
                    Some(digits) => u64::from_str_radix(digits, 16).expect("hexadecimal digits").into(),
                    None => line[name][field].clone(),
                };
                assert_eq!(said, *value, "`{name}.{field}` of {line}");
            }
        }
        for header in ["bth", "mpeh", "aeth", "reth"] {
            assert_eq!(line.get(header).is_some(), expected.get(header).is_some(), "`{header}` of {line}");
        }
    }
}
