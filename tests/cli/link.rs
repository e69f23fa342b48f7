// SPDX-License-Identifier: MIT OR Apache-2.0
//! Two NICs and a network: results, what paths do, refusals.

use crate::Place;
use serde_json::Value;

fn json(place: &Place, arguments: &str) -> Value {
    let ran = place.run(&format!("link --json {arguments}"));
    assert_eq!(ran.status, 0, "{arguments}: {}", ran.err);
    serde_json::from_str(&ran.out).expect("JSON")
}

fn number(value: &Value, at: &str) -> f64 {
    value.pointer(at).and_then(Value::as_f64).unwrap_or_else(|| panic!("{at} in {value}"))
}

/// Each shipped configuration with a NIC: all arrives, most of it once, over all paths; the same again with the same seed.
#[test]
fn messages_arrive_over_all_paths() {
    let place = Place::fresh();
    for (config, paths) in [("uet-400g", 4), ("mp-rdma-100g", 4), ("ecp5-10g", 4)] {
        let arguments = format!("--config {config} --messages 4 --bytes 100000");
        let result = json(&place, &arguments);
        assert_eq!((number(&result, "/messages"), number(&result, "/bytes")), (4.0, 400_000.0), "{config}");
        assert!(number(&result, "/goodput_gbps") > 0.0 && number(&result, "/packets/lost") == 0.0, "{result}");
        assert!((0..paths).all(|path| number(&result, &format!("/paths/{path}/frames")) > 0.0), "{result}");
        assert_eq!(result, json(&place, &arguments), "{config}");
    }
}

/// A new QP is probed at once, however many there are, so its first message does not wait for long.
#[test]
fn a_qp_starts_soon() {
    let result = json(&Place::fresh(), "--config mp-rdma-100g --messages 1 --bytes 65536");
    let us = number(&result, "/completion_us/most");
    assert!(us < 100.0, "{us}");
}

#[test]
fn losses_are_sent_again_and_a_dead_path_is_left() {
    let place = Place::fresh();
    for config in ["uet-400g", "mp-rdma-100g"] {
        let lossy = json(&place, &format!("--config {config} --loss 2 --messages 8 --bytes 100000"));
        assert!(number(&lossy, "/packets/lost") > 0.0 && number(&lossy, "/packets/retransmitted") > 0.0, "{lossy}");
        let dead = json(&place, &format!("--config {config} --fail-path 1@150 --messages 32"));
        let share = number(&dead, "/paths/1/share");
        assert!(number(&dead, "/paths/1/lost") > 0.0 && share < 0.2, "{dead}");
    }
}

/// Ports and registers are in the waveform of a run that fails, too.
#[test]
fn the_sender_has_a_waveform() {
    let place = Place::fresh();
    let ran = place.run("link --messages 1 --bytes 1 --loss 100 --limit-us 2 --trace w.vcd");
    assert_eq!(ran.status, 2, "{}", ran.err);
    let wave = std::fs::read_to_string(place.path("w.vcd")).expect("it is there");
    assert!(["m_axis_tx_tvalid", "tx_"].iter().all(|name| wave.contains(name)), "ports and registers");
    let times = wave.lines().filter(|line| line.starts_with('#')).count();
    assert!(times > 1000, "{times} times");
}

#[test]
fn what_cannot_be_run_is_refused() {
    let place = Place::fresh();
    let cases = [
        ("--path 25,x", "such as 25 or 25:12.5"),
        ("--path 25:0", "above 0"),
        ("--loss 101", "from 0 to 100"),
        ("--loss -1", "from 0 to 100"),
        ("--path -5", "such as 25"),
        ("--seed -1", "--seed"),
        ("--fail-path 1", "PATH@US"),
        ("--fail-path 4@1", "there are 4 paths, counted from 0"),
        ("--mode reps --config mp-rdma-100g", "these NICs are of RoCEv2"),
        ("--messages 0", "1..=1000000"),
        ("--trace w.txt", "name it F.vcd or F.fst"),
        ("--config elab-100g", "[protocols] has neither"),
        ("--config mp-rdma-100g --path 9,9,9,9,9,9,9,9,9", "9 paths, and a QP has 8 sub-paths"),
        ("--config mp-rdma-100g --loss 100 --messages 1 --limit-us 300", "packets have been delivered"),
    ];
    for (arguments, says) in cases {
        let ran = place.run(&format!("link {arguments}"));
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{arguments}: {}", ran.err);
        assert!(ran.err.contains(says), "{arguments}: {}", ran.err);
    }
}
