// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows W11 to W13: `settings_report_time`, at its limits and changed while a pair waits.

use super::{Waiting, after, near, waiting};
use crate::collect::aim;
use crate::elab::feedback::oracle::{Settings, Shape};
use crate::elab::feedback::script::Script;
use crate::elab::feedback::suite::Suite;

/// The longest time (W11).
const MOST: u64 = 1 << 23;

pub fn add(suite: &mut Suite, shape: Shape) {
    suite.group("due-setting", "the time is changed", shape, after(0));
    about_due(suite, shape);
    while_due(suite, shape);
    limits(suite, shape);
}

/// Written about the last cycle from which it is in force in the visit in which the pair would be due.
fn about_due(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Due", "Settings", "Boundary"], &["W11", "W12", "W13"]);
    let time = 4 * shape.pairs;
    for (name, from, to) in
        [("on", 0, 1), ("off", time, 0), ("longer", time, time + 1), ("shorter", time + 1, time), ("most", time, MOST)]
    {
        for distance in [-1, 0, 1] {
            let Waiting { mut script, due, .. } = waiting(shape, &[1]);
            script.set(1, after(from));
            script.set(near(due + shape.visit_to_setting() - 1, distance), after(to));
            script.wait(due + 5 * shape.pairs);
            let comment = format!("from {from} to {to}, {distance} cycles behind the last that the visit knows");
            suite.add(format!("{name}-{distance:+}"), comment, rows, script);
        }
    }
}

/// A pair waits behind another one on the stalled output. It stays due with a longer time, but not without one.
fn while_due(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Due", "Settings", "Stall"], &["W11", "W13", "W14"]);
    let pairs = shape.pairs;
    for (name, to, then) in [("longer", MOST, MOST), ("off", 0, MOST), ("off-on", 0, 1), ("off-off", 0, 0)] {
        let Waiting { mut script, due, .. } = waiting(shape, &[1]);
        script.arrive(due - 4 * pairs - 2, pairs - 1, 1);
        script.stall(due + shape.visit_to_ready(), 12 * pairs + 10);
        script.set(due + 6 * pairs + 5, after(to));
        script.set(due + 8 * pairs + 5, after(then));
        script.wait(due + 15 * pairs + 20);
        suite.add(format!("due-{name}"), format!("{to}, then {then}, while the output is stalled"), rows, script);
    }
}

/// Never, the longest time, a time that is on the port only, and one that is written in the sweep.
fn limits(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Due", "Settings"], &["W9", "W11", "W13", "E16"]);
    let ports = |valid, time| Settings { valid, ..after(time) };
    for (name, at, settings) in [
        ("never", 0, ports(true, 0)),
        ("most", 0, ports(true, MOST)),
        ("not-valid", 1, ports(false, 1)),
        ("sweep", 3, ports(true, 1)),
        ("sweep-not-valid", 3, ports(false, 1)),
    ] {
        let (mut script, begin) = Script::new(shape);
        script.set(at, settings);
        script.arrive(begin + 2, 0, 1);
        script.wait(begin + 3 * shape.pairs + 20);
        suite.add(name, format!("{} of cycle {at}", settings.report_time), rows, script);
    }
}
