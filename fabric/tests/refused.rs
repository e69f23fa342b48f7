// SPDX-License-Identifier: MIT OR Apache-2.0
//! What cannot be is refused, with the place in the file and what helps.

use fabric::experiment::{Experiment, Problem};
use std::path::Path;

const GOOD: &str = r#"
[experiment]
name = "small"
title = "Eight hosts"

[topology]
kind = "leaf-spine"
hosts = 8
leaves = 4
spines = 2
rate_gbps = 100
delay_ns = 500

[[topology.change]]
links = "leaf0 -> spine1"
at_us = 5
up = false

[queue]
packets = 20
ecn_low = 4
ecn_high = 16

[transport]
paths = 32

[traffic]
pattern = "shift"
by = 2
bytes = 100_000

[[case]]
name = "one"
set = { "transport.selection" = "reps" }

[[expect]]
case = "one"
figure = "mean"
value = 10
tolerance = 5
"#;

fn refused(text: &str, set: &[&str]) -> Problem {
    let set: Vec<_> = set.iter().map(|&set| set.to_owned()).collect();
    Experiment::read(text, &set, Path::new(".")).expect_err("it is refused")
}

/// A line is another one: which text is shown, and a part of the message.
#[track_caller]
fn at(old: &str, new: &str, shown: &str, says: &str) {
    assert!(GOOD.contains(old), "{old}");
    let text = GOOD.replacen(old, new, 1);
    let problem = refused(&text, &[]);
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
fn keys() {
    at("hosts = 8", "hosts = 8\ncolour = 1", "colour", "unknown field `colour`");
    at("[queue]", "[queues]", "queues", "unknown field `queues`");
    at("rate_gbps = 100", "rate_gbps = \"fast\"", "\"fast\"", "invalid type");
    at("kind = \"leaf-spine\"", "kind = \"torus\"", "\"torus\"", "no topology is called `torus`");
    at("spines = 2\n", "", "\"leaf-spine\"", "needs `spines`");
}

#[test]
fn topologies() {
    at("leaves = 4", "leaves = 3", "3", "3 leaves do not share 8 hosts evenly");
    at("leaves = 4", "leaves = 0", "0", "a network with 0 of these");
    at("hosts = 8", "hosts = 4_000_000_000", "4_000_000_000", "a network with 4000000000");
    at("rate_gbps = 100", "rate_gbps = 0", "0", "a rate");
    at("kind = \"leaf-spine\"", "tiers = 3\nkind = \"fat-tree\"", "8", "no fat tree of 3 tiers has 8 hosts");
}

#[test]
fn changes() {
    at("leaf0 -> spine1", "leaf0 -> spine9", "\"leaf0 -> spine9\"", "names no link");
    at("leaf0 -> spine1", "spine1", "\"spine1\"", "names no two ends");
    at("at_us = 5", "at_us = -5", "-5", "before time 0");
    at("up = false", "loss = 1.5", "1.5", "a share of packets");
    at("up = false\n", "", "\"leaf0 -> spine1\"", "nothing changes");
}

#[test]
fn queues_and_end_points() {
    at("ecn_low = 4", "ecn_low = 17", "17", "marks begin at 17 packets");
    at("packets = 20", "packets = 0", "0", "a queue of no packet");
    at("paths = 32", "paths = 33", "33", "paths: 33");
    at("paths = 32", "selection = \"best\"", "\"best\"", "no way to choose paths is called `best`");
    at("paths = 32", "control = \"tcp\"", "\"tcp\"", "no congestion control is called `tcp`");
    at("paths = 32", "packet_bytes = 100", "100", "a packet of 100 bytes");
}

#[test]
fn messages() {
    at("by = 2", "by = 8", "8", "each host would send to itself");
    at("bytes = 100_000", "bytes = 0", "0", "a message of 0 bytes");
    at("pattern = \"shift\"", "pattern = \"chaos\"", "\"chaos\"", "no pattern is called `chaos`");
    let load = "pattern = \"load\"\nsizes = [[1000, 1.0]]\nuntil_us = 10\nload = 1.2";
    at("pattern = \"shift\"", load, "1.2", "a load of 1.2");
    let many = load.replace("1.2", "0.5").replace("until_us = 10", "until_us = 1e9");
    at("pattern = \"shift\"", &many, "1e9", "messages until then");
    at("pattern = \"shift\"", "pattern = \"incast\"\nsenders = 8", "8", "8 hosts cannot send to one of 8");
    let flow = |from: u32, to: u32| format!("pattern = \"flows\"\nflow = [{{ from = {from}, to = {to} }}]");
    at("pattern = \"shift\"", &flow(3, 3), "{ from = 3, to = 3 }", "host 3 sends to itself");
    at("pattern = \"shift\"", &flow(3, 8), "{ from = 3, to = 8 }", "there is no host 8");
}

#[test]
fn cases_and_figures() {
    at("figure = \"mean\"", "figure = \"average\"", "\"average\"", "no figure is called `average`");
    at("case = \"one\"", "case = \"two\"", "\"two\"", "no case is called `two`");
    at(
        "\"transport.selection\" = \"reps\"",
        "\"transport.selection\" = \"x\"",
        "\"one\"",
        "case `one`: no way to choose",
    );
}

#[test]
fn a_matrix_of_too_many_hosts() {
    let folder = std::env::temp_dir().join(format!("fabric-refused-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a directory");
    let read = |matrix: &str| {
        std::fs::write(folder.join("m.cm"), matrix).expect("written");
        let text = GOOD.replace("pattern = \"shift\"", "pattern = \"matrix\"\nfile = \"m.cm\"");
        Experiment::read(&text, &[], &folder)
    };
    let says = |matrix: &str, what: &str| {
        let problem = read(matrix).expect_err("it is refused");
        assert!(problem.message.contains(what) && problem.span.is_some(), "{problem}");
    };
    says("Nodes 16\nConnections 1\n0->1 size 5\n", "the matrix has 16 nodes, and the network 8 hosts");
    says("Nodes 8\nConnections 1\n1->1 size 5\n", "host 1 sends to itself");
    says("Nodes 8\nConnections 1\n1->9 size 5\n", "there is no host 9");
    says("Nodes 8\n1->2 length 5\n", "m.cm:2: no `size`");
    assert!(read("Nodes 8\nConnections 1\n1->2 start 0 size 5\n").is_ok());
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn values_that_are_set() {
    let says = |set: &str, what: &str| {
        let problem = refused(GOOD, &[set]);
        assert!(problem.message.contains(what) && problem.span.is_none(), "{problem}");
    };
    says("transport.paths=33", "paths: 33");
    says("transport.colour=1", "unknown field `colour`");
    says("transport", "`transport` sets nothing");
    says("transport.selection=mixed", "the cases of the file set `transport.selection`");
    says("topology.change.4.at_us=1", "a list without such an item");
}
