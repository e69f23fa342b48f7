// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings after reset, and what is on the ports while the stage is busy (LR8, LR9).

use super::shapes::{self, DEFAULT};
use crate::collect::aim;
use crate::routing::lia_router::oracle::{Command, Settings, Size, op};
use crate::routing::lia_router::script::Script;
use crate::routing::lia_router::suite::Suite;

pub fn add(suite: &mut Suite) {
    for size in shapes::all() {
        of_size(suite, size);
        suite.group("busy", "the first cycles after reset", size, None);
        busy(suite, size);
    }
}

/// A group for a stage of any size.
pub fn of_size(suite: &mut Suite, size: Size) {
    suite.group("defaults", "the settings after reset", size, None);
    defaults(suite, size);
}

/// The settings after reset act, though `settings_valid` is 0 throughout.
fn defaults(suite: &mut Suite, size: Size) {
    let Settings { limits, interval, .. } = size.reset;
    let mut script = Script::from_reset(size);
    script.until(size.ready());
    let largest = (1 << size.shape.counter_bits) - 1;
    let mut before = 0;
    let sweeps = if interval * size.sweep() < 20_000 { interval + 2 } else { 2 };
    for load in [limits[0], limits[0] + 1, limits[1], limits[1] + 1] {
        // Such that are above half of the counters would be less than none.
        if load < largest / 2 && load >= before {
            script.enter(1, load - before);
            before = load;
            script.idle(size.counted());
            script.sweeps(2);
            script.read(1);
            script.request_all();
        }
    }
    script.leave(1, before);
    script.idle(size.counted());
    script.sweeps(sweeps);
    script.read(1);
    script.request_all();
    let rows = aim(&["Settings", "Level", "Interval"], &["L21", "LR3", "LR4", "LR9"]);
    suite.add("defaults", "the settings after reset", rows, script);
}

/// Everything is on the ports from the first cycle on; nothing is taken, but settings are.
fn busy(suite: &mut Suite, size: Size) {
    let mut script = Script::from_reset(size);
    script.hammer_command(Command { op: op::PLACE, group: 1, switch: 1, seed: 44 });
    script.idle(3);
    script.set(|_| Settings { weight: 32, biases: [-32768; 3], ..DEFAULT });
    let groups = size.shape.groups();
    for cycle in 0..size.ready() + 5 {
        script.enter_beside(1 + cycle % (groups - 1), 99);
        script.leave_beside(1 + cycle % (groups - 1), 3);
        script.occupy_beside(cycle % size.shape.ports(), 99, 0);
        script.request_beside(1 + cycle % (groups - 1), 0);
        script.step();
    }
    script.sweeps(1);
    script.request_all();
    script.read(1);
    let rows = aim(&["Settings", "FullLoad"], &["LR8", "LR9"]);
    suite.add("busy", "everything is on the ports from the first cycle on", rows, script);
}
