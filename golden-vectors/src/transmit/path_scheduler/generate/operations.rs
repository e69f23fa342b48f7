// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows T16 and T17: every command in every state of the sub-path, with valid and invalid arguments.

use super::shapes::{FEW, FEW_FAST, FIVE, LATENCIES, SETTINGS, TWO};
use crate::collect::aim;
use crate::rng::SplitMix64;
use crate::transmit::path_scheduler::oracle::{Command, Feedback, Granularity, Kind, Op, Packet, Shape};
use crate::transmit::path_scheduler::ports;
use crate::transmit::path_scheduler::script::{MOST, Script};
use crate::transmit::path_scheduler::suite::Suite;

/// Adds the groups `operations`, `states` and `pace`, one of each per size.
pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    for shape in [FEW_FAST, FIVE] {
        suite.group("operations", "commands with wrong arguments and with right ones", shape, SETTINGS);
        arguments(suite, shape);
    }
    suite.group("states", "every command in every state", FEW, SETTINGS);
    states(suite, FEW);
    for shape in LATENCIES.into_iter().chain([TWO]) {
        suite.group("pace", "operations as close as can be", shape, SETTINGS);
        hammered(suite, shape, rng);
    }
}

/// The states of a sub-path, with the commands that lead to each.
const STATES: [(&str, &[Op]); 8] = [
    ("closed", &[]),
    ("absent", &[Op::Open]),
    ("probing", &[Op::Open, Op::Add]),
    ("active", &[Op::Open, Op::Add, Op::Start]),
    ("draining", &[Op::Open, Op::Add, Op::Start, Op::Drain]),
    ("failed", &[Op::Open, Op::Add, Op::Start, Op::Fail]),
    ("removed", &[Op::Open, Op::Add, Op::Drain, Op::Remove]),
    (PROBED, &[Op::Open, Op::Add]),
];

/// The state to which also the answer to a probe leads.
const PROBED: &str = "probed";

/// Opens QP 1 and gives these commands to its sub-path 2.
fn prepared(shape: Shape, (name, ops): (&str, &[Op])) -> Script {
    let mut script = Script::new(shape);
    for &op in ops {
        let open = Command::open(1, 0x12_3456, 0x7_7770, Granularity::Packet);
        script.operate(0, Command { op: op.code(), path: 2, weight: 9, ..open });
    }
    if name == PROBED {
        script.hear(script.settled(), Feedback::answer(1, 2, 7));
    }
    script
}

fn states(suite: &mut Suite, shape: Shape) {
    for (name, ops) in STATES {
        for code in 0..14 {
            let mut script = prepared(shape, (name, ops));
            let open = Command::open(1, 0x65_4321, 0x0_1230, Granularity::Flow);
            let code = if code < 13 { code } else { 15 };
            script.operate(0, Command { op: code, path: 2, weight: 5, ..open });
            script.command(0, Op::Read, 1, 2);
            let at = script.settled();
            for (n, kind) in (0..).zip([Packet::Data, Packet::Probe, Packet::Data]) {
                script.request(at + n, 1, kind, 2);
            }
            let rows = [&["T16", "T17"], requirements(code)].concat();
            let rows = aim(&["Command"], &rows);
            suite.add(format!("{name}-{code}"), format!("operation {code}, sub-path {name}"), rows, script);
        }
    }
    // The same with packets in flight, which keep a sub-path from being removed.
    retried(suite, shape);
    for (name, op) in [("active", Op::Read), ("draining", Op::Drain), ("failed", Op::Fail)] {
        let (mut script, at) = Script::running(shape, Granularity::Flow, &[0, 0, 4]);
        script.stream(at, 0, 3);
        script.command(at + 12, op, 0, 2);
        let at = script.command(0, Op::Remove, 0, 2);
        script.command(0, Op::Add, 0, 2);
        script.command(0, Op::Close, 0, 2);
        script.kinds(at + 70, (0, 2), [Kind::Good; 2]);
        script.command(at + 75, Op::Remove, 0, 2);
        let at = script.settled() + 20;
        script.feedback(at, 0, 2, Kind::Good);
        script.command(at, Op::Remove, 0, 2);
        script.command(0, Op::Close, 0, 2);
        let rows = aim(&["Command", "InFlight"], &["T11", "T17", "M62", "M74"]);
        suite.add(format!("{name}-in-flight"), "removed not before the last packet is answered for", rows, script);
    }
}

/// A sub-path fails by itself, is tried again when its last packet is answered for, and comes back with the weight of its probe.
fn retried(suite: &mut Suite, shape: Shape) {
    let (mut script, at) = Script::running(shape, Granularity::Packet, &[4, 4]);
    script.stream(at, 0, 8);
    script.kinds(at + 60, (0, 1), [Kind::Timeout; 3]);
    let at = at + 70;
    script.command(at, Op::Retry, 0, 1);
    let at = script.command(0, Op::Retry, 0, 1);
    script.feedback(at + 20, 0, 1, Kind::Timeout);
    script.command(at + 30, Op::Retry, 0, 1);
    let at = script.command(0, Op::Read, 0, 1) + 20;
    script.request(at, 0, Packet::Probe, 1);
    script.hear(at + 20, Feedback::answer(0, 1, 3));
    script.operate(at + 30, Command::new(Op::Start, 0, 1).unforced());
    let at = script.settled();
    script.stream(at, 0, 14);
    let rows = aim(&["Command", "InFlight"], &["T17", "T24", "M61", "M72"]);
    suite.add("failed-retried", "a sub-path that has failed is probed and comes back", rows, script);
}

/// The requirement rows that the command with this code serves.
fn requirements(code: u64) -> &'static [&'static str] {
    match Op::of(code) {
        Some(Op::Open | Op::Regrain) => &["M107"],
        Some(Op::Close) => &["M71"],
        Some(Op::Add) => &["M60"],
        Some(Op::Start) => &["M43", "M61"],
        Some(Op::Limit | Op::Reflow) => &["M108"],
        Some(Op::Reroute) => &["M80"],
        Some(Op::Drain | Op::Remove) => &["M62"],
        Some(Op::Retry) => &["M61", "M72"],
        Some(Op::Fail) => &["M72"],
        Some(Op::Read) | None => &[],
    }
}

/// Invalid arguments, in a state in which the command could otherwise be done.
fn arguments(suite: &mut Suite, shape: Shape) {
    let (paths, numbers) = (shape.paths, ports::numbers(shape));
    let before = |op: Op| match op {
        Op::Open => STATES[0],
        Op::Close | Op::Regrain | Op::Reflow | Op::Add => STATES[1],
        Op::Start => STATES[2],
        Op::Limit | Op::Read | Op::Drain | Op::Fail | Op::Reroute => STATES[3],
        Op::Remove => STATES[4],
        Op::Retry => STATES[5],
    };
    for op in Op::ALL {
        let good = Command { op: op.code(), weight: 3, ..Command::open(1, 4, 0x5_0000, Granularity::Flow) };
        let good = Command { path: 2, ..good };
        let mut wrong = vec![
            Command { weight: 0, ..good },
            good.unforced(),
            Command { mode: 3, ..good },
            Command { path: paths, ..good },
            Command { path: paths + 2, ..good },
            Command { path: 0xFF, ..good },
            Command { path: 1, ..good },
            Command { qp: 0, ..good },
        ];
        if numbers > shape.qps {
            wrong.extend([Command { qp: numbers - 1, ..good }, Command { qp: shape.qps, ..good }]);
        }
        let mut script = prepared(shape, before(op));
        for command in wrong {
            script.operate(0, command);
            script.command(0, Op::Read, 1, 2);
        }
        script.operate(0, good);
        script.command(0, Op::Read, 1, 2);
        let rows = aim(&["Command", "OutOfRange"], &["T16", "T17"]);
        suite.add(format!("arguments-{}", op.code()), format!("{op:?} with wrong arguments, then right"), rows, script);
    }
    for weight in [1, 5, 9, MOST] {
        for limit in [1, 5, MOST] {
            let mut script = Script::new(shape);
            script.open(0, Granularity::Flow, &[]);
            script.operate(0, Command::new(Op::Add, 0, 0).weight(9));
            script.operate(0, Command::new(Op::Limit, 0, 0).weight(limit));
            script.operate(0, Command::new(Op::Start, 0, 0).weight(weight));
            script.operate(0, Command::new(Op::Limit, 0, 0).weight(6));
            let at = script.settled();
            script.stream(at, 0, 2);
            let rows = aim(&["Command", "Boundary"], &["T17", "M108"]);
            let comment = format!("limit {limit}, weight {weight}, then limit 6");
            suite.add(format!("weight-{weight}-{limit}"), comment, rows, script);
        }
    }
}

/// Commands as often as one is accepted, and other commands driven in between. A command that is not accepted must
/// have no effect.
fn hammered(suite: &mut Suite, shape: Shape, rng: &mut SplitMix64) {
    for few in [2, 4] {
        let mut script = Script::new(shape);
        let mut any = |op: u64| {
            let open = Command::open(rng.below(shape.qps), rng.below(1 << 24), rng.below(1 << 20), Granularity::Flow);
            let op = if op < 2 { 4 + op } else { rng.below(14) };
            Command { op, path: rng.below(few), weight: rng.below(16), ..open }.mode(rng.below(4))
        };
        script.hammered = (0..7).map(|n| any(n % 4)).collect();
        script.held = Kind::STREAM.map(|kind| Feedback::new(0, 0, kind)).into();
        script.operate(0, Command::open(0, 9, 0x9_0000, Granularity::Packet));
        (0..22).for_each(|n| {
            script.operate(0, any(n % 4));
        });
        let end = script.settled();
        for at in (shape.sweep() + 20..end).step_by(3) {
            script.request(at, at % shape.qps, Packet::ALL[(at % 4 / 3) as usize], at % few);
            script.feedback(at + at % 2, at / 7 % shape.qps, at % few, Kind::STREAM[(at / 5 % 4) as usize]);
        }
        let rows = aim(&["Command", "HeldValid"], &["T16", "T17"]);
        suite.add(format!("hammered-{few}"), "operations without pause", rows, script);
    }
    for late in [0, 1, 2] {
        let (mut script, at) = Script::running(shape, Granularity::Packet, &[1]);
        let mut from = at + 10;
        for (op, path) in [(Op::Add, 1), (Op::Start, 1), (Op::Drain, 1), (Op::Remove, 1), (Op::Read, 1)] {
            from = script.operate(from, Command::new(op, 0, path).weight(2)) + shape.operations() + late;
        }
        script.stream(at, 0, 60);
        let rows = aim(&["Command", "Boundary"], &["T16", "M60"]);
        suite.add(format!("late-{late}"), "a sub-path comes and goes under load", rows, script);
    }
}
