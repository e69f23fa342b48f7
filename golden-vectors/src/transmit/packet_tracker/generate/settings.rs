// SPDX-License-Identifier: MIT OR Apache-2.0
//! Settings, the time, and the first cycles after reset (D32, D33).

use super::shapes;
use crate::collect::aim;
use crate::transmit::packet_tracker::oracle::{Ack, Command, Settings, Shape, op};
use crate::transmit::packet_tracker::script::{Script, never};
use crate::transmit::packet_tracker::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::all() {
        suite.group("reset", "the first cycles after reset", shape, None);
        sweep(suite, shape);
        of_shape(suite, shape);
    }
    let shape = shapes::USUAL;
    suite.group("settings", "settings that change", shape, None);
    ticks(suite, shape);
    in_force(suite, shape);
}

/// Everything is offered in the sweep and behind it; settings count in the sweep.
fn sweep(suite: &mut Suite, shape: Shape) {
    let mut script = Script::from_reset(shape);
    script.hammer_ack(&script.ack_of(0, 1));
    script.hammer_send(&script.new_of(0, 100, 1));
    script.hammer_command(&Command { op: op::OPEN, psn: 44, ..Command::default() });
    script.idle(10);
    script.set(|s| Settings { tick: 30_000, ..never(shape, s) });
    script.idle(9);
    script.set(|s| Settings { tick: 65_535, ..s });
    for pdc in [0, shape.pdcs - 1] {
        script.issue(Command { op: op::READ, pdc, ..Command::default() });
        script.offer_ack(script.ack_of(pdc, 0));
        script.offer_send(script.new_of(pdc, 100, 1));
    }
    script.accepted();
    script.drain();
    script.open(shape.pdcs - 1, 9);
    script.packets(shape.pdcs - 1, 2);
    script.seen(script.ack_of(shape.pdcs - 1, 9));
    let rows = aim(&["Sweep", "Unready", "Closed"], &["D31", "D32", "D33"]);
    suite.add("sweep", "everything is offered from the first cycle on", rows, script);
}

/// A group for a stage of any size.
pub fn of_shape(suite: &mut Suite, shape: Shape) {
    suite.group("defaults", "the settings after reset", shape, None);
    defaults(suite, shape);
}

/// D32: the settings after reset act, though `settings_valid` is 0 throughout.
fn defaults(suite: &mut Suite, shape: Shape) {
    let mut script = Script::from_reset(shape);
    script.until(shape.sweep());
    script.open(0, 50);
    // Just as far behind the highest one as it may be, and one further.
    let Settings { tick, rto, retries, span, .. } = shape.reset;
    script.packets(0, (span + 4).min(shape.window));
    for n in [0, 1, 2] {
        script.ack(script.sack_of(0, (span + n).min(shape.window - 1) as i16, 1));
        script.idle(shape.pdcs + 70);
    }
    script.drain();
    script.seen(script.ack_all(0));
    // Time-outs up to the failure, if that does not take too long.
    if rto > 0 && tick > 0 && (rto << retries) * 65_536 / tick < 30_000 {
        script.packets(0, 2);
        for _ in 0..retries {
            let before = script.outputs().counters.timeouts;
            script.step_while(|script| script.outputs().counters.timeouts == before);
            script.drain();
            script.again(0, 1);
            script.again(0, 0);
        }
        script.step_while(|script| script.outputs().failure.is_none());
        script.drain();
        script.read(0);
    }
    let rows = aim(&["Settings", "Inferred"], &["D20", "D21", "D23", "D32"]);
    suite.add("defaults", "the settings after reset", rows, script);
}

/// The time with several ticks, up to its wrap.
fn ticks(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 5);
    for tick in [0, 1, 1589, 32_768, 65_535, 65_534, 0x8001] {
        script.set(|s| Settings { tick, ..s });
        script.packets(0, 2);
        script.idle(230);
        script.seen(script.ack_of(0, script.psn(0, 1)));
    }
    let rows = aim(&["Settings", "Time"], &["D5", "D6", "D16", "D32"]);
    suite.add("ticks", "ticks of every kind", rows, script);
}

/// D32: from which cycle on settings are in force, seen by the time and by a PDC that becomes overdue, and for how long.
fn in_force(suite: &mut Suite, shape: Shape) {
    let mut script = Script::with(shape, |s| Settings { tick: 65_535, ..never(shape, s) });
    script.open(0, 5);
    for bit in 0..18 {
        script.packets(0, 2);
        script.idle(2 * bit);
        // One bit of the time-out more than the age, and one less; in force for a few cycles only.
        script.set(|s| Settings { rto: 1 << bit, retries: bit % 16, ..s });
        script.idle(1 + bit % 7);
        script.set(|s| Settings { rto: 0, ..s });
        script.idle(60);
        script.drain();
        script.read(0);
        script.seen(Ack { triggered: false, ..script.ack_of(0, script.psn(0, 1)) });
    }
    let rows = aim(&["Settings", "TimeOut"], &["D5", "D20", "D21", "D32"]);
    suite.add("in-force", "settings that are in force for some cycles", rows, script);
}
