// SPDX-License-Identifier: MIT OR Apache-2.0
//! Paths and draws (L05, L06, L10, LR1, LR6).

use super::shapes::{self, DEFAULT};
use crate::collect::aim;
use crate::routing::lia_router::oracle::{Hop, Place, Settings, Size};
use crate::routing::lia_router::script::Script;
use crate::routing::lia_router::suite::Suite;

pub fn add(suite: &mut Suite) {
    for size in shapes::all() {
        suite.group("paths", "paths and draws", size, None);
        every_group(suite, size);
        unknown(suite, size);
    }
}

/// Paths to all groups, from some switches, with each form of the path to the intermediate switch.
fn every_group(suite: &mut Suite, size: Size) {
    let (groups, switches) = (size.shape.groups(), size.shape.switches);
    let forms =
        [(Hop::Dropped, Hop::Dropped), (Hop::Kept, Hop::Dropped), (Hop::Dropped, Hop::Kept), (Hop::Kept, Hop::Kept)];
    for (n, (first_hop, second_hop)) in (0..).zip(forms) {
        for (id, bias) in [("minimal", 32767), ("other", -32768)] {
            let settings = Settings { first_hop, second_hop, biases: [bias; 3], ..DEFAULT };
            let mut script = Script::with(size, settings, Place { group: groups - 1, switch: switches - 1 });
            for (group, switch, seed) in
                [(0, 0, 0), (groups / 2, switches / 2, 1), (groups - 1, n % switches, 0xFFFF_FFFF)]
            {
                script.place(Place { group, switch }, seed);
                script.request_all();
                for to in 0..switches {
                    script.request(1 + to % (groups - 1), to);
                }
            }
            let rows =
                aim(&["Path", "Draw", "Local", "Place", "OwnLinks"], &["L05", "L06", "L10", "LR1", "LR6", "LR8"]);
            suite.add(format!("{id}-{n}"), "paths to all groups", rows, script);
        }
    }
}

/// Groups and switches that do not exist, between others; each takes a random number.
fn unknown(suite: &mut Suite, size: Size) {
    let settings = Settings { biases: [-32768; 3], ..DEFAULT };
    let mut script = Script::with(size, settings, Place { group: 1, switch: 1 });
    let bits = |many: u64| many.next_power_of_two().max(2);
    for group in 0..bits(size.shape.groups()) {
        script.request_beside(group, size.shape.switches - 1);
        script.step();
    }
    for switch in 0..bits(size.shape.switches) {
        script.request_beside(size.shape.groups() - 1, switch);
        script.step();
    }
    let rows = aim(&["Unknown", "Draw"], &["LR6", "LR10"]);
    suite.add("unknown", "groups and switches that do not exist", rows, script);
}
