// SPDX-License-Identifier: MIT OR Apache-2.0
//! Experiments in a network: results, files, refusals, sweeps.

use crate::Place;
use serde_json::Value;

/// Eight hosts, two ways to choose paths.
const SMALL: &str = r#"
[experiment]
name = "small"
title = "Eight hosts"
seeds = 2

[topology]
kind = "leaf-spine"
hosts = 8
leaves = 4
spines = 2
rate_gbps = 100
delay_ns = 500

[transport]
paths = 32

[traffic]
pattern = "permutation"
bytes = 100_000

[[case]]
name = "oblivious"
set = { "transport.selection" = "oblivious" }

[[case]]
name = "reps"
set = { "transport.selection" = "reps" }
"#;

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn experiments_are_listed_and_printed() {
    let place = Place::fresh();
    let list = json(&place.run("fabric list --json").good());
    let names: Vec<_> = list.as_array().expect("a list").iter().map(|one| one["name"].as_str()).collect();
    assert!(names.contains(&Some("u2")) && names.contains(&Some("u6")), "{names:?}");
    let file = place.run("fabric list u3").good();
    place.write("mine.toml", file);
    assert!(place.run("fabric run mine.toml --seeds 3").good().contains("u3: Incast of 8"));
}

#[test]
fn a_run_writes_its_files_whatever_the_jobs() {
    let place = Place::fresh();
    place.write("small.toml", SMALL);
    let shown = place.run("fabric run small.toml --out one --jobs 1").good();
    assert!(shown.starts_with("small: Eight hosts, 2 seeds\n"), "{shown}");
    assert_eq!(place.names("one"), ["experiment.toml", "flows.csv", "mpnic.sha256", "result.json"]);
    place.run("fabric run small.toml --out two --jobs 4").good();
    assert_eq!(place.read("one/mpnic.sha256"), place.read("two/mpnic.sha256"));
    let result = json(&place.read("one/result.json"));
    assert_eq!(result["cases"][1]["runs"][1]["seed"], 2);
    assert_eq!(result["configuration"]["transport"]["paths"], 32);
    assert_eq!(result["cases"][0]["runs"][0]["completion_us"].as_array().map(Vec::len), Some(8));
    // A head, and 8 messages of 2 cases with 2 seeds.
    assert_eq!(place.read("one/flows.csv").lines().count(), 33);
    assert_eq!(json(&place.run("fabric run small.toml --json").good()), result);
}

#[test]
fn a_figure_that_is_another_one_is_status_1() {
    let place = Place::fresh();
    let expect = "[[expect]]\ncase = \"reps\"\nfigure = \"mean\"\nvalue = 1000\ntolerance = 5\n";
    place.write("far.toml", format!("{SMALL}\n{expect}"));
    let ran = place.run("fabric run far.toml --out far");
    assert!(ran.out.contains("FAILS"), "{}", ran.out);
    ran.bad(1);
    assert!(place.path("far/result.json").exists(), "what was found is written");
}

#[test]
fn a_message_that_is_not_delivered_is_named() {
    let place = Place::fresh();
    let cut = "[[topology.change]]\nlinks = \"leaf3 -> host7\"\nat_us = 0\nup = false\n";
    place.write("cut.toml", SMALL.replace("seeds = 2", "seeds = 1\nend_us = 300") + cut);
    let ran = place.run("fabric run cut.toml");
    assert!(ran.out.contains("broken: oblivious, seed 1: message "), "{}", ran.out);
    assert!(ran.out.contains(" to host 7: not delivered"), "{}", ran.out);
    ran.bad(1);
}

#[test]
fn what_cannot_be_is_refused_with_its_line_and_nothing_is_written() {
    let place = Place::fresh();
    let refused = [
        ("leaves = 4", "leaves = 3", "3 leaves do not share 8 hosts evenly"),
        ("paths = 32", "paths = 32\ncolour = 1", "unknown field `colour`"),
        ("pattern = \"permutation\"", "pattern = \"load\"\nload = 1.5", "a load of 1.5"),
    ];
    for (old, new, says) in refused {
        place.write("bad.toml", SMALL.replace(old, new));
        let error = place.run("fabric run bad.toml --out out").bad(2);
        assert!(error.contains(says) && error.contains("bad.toml:") && error.contains("help: "), "{error}");
        assert!(!place.path("out").exists());
        place.run("fabric sweep bad.toml --out out").bad(2);
        assert!(!place.path("out").exists());
    }
    let error = place.run("fabric run nothing.toml").bad(2);
    assert!(error.contains("nothing.toml") && error.contains("mpnic fabric list"), "{error}");
    assert!(place.run("fabric run u2 --set transport.paths=3 --out out").bad(2).contains("paths: 3"));
    assert!(!place.path("out").exists());
}

#[test]
fn a_sweep_goes_on_where_it_was() {
    let place = Place::fresh();
    place.write("small.toml", SMALL.replace("seeds = 2", "seeds = 3"));
    // One of six, then all; the file of the first stays as it was.
    place.run("fabric sweep small.toml --out sweep --task 4").good();
    place.run("fabric sweep small.toml --out sweep --task 6").bad(2);
    let first = std::fs::metadata(place.path("sweep/tasks/4.json")).and_then(|file| file.modified()).expect("there");
    let ran = place.run("fabric collect sweep");
    assert!(ran.err.contains("5 runs are missing: 0 (oblivious, seed 1), 1 (oblivious, seed 2)"), "{}", ran.err);
    ran.bad(1);
    let ran = place.run("fabric sweep small.toml --out sweep");
    assert!(ran.err.contains("1 of 6 runs have ended before"), "{}", ran.err);
    ran.good();
    let now = std::fs::metadata(place.path("sweep/tasks/4.json")).and_then(|file| file.modified()).expect("there");
    assert_eq!(first, now);
    // The same as of one run.
    place.run("fabric run small.toml --out run").good();
    for file in ["result.json", "flows.csv"] {
        assert!(place.read(&format!("sweep/{file}")) == place.read(&format!("run/{file}")), "{file} differs");
    }
    // A file that was cut off does not count.
    place.write("sweep/tasks/2.json", "{");
    let ran = place.run("fabric collect sweep");
    assert!(ran.err.contains("1 runs are missing: 2 (oblivious, seed 3)"), "{}", ran.err);
    let error = place.run("fabric sweep small.toml --seeds 2 --out sweep").bad(2);
    assert!(error.contains("sweep is another sweep"), "{error}");
    assert!(place.run("fabric sweep small.toml --out .").bad(2).contains("something else"));
}

/// 72 hosts whose traffic changes.
const DRAGONFLY: &str = r#"
[experiment]
name = "groups"
title = "72 hosts"
seeds = 2

[topology]
kind = "dragonfly"
h = 2

[routing]
policy = "lia"

[traffic]
pattern = "uniform"
load = 0.3

[[traffic.change]]
at_cycle = 1500
pattern = "adversarial"
offset = 1

[measure]
warmup_cycles = 1000
cycles = 1500

[[expect]]
figure = "accepted"
value = 0.3
tolerance = 10
"#;

#[test]
fn a_dragonfly_is_an_experiment_like_the_others() {
    let place = Place::fresh();
    place.write("groups.toml", DRAGONFLY);
    let shown = place.run("fabric run groups.toml --out one --jobs 1").good();
    assert!(shown.contains("latencies in cycles") && shown.contains("holds"), "{shown}");
    assert_eq!(place.names("one"), ["experiment.toml", "mpnic.sha256", "result.json", "series.csv"]);
    place.run("fabric run groups.toml --out two --jobs 4").good();
    assert_eq!(place.read("one/mpnic.sha256"), place.read("two/mpnic.sha256"));
    assert!(place.read("one/series.csv").starts_with("case,seed,cycle,packets,mean_latency\n,1,0,"));
    assert_eq!(place.run("fabric report one").good(), "one/report.html\n");
    assert!(place.read("one/report.html").contains("Mean latency over time"));
    place.run("fabric sweep groups.toml --out sweep --task 1").good();
    place.run("fabric sweep groups.toml --out sweep").good();
    assert!(place.read("sweep/result.json") == place.read("one/result.json"));
    place.write("bad.toml", DRAGONFLY.replace("offset = 1", "offset = 9"));
    let error = place.run("fabric run bad.toml --out out").bad(2);
    assert!(
        error.contains("an offset of groups: 9") && error.contains("bad.toml:") && error.contains("help: "),
        "{error}"
    );
    assert!(!place.path("out").exists());
}

#[test]
fn a_report_is_one_page() {
    let place = Place::fresh();
    place.run("fabric run u3 --seeds 3 --out u3").good();
    assert_eq!(place.run("fabric report u3").good(), "u3/report.html\n");
    let page = place.read("u3/report.html");
    assert_eq!(page.matches("<svg").count(), 2);
    assert!(!page.contains("http://") || page.matches("http://").count() == page.matches("http://www.w3.org").count());
    assert!(page.contains("uet-htsim 40ccb05") && !page.contains("<script"));
    assert!(place.run("fabric report .").bad(2).contains("result.json"));
    place.write("u3/result.json", "{}");
    place.run("fabric report u3").bad(2);
}

/// A program in place of `sbatch`, which runs the tasks of the script one after the other, as Slurm would in any order.
#[cfg(unix)]
#[test]
fn a_script_for_slurm_runs_each_task() {
    use assert_cmd::Command;
    use std::os::unix::fs::PermissionsExt;
    let place = Place::fresh();
    place.write("small.toml", SMALL);
    let sbatch = "#!/bin/sh\nlast=$(sed -n 's/^#SBATCH --array=0-//p' \"$1\")\nfor i in $(seq 0 \"$last\"); do\n\
                  SLURM_ARRAY_TASK_ID=$i sh \"$1\" || exit 1\ndone\necho Submitted batch job 7\n";
    let path = place.write("sbatch", sbatch);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("set");
    let mut command = Command::new(env!("CARGO_BIN_EXE_mpnic"));
    let search = format!("{}:{}", place.path("").display(), std::env::var("PATH").unwrap_or_default());
    command.current_dir(place.path("")).env("PATH", search).args(["fabric", "sweep", "small.toml"]);
    let ran = crate::ran(command.args(["--out", "sweep", "--slurm"]));
    assert!(ran.err.contains("4 tasks"), "{}", ran.err);
    assert_eq!(ran.good(), "Submitted batch job 7\n");
    place.run("fabric collect sweep").good();
    let mut command = Command::new(env!("CARGO_BIN_EXE_mpnic"));
    command.current_dir(place.path("")).env("PATH", place.path("nowhere")).args(["fabric", "sweep", "small.toml"]);
    let error = crate::ran(command.args(["--out", "other", "--slurm"])).bad(2);
    assert!(error.contains("sbatch: ") && error.contains("slurm-wlm"), "{error}");
}
