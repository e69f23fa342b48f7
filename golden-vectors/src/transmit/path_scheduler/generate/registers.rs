// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings are registers: what is in force after reset, and while `settings_valid` is 0.

use super::shapes::{FEW, FEW_SLOW, SETTINGS};
use crate::collect::aim;
use crate::transmit::path_scheduler::oracle::{Command, Feedback, Granularity, Kind, Op, Settings, Shape};
use crate::transmit::path_scheduler::script::Script;
use crate::transmit::path_scheduler::suite::Suite;

/// Cycles that a case may wait for a deadline or a gap.
const LONGEST: u64 = 20_000;

/// Adds the group `registers`: transfers of one cycle, with other values on the ports before and after.
pub fn add(suite: &mut Suite) {
    for shape in [FEW, FEW_SLOW] {
        suite.group("registers", "settings that hold", shape, SETTINGS);
        hold(suite, shape);
    }
}

fn hold(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Settings", "Boundary"], &["T12", "T13", "T14", "T20", "M108"]);
    let taken = Settings { migrate: 2, window: 4, rtt: 1, delay: 7, ..Settings::new(2, 1, 2) };
    for late in 0..3 {
        let (mut script, at) = Script::running(shape, Granularity::Packet, &[9, 4]);
        script.set(at, taken);
        // Not valid in the next cycle, when all ports are 0.
        script.rest(at + 1);
        script.stream(at + 2, 0, 14);
        script.kinds(at + 40, (0, 0), [Kind::Good, Kind::Ecn, Kind::Timeout, Kind::Timeout]);
        script.hear(at + 44, Feedback::new(0, 1, Kind::Good).rtt(8));
        script.set(at + 60, SETTINGS);
        script.rest(at + 61);
        script.hear(at + 59 + late, Feedback::new(0, 1, Kind::Good).rtt(8));
        script.reads(at + 70, 0, 2);
        script.stream(at + 80, 0, 14);
        suite.add(format!("M108-hold-{late}"), "one transfer, then another one", rows, script);
    }
}

/// Adds the group `reset` of any size, with `settings_valid` 0 in all cycles: the values after reset act. Each case shows
/// one of them, unless that would take too long.
pub fn of_shape(suite: &mut Suite, shape: Shape) {
    suite.group("reset", "no settings but those after reset", shape, None::<Settings>);
    counts(suite, shape);
    window(suite, shape);
    times(suite, shape);
    migrate(suite, shape);
}

/// One QP of two sub-paths whose weights can rise.
fn two(shape: Shape) -> (Script, u64) {
    let mut script = Script::new(shape);
    script.open(0, Granularity::Packet, &[]);
    script.add_to(0, 0, 9, shape.most());
    let at = script.add_to(0, 1, 9, shape.most());
    (script, at)
}

/// As many GOOD as raise the weight, as many TIMEOUTs as fail the sub-path, and an RTT that is slow.
fn counts(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Settings", "Boundary"], &["T12", "T13", "T14", "M64", "M72"]);
    let Settings { raise, fail, delay, .. } = shape.reset;
    for (kind, count) in [(Kind::Good, raise), (Kind::Timeout, fail)] {
        for count in [count.saturating_sub(1), count].into_iter().filter(|count| *count > 0) {
            let (mut script, at) = two(shape);
            script.stream(at, 0, 8);
            // Feedback without a packet is refused, so packets go on between.
            let mut at = at + shape.counted() + 8;
            for _ in 0..count {
                script.data(at, 0);
                script.data(at + 1, 0);
                script.feedback(at + 2, 0, 1, kind);
                at += 4;
            }
            script.reads(at + 4, 0, 2);
            script.stream(at + 20, 0, 4);
            suite.add(format!("{kind:?}-{count}").to_lowercase(), format!("{count} times {kind:?}"), rows, script);
        }
    }
    let (mut script, at) = two(shape);
    script.stream(at, 0, 8);
    let at = at + shape.counted() + 8;
    script.hear(at, Feedback::new(0, 0, Kind::Good).rtt(delay));
    script.hear(at + 1, Feedback::new(0, 1, Kind::Good).rtt((delay + 1).min(0xFFFF)));
    script.reads(at + 2, 0, 2);
    suite.add("delay", "an RTT at the limit, and one above it", rows, script);
}

/// A sub-path that becomes full.
fn window(suite: &mut Suite, shape: Shape) {
    let window = shape.window(shape.reset.window);
    if window > 1000 {
        return;
    }
    let (mut script, at) = Script::running(shape, Granularity::Flow, &[9]);
    let at = script.stream(at, 0, window - 1) + shape.counted();
    let at = script.data_apart(at, 0, 2, shape.counted());
    script.reads(at, 0, 1);
    let at = script.data_apart(at + 40, 0, 2, shape.counted());
    script.kinds(at, (0, 0), [Kind::Good; 2]);
    script.stream(at + 20, 0, 3);
    let rows = aim(&["Settings", "Window"], &["T2", "T20", "M67"]);
    suite.add("window", format!("{window} packets in flight"), rows, script);
}

/// The flowlet time, and the time between two steps.
fn times(suite: &mut Suite, shape: Shape) {
    let Settings { flowlet, fail, fail_time, rtt, .. } = shape.reset;
    let edge = |at: u64| at.next_multiple_of(64);
    if 64 * flowlet < LONGEST {
        for gap in [flowlet, flowlet + 1] {
            let mut script = Script::new(shape);
            script.open(0, Granularity::Flowlet, &[2, 2]);
            let at = edge(script.settled()) + 64 - shape.timing();
            script.data(at, 0);
            script.data(at + 64 * gap, 0);
            let rows = aim(&["Settings", "Flowlet"], &["T3", "T17", "M03", "M78"]);
            suite.add(format!("flowlet-{gap}"), format!("packets {gap} units of time apart"), rows, script);
        }
    }
    if fail > 1 && 64 * fail_time < LONGEST {
        for units in [fail_time, fail_time + 1] {
            let (mut script, at) = two(shape);
            script.stream(at, 0, 8);
            let at = edge(at + 40) + 64 - shape.settings();
            for n in 0..fail - 1 {
                script.feedback(at + n, 0, 0, Kind::Nack);
            }
            script.feedback(at + 64 * units + fail, 0, 0, Kind::Nack);
            script.reads(at + 64 * units + 20, 0, 1);
            let rows = aim(&["Settings", "Failing"], &["T14", "M72", "M104"]);
            suite.add(format!("fail-{units}"), format!("{fail} losses within {units} units of time"), rows, script);
        }
    }
    if fail > 0 {
        let (mut script, at) = two(shape);
        script.stream(at, 0, 2 * fail);
        let at = at + 40 + 2 * fail;
        for (path, at) in [(0, at), (1, at + 40)] {
            script.kinds(at, (0, path), (0..fail).map(|_| Kind::Timeout));
        }
        let rows = aim(&["Settings", "Failing"], &["T29", "M75"]);
        suite.add("wait", "both sub-paths fail", rows, script);
    }
    if 64 * rtt < LONGEST {
        for units in [rtt, rtt + 1] {
            let (mut script, at) = two(shape);
            script.stream(at, 0, 4);
            let at = edge(at + 40) + 64 - shape.settings();
            script.feedback(at, 0, 0, Kind::Nack);
            script.feedback(at + 64 * units, 0, 0, Kind::Nack);
            script.reads(at + 64 * units + 1, 0, 1);
            let rows = aim(&["Settings", "Steps"], &["T23", "M69"]);
            suite.add(format!("rtt-{units}"), format!("marks {units} units of time apart"), rows, script);
        }
    }
}

/// As many steps as make a sub-path avoided.
fn migrate(suite: &mut Suite, shape: Shape) {
    let Settings { migrate, rtt, .. } = shape.reset;
    if migrate == 0 || 64 * (rtt + 1) * migrate > LONGEST {
        return;
    }
    let (mut script, at) = two(shape);
    script.stream(at, 0, 4 * migrate);
    let mut at = at + 4 * migrate + shape.counted();
    for _ in 0..migrate {
        script.operate(at, Command::new(Op::Read, 0, 0));
        script.feedback(at + 8, 0, 0, Kind::Ecn);
        at += 64 * (rtt + 2);
    }
    script.command(at, Op::Read, 0, 0);
    script.stream(at, 0, 4);
    let rows = aim(&["Settings", "Migration"], &["T13", "T22", "M62", "M70"]);
    suite.add("migrate", format!("{migrate} steps"), rows, script);
}
