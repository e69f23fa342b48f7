// SPDX-License-Identifier: MIT OR Apache-2.0
//! `replay --out`: captures with losses, and the answers of the receive path.

use crate::Place;
use serde_json::Value;
use tier::pick;

/// A place with the captures of packets that are lost, reordered and repeated.
fn lossy() -> Place {
    let place = Place::fresh();
    for name in ["lossy-rocev2.pcap", "lossy-uet.pcap"] {
        place.write(name, std::fs::read(crate::root().join("golden-vectors/captures").join(name)).expect("committed"));
    }
    place
}

/// The lines of answers, and the summary behind them.
fn lines(text: &str) -> (Vec<Value>, Value) {
    let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let summary = lines.pop().expect("a summary");
    (lines, summary)
}

/// All packets of these keys are delivered once, and acknowledged.
fn delivers(summary: &Value, keys: &[u64], packets: u64) {
    let connections = summary["connections"].as_array().expect("connections");
    assert_eq!(connections.iter().map(|line| line["key"].as_u64()).collect::<Vec<_>>().len(), keys.len());
    for key in keys {
        let line = connections.iter().find(|line| line["key"] == *key).expect("the key has a connection");
        assert_eq!((&line["delivered"], &line["held"]), (&packets.into(), &0.into()), "{line}");
        assert!(line["overtaken"].as_u64() > Some(20) && line["packets"] == 260, "{line}");
    }
    assert_eq!((&summary["dropped"], &summary["overflowed"]), (&0.into(), &0.into()));
}

/// READ and FLUSH behind a SEND, from reports about other responders: the NAK has the PSN of the request.
#[test]
fn a_request_that_is_not_served_is_invalid() {
    for name in ["rc-read-of-two-packets.pcap", "rc-flush.pcap"] {
        let place = Place::fresh();
        std::fs::copy(crate::root().join("tests/cli/cases").join(name), place.path(name)).expect("committed");
        let (answers, summary) = lines(&place.run(&format!("replay {name} --out out.pcap --json")).good());
        let said: Vec<_> = answers.iter().map(|line| (&line["bth"]["psn"], &line["aeth"]["syndrome"])).collect();
        assert_eq!(said, [(&2.into(), &0x61.into())], "{name}");
        assert_eq!((&summary["naks"], &summary["connections"][0]["expected_psn"]), (&1.into(), &2.into()), "{summary}");
    }
}

#[test]
fn every_packet_of_rocev2_is_delivered_once_and_acknowledged() {
    let place = lossy();
    let (answers, summary) = lines(&place.run("replay lossy-rocev2.pcap --out out.pcap --json").good());
    delivers(&summary, &[0x11, 0x12, 0x13], 240);
    assert!(answers.len() > 100 && summary["answers"] == answers.len(), "{summary}");
    assert!(answers.iter().all(|line| line["icrc"] == "ok" && line["bth"]["opcode"] == 0x11), "{answers:?}");
    // The last ACK of a connection is for its last packet.
    for (qp, last) in [(0x11, (0xFF_FFF0 + 239) % (1 << 24)), (0x12, 1000 + 239), (0x13, 77 + 239)] {
        let ack = answers.iter().rfind(|line| line["bth"]["dqpn"] == qp).expect("it is answered");
        assert_eq!(ack["bth"]["psn"], last, "{ack}");
        assert_eq!(ack.get("mpeh").is_some(), qp == 0x12, "{ack}");
    }
    // Times are those of the clock, and go up.
    let cycles: Vec<_> = answers.iter().map(|line| line["cycle"].as_u64().expect("a number")).collect();
    assert!(cycles.is_sorted() && cycles[0] > 0);
    let ns = answers[0]["ns"].as_u64().expect("a number");
    assert!(ns.abs_diff(cycles[0] * 1000 / 322) <= 2, "{}", answers[0]);
    // The answers are a capture that reads, with the same lines.
    let again = place.run("replay out.pcap --json").good();
    let again: Vec<Value> = again.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(again.iter().map(|line| &line["bth"]).eq(answers.iter().map(|line| &line["bth"])));
}

#[test]
fn every_packet_of_uet_is_delivered_once_and_acknowledged() {
    let place = lossy();
    let (answers, summary) = lines(&place.run("replay lossy-uet.pcap --config uet-400g --out out.pcap --json").good());
    delivers(&summary, &[0x21, 0x22], 240);
    assert!(summary["naks"].as_u64() > Some(0), "{summary}");
    for (context, last) in [(0x21, (0xFFFF_FFF0_u64 + 239) % (1 << 32)), (0x22, 5 + 239)] {
        let is_ack = |line: &&Value| line["uet"]["spdcid"] == context && line["uet"].get("cack_psn").is_some();
        let ack = answers.iter().rfind(is_ack).expect("it is answered");
        assert_eq!(ack["uet"]["cack_psn"], last, "{ack}");
    }
}

/// A configuration whose receive path holds the frames themselves.
const POOL: &str = "[reorder]\nhold = \"payload\"\n";

/// The frames that are delivered, as JSON, in their order.
fn delivered(place: &Place, options: &str) -> (Vec<Value>, Value) {
    let (_, summary) = lines(&place.run(&format!("replay {options} --out out.pcap --delivered in.pcap --json")).good());
    let read = place.run("replay in.pcap --json --config both.toml").good();
    (read.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect(), summary)
}

/// Each connection has its packets in order, whether the receive path names frames or holds them, and no frame is another one.
#[test]
fn the_frames_of_packets_are_delivered_in_their_order() {
    let place = lossy();
    place.write("both.toml", "[protocols]\nrocev2 = true\nuet = true\n");
    place.write("pool.toml", POOL);
    let roce: &[_] = &[(0x11, 0xFF_FFF0), (0x12, 1000), (0x13, 77)];
    let uet: &[_] = &[(0x21, 0xFFFF_FFF0), (0x22, 5)];
    let of_uet = "[protocols]\nrocev2 = false\nelab = false\n";
    place.write("uet.toml", of_uet);
    place.write("uet-pool.toml", format!("{of_uet}{POOL}"));
    for (capture, config, connections, header, key, bits) in [
        ("lossy-rocev2.pcap", "both.toml", roce, "bth", "dqpn", 24),
        ("lossy-rocev2.pcap", "pool.toml", roce, "bth", "dqpn", 24),
        ("lossy-uet.pcap", "uet.toml", uet, "uet", "dpdcid", 32),
        ("lossy-uet.pcap", "uet-pool.toml", uet, "uet", "dpdcid", 32),
    ] {
        let (frames, summary) = delivered(&place, &format!("{capture} --config {config}"));
        assert_eq!(frames.len(), 240 * connections.len(), "{config}");
        for &(number, first) in connections {
            let mine: Vec<_> = frames.iter().filter(|line| line[header][key] == number).collect();
            let psns = mine.iter().map(|line| line[header]["psn"].as_u64().expect("a number"));
            assert!(psns.eq((0..240).map(|n| (first + n) % (1 << bits))), "{config}: {number}");
            let all = summary["connections"].as_array().expect("connections");
            let line = all.iter().find(|line| line["key"] == number).expect("the key has a connection");
            assert_eq!(line["delivered"], 240, "{line}");
            // SEND and WRITE, Last and Only.
            let ends = mine.iter().filter(|line| [2, 4, 8, 10].contains(&line["bth"]["opcode"].as_u64().unwrap_or(0)));
            assert_eq!(line.get("messages").cloned(), (header == "bth").then(|| ends.count().into()), "{line}");
            // A path that holds frames has no record of them.
            assert_eq!(line.get("packets").is_some(), !config.contains("pool"), "{line}");
        }
        assert_eq!((&summary["passed"], &summary["overflowed"]), (&summary["frames"], &0.into()), "{summary}");
    }
}

/// The model and the Verilog give the same file, with pauses as well.
#[test]
fn the_verilog_answers_in_the_same_cycles() {
    let place = lossy();
    place.write("pool.toml", POOL);
    for options in pick([" --data-width 128 --stall 10 --seed 3", "", " --config pool.toml"], 1) {
        let run = |more: &str| {
            let both = "--out out.pcap --delivered in.pcap";
            let lines = place.run(&format!("replay lossy-rocev2.pcap {both} --json{options}{more}")).good();
            let files = ["out.pcap", "in.pcap"].map(|name| std::fs::read(place.path(name)).expect("written"));
            (lines, files.concat())
        };
        let (model, rtl) = (run(""), run(" --backend verilator"));
        assert!(model.1.len() > 5000, "{} bytes", model.1.len());
        assert!(model == rtl, "the answers differ{options}");
    }
}

#[test]
fn a_file_says_which_connections_there_are() {
    let place = lossy();
    place.write("qps.csv", "key,psn,peer,multipath\n0x13,77,0xabc,0\n0x11,,5,\n");
    let text = place.run("replay lossy-rocev2.pcap --out out.pcap --json --connections qps.csv").good();
    let (answers, summary) = lines(&text);
    delivers(&summary, &[0x13, 0x11], 240);
    assert_eq!(summary["unknown_connections"], 260);
    assert!(answers.iter().all(|line| line["bth"]["dqpn"] == 0xabc || line["bth"]["dqpn"] == 5));
}

/// A mistake is one message, and there is no file.
#[test]
fn mistakes_leave_no_file() {
    let place = lossy();
    place.write("qps.csv", "key,psn\n1,2\n3,x\n");
    place.write("many.csv", "key\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n");
    place.write("small.toml", "[reorder]\nconnections = 16\n");
    let cases = [
        ("--out out.pcap --connections qps.csv", "qps.csv:3:3"),
        ("--out out.pcap --connections none.csv", "mpnic: none.csv: No such file"),
        ("--out out.pcap --connections many.csv --config small.toml", "17 connections are to be opened"),
        ("--out nowhere/out.pcap", "mpnic: nowhere/out.pcap: No such file"),
        ("--out out.pcap --delivered nowhere/in.pcap", "mpnic: nowhere/in.pcap: No such file"),
        ("--out out.pcap --delivered out.pcap", "--delivered out.pcap: this file is also --out"),
        ("--delivered in.pcap", "--out <OUT.pcap>"),
        ("--out . ", "mpnic: .: is a directory"),
        ("--out out.pcap --config elab-100g", "--out is for RoCEv2 and UET"),
        ("--connections qps.csv", "--out <OUT.pcap>"),
        ("--out out.pcap --rebuild built.pcap", "cannot be used with"),
    ];
    let before = place.names("");
    for (options, message) in cases {
        let error = place.run(&format!("replay lossy-rocev2.pcap {options}")).bad(2);
        assert!(error.contains(message), "{options}: {error}");
        assert_eq!(place.names(""), before, "{options}");
    }
}
