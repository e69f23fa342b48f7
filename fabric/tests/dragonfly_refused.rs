// SPDX-License-Identifier: MIT OR Apache-2.0
//! What cannot be in a Dragonfly is refused, with the place in the file and what helps.

use fabric::experiment::{Experiment, Problem};
use std::path::Path;

const GOOD: &str = r#"
[experiment]
name = "small"
title = "72 hosts"

[topology]
kind = "dragonfly"
h = 2
a = 4
t = 1

[switch]
speedup = 2

[routing]
policy = "lia"
occupancy = "waiting"
limits = [1.5, 3.0]
interval_cycles = 1000
sweep_cycles = 125

[traffic]
pattern = "adversarial"
offset = 1
load = 0.3

[[traffic.change]]
at_cycle = 3000
pattern = "uniform"

[measure]
warmup_cycles = 2000
cycles = 3000

[[case]]
name = "one"
set = { "traffic.offset" = 2 }

[[expect]]
case = "one"
figure = "accepted"
value = 0.3
tolerance = 5
"#;

/// A line is another one: which text is shown, and a part of the message.
#[track_caller]
fn at(old: &str, new: &str, shown: &str, says: &str) {
    assert!(GOOD.contains(old), "{old}");
    let text = GOOD.replacen(old, new, 1);
    let problem: Problem = Experiment::read(&text, &[], Path::new(".")).expect_err("it is refused");
    let span = problem.span.clone().unwrap_or_default();
    assert_eq!(&text[span], shown, "{problem}");
    assert!(problem.message.contains(says), "{problem}");
    assert!(!problem.help.is_empty());
}

#[test]
fn the_file_itself_is_good() {
    Experiment::read(GOOD, &[], Path::new(".")).expect("it is good");
}

#[test]
fn keys_of_other_networks() {
    at("h = 2", "h = 2\nspines = 3", "spines", "unknown field `spines`");
    at("[switch]", "[queue]\npackets = 3\n[switch]", "queue", "unknown field `queue`");
    at("title = \"72 hosts\"", "title = \"72 hosts\"\nend_us = 5", "5", "a Dragonfly has no `end_us`");
    at("figure = \"accepted\"", "figure = \"goodput\"", "\"goodput\"", "no figure is called `goodput`");
    at("h = 2\n", "", "[topology]", "missing field `h`");
}

#[test]
fn sizes() {
    at("h = 2", "h = 0", "0", "global links of a switch: 0");
    at("h = 2", "h = 2.5", "2.5", "invalid type");
    at("a = 4", "a = 1", "1", "switches of a group: 1");
    at("a = 4", "a = 64", "64", "a switch with 67 ports");
    at("t = 1", "t = 3", "3", "8 links of a group do not make whole trunks of 3");
    at("t = 1", "t = 8", "8", "without a third group");
    at("t = 1", "p = 33", "33", "hosts of a switch: 33");
    at("t = 1", "trunks = \"far\"", "\"far\"", "no choice of trunks is called `far`");
}

#[test]
fn switches() {
    at("speedup = 2", "speedup = 0", "0", "a speed-up: 0");
    at("speedup = 2", "global_cycles = 1_000_000", "1_000_000", "a delay: 1000000");
    at("speedup = 2", "local_packets = 0", "0", "packets of a buffer: 0");
    at("speedup = 2", "injection_queues = 5", "5", "injection queues: 5");
    at("speedup = 2", "order = \"random\"", "\"random\"", "no order is called `random`");
}

#[test]
fn policies() {
    at("policy = \"lia\"", "policy = \"best\"", "\"best\"", "no policy is called `best`");
    at("policy = \"lia\"", "policy = \"lia\"\npath = \"GG\"", "\"GG\"", "no path is called `GG`");
    at("policy = \"lia\"", "policy = \"lia\"\nthreshold = 5", "5", "`lia` has no threshold");
    at("occupancy = \"waiting\"", "occupancy = \"all\"", "\"all\"", "no reading of an occupancy is called `all`");
    at("limits = [1.5, 3.0]", "limits = [1.5, -3.0]", "[1.5, -3.0]", "limits: [1.5, -3.0]");
    at("limits = [1.5, 3.0]", "limits = [1.5]", "[1.5]", "invalid length");
    at("limits = [1.5, 3.0]", "weight = nan", "nan", "a weight is NaN");
    at("sweep_cycles = 125", "sweep_cycles = 300", "300", "a sweep of 300 cycles");
    at("limits = [1.5, 3.0]", "sgc = 3", "3", "saturated links: 3");
    at(
        "occupancy = \"waiting\"",
        "path = \"acor\"\nrules = \"stage\"",
        "\"stage\"",
        "the stage does not know this policy",
    );
    let long = "rules = \"stage\"\ninterval_cycles = 100_000\nsweep_cycles = 100";
    at("interval_cycles = 1000\nsweep_cycles = 125", long, "\"stage\"", "counters of the stage have 16 bits");
}

#[test]
fn traffic() {
    at("load = 0.3", "load = 1.5", "1.5", "a load of 1.5");
    at("load = 0.3", "load = 0", "0", "a load of 0");
    at("load = 0.3", "load = 1e-300", "1e-300", "a load of 0.000");
    at("offset = 1", "offset = 9", "9", "an offset of groups: 9");
    at("offset = 1\n", "", "\"adversarial\"", "`adversarial` needs `offset`");
    at("pattern = \"adversarial\"", "pattern = \"incast\"", "\"incast\"", "no pattern is called `incast`");
    at("pattern = \"adversarial\"", "uniform = 2.0\npattern = \"adversarial\"", "2.0", "a share is 2");
    at("at_cycle = 3000", "at_cycle = 5000", "5000", "a change at cycle 5000");
    at("at_cycle = 3000", "at_cycle = 0", "0", "a change at cycle 0");
    at("cycles = 3000", "cycles = 0", "0", "cycles that count: 0");
    at("\"traffic.offset\" = 2", "\"traffic.offset\" = 20", "\"one\"", "case `one`: an offset of groups: 20");
}

#[test]
fn a_network_that_takes_too_much_memory() {
    let text =
        GOOD.replace("h = 2\na = 4", "h = 12").replace("speedup = 2", "global_cycles = 10_000\npacket_flits = 1");
    let problem = Experiment::read(&text, &[], Path::new(".")).expect_err("it is refused");
    assert!(problem.message.contains("packets on its links"), "{problem}");
    assert_eq!(&text[problem.span.unwrap_or_default()], "10_000");
}
