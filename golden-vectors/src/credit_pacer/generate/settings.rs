// SPDX-License-Identifier: MIT OR Apache-2.0
//! Settings, and the first cycles after reset (PC11, PC12).

use super::shapes;
use crate::collect::aim;
use crate::credit_pacer::oracle::{CREDITS, Settings, Shape, behind, op};
use crate::credit_pacer::script::Script;
use crate::credit_pacer::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::all() {
        suite.group("reset", "the first cycles after reset", shape, None);
        sweep(suite, shape);
        of_shape(suite, shape);
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

/// A group for a stage of any size.
pub fn of_shape(suite: &mut Suite, shape: Shape) {
    suite.group("defaults", "the settings after reset", shape, None);
    defaults(suite, shape);
}

/// PC11: the settings after reset act, though `settings_valid` is 0 throughout.
fn defaults(suite: &mut Suite, shape: Shape) {
    let Settings { rate, quota, burst, advance } = shape.reset;
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
    let paused = |cycles: u64| rate > 0 && (burst << 16) / rate < cycles;
    if paused(30_000) {
        script.open(shape.sources - 1, 0);
        script.idle((burst << 16) / rate + 2);
        script.demand(shape.sources - 1, 5 * quota + 1);
        script.idle(2 * shape.apart());
        if (quota << 16) / rate < 10_000 {
            script.step_while(|script| script.source(shape.sources - 1).wants() > 0 && burst > 0);
        }
        script.read(shape.sources - 1);
    }
    let rows = aim(&["Settings"], &["PC4", "PC5", "PC7", "PC11"]);
    suite.add("defaults", "the settings after reset", rows, script);
}
