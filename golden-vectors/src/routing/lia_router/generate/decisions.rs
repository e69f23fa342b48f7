// SPDX-License-Identifier: MIT OR Apache-2.0
//! Minimal or not (L10, L11, L19, LR7).

use super::shapes::{self, DEFAULT, middle};
use crate::collect::aim;
use crate::routing::lia_router::oracle::{Hop, Settings, Size};
use crate::routing::lia_router::script::Script;
use crate::routing::lia_router::suite::Suite;

pub fn add(suite: &mut Suite) {
    for size in shapes::all() {
        suite.group("decisions", "minimal or not", size, None);
        biases(suite, size);
        corrected(suite, size);
    }
    for size in shapes::CYCLES {
        suite.group("occupancies", "an occupancy in each cycle around a packet", size, None);
        around(suite, size);
    }
}

/// All ports but some have the same occupancy, so that products of each hops are compared with the bias, one beside it, and
/// those that decide alone.
fn biases(suite: &mut Suite, size: Size) {
    let (ports, groups) = (size.shape.ports(), size.shape.groups());
    for bias in [0, 1, -1, 5, 6, 7, -5, -6, -7, 30, -30, 24570, -24571, 32767, -32768] {
        let settings = Settings { biases: [bias, -bias / 2, 1 - bias / 3], first_hop: Hop::Kept, ..DEFAULT };
        let mut script = Script::with(size, settings, middle(size));
        for level in 0..3 {
            for port in 0..ports {
                script.occupy(port, 5 + (port * 5 + level) % 13, 0);
            }
            for (offset, switch) in (1..groups).zip((0..size.shape.switches).cycle()) {
                script.request(offset, switch);
            }
            for offset in 1..groups.min(4) {
                script.enter(offset, 21);
            }
            script.measured();
        }
        // The largest ones.
        for (low, high) in [(0, 4095), (4095, 0), (4095, 4095), (0, 0)] {
            for port in 0..ports {
                script.occupy(port, if port % 2 == 0 { low } else { high }, 0);
            }
            script.request_all();
        }
        let rows = aim(&["Bias", "Level"], &["L10", "L11", "L19", "LR7"]);
        suite.add(format!("bias-{bias}"), "weighted occupancies around a bias", rows, script);
    }
}

/// What is in flight counts, or does not; it may be all, and by mistake more.
fn corrected(suite: &mut Suite, size: Size) {
    let mut script = Script::with(size, DEFAULT, middle(size));
    for corrected in [true, false] {
        script.set(|s| Settings { corrected, ..s });
        script.sweeps(1);
        for (flits, in_flight) in [(9, 0), (9, 4), (9, 9), (9, 10), (4095, 1), (4095, 4095), (0, 4095)] {
            for port in 0..size.shape.ports() {
                script.occupy(port, flits, in_flight * (port % 2));
            }
            script.occupy(size.shape.ports().next_power_of_two() - 1, 4000, 0);
            script.request_all();
        }
    }
    let rows = aim(&["Corrected", "Unknown"], &["L11", "LR7", "LR9", "LR10"]);
    suite.add("corrected", "occupancies with and without what is in flight", rows, script);
}

/// All ports change at the same time but for the order of events, in each cycle around packets.
fn around(suite: &mut Suite, size: Size) {
    let mut script = Script::with(size, Settings { biases: [0; 3], ..DEFAULT }, middle(size));
    let ports = size.shape.ports();
    for round in 0..6 * ports {
        script.occupy_beside(round % ports, if (round / ports).is_multiple_of(2) { 100 } else { 0 }, 0);
        script.request(1 + round % (size.shape.groups() - 1), 1);
    }
    let rows = aim(&["Edge", "BackToBack"], &["LR7"]);
    suite.add("around", "occupancies and packets in every cycle", rows, script);
}
