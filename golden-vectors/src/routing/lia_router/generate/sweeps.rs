// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where a sweep and an interval end (LR2, LR3, LR9).

use super::shapes::{self, DEFAULT, middle};
use crate::collect::aim;
use crate::routing::lia_router::oracle::{Hop, Settings, Size};
use crate::routing::lia_router::script::Script;
use crate::routing::lia_router::suite::Suite;

pub fn add(suite: &mut Suite) {
    for size in shapes::CYCLES {
        suite.group("sweeps", "the edges of sweeps", size, None);
        around_a_visit(suite, size);
        requests_around_the_end(suite, size);
        settings_around_the_end(suite, size);
        intervals(suite, size);
    }
}

/// A flit enters, or leaves, in each cycle around the visit of its group that ends an interval.
fn around_a_visit(suite: &mut Suite, size: Size) {
    for (id, offset) in [("first", 1), ("last", size.shape.groups() - 1)] {
        for enters in [true, false] {
            let mut script = Script::with(size, Settings { interval: 1, ..DEFAULT }, middle(size));
            script.enter(offset, 60);
            for at in 0..size.sweep() {
                script.sweeps(1);
                script.swept(at);
                if enters {
                    script.enter(offset, 1)
                } else {
                    script.leave(offset, 1)
                }
                script.read(offset);
            }
            let rows = aim(&["Edge", "Interval"], &["L12", "LR2", "LR3", "LR8"]);
            let way = if enters { "enters" } else { "leaves" };
            suite.add(format!("visit-{id}-{way}"), "a flit in each cycle around a visit", rows, script);
        }
    }
}

/// Packets in every cycle around the ends of sweeps that change the level and both local hops, up and down.
fn requests_around_the_end(suite: &mut Suite, size: Size) {
    let mut script = Script::with(size, Settings { saturated_links: 0, ..DEFAULT }, middle(size));
    let own = script.shape().global_ports * middle(size).switch + 1;
    let groups = script.shape().groups();
    for _ in 0..3 {
        script.swept(size.sweep() / 2);
        script.enter(own, 60);
        for offset in 0..3 * size.sweep() {
            script.request(if offset % 3 == 0 { own } else { 1 + offset % (groups - 1) }, offset % 4);
        }
        script.swept(size.sweep() / 2);
        script.leave(own, 60);
        for offset in 0..4 * size.sweep() {
            script.request(if offset % 3 == 0 { own } else { 1 + offset % (groups - 1) }, offset % 4);
        }
    }
    let rows = aim(&["Edge", "FullLoad"], &["L20", "LR3", "LR5", "LR6"]);
    suite.add("requests", "packets around the end of a sweep that changes everything", rows, script);
}

/// Settings that decide about packets, in each cycle around the end of a sweep, with packets all the time.
fn settings_around_the_end(suite: &mut Suite, size: Size) {
    let first = Settings { biases: [32767; 3], first_hop: Hop::Dropped, second_hop: Hop::Dropped, ..DEFAULT };
    let second =
        Settings { biases: [-32768; 3], first_hop: Hop::Kept, second_hop: Hop::Kept, corrected: false, ..DEFAULT };
    let mut script = Script::with(size, first, middle(size));
    for port in 0..size.shape.ports() {
        script.occupy(port, 9, 4);
    }
    for offset in 0..8 {
        script.swept(size.sweep() - 4);
        for cycle in 0..size.sweep() + 8 {
            if cycle == offset {
                script.set_beside(|_| if offset % 2 == 0 { second } else { first });
            }
            script.occupy_beside(cycle % size.shape.ports(), 9 + cycle, 7);
            script.request(1 + cycle % (size.shape.groups() - 1), cycle % 4);
        }
    }
    let rows = aim(&["Edge", "Settings", "Corrected"], &["L21", "LR7", "LR9"]);
    suite.add("settings", "settings in each cycle around the end of a sweep", rows, script);
}

/// Intervals of each small number of sweeps, with one flit in every cycle and a read in every sweep.
fn intervals(suite: &mut Suite, size: Size) {
    let mut script = Script::with(size, DEFAULT, middle(size));
    let group = script.group(5);
    for interval in [0, 1, 2, 3, 5] {
        script.set(|s| Settings { interval, ..s });
        for cycle in 0..9 * size.sweep() {
            script.enter_beside(group, 1);
            script.leave_beside(group, 1);
            if cycle % size.sweep() == 3 && script.outputs().command_ready {
                script.command_beside(crate::routing::lia_router::oracle::Command { group: 5, ..Default::default() });
            }
            script.step();
        }
    }
    let rows = aim(&["Interval"], &["L12", "L21", "LR3", "LR9"]);
    suite.add("intervals", "intervals of some sweeps", rows, script);
}
