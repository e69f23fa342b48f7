// SPDX-License-Identifier: MIT OR Apache-2.0
//! `mpnic model`: what it writes compiles, plays its vectors, and says the same in C, in Python and beside the Verilog.

mod bench;
mod beside;
mod elab_hosts;
mod goodput;

use crate::{Place, Ran, ran};
use assert_cmd::Command;
use tier::{is_all, pick};

/// Configurations, and how many of their models play vectors; the first is soon compiled.
const CONFIGS: [(&str, usize); 4] = [
    ("--config ecp5-10g --stage icrc,reorder,path_scheduler", 3),
    ("", 14),
    ("--config uet-400g", 9),
    ("--config mp-rdma-100g", 11),
];
const WARNINGS: &str = "-std=c11 -Wall -Wextra -Werror";
const SANITIZERS: &str = "-fsanitize=address,undefined -fno-sanitize-recover";

/// A line of a shell in the directory `nic`.
fn shell(place: &Place, line: &str) -> Ran {
    ran(Command::new("bash").current_dir(place.path("nic")).args(["-c", line]))
}

/// The models of a configuration, by the programs that play their vectors.
fn models(place: &Place, config: &str) -> Vec<String> {
    place.run(&format!("model {config} --out nic")).good();
    let names = place.names("nic").into_iter();
    names.filter_map(|name| name.strip_suffix("_main.c").map(str::to_owned)).collect()
}

/// Compiles and runs the program; what it says at last.
fn play(place: &Place, name: &str, options: &str) -> Ran {
    shell(place, &format!("cc {options} -o {name} {name}.c {name}_main.c")).good();
    shell(place, &format!("./{name}"))
}

/// How many it has compared.
fn passed(ran: Ran) -> usize {
    let said = ran.good();
    let count = said.strip_prefix("PASS ").and_then(|rest| rest.trim_end().split_once('='));
    count.and_then(|(_, count)| count.parse().ok()).unwrap_or_else(|| panic!("{said}"))
}

/// Inverts an output in the C of a model: the last beat, or an answer.
fn inverted(source: &str) -> String {
    let line = |end: &str| source.lines().find(|line| line.starts_with("    out->") && line.contains(end));
    let line = line("_tlast = ").or_else(|| line("_valid = ")).expect("an output");
    let (port, _) = line.split_once(" = ").expect("an assignment");
    source.replacen(line, &format!("{line}\n{port} ^= 1;"), 1)
}

#[test]
fn every_model_passes_its_vectors_with_all_checks_of_the_compiler() {
    for (config, count) in pick(CONFIGS, 1) {
        let place = Place::fresh();
        let names = models(&place, config);
        assert_eq!(names.len(), count, "{config}: {names:?}");
        for name in pick(names, 2) {
            for end in [".h", ".c", ".py", "_dpi.c", "_dpi.sv"] {
                let text = place.read(&format!("nic/{name}{end}"));
                let mut lines = text.lines().map(|line| line.trim_start_matches(['/', '#', ' ']));
                assert_eq!(lines.next(), Some("SPDX-License-Identifier: MIT OR Apache-2.0"), "{name}{end}");
                assert!(lines.next().is_some_and(|line| line.contains(", configuration ")), "{name}{end}");
            }
            // Once, with all checks: a plain build is that of the other tests.
            let compared = passed(play(&place, &name, &format!("-O1 {WARNINGS} {SANITIZERS}")));
            assert!(compared > 1000, "{config} {name}: {compared}");
            shell(&place, &format!("cc -O1 {WARNINGS} -c {name}_dpi.c")).good();
        }
    }
}

#[test]
fn a_broken_model_fails() {
    let place = Place::fresh();
    let stages = if is_all() { "" } else { "--stage icrc,path_scheduler" };
    for name in pick(models(&place, &format!("--config ecp5-10g {stages}")), 2) {
        let source = place.read(&format!("nic/{name}.c"));
        place.write(&format!("nic/{name}.c"), inverted(&source));
        let said = play(&place, &name, "-O1");
        assert_eq!(said.status, 1, "{name}: {}", said.out);
        assert!(said.out.starts_with("FAIL "), "{name}: {}", said.out);
        assert!(said.out.contains("_valid got=") || said.out.contains("tlast got="), "{name}: {}", said.out);
    }
}

/// A file with a bit of a line inverted.
fn flipped(text: &str, line: usize, bit: usize) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let at = lines[line].len() - 1 - bit / 4;
    let digit = u32::from_str_radix(&lines[line][at..=at], 16).expect("a digit") ^ 1 << (bit % 4);
    lines[line].replace_range(at..=at, &format!("{digit:x}"));
    lines.join("\n") + "\n"
}

#[test]
fn a_broken_vector_fails() {
    for (stage, file, port, line, says) in [
        ("icrc", "m_axis", "tuser", 200, "FAIL stream=m_axis item=200 field=tuser got="),
        // In the sweep after reset.
        ("path_scheduler", "cycles", "grant_valid", 100, "FAIL cycle=100 port=grant_valid got=0 expected=1"),
    ] {
        let place = Place::fresh();
        place.run(&format!("model --stage {stage} --out nic")).good();
        let name = format!("mpnic_{stage}");
        assert!(passed(play(&place, &name, "-O1")) > line);
        let main = place.read(&format!("nic/{name}_main.c"));
        let entry = main.lines().rfind(|line| line.starts_with(&format!("    {{\"{port}\", "))).expect("the port");
        let bit = entry.trim_end_matches("},").rsplit(' ').next().and_then(|low| low.parse().ok()).expect("its place");
        let file = format!("nic/{name}_tb_{file}.hex");
        place.write(&file, flipped(&place.read(&file), line, bit));
        let said = shell(&place, &format!("./{name}"));
        assert!(said.status == 1 && said.out.starts_with(says), "{}", said.out);
        std::fs::remove_file(place.path(&file)).expect("removed");
        let said = shell(&place, &format!("./{name}"));
        assert!(said.status == 1 && said.out.contains(".hex cannot be opened"), "{}", said.out);
    }
}

#[test]
fn a_stage_without_vectors_has_no_program() {
    let place = Place::fresh();
    let ran = place.run("model --stage tally --name counts --out nic");
    assert!(ran.err.ends_with("nic: counts has no golden vectors, and so no counts_main.c\n"), "{}", ran.err);
    ran.good();
    let benches = ["counts_bench.c", "counts_bench.h"];
    let files =
        [&["counts.c", "counts.h", "counts.py"], &benches[..], &["counts_dpi.c", "counts_dpi.sv", "mpnic.sha256"]];
    assert_eq!(place.names("nic"), files.concat());
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let place = Place::fresh();
    for dir in ["a", "b"] {
        place.run(&format!("model --config ecp5-10g --out {dir}")).good();
    }
    assert_eq!(place.read("a/mpnic.sha256"), place.read("b/mpnic.sha256"));
    // What has been built there is nobody's but the user's.
    place.write("a/mpnic_icrc", "a program");
    let error = place.run("model --stage tally --out a").bad(2);
    assert!(error.contains("a holds what this command did not write: mpnic_icrc"), "{error}");
    place.run("model --stage tally --out a --force").good();
    assert_eq!(place.read("a.old/mpnic_icrc"), "a program");
}

#[test]
fn wrong_usage_writes_nothing() {
    let place = Place::fresh();
    for (arguments, says) in [
        ("--stage nothing", "invalid value 'nothing'"),
        ("--name mine", "--stage"),
        ("--stage tally,icrc --name mine", "--name is for one stage"),
        ("--stage tally --name 9lives", "a module is called by at most 100 letters, digits and _"),
        ("--stage tally --name main", "a model cannot be called `main`"),
        ("--stage tally --name lambda", "a model cannot be called `lambda`"),
        ("--stage tally --name std", "a model cannot be called `std`"),
        ("--stage tally --name random", "a model cannot be called `random`"),
        ("--config nothing", "nothing"),
    ] {
        let error = place.run(&format!("model {arguments} --out nic")).bad(2);
        assert!(error.contains(says), "{arguments}: {error}");
    }
    assert_eq!(place.names(""), ["in.pcap"]);
}
