// SPDX-License-Identifier: MIT OR Apache-2.0
//! `conform`: passes, and notices what is changed.

use crate::Place;
use golden_vectors::Archive;
use serde_json::Value;
use std::collections::BTreeSet;
use tier::is_all;

fn vectors() -> Value {
    vectors_of("header_parser")
}

fn vectors_of(stage: &str) -> Value {
    let text = Archive::embedded().expect("whole").text(&format!("{stage}.json")).expect("whole");
    serde_json::from_str(&text.expect("committed")).expect("JSON")
}

#[test]
fn all_vectors_pass_on_the_model_at_every_width() {
    let (width, widths) = if is_all() { ("all", 5) } else { ("512", 1) };
    let said = Place::fresh().run(&format!("conform --data-width {width} --json")).good();
    let report: Value = serde_json::from_str(&said).expect("JSON");
    let count = |stage| vectors_of(stage)["numberOfTests"].as_u64().expect("a number");
    let suites = report["suites"].as_array().expect("suites");
    let of = |stage: &str, own: bool| {
        let stage = stage.to_owned();
        suites.iter().filter(move |suite| suite["name"] == stage && suite["as_configured"] == own).collect::<Vec<_>>()
    };
    let passed = |suites: &[&Value]| suites.iter().filter_map(|suite| suite["passed"].as_u64()).sum::<u64>();
    let groups = vectors_of("header_parser")["groups"].as_array().expect("groups").clone();
    let configurations: BTreeSet<_> = groups.iter().map(|group| group["configuration"].to_string()).collect();
    assert!(configurations.len() > 10, "the default, and others");
    // What is as configured is run once; the builder as configured, which sends no UDP checksum, and as recorded.
    let built = buildable(&vectors());
    let [parser, parsers] = [true, false].map(|own| of("header_parser", own));
    assert_eq!((parser.len(), parsers.len()), (widths, widths * (configurations.len() - 1)));
    assert_eq!(passed(&parser) + passed(&parsers), widths as u64 * count("header_parser"));
    let [builder, builders] = [true, false].map(|own| of("header_builder", own));
    let own = vectors_of("header_builder")["groups"].as_array().expect("groups").clone();
    let own: BTreeSet<_> = own.iter().map(|group| group["configuration"].to_string()).collect();
    // With DSCPs of its own all frames are trimmed: none of them can be built.
    let whole = configurations.iter().filter(|configuration| !configuration.contains("trimmed")).count();
    assert_eq!((builder.len(), builders.len()), (widths * 2, widths * (whole + own.len() - 1)));
    assert!(
        passed(&builder) > widths as u64 * 2000
            && passed(&builder) + passed(&builders) > widths as u64 * (built + count("header_builder"))
    );
    let recorded = |suite: &&&Value| suite["configuration"]["udp_checksum"] == "recorded";
    assert_eq!(builder.iter().filter(recorded).count(), 0);
    assert_eq!(builders.iter().filter(recorded).count(), widths * (whole + 1));
    for stage in ["icrc", "icrc_insert"] {
        let (own, others) = (of(stage, true), of(stage, false));
        assert_eq!((own.len(), passed(&own), others.len()), (widths, widths as u64 * count(stage), 0), "{stage}");
    }
    // What has no bus is run once; of the configured size there are no committed vectors.
    for stage in [
        "entropy_selector",
        "path_scheduler",
        "ccc_table",
        "elab_scheduler",
        "elab_feedback",
        "frame_gate",
        "context_lookup",
    ] {
        let (own, others) = (of(stage, true), of(stage, false));
        assert!(own.len() == 1 && passed(&own) > 0, "{stage}");
        assert_eq!(passed(&others), count(stage), "{stage}");
    }
    let first: Vec<_> = suites.iter().map(|suite| suite["as_configured"] == true).collect();
    assert!(first.is_sorted_by(|one, next| one >= next), "first what is as configured");
    let all: Vec<_> = suites.iter().collect();
    assert_eq!((&report["passed"], &report["failed"]), (&passed(&all).into(), &0.into()));
    let own: Vec<_> = suites.iter().filter(|suite| suite["as_configured"] == true).collect();
    assert_eq!(report["as_configured"]["passed"], passed(&own));
    assert_eq!(suites[0]["backend"], "model");
}

/// All good frames but those with IPv4 options.
fn buildable(file: &Value) -> u64 {
    let tests = file["groups"].as_array().expect("groups").iter().filter_map(|group| group["tests"].as_array());
    let good = tests.flatten().filter(|case| case["result"] == "valid");
    let plain = |case: &&Value| case["expect"]["fields"]["ip_ihl"].as_str().is_none_or(|ihl| ihl == "0x5");
    let count = good.filter(plain).count();
    assert!(count > 2500, "{count}");
    count as u64
}

#[test]
fn the_stage_and_the_id_choose_vectors() {
    let place = Place::fresh();
    let names = |filter: &str| {
        let ran = place.run(&format!("conform --filter {filter}")).good();
        ran.lines().filter_map(|line| line.split_once(", ")).map(|(name, _)| name.to_owned()).collect::<Vec<_>>()
    };
    let own = ["header_parser as configured", "header_builder as configured"];
    assert_eq!(names("link/type-0806")[..2], own);
    let builder = ["header_builder as configured", "header_builder", "as configured 1 passed", "2 passed"];
    assert_eq!(names("header_builder/link/type-0806"), builder);
    let of_builder = |name: &String| name.starts_with("header_builder") || name.ends_with(" passed");
    assert!(names("header_builder").iter().all(of_builder));
}

#[test]
fn timed_vectors_are_run_in_every_size_that_they_ask_for() {
    let ran = Place::fresh().run("conform --filter entropy_selector --json");
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    let file = vectors_of("entropy_selector");
    let groups = file["groups"].as_array().expect("groups");
    let asked: BTreeSet<_> = groups.iter().map(|group| group["configuration"].to_string()).collect();
    let suites = report["suites"].as_array().expect("suites");
    let (own, others): (Vec<_>, Vec<_>) = suites.iter().partition(|suite| suite["as_configured"] == true);
    let built: BTreeSet<_> = others.iter().map(|suite| suite["configuration"].to_string()).collect();
    assert_eq!((built.len(), &built), (others.len(), &asked));
    let size = &own[0]["configuration"];
    assert_eq!((own.len(), &size["cccs"], &size["evs"]), (1, &1024.into(), &256.into()));
    assert!(suites.iter().all(|suite| suite["data_width"].is_null()));
}

/// Committed vectors are for the default settings after reset. With others, their size is judged by vectors of its own, and
/// they are run as another configuration.
#[test]
fn vectors_of_the_configured_size_with_other_settings() {
    let place = Place::fresh();
    let count = |stage| vectors_of(stage)["numberOfTests"].as_u64().expect("a number");
    for (stage, size) in [
        ("ccc_table", "[ccc_table]\ncccs = 3\nalgorithms = \"both\"\n"),
        ("ack_generator", "[ack_generator]\nprotocol = \"roce\"\nconnections = 2\nwindow = 1024\n"),
    ] {
        place.write("nic.toml", format!("[target]\nclock_mhz = 200\nlink_gbps = 25\nram_latency = 2\n{size}"));
        place.write("stage.json", vectors_of(stage).to_string());
        let file = "--vectors stage.json".to_owned();
        for (vectors, has_own) in [("", true), (file.as_str(), false)] {
            let ran = place.run(&format!("conform --config nic.toml --filter {stage} --json {vectors}")).good();
            let report: Value = serde_json::from_str(&ran).expect("JSON");
            let own = report["as_configured"]["passed"].as_u64().expect("a number");
            assert_eq!((own > 0, &report["failed"]), (has_own, &0.into()), "{stage}: {ran}");
            assert_eq!(report["passed"].as_u64(), Some(own + count(stage)), "{stage}");
        }
    }
}

/// A grant a cycle later than it comes.
#[test]
fn a_wrong_cycle_is_found() {
    let place = Place::fresh();
    let mut file = vectors_of("entropy_selector");
    let tests = file["groups"][0]["tests"].as_array_mut().expect("tests");
    let granted =
        |case: &&mut Value| case["expect"]["outputs"]["grant"].as_array().is_some_and(|rows| !rows.is_empty());
    let case = tests.iter_mut().find(granted).expect("one has a grant");
    let id = case["id"].as_str().expect("an id").to_owned();
    let rows = case["expect"]["outputs"]["grant"].as_array_mut().expect("rows");
    let last = rows.last_mut().expect("a row");
    last[0] = (last[0].as_u64().expect("a cycle") + 1).into();
    place.write("changed.json", file.to_string());
    let ran = place.run(&format!("conform --vectors changed.json --filter {id}"));
    assert!(ran.status == 1 && ran.out.contains(&format!("FAIL {id} (model): grant")), "{}{}", ran.out, ran.err);
}

#[test]
fn a_flipped_bit_is_found_and_named() {
    let place = Place::fresh();
    let mut file = vectors();
    let case = &mut file["groups"][0]["tests"][0];
    let id = case["id"].as_str().expect("an id").to_owned();
    let fields = case["expect"]["fields"].as_object_mut().expect("fields");
    let ethertype = fields["ethertype"].as_str().and_then(|x| u16::from_str_radix(&x[2..], 16).ok()).expect("a number");
    fields.insert("ethertype".to_owned(), format!("{:#x}", ethertype ^ 1).into());
    place.write("changed.json", file.to_string());
    for backend in ["model", "verilator", "iverilog"] {
        let options = format!("--backend {backend} --data-width 64 --filter header_parser/{id}");
        let ran = place.run(&format!("conform --vectors changed.json {options}"));
        let wanted = format!("FAIL {id} ({backend}): ethertype: got {ethertype:#x}, expected {:#x}\n", ethertype ^ 1);
        assert!(ran.status == 1 && ran.out.contains(&wanted), "{}{}", ran.out, ran.err);
    }
}

#[test]
fn a_flipped_bit_of_a_frame_is_found() {
    let place = Place::fresh();
    let mut file = vectors();
    let case = &mut file["groups"][0]["tests"][0];
    let id = case["id"].as_str().expect("an id").to_owned();
    // The first bit of the destination address.
    let frame = case["frame"].as_str().expect("a frame");
    let first = char::from_digit(frame[..1].chars().next().and_then(|c| c.to_digit(16)).expect("hex") ^ 8, 16);
    case["frame"] = format!("{}{}", first.expect("a digit"), &frame[1..]).into();
    place.write("changed.json", file.to_string());
    let ran = place.run(&format!("conform --vectors changed.json --filter {id}"));
    assert!(ran.status == 1 && ran.out.contains("dst_mac: got 0x"), "{}{}", ran.out, ran.err);
    // Of the record the builder makes the frame that it was.
    assert!(ran.out.contains("(model): frame: got byte 0 is 0x"), "{}", ran.out);
}

#[test]
fn wrong_files_and_filters_are_status_2() {
    let place = Place::fresh();
    place.write("none.json", "{}");
    assert!(place.run("conform --vectors none.json").bad(2).starts_with("mpnic: none.json: missing field"));
    place.run("conform --vectors nothing.json").bad(2);
    let mut empty = vectors();
    (empty["groups"], empty["numberOfTests"]) = (Value::Array(Vec::new()), 0.into());
    place.write("empty.json", empty.to_string());
    assert_eq!(place.run("conform --vectors empty.json").bad(2), "mpnic: there are no vectors\n");
    assert_eq!(place.run("conform --filter zebra").bad(2), "mpnic: no vector has an id that contains `zebra`\n");
}

#[test]
fn vectors_for_a_size_that_there_is_not_are_status_2() {
    let place = Place::fresh();
    let file = vectors_of("entropy_selector");
    let error = |change: &dyn Fn(&mut Value)| {
        let mut file = file.clone();
        change(&mut file["groups"][0]["configuration"]);
        place.write("changed.json", file.to_string());
        place.run("conform --vectors changed.json --filter walk-c1e16/").bad(2)
    };
    let four = error(&|configuration| configuration["ram_latency"] = 4.into());
    let wanted = "mpnic: the vectors for `entropy_selector` ask for `ram_latency` = 4; it is 1, 2 or 3\n";
    assert_eq!(four, wanted);
    let none = error(&|configuration| {
        configuration.as_object_mut().expect("numbers").remove("ram_latency");
    });
    assert!(none.contains("do not say what `ram_latency` is"), "{none}");
}

#[test]
fn vectors_of_another_kind_of_stage_are_status_2() {
    let place = Place::fresh();
    let error = |stage: &str| {
        let mut file = vectors_of("icrc");
        file["stage"] = stage.into();
        place.write("changed.json", file.to_string());
        place.run("conform --vectors changed.json").bad(2)
    };
    assert_eq!(error("nothing"), "mpnic: the vectors are for the stage `nothing`, which is not known\n");
    for stage in ["tally", "frame_gate"] {
        assert_eq!(error(stage), format!("mpnic: no vectors of this kind judge the stage `{stage}`\n"));
    }
}

#[test]
fn a_missing_tool_is_named() {
    let place = Place::fresh();
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_mpnic"));
    command
        .args(["conform", "--filter", "fifo", "--backend", "verilator"])
        .env("MPNIC_VERILATOR", "/nowhere/verilator");
    let error = crate::ran(command.current_dir(place.path(""))).bad(2);
    assert!(error.contains("install the Debian package `verilator`"), "{error}");
}

#[test]
fn the_vectors_as_text() {
    let place = Place::fresh();
    let listed: Value = serde_json::from_str(&place.run("vectors --json").good()).expect("JSON");
    let names: Vec<_> = listed.as_array().expect("files").iter().map(|file| file["name"].clone()).collect();
    assert!(names.len() > 20, "{names:?}");
    let text = place.run("vectors").good();
    assert!(names.iter().all(|name| text.contains(name.as_str().expect("a name"))), "{text}");
    let printed = place.run("vectors icrc.json").good();
    assert_eq!(printed, Archive::embedded().expect("whole").text("icrc.json").expect("whole").expect("there"));
    assert!(place.run("vectors --out text").good().starts_with("text: "));
    assert_eq!(place.read("text/icrc.json"), printed);
    let mut written = place.names("text");
    written.retain(|name| name != "mpnic.sha256" && name != "MANIFEST.json");
    let mut names: Vec<_> = names.iter().filter_map(Value::as_str).collect();
    names.sort_unstable();
    assert_eq!(written, names);
    assert_eq!(
        place.run("vectors nothing.json").bad(2),
        "mpnic: there is no file `nothing.json`\n  help: mpnic vectors lists them\n"
    );
    // What is there already is not overwritten.
    place.write("text/notes.txt", "mine");
    assert!(place.run("vectors --out text").bad(2).contains("notes.txt"));
}

#[test]
fn vectors_from_an_archive() {
    let place = Place::fresh();
    let bytes = std::fs::read(crate::root().join("golden-vectors/vectors.zip")).expect("committed");
    place.write("whole.zip", &bytes);
    let ran = place.run("conform --vectors whole.zip --filter mark_monitor/").good();
    assert!(
        ran.lines().last().is_some_and(|line| line.ends_with("passed, 0 failed") && !line.starts_with('0')),
        "{ran}"
    );
    place.write("cut.zip", &bytes[..bytes.len() / 3]);
    let mut changed = bytes.clone();
    changed[bytes.len() / 2] ^= 1;
    place.write("changed.zip", changed);
    for name in ["cut.zip", "changed.zip"] {
        let said = place.run(&format!("conform --vectors {name}")).bad(2);
        assert!(said.starts_with(&format!("mpnic: {name}: this archive of vectors is cut or changed: ")), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}
