// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows V2, V8 and V18: requests and reports that must be refused and counted, and the sweep after reset.

use super::shapes::{FOUR, LATENCIES, MANY, NEVER, SIXTEEN, SMALL};
use crate::collect::aim;
use crate::elab::scheduler::oracle::{Command, Op, Report, Shape};
use crate::elab::scheduler::ports::numbers;
use crate::elab::scheduler::script::{MOST, Script, other_port, port};
use crate::elab::scheduler::suite::Suite;
use std::collections::BTreeSet;

/// Adds the groups `refused` and `sweep`.
pub fn add(suite: &mut Suite) {
    for shape in [LATENCIES[0], FOUR, SMALL, SIXTEEN] {
        suite.group("refused", "requests and reports that nothing comes of", shape, NEVER);
        requests(suite, shape);
        reports(suite, shape);
    }
    for shape in LATENCIES.into_iter().chain([FOUR, MANY, SMALL]) {
        suite.group("sweep", "the cycles behind reset", shape, NEVER);
        sweep(suite, shape);
    }
}

fn requests(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["NoSuchPair"], &["V1", "V2", "V19", "E02"]);
    let (mut script, at) = Script::running(shape, &[MOST, MOST]);
    (0..30).for_each(|n| script.request(at + n, n % numbers(shape)));
    suite.add("all-pairs", "requests for every number of a pair", rows, script);
    let (mut script, at) = Script::running(shape, &[MOST, MOST]);
    (0..20).for_each(|n| script.request(at + n, if n % 3 == 1 { numbers(shape) - 1 } else { 0 }));
    suite.add("last-pair", "the last number of a pair among requests for pair 0", rows, script);
    let mut script = Script::new(shape);
    script.stream(shape.sweep() + 3, 0, 9);
    suite.add("no-vp", "requests before there is any VP", rows, script);
}

fn reports(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Absent", "NoSuchPair"], &["V7", "V8", "V19", "E05"]);
    for pair in BTreeSet::from([0, shape.pairs - 1, shape.pairs % numbers(shape), numbers(shape) - 1]) {
        let (mut script, at) = Script::running(shape, &[MOST, MOST]);
        let ports = [port(shape, 0, 0), other_port(shape, 0, 0), port(shape, 0, 1) ^ 0x8000, 0, 0xFFFF];
        for (n, vp) in (0..).zip(ports) {
            script.report(at + n, Report { pair, vp, count: 77, ecn: true, probed: n % 2 == 1, rate: 5 });
        }
        script.reads(at + 9, 0, [0, 1]);
        script.stream(at + 20, 0, 9);
        suite.add(format!("reports-{pair}"), format!("reports of ports for pair {pair}"), rows, script);
    }
    // Every bit of the port takes part in the comparison.
    let (mut script, at) = Script::running(shape, &[MOST, MOST]);
    for bit in 0..16 {
        let vp = port(shape, 0, 0) ^ 1 << bit;
        script.report(at + bit, Report { pair: 0, vp, count: 77, ecn: true, ..Report::default() });
    }
    script.reads(at + 20, 0, [0, 1]);
    suite.add("bits", "ports that differ in one bit", rows, script);
}

/// The sweep ends in the right cycle: nothing is accepted in its last cycle, and everything in the next one.
fn sweep(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Sweep"], &["V2", "V7", "V14", "V18"]);
    let mut script = Script::new(shape);
    script.stream(0, 0, 3);
    script.stream(shape.sweep() - 3, 0, 6);
    script.hammered = vec![Command::add(0, port(shape, 0, 0), MOST)];
    suite.add("requests", "requests about the end of the sweep", rows, script);
    let mut script = Script::new(shape);
    script.held = vec![Report { vp: port(shape, 0, 0), count: 9, ecn: true, ..Report::default() }];
    let at = script.operate(0, Command::add(0, port(shape, 0, 0), MOST));
    script.count(at, 0, 0, 4);
    script.stream(at, 0, 24);
    script.reads(0, 0, [0]);
    suite.add("first", "an operation and a report in the first cycle", rows, script);
    // The sweep has cleared every row: no VP of any pair is present.
    for pair in (0..shape.pairs).step_by(5) {
        let mut script = Script::new(shape);
        for vp in (0..shape.vps).step_by((shape.vps / 4).max(1) as usize).chain([shape.vps - 1]) {
            script.command(0, Op::Read, pair, vp);
        }
        script.stream(shape.sweep(), pair, 4);
        script.count(shape.sweep() + 2, pair, 0, 5);
        suite.add(format!("swept-{pair}"), "nothing is present", rows, script);
    }
}
