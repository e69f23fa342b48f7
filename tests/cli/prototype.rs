// SPDX-License-Identifier: MIT OR Apache-2.0
//! `prototype` and `rtl`: what is in the directory, and that the Verilog passes its own testbench.

use crate::{Place, ran};
use assert_cmd::Command;
use serde_json::Value;
use tier::pick;

#[test]
fn everything_is_there() {
    let place = Place::fresh();
    let out = place.run("prototype --config ecp5-10g --out nic").good();
    assert!(out.contains("conform  ") && out.contains(" 0 failed on the model"), "{out}");
    assert!(out.contains("200 of 200 frames read as they were encoded"), "{out}");
    for name in
        ["README.md", "summary.json", "nic.toml", "budget.json", "conform.json", "replay/rocev2.jsonl", "report.html"]
    {
        assert!(place.path("nic").join(name).exists(), "{name}");
    }
    let summary: Value = serde_json::from_str(&place.read("nic/summary.json")).expect("JSON");
    assert_eq!((&summary["passed"], &summary["replay"]["agree"]), (&true.into(), &200.into()));
    let header = format!("configuration {};", summary["config"].as_str().expect("a hash"));
    assert!(place.read("nic/rtl/mpnic_header_parser.v").contains(&header));
}

#[test]
fn a_design_that_does_not_fit_is_written_and_status_1() {
    let place = Place::fresh();
    place.write("slow.toml", "[target]\nclock_mhz = 100\n");
    let ran = place.run("prototype --config slow.toml --stage header_parser --out nic");
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert!(ran.out.contains("does not fit: frames of 65 bytes at 100 Gb/s need 280.9 MHz, not 100"), "{}", ran.out);
    assert!(place.path("nic/summary.json").exists());
}

#[test]
fn several_stages_are_measured_apart_and_together() {
    let place = Place::fresh();
    let out = place.run("prototype --stage header_parser,tally --out nic").good();
    assert!(out.contains("budget   tally: 246 register bits, 32768 memory bits, "), "{out}");
    let summary: Value = serde_json::from_str(&place.read("nic/summary.json")).expect("JSON");
    let stages = summary["stages"].as_array().expect("a list");
    let names: Vec<_> = stages.iter().map(|stage| &stage["stage"]).collect();
    assert_eq!(names, ["header_parser", "tally"]);
    let registers = |value: &Value| value["register_bits"].as_u64().expect("a number");
    let sum: u64 = stages.iter().map(|stage| registers(&stage["budget"]["total"])).sum();
    assert_eq!(registers(&summary["total"]), sum);
    // Frames of the one, events of the other.
    let (first, second) = (&stages[0]["budget"], &stages[1]["budget"]);
    assert!(first["events"].is_null() && first["rate"]["points"].as_array().is_some_and(|points| points.len() > 5));
    assert!(second["rate"].is_null());
    assert_eq!(second["events"]["mevents"], 322.265625);
    let memory = &summary["memories"][0];
    assert_eq!((&memory["bits"], &memory["allocated_bits"]), (&32_768.into(), &second["total"]["allocated_bits"]));
    // Each with its own package; only the parser has vectors and so a testbench.
    for top in ["mpnic_header_parser", "mpnic_tally"] {
        for end in ["v", "f", "core", "ys"] {
            assert!(place.path(&format!("nic/rtl/{top}.{end}")).exists(), "{top}.{end}");
        }
    }
    assert!(place.read("nic/README.md").contains("mpnic_header_parser_tb.v -c") && !out.contains("tally_tb"));
}

#[test]
fn a_stage_without_frames_needs_no_capture() {
    let place = Place::fresh();
    let out = place.run("prototype --stage tally --out nic").good();
    assert!(!out.contains("replay") && out.contains("fits XCVU37P (U280): counted are "), "{out}");
    assert!(!place.path("nic/replay").exists());
}

/// The golden vectors once more, by the generated testbench alone.
#[test]
fn the_testbench_passes_in_icarus() {
    for width in pick([64, 512], 1) {
        let place = Place::fresh();
        place.write("nic.toml", format!("data_width = {width}\n"));
        place.run("rtl --config nic.toml --stage header_parser --out nic").good();
        let top = "mpnic_header_parser";
        let line = format!("iverilog -g2001 -s {top}_tb -o tb {top}_tb.v -c {top}.f && vvp -n tb +seed=5 +stall=40");
        let mut shell = Command::new("sh");
        let out = ran(shell.current_dir(place.path("nic")).args(["-c", &line])).good();
        assert!(out.lines().last().is_some_and(|line| line.starts_with("PASS items=")), "{out}");
    }
}

/// The builder's, of frames without UDP checksum and of frames as recorded.
#[test]
fn the_testbench_of_the_builder_passes_in_icarus() {
    for checksum in pick(["zero", "recorded"], 1) {
        let place = Place::fresh();
        place.write("nic.toml", format!("data_width = 256\n[header_builder]\nudp_checksum = \"{checksum}\"\n"));
        place.run("rtl --config nic.toml --stage header_builder --out nic").good();
        let top = "mpnic_header_builder";
        let line = format!("iverilog -g2001 -s {top}_tb -o tb {top}_tb.v -c {top}.f && vvp -n tb +seed=5 +stall=40");
        let out = ran(Command::new("sh").current_dir(place.path("nic")).args(["-c", &line])).good();
        assert!(out.lines().last().is_some_and(|line| line.starts_with("PASS items=")), "{out}");
    }
}

/// Every stage of the pipeline, and one list of all modules that a tool takes.
#[test]
fn rtl_is_of_the_whole_pipeline() {
    let place = Place::fresh();
    let said = place.run("rtl --config mp-rdma-100g --out nic");
    assert_eq!(said.status, 0, "{}", said.err);
    let tops = ["header_parser", "icrc", "reorder", "path_scheduler", "header_builder", "icrc_insert"]
        .map(|name| format!("mpnic_{name}"));
    for end in ["v", "f", "core", "ys"] {
        assert!(place.path(&format!("nic/mpnic_rx.{end}")).exists(), "mpnic_rx.{end}");
    }
    let names = place.names("nic");
    let list = place.read("nic/pipeline.f");
    let listed: Vec<_> = list.lines().filter(|line| !line.starts_with("//")).collect();
    for top in tops {
        for end in [".v", ".f", ".core", ".ys", "_tb.v"] {
            assert!(names.contains(&format!("{top}{end}")), "{top}{end}: {names:?}");
        }
        assert!(said.err.contains(&top) && listed.contains(&format!("{top}.v").as_str()), "{top}: {list}");
    }
    let line = "iverilog -g2001 -Wall -tnull -c pipeline.f";
    ran(Command::new("sh").current_dir(place.path("nic")).args(["-c", line])).good();
    let printed = place.run("rtl --config mp-rdma-100g --out -").good();
    let modules = |text: &str| text.lines().filter(|line| line.starts_with("module ")).count();
    assert_eq!(modules(&printed), listed.len());
    for file in &listed {
        assert!(printed.contains(&place.read(&format!("nic/{file}"))), "{file}");
    }
}

/// Without RoCEv2 there is no ICRC, and without RoCEv2 and UET no receive path. Every stage is judged as it is configured, and has a testbench.
#[test]
fn the_pipeline_is_that_of_the_configuration() {
    let stages = |config: &str| {
        let place = Place::fresh();
        place.write("nic.toml", config);
        let out = place.run("prototype --config nic.toml --out nic").good();
        let summary: Value = serde_json::from_str(&place.read("nic/summary.json")).expect("JSON");
        let stages = summary["stages"].as_array().expect("a list").clone();
        let readme = place.read("nic/README.md");
        let name = |value: &Value| value["stage"].as_str().expect("a name").to_owned();
        let mut judged = 0;
        for stage in &stages {
            // A path is judged by its stages, a NIC by those of its paths.
            let parts = stage["parts"].as_array().expect("a list");
            let judges = if parts.is_empty() { std::slice::from_ref(stage) } else { &parts[..] };
            for judge in judges.iter().filter(|judge| judge["wiring"].is_null()) {
                let name = name(judge);
                let suites = summary["conform"]["suites"].as_array().expect("a list");
                let own = suites.iter().filter(|suite| suite["name"] == name && suite["as_configured"] == true);
                let passed: u64 = own.filter_map(|suite| suite["passed"].as_u64()).sum();
                let line = format!("conform  {name} as configured: {passed} passed, 0 failed on the model\n");
                assert!(passed > 0 && out.contains(&line) && readme.contains(&line), "{config}: {name}: {out}");
                assert_eq!(judge["testbench"], true, "{name}");
                let top = judge["top"].as_str().expect("a name");
                assert!(
                    place.path(&format!("nic/rtl/{top}_tb.v")).exists() && readme.contains(&format!("{top}_tb.v -c"))
                );
                judged += 1;
            }
        }
        assert!(judged >= 5 && !out.contains("no golden vectors"), "{out}");
        for (path, needs) in
            [("rx", "RoCEv2 or UET"), ("tx", "UET with NSCC or RCCC, or RoCEv2 and tx.protocol = \"roce\"")]
        {
            let left_out = out.contains(&format!("{path} is left out: it needs {needs}\n"));
            let is = |stage: &Value| stage["stage"] == path;
            let has = |stage: &Value| is(stage) || stage["parts"].as_array().expect("a list").iter().any(is);
            assert_eq!(left_out, !stages.iter().any(has), "{out}");
        }
        let left_out = place.read("nic/report.html").matches(" is left out: it needs ").count();
        assert_eq!(left_out, out.matches(" is left out: it needs ").count());
        stages.iter().map(name).collect::<Vec<_>>()
    };
    let rdma: &[&str] = &["nic"];
    let all: [(&str, &[&str]); 4] = [
        ("uet = false\nrocev2 = false", &["elab_host"]),
        ("uet = false\nelab = false", rdma),
        ("uet = false\nelab = false\nrocev2_port = 4800", rdma),
        ("elab = false\nrocev2 = false", &["nic"]),
    ];
    for (protocols, wanted) in pick(all, 1) {
        assert_eq!(stages(&format!("[protocols]\n{protocols}\n")), wanted);
    }
}

/// The selector's, at a size of the vectors and at another one.
#[test]
fn the_testbench_of_the_selector_passes_in_icarus() {
    for (cccs, evs) in pick([(4, 32), (70, 64)], 1) {
        let place = Place::fresh();
        place.write("nic.toml", format!("[entropy_selector]\ncccs = {cccs}\nevs = {evs}\n"));
        place.run("rtl --config nic.toml --stage entropy_selector --out nic").good();
        let top = "mpnic_entropy_selector";
        let line = format!("iverilog -g2001 -s {top}_tb -o tb {top}_tb.v -c {top}.f && vvp -n tb");
        let out = ran(Command::new("sh").current_dir(place.path("nic")).args(["-c", &line])).good();
        assert!(out.lines().last().is_some_and(|line| line.starts_with("PASS cycles=")), "{out}");
    }
}

#[test]
fn the_tools_take_the_verilog() {
    let place = Place::fresh();
    // `./test` takes the first, which yosys has soon done.
    for stage in pick(["tally", "header_parser", "icrc_insert", "header_builder"], 1) {
        let top = format!("mpnic_{stage}");
        place.write("nic.toml", "data_width = 64\n");
        place.run(&format!("rtl --config nic.toml --stage {stage} --out {stage}")).good();
        let line = format!("verilator --lint-only -Wall --top-module {top} -f {top}.f && yosys -q {top}.ys");
        ran(Command::new("sh").current_dir(place.path(stage)).args(["-c", &line])).good();
    }
}
