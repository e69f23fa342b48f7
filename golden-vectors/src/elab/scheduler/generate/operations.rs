// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows V14 to V17: which commands can be done, what they answer, and how often they are accepted.

use super::shapes::{FOUR, LATENCIES, NEVER};
use crate::collect::aim;
use crate::elab::scheduler::oracle::{Command, Op, Report, Shape};
use crate::elab::scheduler::script::{MOST, Script, other_port, port};
use crate::elab::scheduler::suite::Suite;
use crate::rng::SplitMix64;

pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    for shape in LATENCIES.into_iter().chain([FOUR]) {
        suite.group("operations", "operations that can be done and that cannot", shape, NEVER);
        each(suite, shape);
        lives(suite, shape);
        hammered(suite, shape);
        random(suite, shape, rng);
    }
}

/// Each command on a VP that is present, that is absent, or that has another port.
fn each(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Command"], &["V14", "V15", "V16", "V17", "E08", "E13"]);
    let last = shape.vps - 1;
    let ports = [("there", port(shape, 0, last)), ("away", port(shape, 0, 0)), ("other", other_port(shape, 0, last))];
    for op in 0..4 {
        for (name, sport) in ports {
            for bandwidth in [0, 0x12_3456] {
                let mut script = Script::new(shape);
                let at = script.add(0, last, 0x65_4321) + 3 * shape.unit;
                script.ecn(at, 0, last, 700);
                script.operate(at + 12, Command { op, pair: 0, sport, bandwidth });
                script.reads(0, 0, [0, last]);
                script.stream(script.settled(), 0, 4);
                let comment = format!("operation {op} with bandwidth {bandwidth} on a port that is {name}");
                suite.add(format!("{op}-{name}-{bandwidth:x}"), comment, rows, script);
            }
        }
    }
    let rows = aim(&["Command", "NoSuchPair"], &["V15", "V16", "V17", "E02"]);
    for op in 0..4 {
        let mut script = Script::new(shape);
        script.add(0, 1, 900);
        for pair in shape.pairs..crate::elab::scheduler::ports::numbers(shape) {
            script.operate(0, Command { op, pair, sport: port(shape, 0, 1), bandwidth: 5000 });
        }
        script.reads(0, 0, [1]);
        suite.add(format!("{op}-no-pair"), "on all pairs that there are not", rows, script);
    }
}

/// One VP number gets one port after the other. Nothing of the previous port may remain.
fn lives(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Command", "Reopened"], &["V8", "V9", "V16", "V17", "E08"]);
    let (one, two) = (port(shape, 0, 1), other_port(shape, 0, 1));
    for (name, first, second) in [("same", one, one), ("other", one, two)] {
        let mut script = Script::new(shape);
        script.operate(0, Command::add(0, first, MOST));
        let at = script.settled() + 3 * shape.unit;
        script.report(at, Report { vp: first, count: 500, ecn: true, ..Report::default() });
        script.report(at + 1, Report { vp: second, count: 500, ecn: true, ..Report::default() });
        script.command(at + 30, Op::Read, 0, 1);
        script.operate(0, Command::new(Op::Remove, 0, first));
        script.operate(0, Command::add(0, second, MOST / 2));
        script.command(0, Op::Read, 0, 1);
        let at = script.settled() + 3 * shape.unit;
        for (n, vp) in (0..).zip([first, second]) {
            script.report(at + n, Report { vp, count: 90, ..Report::default() });
        }
        script.command(at + 20, Op::Read, 0, 1);
        script.stream(at + 20, 0, 3);
        suite.add(format!("lives-{name}"), "a VP that comes again", rows, script);
    }
    // A command must change its own pair only.
    let mut script = Script::new(shape);
    for pair in 0..shape.pairs {
        script.operate(0, Command::add(pair, one, 100 * (pair + 1)));
    }
    script.operate(0, Command::new(Op::Remove, shape.pairs - 1, one));
    (0..shape.pairs).for_each(|pair| {
        script.operate(0, Command::new(Op::Read, pair, one));
    });
    let at = script.settled();
    (0..3 * shape.pairs).for_each(|n| script.request(at + n, n % shape.pairs));
    suite.add("pairs", "the same port in all pairs", rows, script);
}

/// A command and a report are driven while they are not accepted. They must have no effect.
fn hammered(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["HeldValid", "Command"], &["V7", "V14", "V18"]);
    let (mut script, at) = Script::running(shape, &[MOST, MOST]);
    script.hammered = vec![Command::new(Op::Remove, 0, port(shape, 0, 0)), Command::add(0, port(shape, 0, 1), 3)];
    script.stream(at, 0, 30);
    script.reads(at, 0, [0, 1]);
    suite.add("hammered", "operations that nobody accepts", rows, script);
    let (mut script, at) = Script::running(shape, &[MOST, MOST]);
    let held = |vp, count, ecn| Report { vp: port(shape, 0, vp), count, ecn, ..Report::default() };
    script.held = vec![held(0, 999, true), held(1, 9, false)];
    script.reads(at, 0, [0, 1, 0, 1]);
    script.stream(at, 0, 60);
    suite.add("held", "reports that nobody accepts", rows, script);
}

/// Random commands, as often as they are accepted.
fn random(suite: &mut Suite, shape: Shape, rng: &mut SplitMix64) {
    let rows = aim(&["Command", "Reopened"], &["V14", "V15", "V16", "V17"]);
    for n in 0..2 {
        let mut script = Script::new(shape);
        for _ in 0..40 {
            let (pair, vp) = (rng.below(crate::elab::scheduler::ports::numbers(shape).min(2)), rng.below(2));
            let sport = if rng.below(4) == 0 { other_port(shape, pair, vp) } else { port(shape, pair, vp) };
            let bandwidth = if rng.below(6) == 0 { 0 } else { rng.below(1 << 24) };
            script.operate(0, Command { op: rng.below(4), pair, sport, bandwidth });
        }
        let end = script.settled();
        (shape.sweep()..end).step_by(3).for_each(|at| script.request(at, at / 3 % 2 % shape.pairs));
        suite.add(format!("random-{n}"), "random operations under load", rows, script);
    }
}
