// SPDX-License-Identifier: MIT OR Apache-2.0
//! Settings, and the first cycles after reset (PC11, PC12).

use super::shapes;
use crate::collect::aim;
use crate::receive::credit_pacer::oracle::{CREDITS, Settings, Shape, behind, op};
use crate::receive::credit_pacer::script::Script;
use crate::receive::credit_pacer::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::all() {
        suite.group("reset", "the first cycles after reset", shape, None);
        sweep(suite, shape);
        of_shape(suite, shape);
    }
    for shape in shapes::CYCLES {
        suite.group("settings", "settings that change", shape, None);
        in_force(suite, shape);
        in_sweep(suite, shape);
    }
}

/// Everything is offered in the sweep and behind it; settings count in the sweep.
fn sweep(suite: &mut Suite, shape: Shape) {
    let mut script = Script::from_reset(shape);
    script.hammer_demand(0, 44);
    script.hammer_command(op::OPEN, 0, 44);
    script.idle(10);
    script.set(|_| Settings { rate: 70_000, quota: 3, burst: 9, advance: 0 });
    for source in [0, shape.sources - 1] {
        script.offer(source, 9);
        script.issue(op::READ, source, 0);
    }
    script.accepted();
    script.open(shape.sources - 1, 9);
    script.demand(shape.sources - 1, 19);
    script.turns(4);
    script.read(shape.sources - 1);
    let rows = aim(&["Sweep", "Unready"], &["PC5", "PC11", "PC12"]);
    suite.add("sweep", "everything is offered from the first cycle on", rows, script);
}

/// PC11: which cycle a pass has its quota and its `advance` from. They are in force for one cycle only.
fn in_force(suite: &mut Suite, shape: Shape) {
    let few = Settings { rate: 1 << 20, quota: 2, burst: 90, advance: 0 };
    for (id, by, usual, quota, advance) in [
        ("quota", 90, few, 5, 0),
        ("advance", 0, few, 3, 9),
        ("no-advance", 3, Settings { advance: 9, ..few }, 3, 0), //
    ] {
        let mut script = Script::with(shape, Settings { burst: 0, ..usual });
        for offset in 0..2 * shape.there() {
            script.set(|_| Settings { burst: 0, ..usual });
            script.open(1, 0xFF_FFF0);
            // The take enters two cycles behind this one, if the source waits; else there is only this demand.
            script.more(1, by);
            script.settled();
            script.set(|_| usual);
            script.offer(1, behind(0xFF_FFF0, by as u64));
            for cycle in 0..2 * shape.there() {
                if cycle == offset {
                    script.set_beside(|s| Settings { quota, advance, ..s });
                } else if cycle == offset + 1 {
                    script.set_beside(|_| usual);
                }
                script.step();
            }
            script.set(|_| usual);
            script.idle(shape.apart());
            script.read(1);
            script.hold();
            script.close(1);
            script.set(|s| Settings { burst: 9, ..s });
            script.idle(4 * shape.apart());
        }
        let rows = aim(&["Settings"], &["PC4", "PC7", "PC11"]);
        suite.add(id, "settings that are in force in one cycle", rows, script);
    }
}

/// PC5, PC12: settings in the sweep, also in its first and last cycle; *level* is 0 behind it.
fn in_sweep(suite: &mut Suite, shape: Shape) {
    let last = shape.sweep() - 1;
    for (n, at) in [0, shape.sources, last - 1, last, last + 1].into_iter().enumerate() {
        let mut script = Script::from_reset(shape);
        script.set(|_| Settings { rate: 1, quota: 2, burst: 1, advance: 0 });
        script.until(at);
        script.set(|_| Settings { rate: 900, quota: 3, burst: 1, advance: 2 });
        script.until(last + 1);
        script.open(0, 5);
        script.demand(0, 20);
        script.turns(2);
        script.read(0);
        script.leave_unfinished();
        let rows = aim(&["Sweep", "Settings", "Reset"], &["PC5", "PC11", "PC12"]);
        suite.add(format!("in-sweep-{n}"), "settings in the sweep, and level behind it", rows, script);
    }
}

/// A group for a stage of any size.
pub fn of_shape(suite: &mut Suite, shape: Shape) {
    suite.group("defaults", "the settings after reset", shape, None);
    defaults(suite, shape);
}

/// PC11: the settings after reset act, though `settings_valid` is 0 throughout.
fn defaults(suite: &mut Suite, shape: Shape) {
    let Settings { rate, burst, advance, .. } = shape.reset;
    let mut script = Script::from_reset(shape);
    script.until(shape.sweep());
    // More is wanted than 2^23, so none is due, and `advance` decides whether it is idle, by one.
    if (1..CREDITS / 2).contains(&advance) {
        for spent in [advance, advance - 1] {
            script.open(0, 0);
            script.offer(0, CREDITS / 2 - 1);
            script.offer(0, behind(0, 0_u64.wrapping_sub(spent)));
            script.settled();
            script.idle(shape.apart());
            script.read(0);
            script.close(0);
        }
    }
    // After a pause *level* is `burst`; then it grows by `rate`.
    let (last, share) = (shape.sources - 1, shape.reset.share());
    let time = |quanta: u64| (quanta << 16).checked_div(rate).filter(|_| burst > 0).unwrap_or(u64::MAX);
    if time(burst + share) < 30_000 {
        script.idle(time(burst + share) + 2);
        script.open(last, 0);
        script.demand(last, 6 * burst + 9 * share + 1);
        if time(6 * burst + 9 * share) < 60_000 {
            script.served();
        }
        script.idle(2 * shape.apart());
        script.read(last);
    }
    let rows = aim(&["Settings"], &["PC4", "PC5", "PC7", "PC11"]);
    suite.add("defaults", "the settings after reset", rows, script);
}
