// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row T33: QPs with one path, which is not given up.

use super::shapes::{FEW_FAST, FEW_SLOW, SETTINGS, TWO};
use crate::collect::aim;
use crate::transmit::path_scheduler::oracle::{Command, Granularity, Kind, Op, Packet, Settings, Shape};
use crate::transmit::path_scheduler::script::Script;
use crate::transmit::path_scheduler::suite::Suite;

/// Adds the group `single`.
pub fn add(suite: &mut Suite) {
    for shape in [TWO, FEW_FAST, FEW_SLOW] {
        suite.group("single", "QPs with one path", shape, SETTINGS);
        losses(suite, shape);
        commands(suite, shape);
        packets(suite, shape);
    }
}

/// As many losses as would fail a sub-path of another QP, which has them too.
fn losses(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Failing", "Kind", "Interleaved"], &["T14", "T25", "T29", "T33", "M07"]);
    for kind in [Kind::Nack, Kind::Timeout] {
        for initial in [0, 6] {
            let mut script = Script::new(shape);
            script.set(0, Settings::new(0, 2, 2).fail_time(1).migrate(2).initial(initial));
            script.open(0, Granularity::Single, &[9]);
            let at = script.open(1, Granularity::Packet, &[9]);
            (0..8).for_each(|n| script.data(at + n, n % 2));
            let at = at + 8 + shape.counted();
            for n in 0..8 {
                script.feedback(at + 80 * (n / 2) + n % 2, n % 2, 0, kind);
            }
            let at = script.command(at + 330, Op::Read, 0, 0);
            script.command(0, Op::Read, 1, 0);
            script.request(at + 60, 0, Packet::Retransmission, 0);
            script.data(at + 61, 0);
            script.data(at + 62, 1);
            let comment = format!("four {kind:?}, windows from {initial} packets on");
            suite.add(format!("T33-{kind:?}-{initial}").to_lowercase(), comment, rows, script);
        }
    }
}

/// There is one sub-path, number 0, for all of its life; it can be drained and made to fail.
fn commands(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Command", "Granularity"], &["T17", "T33", "M07"]);
    let (mut script, _) = Script::running(shape, Granularity::Single, &[3]);
    script.operate(0, Command::new(Op::Add, 0, 1).weight(3));
    script.operate(0, Command::new(Op::Start, 0, 1).weight(3));
    for mode in 0..4 {
        script.operate(0, Command::new(Op::Regrain, 0, 0).mode(mode));
    }
    script.open(1, Granularity::Packet, &[3, 3]);
    script.operate(0, Command::new(Op::Regrain, 1, 0).mode(3));
    script.reads(0, 0, 2);
    script.operate(0, Command::new(Op::Fail, 0, 0));
    let at = script.operate(0, Command::new(Op::Retry, 0, 0));
    script.data(at + 20, 0);
    script.operate(0, Command::new(Op::Start, 0, 0).weight(3));
    let at = script.settled();
    script.data(at, 0);
    script.feedback(at + shape.counted(), 0, 0, Kind::Good);
    for op in [Op::Drain, Op::Remove, Op::Close] {
        script.command(at + shape.counted() + 2, op, 0, 0);
    }
    // Opened again it may have several.
    let at = script.open(0, Granularity::Packet, &[1, 1]);
    script.stream(at, 0, 4);
    suite.add("T33-commands", "commands on a QP with one path", rows, script);
}

/// No packet begins a flowlet or switches; probes are refused; a full path takes retransmissions.
fn packets(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Granularity", "Probe", "Window"], &["T2", "T3", "T8", "T9", "T10", "T20", "T33", "M07"]);
    let (mut script, at) = Script::running(shape, Granularity::Single, &[3]);
    script.set(at, Settings::new(0, 2, 2).window(3));
    script.data_apart(at + 1, 0, 4, 70);
    script.request(at + 3, 0, Packet::Probe, 0);
    script.request(at + 400, 0, Packet::Retransmission, 0);
    script.data(at + 401, 0);
    script.kinds(at + 420, (0, 0), [Kind::Return, Kind::Good]);
    script.stream(at + 440, 0, 3);
    script.command(at + 460, Op::Read, 0, 0);
    suite.add("T33-packets", "packets of a QP with one path", rows, script);
}
