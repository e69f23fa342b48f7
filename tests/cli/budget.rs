// SPDX-License-Identifier: MIT OR Apache-2.0
//! `budget`: figures that are known from elsewhere.

use crate::Place;
use serde_json::Value;

fn json(arguments: &str) -> Value {
    serde_json::from_str(&Place::fresh().run(&format!("budget --json {arguments}")).good()).expect("JSON")
}

#[test]
fn the_memory_of_tally() {
    let budget = json("--stage tally --device lfe5u-85f");
    assert_eq!(budget["total"]["memory_bits"], 32_768);
    // yosys takes two blocks as well.
    assert_eq!(budget["total"]["blocks"], 2);
    assert_eq!(budget["latency"][0]["clocks"], 4);
}

#[test]
fn the_latency_of_the_parser() {
    // As its contract says.
    for (width, clocks) in [(64, 13), (128, 14), (256, 15), (512, 16)] {
        let place = Place::fresh();
        place.write("nic.toml", format!("data_width = {width}\n[target]\nlink_gbps = 10\n"));
        let text = place.run("budget --config nic.toml --json").good();
        let budget: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(budget["latency"][0]["clocks"], clocks, "{width}");
    }
}

#[test]
fn what_does_not_keep_up_is_said() {
    let place = Place::fresh();
    place.write("nic.toml", "data_width = 64\n");
    let ran = place.run("budget --config nic.toml");
    assert_eq!(ran.status, 1);
    assert!(ran.out.contains("does not fit: frames of ") && ran.out.contains("at 100 Gb/s need "), "{}", ran.out);
}

#[test]
fn an_unknown_device() {
    let error = Place::fresh().run("budget --device xc7").bad(2);
    assert!(error.starts_with("mpnic: no device xc7\n  help: known are xcvu9p, "), "{error}");
}
