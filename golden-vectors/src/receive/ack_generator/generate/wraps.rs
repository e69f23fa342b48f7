// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers that wrap after so many events or cycles that the cases are too long to be committed: MSN, bytes, time.

use crate::collect::aim;
use crate::receive::ack_generator::oracle::{Arrival, Outcome, Settings, Shape};
use crate::receive::ack_generator::script::Script;
use crate::receive::ack_generator::suite::Suite;

/// Groups for a stage of any size.
pub fn of_shape(suite: &mut Suite, shape: Shape) {
    suite.group("wraps", "numbers that wrap", shape, None);
    time(suite, shape);
    if shape.is_uet() {
        total(suite, shape);
    } else {
        messages(suite, shape);
    }
}

/// 2 to the 20th units: an ACK that waits across the wrap, and delays and service times across it.
fn time(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 0);
    script.urgent(0);
    script.drain();
    script.set(|s| Settings { tick: 65_535, ..s });
    script.until((1 << 20) - 400);
    script.set(|s| Settings { time: 40, ..s });
    for _ in 0..20 {
        script.send(0, 1);
        script.idle(23);
        script.urgent(0);
        script.idle(13);
        script.send(0, 1);
        script.idle(60);
    }
    suite.add(
        "time",
        "ages, delays and service times across the wrap",
        aim(&["Wrap"], &["G3", "G10", "G18", "G19"]),
        script,
    );
}

/// RoCE: 2 to the 24th messages, as many in each packet as there are slots.
fn messages(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 0);
    for ahead in 0..shape.window {
        let packet = script.ahead(0, shape.window - 1 - ahead);
        script.arrive(Arrival { last: true, ..packet });
    }
    let packets = (1 << 24) / shape.window;
    for n in 0..packets + 2 {
        let packet = script.ahead(0, 2 * shape.window);
        let (psn, expected) = (n % 8, n % 8 + shape.window);
        let arrival = Arrival { outcome: Outcome::InOrder, last: true, psn, expected, highest: 0, ..packet };
        script.arrive(Arrival { ack_request: n + 3 > packets, ..arrival });
        if n + 3 > packets {
            script.drain();
            script.read(0);
        }
    }
    suite.add("messages", "the number of messages wraps", aim(&["Wrap"], &["G8", "G24"]), script);
}

/// UET: 2 to the 32nd bytes, and the units of 256 bytes with it.
fn total(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 0);
    for n in 0..(1 << 16) + 8 {
        let packet = script.ahead(0, 0);
        let near = n > (1 << 16) - 4;
        script.arrive(Arrival { length: if near { 65_300 } else { 65_535 }, ack_request: near, ..packet });
        if near {
            script.drain();
            script.read(0);
        }
    }
    suite.add("bytes", "the number of bytes wraps", aim(&["Wrap"], &["G7", "G18", "G24"]), script);
}
