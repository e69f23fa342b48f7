// SPDX-License-Identifier: MIT OR Apache-2.0
//! Visits and expiries (G19, G20).

use super::shapes;
use crate::collect::aim;
use crate::receive::ack_generator::oracle::{Arrival, Settings, Shape, op};
use crate::receive::ack_generator::script::Script;
use crate::receive::ack_generator::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::latencies() {
        suite.group("timer", "ACKs that become due by time", shape, None);
        for cause in 0..6 {
            meeting(suite, shape, cause);
        }
        ages(suite, shape);
        limits(suite, shape);
        waits(suite, shape);
        several(suite, shape);
    }
    for shape in [shapes::OTHERS[1], shapes::OTHERS[4]] {
        suite.group("timer", "visits of many connections", shape, None);
        several(suite, shape);
    }
}

/// A stage in which a packet expires after a few cycles.
fn quick(shape: Shape, time: u64) -> Script {
    let mut script = Script::new(shape);
    (0..shape.connections.min(8)).for_each(|connection| script.open(connection, shape.psns() - 20));
    for connection in 0..shape.connections.min(8) {
        script.urgent(connection);
    }
    script.drain();
    script.set(|s| Settings { tick: 32_768, time, ..s });
    script
}

/// Until the ACKs that wait have expired.
fn expired(script: &mut Script, shape: Shape, time: u64) {
    script.idle(2 * time + shape.connections + 40);
    script.drain();
}

const CAUSES: [&str; 6] = ["waiting", "urgent", "close", "reply", "other", "read"];

/// Something else at each distance behind a packet, until it has expired long since.
fn meeting(suite: &mut Suite, shape: Shape, cause: usize) {
    let mut script = quick(shape, 3);
    for distance in 0..3 * shape.ram_latency + 30 {
        script.send(1, 1);
        script.idle(distance);
        match cause {
            0 => script.send(1, 1),
            1 => script.urgent(1),
            2 => script.issue(op::CLOSE, 1, 0, false),
            3 => script.reply(1),
            4 => script.send(2, 2),
            _ => script.issue(op::READ, 1, 0, false),
        }
        expired(&mut script, shape, 3);
        if cause == 2 {
            script.open(1, 9);
            script.urgent(1);
            script.drain();
        }
    }
    let rows = aim(&["Timer", "Visible"], &["G1", "G16", "G19", "G20", "G21", "M103"]);
    suite.add(format!("meeting-{}", CAUSES[cause]), "a pass at each distance around an expiry", rows, script);
}

/// The age at its limit, at all places of the visits and of the fraction of time.
fn ages(suite: &mut Suite, shape: Shape) {
    for (time, tick) in [(1, 65_535), (2, 10_000), (7, 21_845), (20, 65_535)] {
        let mut script = quick(shape, time);
        script.set(|s| Settings { tick, ..s });
        for phase in 0..shape.connections + 3 {
            for connection in [0, shape.connections - 1] {
                script.send(connection, 1);
                script.idle(65_536 * (time + 1) / tick + shape.connections + 40);
                script.idle(phase % 5);
            }
        }
        suite.add(
            format!("age-{time}"),
            "the age at its limit",
            aim(&["Timer"], &["G3", "G19", "G20", "M59", "M103"]),
            script,
        );
    }
}

/// The limit and the tick change in the cycles around a visit; no limit, and the largest.
fn limits(suite: &mut Suite, shape: Shape) {
    for (old, new) in [(0, 1), (1, 0), ((1 << 20) - 1, 5), (5, (1 << 20) - 1)] {
        let mut script = quick(shape, old);
        for distance in 0..shape.ram_latency + 12 {
            script.set(|s| Settings { time: old, ..s });
            script.send(0, 1);
            script.idle(8 + distance);
            script.set(|s| Settings { time: new, ..s });
            script.idle(30);
            script.set(|s| Settings { time: 1, ..s });
            expired(&mut script, shape, 2);
        }
        let rows = aim(&["Timer", "Settings"], &["G19", "G20"]);
        suite.add(format!("limit-{old}-{new}"), "a limit that changes around a visit", rows, script);
    }
}

/// An expiry waits while there are arrivals, commands and events; it makes due what waits then, whatever its age.
fn waits(suite: &mut Suite, shape: Shape) {
    let mut script = quick(shape, 4);
    for arrivals in [1, 10, 30, 31, 32, 33, 40] {
        script.send(1, 1);
        script.issue(op::READ, 2, 0, false);
        script.gap(2, 1);
        for n in 0..arrivals {
            // The connection that expires is acknowledged meanwhile, and waits anew.
            let packet = script.ahead(if n % 10 == 9 { 1 } else { 3 }, 0);
            script.arrive(Arrival { ack_request: n % 20 == 9, ..packet });
        }
        script.report(2);
        script.read(2);
        expired(&mut script, shape, 4);
        script.send(2, 1);
        expired(&mut script, shape, 4);
    }
    let rows = aim(&["Timer", "Stall"], &["G1", "G2", "G19", "G20"]);
    suite.add("waits", "an expiry that waits for a cycle", rows, script);
}

/// Several connections expire one after the other, also while the output is stalled, and beside arrivals.
fn several(suite: &mut Suite, shape: Shape) {
    let mut script = quick(shape, 6);
    let open = shape.connections.min(8);
    for stall in [false, true] {
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
            if stall {
                script.block(0);
            }
            for connection in order {
                script.send(connection % open, 1);
            }
            // Pauses of one cycle.
            for n in 0..30 {
                if n % 4 == 3 { script.idle(1) } else { script.send(open - 1, 1) }
            }
            expired(&mut script, shape, 6);
        }
    }
    let rows = aim(&["Timer", "Connections", "Stall"], &["G19", "G20", "G25", "M103"]);
    suite.add("several", "several connections that expire", rows, script);
}
