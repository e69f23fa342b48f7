// SPDX-License-Identifier: MIT OR Apache-2.0
//! Commands, and the first cycles after reset (LR8).

use super::shapes::{self, DEFAULT, middle};
use crate::collect::aim;
use crate::routing::lia_router::oracle::{Command, Place, Settings, Size, op};
use crate::routing::lia_router::script::Script;
use crate::routing::lia_router::suite::Suite;

pub fn add(suite: &mut Suite) {
    for size in shapes::all() {
        suite.group("commands", "commands", size, None);
        refused(suite, size);
    }
    for size in shapes::CYCLES {
        suite.group("restarts", "the switch is placed anew, and resets", size, None);
        placed_under_load(suite, size);
        reset_under_load(suite, size);
        reads_around_a_visit(suite, size);
    }
}

/// Commands with each code and each number, also on the port while none is accepted.
fn refused(suite: &mut Suite, size: Size) {
    let mut script = Script::with(size, DEFAULT, middle(size));
    script.hammer_command(Command { op: op::PLACE, group: 0, switch: 0, seed: 3 });
    script.enter(1, 9);
    let bits = |many: u64| many.next_power_of_two().max(2);
    let (groups, switches) = (size.shape.groups(), size.shape.switches);
    for group in [0, 1, groups - 1, groups, bits(groups) - 1] {
        let group = group.min(bits(groups) - 1);
        script.command(Command { op: op::READ, group, switch: 0, seed: 9 });
        script.command(Command { op: 2, group, switch: 0, seed: 9 });
        script.command(Command { op: 3, group, switch: 1, seed: 9 });
        script.command(Command { op: op::PLACE, group, switch: switches.min(bits(switches) - 1), seed: 9 });
        script.request_all();
    }
    script.command(Command { op: op::PLACE, group: bits(groups) - 1, switch: bits(switches) - 1, seed: 9 });
    let rows = aim(&["Command", "Unknown"], &["LR8"]);
    suite.add("refused", "commands, some of which cannot be done", rows, script);
}

/// Traffic of each kind goes on while the switch is placed anew, at each place of a sweep.
fn placed_under_load(suite: &mut Suite, size: Size) {
    let mut script = Script::with(size, Settings { interval: 1, ..DEFAULT }, middle(size));
    let groups = size.shape.groups();
    for at in (0..size.sweep()).step_by(3) {
        script.swept(at);
        for cycle in 0..3 * size.sweep() + 60 {
            let group = 1 + cycle % (groups - 1);
            if cycle == 8 {
                let place = Command { op: op::PLACE, group: at % groups, switch: at % 4, seed: at };
                script.command_beside(place);
            }
            script.enter_beside(group, 9);
            script.leave_beside(cycle % groups, 4);
            script.occupy_beside(cycle % size.shape.ports(), 40 + cycle, cycle % 40);
            script.request_beside(group, cycle % 4);
            script.step();
        }
        script.read(1 + at % (groups - 1));
    }
    let rows = aim(&["Place", "FullLoad"], &["LR6", "LR8"]);
    suite.add("placed", "the switch is placed anew under load", rows, script);
}

/// A case ends under load and amid a command; the next one begins with a reset.
fn reset_under_load(suite: &mut Suite, size: Size) {
    for n in 0..6 {
        let mut script = Script::with(size, Settings { interval: 1, ..DEFAULT }, Place { group: n, switch: n % 4 });
        script.swept(n * 3);
        for cycle in 0..2 * size.sweep() + n {
            script.enter_beside(1 + cycle % 8, 9);
            script.leave_beside(cycle % 9, 4);
            script.occupy_beside(cycle % size.shape.ports(), 400, 0);
            script.request_beside(1 + cycle % 8, cycle % 4);
            script.step();
        }
        script.ready();
        let place = Command { op: op::PLACE, group: 1, switch: 1, seed: 3 };
        let read = Command { op: op::READ, group: 8, switch: 1, seed: 3 };
        script.command_beside(if n % 2 == 0 { place } else { read });
        script.set_beside(|s| Settings { weight: 99, ..s });
        script.idle(1 + n);
        script.leave_unfinished();
        suite.add(format!("reset-{n}"), "a case that ends under load", aim(&["Reset"], &["LR8"]), script);
    }
    // What is read and drawn after a reset is that of a new stage.
    let mut script = Script::from_reset(size);
    script.ready();
    script.request_all();
    for offset in 1..size.shape.groups() {
        script.read(offset);
    }
    suite.add("after-reset", "nothing is left after a reset", aim(&["Reset"], &["LR6", "LR8"]), script);
}

/// A read that begins in each cycle around the visit of its row.
fn reads_around_a_visit(suite: &mut Suite, size: Size) {
    let mut script = Script::with(size, DEFAULT, middle(size));
    script.enter(4, 11);
    script.sweeps(2);
    for at in 0..size.sweep() {
        script.swept(at);
        script.read(4);
    }
    suite.add("reads", "a read in each cycle of a sweep", aim(&["Command", "Edge"], &["LR8"]), script);
}
