// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows T2, T15 and T18: requests and feedback that must be refused and counted, and the sweep after reset.

use super::shapes::{FEW_SLOW, FIVE, MANY, SETTINGS, SIXTEEN, SMALL, TWO};
use crate::collect::aim;
use crate::transmit::path_scheduler::oracle::{Command, Feedback, Granularity, Kind, Op, Packet, Shape};
use crate::transmit::path_scheduler::ports;
use crate::transmit::path_scheduler::script::Script;
use crate::transmit::path_scheduler::suite::Suite;

/// Adds the groups `refused` and `sweep`. Numbers beyond the last QP or sub-path are tested at sizes where the port
/// can carry them.
pub fn add(suite: &mut Suite) {
    for shape in [SMALL, TWO, FIVE, SIXTEEN, MANY] {
        suite.group("refused", "requests and feedback that must be refused", shape, SETTINGS);
        requests(suite, shape);
        feedback(suite, shape);
    }
    for shape in [SMALL, FEW_SLOW, FIVE, SIXTEEN, MANY] {
        suite.group("sweep", "events in the sweep", shape, SETTINGS);
        sweep(suite, shape);
    }
}

fn requests(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["NoSuchQp"], &["T1", "T2", "T19"]);
    for qp in 1..ports::numbers(shape) {
        let (mut script, at) = Script::running(shape, Granularity::Packet, &[2, 1]);
        for (n, kind) in (0..).zip(Packet::ALL) {
            script.data(at + 3 * n, 0);
            script.request(at + 3 * n + 1, qp, kind, 0);
            script.feedback(at + 3 * n, qp, 0, Kind::STREAM[n as usize]);
        }
        suite.add(format!("qp-{qp}"), format!("QP {qp} is closed, or does not exist"), rows, script);
    }
    let (mut script, at) = Script::running(shape, Granularity::Flowlet, &[1, 1]);
    for n in 0..12 {
        script.request(at + n, 0, if n % 3 == 1 { Packet::Nothing } else { Packet::Data }, n);
    }
    suite.add("nothing", "requests of no kind among data", aim(&["BackToBack"], &["T2", "T3", "T8"]), script);
    let mut script = Script::new(shape);
    let at = script.open(0, Granularity::Packet, &[]);
    (0..8).for_each(|n| script.request(at + n, 0, Packet::ALL[(n % 4) as usize], 0));
    let at = script.add(0, 1, 2);
    script.stream(at - 2, 0, 4);
    suite.add("pathless", "an open QP without sub-paths", aim(&["Failing"], &["T2", "T6"]), script);
}

fn feedback(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["OutOfRange"], &["T15", "T19"]);
    for kind in Kind::STREAM {
        let (mut script, at) = Script::running(shape, Granularity::Flow, &[7]);
        script.stream(at, 0, 2);
        for (n, path) in (0..).zip([1, shape.paths, shape.paths + 1, 0x80, 0xFF, shape.paths - 1]) {
            script.feedback(at + 20 + n, 0, path, kind);
        }
        script.kinds(at + 26, (0, 0), [kind; 3]);
        script.data(at + 40, 0);
        script.reads(at + 40, 0, 2);
        let id = format!("range-{}", kind.code());
        suite.add(id, format!("{kind:?} for sub-paths that cannot exist, and for absent ones"), rows, script);
    }
    let (mut script, at) = Script::running(shape, Granularity::Packet, &[3, 3]);
    script.stream(at, 0, 9);
    (0..20).for_each(|n| script.feedback(at + 4 + n, 0, n % 2, Kind::STREAM[(n / 2 % 4) as usize]));
    script.stream(at + 9, 0, 12);
    script.reads(at + 30, 0, 2);
    let rows = aim(&["InFlight", "FullLoad"], &["T11", "T15"]);
    suite.add("too-much", "more feedback than packets", rows, script);
}

fn sweep(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Sweep"], &["T2", "T15", "T18"]);
    let mut script = Script::new(shape);
    let from = shape.sweep().saturating_sub(40);
    for at in (0..20).chain(from..shape.sweep() + 12) {
        script.request(at, at % shape.qps, Packet::ALL[(at % 4) as usize], at % shape.paths);
        script.feedback(at, at % shape.qps, at % shape.paths, Kind::STREAM[(at % 4) as usize]);
    }
    let at = script.open(0, Granularity::Packet, &[1]);
    script.stream(at - 2, 0, 4);
    suite.add("load", "requests in the sweep, feedback right behind it", rows, script);
    let mut script = Script::new(shape);
    let open = |qp| Command::open(qp, 3, 4, Granularity::Flow);
    script.hammered = vec![open(0), open(shape.qps - 1), Command::new(Op::Add, 0, 0).weight(3), open(0)];
    script.held = Kind::STREAM.map(|kind| Feedback::new(0, 0, kind)).into();
    script.command(0, Op::Read, shape.qps - 1, 0);
    script.command(0, Op::Read, 0, shape.paths - 1);
    let at = script.open(0, Granularity::Flow, &[5]);
    script.stream(at, 0, 3);
    let rows = aim(&["Sweep", "HeldValid"], &["T15", "T16", "T18"]);
    suite.add("held", "operations and feedback that stand all through the sweep", rows, script);
    let mut script = Script::new(shape);
    let last = shape.qps - 1;
    script.operate(0, Command::open(last, 9, 0x100, Granularity::Packet));
    script.add(last, shape.paths - 1, 2);
    let at = script.settled();
    script.stream(at, last, 3);
    script.command(at, Op::Read, last, shape.paths - 1);
    script.command(at, Op::Read, last, 0);
    suite.add("first", "an operation in the first cycle behind the sweep", aim(&["Sweep"], &["T16", "T18"]), script);
}
