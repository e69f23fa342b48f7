// SPDX-License-Identifier: MIT OR Apache-2.0
//! Testbenches and vectors are those of the configuration at hand, whatever it is.

use crate::{Place, ran, root};
use assert_cmd::Command;
use tier::pick;

/// Configurations that are not as by default, each in one way.
const CHOICES: [&str; 10] = [
    "uet_port = 5000",
    "mpeh = \"opcode\"",
    "reserved = \"refuse\"",
    "elab = false",
    "elab_inner = 17",
    "rocev2 = false\nuet = false\nelab = false",
    "uet_protocol = 17",
    "uet_port = 0",
    "rocev2_port = 7000\nuet_port = 7000\nelab_port = 7000",
    "rocev2_port = 65535\nmpeh = \"opcode\"\nreserved = \"count\"",
];

/// What the testbench of a stage compares, and the names of its files.
fn testbench(place: &Place, config: &str, stage: &str, dir: &str) -> (usize, Vec<String>) {
    place.run(&format!("rtl --config {config} --stage {stage} --out {dir}")).good();
    let names = place.names(dir);
    let bench = names.iter().find(|name| name.ends_with("_tb.v")).expect("a testbench");
    let text = place.read(&format!("{dir}/{bench}"));
    let items = text.split("localparam TB_ITEMS = ").nth(1).and_then(|rest| rest.split(';').next());
    (items.and_then(|items| items.parse().ok()).expect("a number"), names)
}

#[test]
fn every_configuration_has_testbenches_with_items() {
    let place = Place::fresh();
    let mut configs: Vec<_> = std::fs::read_dir(root().join("configs"))
        .expect("configs")
        .map(|entry| {
            let path = entry.expect("an entry").path();
            path.file_stem().expect("a name").to_string_lossy().into_owned()
        })
        .collect();
    for (i, choice) in CHOICES.iter().enumerate() {
        place.write(&format!("{i}.toml"), format!("data_width = 128\n[protocols]\n{choice}\n"));
        configs.push(format!("{i}.toml"));
    }
    assert!(configs.len() > CHOICES.len() + 3);
    for (i, config) in pick(&configs, 4).into_iter().enumerate() {
        for (stage, files, least) in [("header_parser", 3, 10_000), ("header_builder", 3, 2_000)] {
            let (items, names) = testbench(&place, config, stage, &format!("{stage}{i}"));
            assert!(items > least, "{config}, {stage}: {items} items");
            assert_eq!(names.iter().filter(|name| name.ends_with(".hex")).count(), files, "{config}, {stage}");
        }
    }
}

/// In Icarus: it passes, and with one digit of what is expected changed it ends with a bad status.
#[test]
fn they_pass_and_fail_in_icarus() {
    let cases = [
        ("header_builder", "rocev2 = false\nelab = false\nreserved = \"refuse\""),
        ("header_parser", "uet_port = 5000\nmpeh = \"opcode\""),
    ];
    for (stage, protocols) in pick(cases, 1) {
        let place = Place::fresh();
        place.write("nic.toml", format!("data_width = 256\n[protocols]\n{protocols}\n"));
        let (items, names) = testbench(&place, "nic.toml", stage, "nic");
        let run = |line: &str| ran(Command::new("sh").current_dir(place.path("nic")).args(["-c", line]));
        run("iverilog -g2001 -o tb *.v").good();
        let simulated = run("vvp -n tb +seed=3 +stall=10").good();
        assert_eq!(simulated.lines().last(), Some(&*format!("PASS items={items}")));
        let hex = names.iter().find(|name| name.ends_with("m_axis.hex")).expect("frames");
        let mut text = place.read(&format!("nic/{hex}"));
        // The last digit of the first line, which is of the first beat's payload or of its `tuser`.
        let at = text.find('\n').expect("a line") - 1;
        let digit = u32::from_str_radix(&text[at..=at], 16).expect("a digit") ^ 8;
        text.replace_range(at..=at, &format!("{digit:x}"));
        place.write(&format!("nic/{hex}"), text);
        let simulated = run("vvp -n tb +seed=3 +stall=10");
        assert_eq!(simulated.status, 1, "{}", simulated.out);
        let lines: Vec<_> = simulated.out.lines().collect();
        assert!(lines[0].starts_with("FAIL stream=m_axis item=0 field="), "{lines:?}");
        assert_eq!(lines[1], format!("FAIL items={items} failures=1"));
    }
}
