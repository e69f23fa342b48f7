// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows S9 and S24: settings outside their range, and settings that change.

use super::shapes::shape;
use crate::collect::aim;
use crate::transmit::entropy_selector::oracle::{Settings, SettingsPorts, Shape};
use crate::transmit::entropy_selector::script::Script;
use crate::transmit::entropy_selector::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in [shape(1, 16), shape(2, 64), shape(4, 256)] {
        group(suite, shape);
        range(suite, shape);
        changes(suite, shape);
        saturation(suite, shape);
        valid(suite, shape);
    }
}

/// Starts the group `settings` of one size.
pub fn group(suite: &mut Suite, shape: Shape) {
    suite.group("settings", "settings at their limits and changing", shape, (100, 128));
}

/// RTTs around 64, the shortest one.
fn range(suite: &mut Suite, shape: Shape) {
    for rtt in [0, 1, 32, 63, 64, 65, 127, 128, 255, 256] {
        let rows = aim(&["Settings", "Boundary"], &["S9"]);
        let real = rtt.max(64);
        let (mut script, _) = Script::opened(shape, 5);
        script.settings(0, rtt, 128);
        script.mark(2 * real - 1, 0, 5);
        script.mark(2 * real, 0, 6);
        script.requests(3 * real - 1, 0, 2);
        script.requests(4 * real - 2, 0, 4);
        suite.add(format!("rtt-{rtt}"), format!("epochs of {real} cycles"), rows, script);
    }
    let (mut script, at) = Script::opened(shape, 5);
    script.settings(0, 0xFF_FFFF, 128);
    script.mark(at, 0, 5);
    script.request(at + 1000, 0);
    suite.add("rtt-longest", "nothing runs out", aim(&["Settings"], &["S6", "S9"]), script);
}

/// Values without `settings_valid`, and with it for one cycle.
fn valid(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Settings", "Boundary"], &["S24", "U12"]);
    let (none, all) = (Settings::new(1000, 0), Settings::new(1000, 256));
    for distance in 0..=5 {
        let (mut script, at) = Script::opened(shape, 1);
        script.set(0, all);
        let at = script.marks(at, 0, [1, 2, 4]) + 10;
        script.requests(at, 0, 8);
        // In force for one cycle behind this one, and not before and after it.
        script.set(at + distance, none);
        script.set(at + distance + 1, all);
        suite.add(format!("pulse-{distance}"), "another value for one cycle", rows, script);
        let (mut script, at) = Script::opened(shape, 1);
        script.set(0, all);
        let at = script.marks(at, 0, [1, 2, 4]) + 10;
        script.requests(at, 0, 8);
        let withheld = SettingsPorts { valid: false, pipeline: 0, values: none };
        script.set(at - 10, withheld);
        script.set(at + distance, none);
        script.set(at + distance + 1, withheld);
        suite.add(format!("kept-{distance}"), "not valid, then valid for one cycle", rows, script);
    }
}

/// `settings_rtt` changes in every phase of an epoch.
fn changes(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Settings", "Epoch"], &["S6", "S9"]);
    for (name, rtt) in [("shorter", 64), ("longer", 150), ("far-shorter", 10)] {
        // Epoch 1 begins in cycle 100. Cycles 63 and 64 of an epoch are around the end of a shorter one.
        for phase in [0, 1, 62, 63, 64, 65, 98, 99] {
            let (mut script, _) = Script::opened(shape, 5);
            let at = 100 + phase;
            script.settings(at, rtt, 128);
            script.mark(at - 1, 0, 5);
            script.mark(at, 0, 7);
            script.mark(at + 1, 0, 9);
            for asked in [62, 64, 70, 126, 128, 130, 190, 194, 250, 300] {
                script.request(at + asked, 0);
            }
            suite.add(format!("{name}-{phase}"), format!("in cycle {phase} of an epoch of 100"), rows, script);
        }
    }
    let (mut script, at) = Script::opened(shape, 5);
    for n in 0..40 {
        script.settings(at + 7 * n, [64, 200, 0, 90, 0xFF_FFFF][n as usize % 5], 128);
        script.mark(at + 7 * n, 0, 5 + n);
        script.request(at + 7 * n + 3, 0);
    }
    suite.add("restless", "a new RTT every few cycles", rows, script);
}

/// `settings_saturation` changes around the cycle in which it is read.
pub fn saturation(suite: &mut Suite, shape: Shape) {
    // With three marks.
    let just = 3 * 256 / shape.evs;
    for (name, from, to) in [("rises", just - 1, just), ("falls", just, just - 1)] {
        for distance in 0..=5 {
            let (mut script, at) = Script::opened(shape, 1);
            script.settings(0, 1000, from);
            let at = script.marks(at, 0, [1, 2, 4]) + 10;
            script.requests(at, 0, 4);
            script.settings(at + distance, 1000, to);
            let rows = aim(&["Settings", "Saturated", "Boundary"], &["S7", "S24", "U12"]);
            let comment = format!("from {from} to {to} in cycle {distance} of four requests; three are marked");
            suite.add(format!("saturation-{name}-{distance}"), comment, rows, script);
        }
    }
}
