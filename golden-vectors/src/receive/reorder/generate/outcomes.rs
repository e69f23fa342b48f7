// SPDX-License-Identifier: MIT OR Apache-2.0
//! What becomes of single arrivals: every outcome, at the limits between them.

use super::shapes;
use crate::collect::aim;
use crate::receive::reorder::oracle::{Arrival, PROBE, Shape};
use crate::receive::reorder::script::Script;
use crate::receive::reorder::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::LATENCIES.into_iter().chain([shapes::LARGEST]) {
        suite.group("outcomes", "every outcome, at the limits between them", shape, None);
        for (name, start) in starts(shape) {
            distances(suite, shape, name, start);
        }
        duplicates(suite, shape);
        probes(suite, shape);
        unknown(suite, shape);
        flags(suite, shape);
    }
}

/// Groups for a stage with frames.
pub fn with_frames(suite: &mut Suite, shape: Shape) {
    suite.group("outcomes", "every outcome, at the limits between them", shape, None);
    let (name, start) = starts(shape)[2];
    distances(suite, shape, name, start);
    duplicates(suite, shape);
    probes(suite, shape);
    unknown(suite, shape);
}

/// First PSNs: in the middle, and such that PSNs wrap on the way.
pub fn starts(shape: Shape) -> [(&'static str, u64); 4] {
    let last = shape.psns() - 1;
    [("middle", 1000), ("zero", 0), ("wrap", last - 3), ("half", shape.psns() / 2 - 2)]
}

/// PSNs at every distance from the expected one at which the outcome changes, with and without a gap.
fn distances(suite: &mut Suite, shape: Shape, name: &str, start: u64) {
    let (all, window) = (shape.psns(), shape.window);
    let far = [all - 1, all - 2, all - window, all - window - 1, all / 2 + 1, all / 2, all / 2 - 1, all / 2 - 2];
    let near = [window + 1, window, window - 1, 1, 2, 63, 0];
    let mut script = Script::opened(shape, start);
    script.send_all(0, far.map(|distance| start.wrapping_add(distance)));
    script.send_all(0, near.map(|distance| start + distance));
    script.drain();
    // Two have been delivered: the limits have moved.
    let now = start + 3;
    script.send_all(0, far.map(|distance| now.wrapping_add(distance)));
    script.send_all(0, [window, window - 1, 1, 0].map(|distance| now + distance));
    script.drain();
    let rows = aim(&["Limit", "PsnWrap"], &["R2", "R3", "R4", "R5", "M56", "M58"]);
    suite.add(format!("distance-{name}"), format!("PSNs around the limits, from {start:#x} on"), rows, script);
}

/// Packets that come again: while they wait, in the cycle after, and when they have been delivered.
fn duplicates(suite: &mut Suite, shape: Shape) {
    let start = shape.psns() - 3;
    for apart in [0, 1, 2, shape.ram_latency + 5, 40] {
        let mut script = Script::opened(shape, start);
        for psn in [start + 2, start + 2, start + 4, start + 2, start + 4] {
            script.send(0, psn);
            script.idle(apart);
        }
        script.send_all(0, [start, start, start + 1, start + 1, start + 2, start + 4]);
        script.drain();
        script.send_all(0, [start, start + 2, start + 3, start + 3, start + 4]);
        script.drain();
        let comment = format!("the same packets again, {apart} cycles apart; the handle that came first is delivered");
        let rows = aim(&["Duplicate", "BackToBack"], &["R2", "R3", "R4", "M82"]);
        suite.add(format!("again-{apart}"), comment, rows, script);
    }
}

/// Probes have no PSN: they are not received and not refused.
fn probes(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 50);
    script.probe(0, 50);
    script.send_all(0, [50, 52]);
    for psn in [50, 51, 52, 53, 49 + shape.window, 51 + shape.window, shape.psns() / 2 + 51] {
        script.probe(0, psn);
    }
    script.send_all(0, [51, 53]);
    script.drain();
    let rows = aim(&["Probe"], &["R2", "R5", "R6", "M29"]);
    suite.add("probes", "probes between packets, whatever their PSN", rows, script);
}

/// No connection, or one that is closed: nothing changes, also not the state of a sub-path.
fn unknown(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 7);
    script.open(1, 7);
    script.close(1);
    for (connection, found, flags) in [(0, false, 0), (1, true, 0), (1, false, 0), (1, true, PROBE), (0, false, PROBE)]
    {
        for path in [0, shape.past_paths(), 255] {
            let packet = script.packet(connection, 7);
            script.arrive(Arrival { found, flags, path, ..packet });
        }
    }
    script.send(0, 7);
    script.drain();
    script.read(0, 0);
    script.read(1, 0);
    let rows = aim(&["Unknown"], &["R2", "R4", "R5", "R6", "R21"]);
    suite.add("unknown", "connections that are not found, or closed", rows, script);
}

/// Flags other than P change nothing.
fn flags(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 7);
    for (psn, flags) in (7..).zip([0, 1, 2, 3, 8, 9, 0x10, 0x20, 0x40, 0x80, 0xFB, 0xFF, 0xFC]) {
        for ahead in [2, 2] {
            let packet = script.packet(0, psn + ahead);
            script.arrive(Arrival { flags, length: 0xFFFF, ..packet });
        }
        let packet = script.packet(0, psn);
        script.arrive(Arrival { flags, length: 0, ..packet });
    }
    script.drain();
    let rows = aim(&["Flags"], &["R2", "R4", "R7", "M17", "M27", "M118"]);
    suite.add("flags", "all flags, which the answers repeat", rows, script);
}
