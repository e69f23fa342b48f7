// SPDX-License-Identifier: MIT OR Apache-2.0
//! Times at the limits of their widths, and the time-outs after reset: too long for the committed file.

use crate::collect::aim;
use crate::transmit::packet_tracker::oracle::{Settings, Shape};
use crate::transmit::packet_tracker::script::{Script, never};
use crate::transmit::packet_tracker::suite::Suite;

pub fn add(suite: &mut Suite, shape: Shape) {
    suite.group("wide", "times at the limits of their widths", shape, None);
    after_reset(suite, shape);
    most(suite, shape);
    unlimited(suite, shape);
    largest(suite, shape);
    wrap(suite, shape);
}

/// Packets of PDC 0 that are marked are sent again; then until a packet is lost by time, or the PDC fails.
fn lost(script: &mut Script) {
    let before = script.outputs().counters.timeouts;
    script.again(0, 0);
    script.again(0, 1);
    script.step_while(|script| script.outputs().counters.timeouts == before && script.outputs().failure.is_none());
    // With the shortest time-outs there is always a scan.
    script.idle(60);
    script.read(0);
}

/// D32: the time-out after reset, and after twice as long the next one.
fn after_reset(suite: &mut Suite, shape: Shape) {
    let mut script = Script::from_reset(shape);
    script.until(shape.sweep());
    script.open(0, 50);
    script.packets(0, 2);
    lost(&mut script);
    lost(&mut script);
    let rows = aim(&["Wrap", "TimeOut"], &["D20", "D22", "D23", "D32"]);
    suite.add("after-reset", "two time-outs with the settings after reset", rows, script);
}

/// D23: 15 time-outs in a row, and the failure.
fn most(suite: &mut Suite, shape: Shape) {
    let mut script = Script::with(shape, |s| Settings { tick: 65_535, rto: 2, retries: 15, ..never(shape, s) });
    script.open(0, 50);
    script.packets(0, 1);
    for _ in 0..16 {
        lost(&mut script);
    }
    let rows = aim(&["Wrap", "TimeOut", "Failure"], &["D20", "D21", "D23"]);
    suite.add("most", "as many time-outs in a row as can be counted", rows, script);
}

/// D23: more time-outs in a row than are counted, without a failure.
fn unlimited(suite: &mut Suite, shape: Shape) {
    let mut script = Script::with(shape, |s| Settings { tick: 65_535, rto: 2, retries: 16, ..never(shape, s) });
    script.open(0, 50);
    script.packets(0, 1);
    for _ in 0..18 {
        lost(&mut script);
    }
    let rows = aim(&["Wrap", "TimeOut"], &["D20", "D21", "D23"]);
    suite.add("unlimited", "time-outs without a limit", rows, script);
}

/// Time-outs longer than what the age of a packet can say (D22).
fn largest(suite: &mut Suite, shape: Shape) {
    let mut script = Script::with(shape, |s| Settings { tick: 65_535, rto: 200_000, retries: 15, ..never(shape, s) });
    script.open(0, 50);
    script.packets(0, 2);
    for _ in 0..3 {
        lost(&mut script);
    }
    let rows = aim(&["Wrap", "TimeOut"], &["D20", "D22", "D23"]);
    suite.add("largest", "the largest time-out", rows, script);
}

/// Packets that are sent before the time wraps, and lost or acknowledged after it.
fn wrap(suite: &mut Suite, shape: Shape) {
    let mut script = Script::with(shape, |s| Settings { tick: 65_535, rto: 500, ..never(shape, s) });
    script.pass((1 << 20) - 300 - script.time());
    script.open(0, 50);
    script.packets(0, 4);
    script.pass(200);
    script.packets(0, 1);
    script.seen(script.ack_of(0, 50));
    lost(&mut script);
    script.seen(script.ack_of(0, 51));
    lost(&mut script);
    let rows = aim(&["Wrap", "TimeOut", "Trigger"], &["D16", "D20", "D22", "D23"]);
    suite.add("wrap", "the time wraps", rows, script);
}
