// SPDX-License-Identifier: MIT OR Apache-2.0
//! What makes an arrival urgent (G7): each line of the table with its setting, and packets that are not urgent.

use super::shapes;
use crate::collect::aim;
use crate::receive::ack_generator::oracle::{Arrival, Outcome, Settings, Shape};
use crate::receive::ack_generator::script::Script;
use crate::receive::ack_generator::suite::Suite;

/// A line: its name, what it makes of settings, and of an arrival.
type Line = (&'static str, fn(Settings) -> Settings, fn(Arrival) -> Arrival);

const BOTH: &[Line] = &[
    ("nothing", |s| Settings { on_ecn: true, on_retx: true, ..s }, |a| a),
    ("request", |s| s, |a| Arrival { ack_request: true, ..a }),
    ("mark", |s| Settings { on_ecn: true, ..s }, |a| Arrival { ecn: true, ..a }),
    ("mark-off", |s| Settings { on_ecn: false, ..s }, |a| Arrival { ecn: true, ..a }),
];

const OF_UET: &[Line] = &[
    ("syn", |s| s, |a| Arrival { syn: true, ..a }),
    ("per-packet", |s| Settings { per_packet: true, ..s }, |a| a),
    ("retx", |s| Settings { on_retx: true, ..s }, |a| Arrival { retx: true, ..a }),
    ("retx-off", |s| Settings { on_retx: false, ..s }, |a| Arrival { retx: true, ..a }),
];

pub fn add(suite: &mut Suite) {
    let [roce, uet] = shapes::USUAL;
    for shape in [roce, uet] {
        suite.group("urgent", "what makes an arrival urgent", shape, None);
        lines(suite, shape, true, BOTH);
        if shape.is_uet() {
            lines(suite, shape, true, OF_UET);
            first(suite, shape);
            bytes(suite, shape);
        } else {
            lines(suite, shape, false, BOTH);
            packets(suite, shape);
        }
        again(suite, shape);
    }
}

fn lines(suite: &mut Suite, shape: Shape, multipath: bool, lines: &[Line]) {
    for &(name, settings, change) in lines {
        let mut script = Script::new(shape);
        if multipath {
            script.open(0, 5)
        } else {
            script.open_single(0, 5)
        }
        script.urgent(0);
        script.drain();
        script.set(settings);
        // It finds nothing owed, then an ACK that is waiting; in order, then, with multipath, held.
        for waiting in [0, 2] {
            for ahead in if multipath { [0, 1] } else { [0, 0] } {
                script.send(0, waiting);
                let packet = script.ahead(0, ahead);
                script.arrive(change(packet));
                script.drain();
                script.read(0);
                script.send(0, 1);
            }
        }
        script.urgent(0);
        let name = if multipath { name.to_owned() } else { format!("{name}-single") };
        suite.add(name, "a line of the table, or none of them", aim(&["Urgent"], &["G3", "G7"]), script);
    }
}

/// Again, sequence error and not ready are urgent; of what is merged only new packets count.
fn again(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 100);
    script.urgent(0);
    script.drain();
    script.set(|s| Settings { count_multipath: 3, trigger: 3000, min: 1000, ..s });
    for ahead in [u64::MAX, u64::MAX - 1] {
        script.send(0, 1);
        let packet = script.ahead(0, ahead);
        script.arrive(Arrival { length: 900, ..packet });
        script.drain();
    }
    // In the stalled output: those before the take do not count for the next ACK.
    script.block(0);
    for ahead in [u64::MAX, 0, u64::MAX, 0] {
        let packet = script.ahead(0, ahead);
        script.arrive(Arrival { length: 900, ..packet });
    }
    script.drain();
    script.send(0, 2);
    script.drain();
    script.urgent(0);
    suite.add("again", "packets that do not count, before and after a take", aim(&["Urgent"], &["G6", "G7"]), script);
}

/// RoCE: the number of packets.
fn packets(suite: &mut Suite, shape: Shape) {
    for count in [0, 1, 2, 5, 255] {
        let mut script = Script::new(shape);
        script.open(0, 0);
        script.open_single(1, shape.psns() - 3);
        script.set(|s| Settings { count, count_multipath: 255 - count, ..s });
        for connection in [1, 0, 1] {
            script.send(connection, 11.max(count + 1));
            script.drain();
        }
        // A lower one takes effect with the next arrival.
        for count in [9, 2, 0] {
            script.set(|s| Settings { count, count_multipath: count, ..s });
            script.send(1, 1);
            script.send(0, 1);
            script.drain();
        }
        let rows = aim(&["Urgent", "BackToBack"], &["G3", "G7", "M26", "M84"]);
        suite.add(format!("count-{count}"), "packets per ACK, back to back", rows, script);
    }
}

/// UET: the number of bytes.
fn bytes(suite: &mut Suite, shape: Shape) {
    for (trigger, min) in [(0, 0), (1, 0), (4096, 1024), (16_384, 1024), (65_535, 4095), (65_535, 0)] {
        let mut script = Script::opened(shape, shape.psns() - 9);
        script.urgent(0);
        script.drain();
        script.set(|s| Settings { trigger, min, ..s });
        for lengths in [[64, 1023, 1024, 1025], [1500, 40, 9000, 0], [65_535, 65_535, 0, 1], [4095, 1, 4094, 4096]] {
            for length in lengths.into_iter().cycle().take(18) {
                let packet = script.ahead(0, 0);
                script.arrive(Arrival { length, ..packet });
            }
            script.drain();
            script.read(0);
        }
        let rows = aim(&["Urgent", "BackToBack"], &["G3", "G7"]);
        suite.add(
            format!("bytes-{trigger}-{min}"),
            "bytes per ACK, with packets that count more than they have",
            rows,
            script,
        );
    }
}

/// UET: the first one that is merged.
fn first(suite: &mut Suite, shape: Shape) {
    for held in [false, true] {
        let mut script = Script::opened(shape, 7);
        // Not merged: an answer to a probe, a trimmed packet, one out of the window.
        script.reply(0);
        let trimmed = script.refused(0, 0, Outcome::Probe);
        script.arrive(Arrival { trimmed: true, ..trimmed });
        let above = script.ahead(0, 2000);
        script.arrive(above);
        script.drain();
        script.gap(0, held.into());
        script.send(0, 2);
        script.drain();
        script.close(0);
        script.drain();
        script.open(0, 7);
        // A reply without room takes it away.
        script.block(0);
        (0..5).for_each(|_| script.reply(0));
        script.drain();
        script.send(0, 1);
        script.drain();
        script.close(0);
        script.drain();
        script.open(0, 9);
        script.send(0, 2);
        suite.add(
            format!("first-{held}"),
            "the first packet is acknowledged at once",
            aim(&["Urgent"], &["G6", "G7", "G15"]),
            script,
        );
    }
}
