// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rules of the local hops, and the levels (L15 to L19, LR4, LR5).

use super::shapes::{self, DEFAULT, middle};
use crate::collect::aim;
use crate::routing::lia_router::oracle::{Hop, Place, Settings, Size};
use crate::routing::lia_router::script::Script;
use crate::routing::lia_router::suite::Suite;

pub fn add(suite: &mut Suite) {
    for size in shapes::all() {
        suite.group("hops", "which local hops are kept", size, None);
        levels(suite, size);
        first_hop(suite, size);
        second_hop(suite, size);
        several_flows(suite, size);
    }
}

/// Loads at each limit, and one beside them; limits in the other order, too.
fn levels(suite: &mut Suite, size: Size) {
    for (id, limits) in [("up", [20, 40]), ("down", [40, 20]), ("same", [20, 20])] {
        let mut script = Script::with(size, Settings { limits, ..DEFAULT }, middle(size));
        let last = size.shape.groups() - 1;
        let mut before = 0;
        for load in [19, 20, 21, 39, 40, 41] {
            script.enter(last, load - before);
            before = load;
            script.measured();
            script.read(last);
            script.request(last, 0);
            script.request(1, 0);
        }
        let rows = aim(&["Level"], &["L19", "LR4", "LR7"]);
        suite.add(format!("levels-{id}"), "loads at the limits of levels", rows, script);
    }
}

/// As many own links as there may be have a load just above the threshold, or one more, from each switch; others too.
fn first_hop(suite: &mut Suite, size: Size) {
    let (h, a, t) = (size.shape.global_ports, size.shape.switches, size.shape.trunks);
    let mut switches = vec![0, 1, a - 1];
    switches.dedup();
    for switch in switches {
        let settings = Settings { biases: [-32768; 3], ..DEFAULT };
        let mut script = Script::with(size, settings, Place { group: 1, switch });
        let own: Vec<u64> = (switch * h..(switch + 1) * h).map(|link| link / t + 1).collect();
        let mut distinct = own.clone();
        distinct.dedup();
        // The group of a link of another switch is not counted.
        if let Some(other) = (1..size.shape.groups()).find(|offset| !own.contains(offset)) {
            script.enter(other, 50);
        }
        for saturated_links in [0, 1, h - 1, h] {
            script.set(|s| Settings { saturated_links, ..s });
            for offset in &distinct {
                script.enter(*offset, 10);
            }
            script.measured();
            script.request_all();
            for offset in &distinct {
                script.enter(*offset, 1);
                script.measured();
                script.request_all();
            }
            for offset in &distinct {
                script.leave(*offset, 11);
            }
        }
        let rows = aim(&["FirstHop", "OwnLinks", "Draw"], &["L10", "L17", "LR4", "LR5", "LR6"]);
        suite.add(format!("first-{switch}"), "loads of own links around the threshold", rows, script);
    }
}

/// A flow for each offset whose share of a remote link is just at the threshold, and one more.
fn second_hop(suite: &mut Suite, size: Size) {
    let shape = size.shape;
    let settings = Settings { first_hop: Hop::Kept, biases: [-32768; 3], limits: [255, 255], ..DEFAULT };
    let mut script = Script::with(size, settings, middle(size));
    let step = (shape.groups() / 12).max(1);
    for offset in (1..shape.groups()).step_by(step as usize) {
        let (_, r) = shape.jump(offset);
        let share = (shape.global_ports - r).max(r);
        let most = settings.remote_threshold / share;
        script.enter(offset, most);
        script.measured();
        script.request_all();
        script.enter(offset, 1);
        script.measured();
        script.request_all();
        script.leave(offset, most + 1);
    }
    let rows = aim(&["SecondHop", "Draw"], &["L15", "L16", "L18", "LR4", "LR5"]);
    suite.add("second", "loads of remote links around the threshold", rows, script);
}

/// All offsets together: each sum has all its terms, and the threshold is at it, below and above.
fn several_flows(suite: &mut Suite, size: Size) {
    let shape = size.shape;
    let settings = Settings { biases: [-32768; 3], limits: [255, 255], ..DEFAULT };
    let mut script = Script::with(size, settings, middle(size));
    let load = |offset: u64| 1 + offset * 7 % 11;
    for offset in 1..shape.groups() {
        script.enter(offset, load(offset));
    }
    let sum = |jump: u64| -> u64 {
        let shares = (1..shape.groups()).map(|offset| {
            let (k, r) = shape.jump(offset);
            let share = if k == jump { shape.global_ports - r } else { u64::from(k + 1 == jump) * r };
            share * load(offset)
        });
        shares.sum()
    };
    for jump in [1, shape.switches / 2, shape.switches - 1] {
        for remote_threshold in [sum(jump) - u64::from(sum(jump) > 0), sum(jump), sum(jump) + 1] {
            script.set(|s| Settings { remote_threshold, ..s });
            script.measured();
            script.request_all();
        }
    }
    let rows = aim(&["SecondHop"], &["L15", "L16", "L18", "LR4", "LR5", "LR9"]);
    suite.add("sums", "sums of all flows around the threshold", rows, script);
}
