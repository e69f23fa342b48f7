// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row T7: the entropy of a sub-path, its own or by XOR.

use super::shapes::{FEW, FEW_SLOW, FIVE, LATENCIES, MANY, SETTINGS};
use crate::collect::aim;
use crate::transmit::path_scheduler::oracle::{Command, Entropy, Granularity, Kind, Op, Packet, Shape};
use crate::transmit::path_scheduler::script::Script;
use crate::transmit::path_scheduler::suite::Suite;

/// Adds the groups `entropies` and `separated`.
pub fn add(suite: &mut Suite) {
    for shape in LATENCIES.into_iter().chain([FIVE, MANY]) {
        suite.group("entropies", "the entropy of a sub-path", shape, SETTINGS);
        values(suite, shape);
        if shape.entropy == Entropy::Table {
            seen(suite, shape);
            lives(suite, shape);
        }
    }
    for shape in [FEW, FEW_SLOW] {
        suite.group("separated", "two sub-paths on one link get different ones", shape, SETTINGS);
        separated(suite, shape);
    }
}

/// Entropies given by *open* and by *add*, for data and for probes. What does not count is given too.
fn values(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Entropy", "Boundary"], &["T7", "M33", "M34", "M35", "M36", "M37", "M50", "M80"]);
    for entropy in [0, 0xF_FFFF, 0xF_FFC0, 0x0_003F, 0x1_0000, 0xA_AAAA] {
        let mut script = Script::new(shape);
        script.operate(0, Command::open(0, 5, entropy, Granularity::Packet));
        for path in [0, shape.paths - 1] {
            let add = Command::new(Op::Add, 0, path).weight(3);
            script.operate(0, add.entropy((entropy >> 3 | entropy << 17) & 0xF_FFFF ^ path << 9));
            script.operate(0, Command::new(Op::Start, 0, path).weight(1).entropy(0x5_5555));
        }
        let at = script.settled();
        script.stream(at, 0, 4);
        script.request(at + 4, 0, Packet::Probe, 0);
        script.request(at + 5, 0, Packet::Probe, shape.paths - 1);
        script.operate(at + 9, Command::new(Op::Reroute, 0, 0).entropy(!entropy & 0xF_FFFF));
        let at = script.settled();
        script.stream(at, 0, 4);
        suite.add(format!("M80-{entropy:05x}"), format!("from {entropy:#07x}"), rows, script);
    }
}

/// The first request that sees *set entropy*, and *add*: requests come before the command is accepted.
fn seen(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Entropy", "Command", "Boundary"], &["T7", "T16", "M35", "M80"]);
    let (mut script, at) = Script::running(shape, Granularity::Flow, &[2, 1]);
    let set = Command::new(Op::Reroute, 0, 0);
    script.operate(at + 20, set.entropy(0x1_1111));
    script.operate(0, set.entropy(0xE_EEEE));
    script.stream(at + 10, 0, 40);
    (at + 50..at + 56).for_each(|at| script.request(at, 0, Packet::Probe, 0));
    script.operate(at + 50, set.entropy(0x2_2222));
    suite.add("M80-stream", "a request in every cycle about two commands", rows, script);
    // A command that cannot be done changes nothing: of a closed QP, of an absent sub-path, an *add* of one that is there.
    let (mut script, at) = Script::running(shape, Granularity::Flow, &[2, 1]);
    script.operate(at, Command { qp: shape.qps - 1, ..set.entropy(0x1_1111) });
    script.operate(0, Command { path: shape.paths - 1, ..set.entropy(0x1_1111) });
    script.operate(0, Command { path: shape.paths, ..set.entropy(0x1_1111) });
    script.operate(0, Command::new(Op::Add, 0, 0).weight(2).entropy(0x3_3333));
    let at = script.settled();
    script.stream(at, 0, 3);
    suite.add("M80-refused", "commands that cannot be done", rows, script);
    // In every other state of the sub-path.
    for (name, op) in [("probing", None), ("draining", Some(Op::Drain)), ("failed", Some(Op::Fail))] {
        let (mut script, _) = Script::running(shape, Granularity::Flow, &[2]);
        script.operate(0, Command::new(Op::Add, 0, 1).weight(2).entropy(0x3_3333));
        if let Some(op) = op {
            script.command(0, op, 0, 1);
        }
        script.operate(0, Command { path: 1, ..set.entropy(0x4_4444) });
        let at = script.settled();
        script.request(at, 0, Packet::Probe, 1);
        script.data(at + 1, 0);
        suite.add(format!("M80-{name}"), format!("set while the sub-path is {name}"), rows, script);
    }
}

/// Added again it has the new entropy; two QPs have entropies of their own.
fn lives(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Entropy", "Reopened", "Interleaved"], &["T7", "T17", "M35", "M36", "M37"]);
    let (mut script, at) = Script::all_running(shape, shape.qps.min(2), 2, &[1, 1]);
    (0..6).for_each(|n| script.data(at + n, n % shape.qps.min(2)));
    script.kinds(at + 20, (0, 1), [Kind::Good; 3]);
    script.command(at + 24, Op::Fail, 0, 1);
    script.command(0, Op::Remove, 0, 1);
    script.operate(0, Command::new(Op::Add, 0, 1).weight(2).entropy(0x7_7777));
    script.operate(0, Command::new(Op::Start, 0, 1).weight(2));
    let at = script.settled();
    (0..6).for_each(|n| script.data(at + n, n % shape.qps.min(2)));
    suite.add("M36-again", "another sub-path of the same number has another entropy", rows, script);
}

/// Sub-paths 0 and 1 begin with the same entropy, so with the same link; one of them is moved under load.
fn separated(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Entropy", "FullLoad"], &["T7", "M33", "M35", "M36", "M80"]);
    for granularity in Granularity::ALL {
        let mut script = Script::new(shape);
        script.operate(0, Command::open(0, 5, 0, granularity));
        for path in 0..2 {
            script.operate(0, Command::new(Op::Add, 0, path).weight(3).entropy(0xC_0FFE));
            script.operate(0, Command::new(Op::Start, 0, path).weight(1));
        }
        let at = script.settled();
        script.stream(at, 0, 24);
        script.operate(at + 10, Command::new(Op::Reroute, 0, 0).entropy(0xC_0FFF));
        suite.add(format!("M36-{}", granularity.code()), "one of two with the same entropy is moved", rows, script);
    }
}
