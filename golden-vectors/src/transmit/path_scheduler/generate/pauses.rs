// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows T3 and T17: each QP has its own flowlet time, and no flowlet begins earlier.

use super::shapes::LATENCIES;
use crate::collect::aim;
use crate::transmit::path_scheduler::oracle::{Command, Granularity, Op, Settings, Shape};
use crate::transmit::path_scheduler::script::{PSN, Script};
use crate::transmit::path_scheduler::suite::Suite;

/// Adds the group `pauses`, one per latency.
pub fn add(suite: &mut Suite) {
    for shape in LATENCIES {
        suite.group("pauses", "the flowlet time of a QP", shape, Settings::new(3, 0, 0));
        never_earlier(suite, shape);
        own(suite, shape);
        while_running(suite, shape);
        of_settings(suite, shape);
    }
}

/// Opens a QP by flowlets with this flowlet time, and two sub-paths.
fn opened(shape: Shape, flowlet: u64) -> (Script, u64) {
    let mut script = Script::new(shape);
    script.operate(0, Command::open(0, PSN, 9, Granularity::Flowlet).flowlet(flowlet));
    script.add(0, 0, 1);
    let at = script.add(0, 1, 1);
    (script, at)
}

/// Two packets as far apart as the flowlet time says, one cycle less, and until the flowlet begins; the first one at
/// several places in a unit of 64 cycles. The old rule began a flowlet up to 63 cycles too early.
fn never_earlier(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Flowlet", "Boundary"], &["T3", "T9", "M03", "M45", "M78"]);
    for (phase, gaps) in [(0, [127, 128, 192]), (31, [128, 160, 161]), (63, [65, 128, 129])] {
        for gap in gaps {
            let (mut script, at) = opened(shape, 2);
            let first = at.next_multiple_of(64) + 64 + phase - shape.timing();
            script.data(first, 0);
            script.data(first + gap, 0);
            script.data(first + gap + 1, 0);
            let comment = format!("{gap} cycles from packet to packet, where 128 are the flowlet time");
            suite.add(format!("M03-{phase}-{gap}"), comment, rows, script);
        }
    }
}

/// Two QPs with different flowlet times, the greatest one, and 0 for that of the settings.
fn own(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Flowlet", "Interleaved"], &["T3", "T17", "M45", "M107"]);
    for (name, times) in [("1-5", [1, 5]), ("5-1", [5, 1]), ("0-1", [0, 1]), ("most-0", [0xFFFF, 0])] {
        let mut script = Script::new(shape);
        for (qp, flowlet) in (0..).zip(times) {
            script.operate(0, Command::open(qp, PSN, 9, Granularity::Flowlet).flowlet(flowlet));
            script.add(qp, 0, 1);
            script.add(qp, 1, 1);
        }
        let at = script.settled();
        for (n, gap) in (0..).zip([0, 60, 140, 280, 300, 500]) {
            (0..2).for_each(|qp| script.data(at + 300 * n + gap + qp, qp));
        }
        suite.add(format!("M45-{name}"), "two QPs, each with its own", rows, script);
    }
}

/// *set flowlet* under load, around the first request that sees it.
fn while_running(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Flowlet", "Command", "Boundary"], &["T3", "T16", "T17", "M46", "M108"]);
    for (name, from, to) in [("shorter", 0xFFFF, 1), ("longer", 1, 0xFFFF), ("settings", 0xFFFF, 0)] {
        for distance in shape.response() - 1..=shape.response() {
            let (mut script, at) = opened(shape, from);
            script.data(at, 0);
            let set = script.operate(at + 400, Command::new(Op::Reflow, 0, 0).flowlet(to));
            script.data(set + distance, 0);
            script.data(set + distance + 300, 0);
            let comment = format!("{from} becomes {to}, a request {distance} cycles behind the command");
            suite.add(format!("M108-{name}-{distance}"), comment, rows, script);
        }
    }
    let mut script = Script::new(shape);
    script.operate(0, Command::new(Op::Reflow, 0, 0).flowlet(3));
    script.operate(0, Command::open(0, PSN, 9, Granularity::Flowlet).flowlet(1));
    script.operate(0, Command::new(Op::Reflow, 1, 0).flowlet(9));
    script.add(0, 0, 1);
    let at = script.add(0, 1, 1);
    (0..4).for_each(|n| script.data(at + 130 * n, 0));
    suite.add("M108-closed", "of a QP that is closed it cannot be set", rows, script);
}

/// Which `settings_flowlet` a command takes: that of some cycles after it, and no later one.
fn of_settings(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Flowlet", "Settings", "Boundary"], &["T17", "M45"]);
    for op in [Op::Open, Op::Reflow] {
        for distance in shape.settings() - 1..=shape.settings() + 1 {
            let mut script = Script::new(shape);
            let open = Command::open(0, PSN, 9, Granularity::Flowlet);
            let mut taken = script.operate(0, open.flowlet(if op == Op::Open { 0 } else { 9 }));
            script.add(0, 0, 1);
            let mut at = script.add(0, 1, 1);
            if op == Op::Reflow {
                taken = script.operate(0, Command::new(op, 0, 0));
                at = script.settled();
            }
            // The effect is one cycle after the command, as is the setting after its transfer.
            script.set(taken + distance, Settings::new(0, 0, 0));
            script.data(at, 0);
            script.data(at + 70, 0);
            script.data(at + 400, 0);
            let comment = format!("{op:?} takes 3, or 0, which comes {distance} cycles behind it");
            suite.add(format!("M45-{op:?}-{distance}").to_lowercase(), comment, rows, script);
        }
    }
}
