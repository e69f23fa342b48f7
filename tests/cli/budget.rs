// SPDX-License-Identifier: MIT OR Apache-2.0
//! `budget`: figures that are known from elsewhere.

use crate::{Place, ran, root};
use assert_cmd::Command;
use serde_json::Value;
use tier::is_all;

/// All that is printed.
fn json(arguments: &str) -> Value {
    serde_json::from_str(&Place::fresh().run(&format!("budget --json {arguments}")).good()).expect("JSON")
}

/// The budget of one stage.
fn one(arguments: &str) -> Value {
    first(&Place::fresh().run(&format!("budget --json {arguments}")).good())
}

/// The first of a list.
fn first(text: &str) -> Value {
    let all: Vec<Value> = serde_json::from_str(text).expect("a list");
    all.into_iter().next().expect("a stage")
}

/// Without `--stage` it is the pipeline of the configuration, and the verdict is on all of it.
#[test]
fn the_budget_is_that_of_the_whole_pipeline() {
    let stages = |config: &str| {
        let all = json(&format!("--config {config}"));
        let all = all.as_array().expect("a list");
        assert!(all.iter().all(|budget| budget["version"] == 3));
        all.iter().map(|budget| budget["stage"].as_str().expect("a name").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(stages("uet-400g"), ["nic"]);
    assert_eq!(stages("elab-100g"), ["elab_host"]);
    // The stages of the paths are in the sum of the NIC, and nowhere else.
    assert_eq!(stages("mp-rdma-100g"), ["nic"]);
    // Each has room for itself, not for both.
    let place = Place::fresh();
    place.write("nic.toml", "[target]\ndevice = \"kr260\"\nram_latency = 2\n[tally]\nrows = 80000\n[path_scheduler]\nqps = 2000\npaths = 8\n");
    for stage in ["tally", "path_scheduler"] {
        place.run(&format!("budget --config nic.toml --stage {stage}")).good();
    }
    let ran = place.run("budget --config nic.toml --stage path_scheduler,tally");
    assert!(ran.status == 1 && ran.out.contains("does not fit: together: "), "{}", ran.out);
}

/// What it says of the stages of the receive path alone is what it says of them as modules of it, but for the parser and the gate,
/// which keep records otherwise there.
#[test]
fn the_cost_of_the_receive_path_is_that_of_its_stages() {
    let rx = one("--config mp-rdma-100g --stage rx");
    let modules = rx["modules"].as_array().expect("modules");
    let mut compared = 0;
    for stage in ["icrc", "reorder", "ack_generator", "header_builder", "icrc_insert"] {
        let alone = &one(&format!("--config mp-rdma-100g --stage {stage}"))["total"];
        let name = format!("mpnic_rx_{stage}_");
        let is_it = |module: &&Value| module["module"].as_str().is_some_and(|module| module.starts_with(&name));
        let module = modules.iter().find(is_it).expect("an instance");
        for figure in ["register_bits", "memory_bits"] {
            assert_eq!(module[figure], alone[figure], "{stage}: {figure}");
            compared += 1;
        }
    }
    assert_eq!(compared, 10);
}

#[test]
fn the_memory_of_tally() {
    let budget = one("--stage tally --device lfe5u-85f");
    assert_eq!(budget["total"]["memory_bits"], 32_768);
    // yosys takes two blocks as well.
    assert_eq!(budget["total"]["blocks"], 2);
    assert_eq!(budget["latency"][0]["clocks"], 4);
    assert_eq!(budget["modules"][0]["memories"][0]["primitive"], "DP16KD");
    assert_eq!(budget["total"]["allocated_bits"], 36_864);
}

/// What the command predicts is what yosys maps; `scripts/blocks --all` does more of them.
#[test]
fn yosys_maps_what_is_predicted() {
    let mut command = Command::new(root().join("scripts/blocks"));
    let ran = ran(command.env("MPNIC", env!("CARGO_BIN_EXE_mpnic")));
    assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.ends_with("8 mappings, 0 differ\n"), "{}", ran.out);
}

/// The same of flip-flops and shift registers; `scripts/flip-flops --all` does larger stages.
#[test]
fn yosys_finds_the_flip_flops_that_are_predicted() {
    let mut command = Command::new(root().join("scripts/flip-flops"));
    let (option, end) = if is_all() { ("--jobs=2", "5 stages, 0 differ\n") } else { ("--few", "2 stages, 0 differ\n") };
    let ran = ran(command.arg(option).env("MPNIC", env!("CARGO_BIN_EXE_mpnic")));
    assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.ends_with(end), "{}", ran.out);
    // On ECP5 there are no shift registers.
    let total = &one("--stage icrc --config ecp5-10g")["total"];
    assert_eq!((&total["shift_registers"], &total["flip_flops"]), (&Value::Null, &total["register_bits"]));
}

/// The clock that the link needs, and what is known of it.
#[test]
fn the_clock_that_is_needed_is_said() {
    let place = Place::fresh();
    let text = place.run("budget").good();
    let last = text.lines().last().expect("a verdict");
    assert!(last.starts_with("keeps up with 100 Gb/s if 280.9 MHz close; not measured for rx, "), "{text}");
    // Its packets take 26 clock cycles each.
    assert!(text.contains("\ntx keeps up from frames of 985 bytes on\n"), "{text}");
    let events = &one("--stage tx")["events"];
    assert!(
        events["clocks"] == 26 && events["from_frame"] == 985 && events["mevents"].as_f64() < Some(12.4),
        "{events}"
    );
    assert_eq!(text.matches("clock    280.9 MHz needed of 322.265625: not measured").count(), 7, "{text}");
    let clock = &one("--config uet-400g --stage entropy_selector")["clock"];
    // Its packets are those of the frames: 60 bytes, a quarter of them each.
    assert_eq!(clock["one_event_a_frame_mhz"].as_f64().map(f64::round), Some(149.0));
    assert_eq!(clock["needed_mhz"].as_f64().map(f64::round), Some(281.0));
}

#[test]
fn every_length_has_its_rate() {
    let budget = one("--stage header_parser");
    let points = budget["rate"]["points"].as_array().expect("points");
    let frames: Vec<_> = points.iter().filter_map(|point| point["frame"].as_u64()).collect();
    assert!(frames.is_sorted() && frames.first() == Some(&60) && frames.last() == Some(&9018), "{frames:?}");
    let worst = points
        .iter()
        .max_by(|a, b| a["clock_needed_mhz"].as_f64().partial_cmp(&b["clock_needed_mhz"].as_f64()).expect("numbers"));
    assert_eq!(worst.expect("a point")["frame"], 65);
    assert_eq!(budget["events"], Value::Null);
}

#[test]
fn contexts_of_tally() {
    let budget = one("--stage tally --device ecp5-85");
    // 1024 x 32 bits in two blocks of 18432.
    assert_eq!(budget["contexts"]["allocated_bits"], 36.0);
    assert_eq!(budget["contexts"]["per_megabyte"].as_f64().map(f64::round), Some(233_017.0));
    assert_eq!(budget["events"]["from_frame"], 60);
}

/// Bits of a packet are those of its context, divided by its window.
#[test]
fn packets_of_a_window() {
    let place = Place::fresh();
    place.write("nic.toml", "[packet_tracker]\npdcs = 16\nwindow = 64\n[reorder]\nwindow = 128\n");
    for (stage, window) in [("packet_tracker", 64.0), ("reorder", 128.0)] {
        let command = format!("budget --config nic.toml --stage {stage}");
        let budgets: Value = serde_json::from_str(&place.run(&format!("{command} --json")).good()).unwrap();
        let contexts = &budgets[0]["contexts"];
        assert_eq!(contexts["packets"]["window"].as_f64(), Some(window), "{stage}");
        let [all, one] = [&contexts["bits"], &contexts["packets"]["bits"]].map(|bits| bits.as_f64().unwrap());
        assert!(one > 1.0 && (one * window - all).abs() < 1e-6, "{stage}: {one} {all}");
        assert!(
            place
                .run(&command)
                .good()
                .contains(&format!("{one:.1} bits stored for each packet of a window of {window}"))
        );
    }
}

#[test]
fn the_largest_number_of_contexts_fits_and_one_more_does_not() {
    let place = Place::fresh();
    let config = |rows: u64| format!("[tally]\nrows = {rows}\n[target]\ndevice = \"ecp5-85\"\npipelines = 3\n");
    place.write("nic.toml", config(2));
    let largest: Value =
        serde_json::from_str(&place.run("budget --config nic.toml --stage tally --max contexts --json").good())
            .expect("JSON");
    let max = largest["max"].as_u64().expect("some fit");
    place.write("nic.toml", config(max));
    assert!(
        place
            .run("budget --config nic.toml --stage tally")
            .good()
            .contains("\nfits LFE5U-85F (ECP5): counted are flip-flops, DP16KD, TRELLIS_DPR16X4; LUTs are not")
    );
    place.write("nic.toml", config(max + 1));
    let ran = place.run("budget --config nic.toml --stage tally");
    assert_eq!(ran.status, 1);
    let limit = largest["limit"][0].as_str().expect("a limit");
    assert!(limit.contains("DP16KD") && ran.out.contains(limit), "{limit}\n{}", ran.out);
}

/// Each lane is an array of its own, and a row of them is one memory.
#[test]
fn the_memory_of_the_entropy_selector() {
    let budget = one("--stage entropy_selector --config ecp5-10g");
    assert_eq!((&budget["contexts"]["count"], &budget["contexts"]["name"]), (&256.into(), &"CCCs".into()));
    let memories = budget["modules"][0]["memories"].as_array().expect("memories");
    let laned = memories.iter().find(|memory| memory["lanes"].as_u64() > Some(1)).expect("one has lanes");
    let number = |key: &str| laned[key].as_u64().expect("a number");
    assert_eq!(number("primitives") % number("lanes"), 0);
    assert_eq!(number("bits"), number("rows") * number("width"));
    let clocks = [0, 1].map(|i: usize| budget["latency"][i]["clocks"].as_u64());
    assert_eq!(clocks, [Some(8), Some(20)]);
    let largest = json("--stage entropy_selector --config ecp5-10g --max");
    assert_eq!(largest["key"], "entropy_selector.cccs");
}

#[test]
fn a_stage_without_contexts() {
    let error = Place::fresh().run("budget --stage icrc --max").bad(2);
    assert!(error.contains("keeps no contexts") && error.contains("path_scheduler"), "{error}");
    let error = Place::fresh().run("budget --max").bad(2);
    assert!(error.contains("--max is for one stage") && error.contains("--stage context_lookup, or "), "{error}");
}

#[test]
fn the_target_chooses_the_latency_of_memories() {
    let taken = |target: &str| {
        let place = Place::fresh();
        place.write("nic.toml", format!("[target]\n{target}"));
        let text = place.run("budget --config nic.toml --stage tally --json").good();
        let budget = first(&text);
        let choices = budget["choices"].as_array().expect("choices");
        let taken = choices.iter().find(|choice| choice["chosen"] == true).expect("one is taken");
        assert_eq!(taken["latency"], budget["latency"][0]["clocks"]);
        assert_eq!(taken["value"], budget["modules"][0]["memories"][0]["latency"]);
        taken["value"].as_u64()
    };
    assert_eq!(taken("clock_mhz = 322.265625"), Some(2));
    assert_eq!(taken("clock_mhz = 250"), Some(1));
    assert_eq!(taken("clock_mhz = 250\nram_latency = 2"), Some(2));
    assert_eq!(taken("clock_mhz = 250\ndevice = \"lfe5u-85f\""), Some(2));
    assert_eq!(taken("clock_mhz = 100\ndevice = \"lfe5u-85f\""), Some(1));
    assert_eq!(taken("clock_mhz = 500\nram_latency = 1"), Some(1));
}

/// What the contract of each stage says of its latency, in clocks and in time.
#[test]
fn every_latency_of_memories_has_its_price() {
    let place = Place::fresh();
    place.write("nic.toml", "[target]\nclock_mhz = 250\nram_latency = 3\n[entropy_selector]\ncccs = 8\nevs = 16\n");
    for (stage, clocks) in [("entropy_selector", [7, 8, 9]), ("tally", [3, 4, 5])] {
        let text = place.run(&format!("budget --config nic.toml --stage {stage} --json")).good();
        let budget = first(&text);
        let choices = budget["choices"].as_array().expect("choices");
        let all = |key: &str| choices.iter().map(|choice| choice[key].clone()).collect::<Vec<_>>();
        assert_eq!(all("value"), [1, 2, 3]);
        assert_eq!(all("chosen"), [false, false, true]);
        assert_eq!(all("latency"), clocks);
        assert_eq!(all("latency_ns"), clocks.map(|clocks| f64::from(clocks) * 4.0));
        assert!(all("memory_bits").iter().all(|bits| *bits == budget["total"]["memory_bits"]));
        let flip_flops: Vec<_> = choices.iter().filter_map(|choice| choice["flip_flops"].as_u64()).collect();
        assert!(flip_flops.len() == 3 && flip_flops.is_sorted_by(|a, b| a < b), "{flip_flops:?}");
        assert_eq!(budget["latency"][0]["clocks"], clocks[2]);
        let text = place.run(&format!("budget --config nic.toml --stage {stage}")).good();
        let rows: Vec<_> = text.lines().filter(|line| line.contains("target.ram_latency = ")).collect();
        assert!(rows.len() == 3 && rows[2].ends_with("taken") && !rows[0].ends_with("taken"), "{text}");
    }
    // The parser has no memories.
    assert_eq!(one("--stage header_parser")["choices"].as_array().map(Vec::len), Some(0));
}

#[test]
fn a_board_is_a_device() {
    let place = Place::fresh();
    place.write("nic.toml", "[target]\ndevice = \"u55c\"\n");
    assert!(place.run("--config nic.toml --print-config").good().contains("device = \"xcvu47p\""));
    let by_board = one("--device u50");
    assert_eq!(by_board["device"], one("--device xcvu35p")["device"]);
}

#[test]
fn the_latency_of_the_parser() {
    // As its contract says.
    for (width, clocks) in [(64, 13), (128, 14), (256, 15), (512, 16)] {
        let place = Place::fresh();
        place.write("nic.toml", format!("data_width = {width}\n[target]\nlink_gbps = 10\n"));
        let text = place.run("budget --config nic.toml --stage header_parser --json").good();
        let budget = first(&text);
        assert_eq!(budget["latency"][0]["clocks"], clocks, "{width}");
    }
}

#[test]
fn what_does_not_keep_up_is_said() {
    let place = Place::fresh();
    place.write("nic.toml", "data_width = 64\n");
    let ran = place.run("budget --config nic.toml");
    assert_eq!(ran.status, 1);
    assert!(ran.out.contains("does not fit: rx: frames of ") && ran.out.contains("at 100 Gb/s need "), "{}", ran.out);
}

#[test]
fn an_unknown_device() {
    let error = Place::fresh().run("budget --device xc7").bad(2);
    assert!(error.starts_with("mpnic: no device xc7\n  help: known are xcvu9p, "), "{error}");
}

/// UltraRAM is counted where it is asked for, and refused where there is none, in the file and by `--device`.
#[test]
fn large_memories_are_ultra_ram_on_request() {
    let place = Place::fresh();
    place.write("nic.toml", "[target]\nultra_ram_bits = 30000\n[tally]\nrows = 4096\n");
    let tally = first(&place.run("budget --json --config nic.toml --stage tally").good());
    let memory = &tally["modules"][0]["memories"][0];
    assert_eq!((&memory["primitive"], &memory["primitives"]), (&"URAM288".into(), &1.into()), "{memory}");
    assert!(tally["device"]["ultra_percent"].as_f64() > Some(0.0), "{}", tally["device"]);
    let text = place.run("budget --config nic.toml --stage tally").good();
    assert!(text.contains(" URAM288  logic levels\n") && text.contains(", LUT RAM, URAM288; LUTs are not"), "{text}");
    assert!(!place.run("budget --stage tally").good().contains(" URAM288  logic levels\n"));
    assert_eq!(
        place.run("rtl --config nic.toml --stage tally,tally --out -").good().matches("ram_style = \"ultra\"").count(),
        1
    );
    let largest = place.run("budget --config nic.toml --stage tally --max").good();
    assert!(largest.contains(" % of the UltraRAM\n"), "{largest}");
    let none = place.run("budget --config nic.toml --stage tally --device ecp5-85").bad(2);
    assert!(none.starts_with("mpnic: lfe5u-85f has no UltraRAM"), "{none}");
    place.write("ecp5.toml", "[target]\ndevice = \"ecp5-85\"\nultra_ram_bits = 30000\n");
    assert!(place.run("rtl --config ecp5.toml --stage tally --out o").bad(2).contains("has no UltraRAM"));
}
