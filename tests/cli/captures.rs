// SPDX-License-Identifier: MIT OR Apache-2.0
//! `replay`: good captures, cut ones, and files that are none.

use crate::Place;
use serde_json::Value;
use tier::pick;

fn capture() -> Vec<u8> {
    std::fs::read(crate::root().join("golden-vectors/captures/rocev2.pcap")).expect("committed")
}

/// What the command says of a capture.
fn error(bytes: &[u8]) -> String {
    let place = Place::fresh();
    place.write("bad.pcap", bytes);
    place.run("replay bad.pcap").bad(2)
}

#[test]
fn files_that_are_no_captures() {
    let good = capture();
    assert_eq!(error(&[]), "mpnic: bad.pcap is empty\n");
    assert_eq!(error(&good[..24]), "mpnic: bad.pcap holds no packets\n");
    assert_eq!(error(&good[..20]), "mpnic: bad.pcap: offset 0: the file ends inside its header: 20 bytes of 24\n");
    let text = "mpnic: bad.pcap: offset 0: neither pcap nor pcapng: the magic number is unknown\n";
    assert_eq!(error(b"{ \"frame\": 0 }\n"), text);
    assert_eq!(error(&[&[1, 2, 3, 4], &good[4..]].concat()), text);
}

#[test]
fn a_packet_that_is_cut_is_named() {
    let good = capture();
    let first = 24 + 16 + u32::from_le_bytes([good[32], good[33], good[34], good[35]]) as usize;
    let expected = format!("mpnic: bad.pcap: packet 1, offset {first}: the file ends inside the packet: 5 bytes of ");
    assert!(error(&good[..first + 16 + 5]).starts_with(&expected));
    let expected =
        format!("mpnic: bad.pcap: packet 1, offset {first}: the file ends inside the packet's header: 3 bytes of 16\n");
    assert_eq!(error(&good[..first + 3]), expected);
}

#[test]
fn another_link_type() {
    let mut bytes = capture();
    bytes[20] = 101;
    let expected = "mpnic: bad.pcap: offset 20: link type 101 is not Ethernet (1), the only one this command reads\n";
    assert_eq!(error(&bytes), expected);
}

#[test]
fn no_file_and_a_directory() {
    let place = Place::fresh();
    assert!(place.run("replay nothing.pcap").bad(2).starts_with("mpnic: nothing.pcap: "));
    assert_eq!(place.run("replay .").bad(2), "mpnic: . is a directory, not a capture\n");
}

#[test]
fn a_short_snap_length_is_fine() {
    let good = capture();
    let length = u32::from_le_bytes([good[32], good[33], good[34], good[35]]);
    // The first frame, of which 40 bytes were captured.
    let mut bytes = good[..24].to_vec();
    bytes[16..20].copy_from_slice(&40_u32.to_le_bytes());
    bytes.extend_from_slice(&[0; 8]);
    bytes.extend_from_slice(&40_u32.to_le_bytes());
    bytes.extend_from_slice(&length.to_le_bytes());
    bytes.extend_from_slice(&good[40..80]);
    let place = Place::fresh();
    place.write("snap.pcap", bytes);
    let line: Value = serde_json::from_str(&place.run("replay snap.pcap --json").good()).expect("JSON");
    assert_eq!((line["verdict"].as_str(), line["captured"].as_u64()), (Some("drop"), Some(40)));
    assert_eq!(line["length"].as_u64(), Some(u64::from(length)));
}

#[test]
fn neither_width_nor_pauses_nor_backend_change_the_lines() {
    let place = Place::fresh();
    let lines = place.run("replay in.pcap --json").good();
    assert_eq!(lines.lines().count(), 200);
    let all = ["--data-width 128 --stall 40 --seed 7", "--data-width 64", "--backend verilator --stall 20"];
    for arguments in pick(all, 1) {
        assert_eq!(place.run(&format!("replay in.pcap --json {arguments}")).good(), lines, "{arguments}");
    }
}

/// The committed capture with all transports, foreign frames and bad ones.
fn mixed(place: &Place) -> Vec<u8> {
    let bytes = std::fs::read(crate::root().join("golden-vectors/captures/mixed.pcap")).expect("committed");
    place.write("mixed.pcap", &bytes);
    bytes
}

#[test]
fn frames_are_built_again_from_their_records() {
    let place = Place::fresh();
    let bytes = mixed(&place);
    for options in pick(["", " --data-width 64 --stall 30", " --backend verilator --data-width 256"], 1) {
        let lines = place.run(&format!("replay mixed.pcap --rebuild built.pcap --json{options}")).good();
        assert!(std::fs::read(place.path("built.pcap")).expect("written") == bytes, "another capture{options}");
        let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        for line in &lines {
            let ours = ["rocev2", "uet", "elab"].iter().any(|name| line["transport"] == *name);
            // Of a frame that is not built although it is good and ours, the IPv4 header has options.
            let options = ours && line["l3"] == "ipv4" && line["rebuilt"] == false;
            assert_eq!(line["rebuilt"], line["verdict"] == "ok" && ours && !options, "{line}");
        }
        assert_eq!(lines.iter().filter(|line| line["rebuilt"] == true).count(), 311);
    }
}

#[test]
fn a_bad_place_for_what_is_built_again() {
    let place = Place::fresh();
    let error = place.run("replay in.pcap --rebuild nowhere/x.pcap").bad(2);
    assert_eq!(error, "mpnic: nowhere/x.pcap: No such file or directory (os error 2)\n");
    std::fs::create_dir(place.path("dir")).expect("made");
    assert_eq!(place.run("replay in.pcap --rebuild dir").bad(2), "mpnic: dir: is a directory\n");
    assert_eq!(place.names(""), ["dir", "in.pcap"]);
}

/// Captures that other programs write, from public reports about other readers; each has frames of RoCEv2.
fn of_others(name: &str) -> Vec<Value> {
    let place = Place::fresh();
    std::fs::copy(crate::root().join("tests/cli/cases").join(name), place.path(name)).expect("committed");
    let lines = place.run(&format!("replay {name} --json")).good();
    lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn the_frame_check_sequence_is_no_part_of_a_frame() {
    let lines = of_others("fcs-bits-in-link-type.pcap");
    assert_eq!(lines.len(), 1);
    assert_eq!((&lines[0]["verdict"], &lines[0]["icrc"]), (&"ok".into(), &"ok".into()), "{}", lines[0]);
}

#[test]
fn a_simple_packet_is_as_long_as_the_snap_length_allows() {
    let lines = of_others("spb-snaplen-61.pcapng");
    assert_eq!(lines.len(), 1);
    assert_eq!((&lines[0]["captured"], &lines[0]["length"]), (&61.into(), &122.into()), "{}", lines[0]);
}

#[test]
fn frames_of_other_links_are_left_out() {
    let place = Place::fresh();
    let name = "second-interface-sll.pcapng";
    std::fs::copy(crate::root().join("tests/cli/cases").join(name), place.path(name)).expect("committed");
    let ran = place.run(&format!("replay {name} --json"));
    let left_out = "frames are left out: link type 113 is not Ethernet (1), the only one this command reads\n";
    assert!(ran.err.starts_with(&format!("{name}: ")) && ran.err.ends_with(left_out), "{}", ran.err);
    assert!(ran.good().lines().all(|line| line.contains("\"verdict\":\"ok\"")));
}

#[test]
fn a_compressed_capture_is_read() {
    let lines = of_others("gzip.pcap.gz");
    assert!(!lines.is_empty() && lines.iter().all(|line| line["verdict"] == "ok"), "{lines:?}");
    let bytes = std::fs::read(crate::root().join("tests/cli/cases/gzip.pcap.gz")).expect("committed");
    let said = error(&bytes[..bytes.len() - 9]);
    assert!(said.starts_with("mpnic: bad.pcap: not a whole gzip file: "), "{said}");
}

#[test]
fn standard_input_is_a_capture() {
    let place = Place::fresh();
    let replay = |input: &str, capture: &str| {
        let line = format!("{} replay {capture} {input}", env!("CARGO_BIN_EXE_mpnic"));
        crate::ran(assert_cmd::Command::new("sh").current_dir(place.path("")).args(["-c", &line])).good()
    };
    assert_eq!(replay("< in.pcap", "-"), replay("", "in.pcap"));
}

/// Readers of JSON that keep numbers as `f64` lose bits above 53.
#[test]
fn long_fields_are_strings() {
    let lines = of_others("rc-operations-64-bit-fields.pcap");
    let fields = ["reth", "atomic_eth", "atomic_ack"]
        .map(|object| lines.iter().filter_map(|line| line.get(object)?.as_object()).flatten().collect::<Vec<_>>());
    let long = ["vaddr", "swap", "compare", "original"];
    for (name, value) in fields.iter().flatten() {
        let text = value.as_str().is_some_and(|text| text.starts_with("0x"));
        assert_eq!(text, long.contains(&name.as_str()), "{name}: {value}");
    }
    assert!(fields.iter().all(|fields| !fields.is_empty()), "{fields:?}");
}
