// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an ACK says of its connection: trigger, mark, messages, flowlets, delay, SACK word, offsets (G5 to G10, G18).

use super::shapes;
use crate::collect::aim;
use crate::receive::ack_generator::oracle::{Arrival, Outcome, Settings, Shape};
use crate::receive::ack_generator::script::Script;
use crate::receive::ack_generator::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::USUAL {
        suite.group("state", "what an ACK says of its connection", shape, None);
        triggers(suite, shape);
        if shape.is_uet() {
            offsets(suite, shape);
            service_times(suite, shape);
            kinds(suite, shape);
        } else {
            delays(suite, shape);
        }
    }
    for shape in [shapes::ROCE[0], shapes::ROCE[1], shapes::ROCE[2], shapes::OTHERS[0]] {
        suite.group("messages", "the number of messages, and the flowlet", shape, None);
        messages(suite, shape);
    }
}

/// All orders of marked and other packets that are merged, in order, held and again, and the ACK after them.
fn triggers(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, shape.psns() - 40);
    script.open(1, 0);
    script.urgent(0);
    script.drain();
    script.set(|s| Settings { on_ecn: false, ..s });
    for marks in 0..8 {
        for ahead in [[0, 1, 0], [2, 0, u64::MAX]] {
            script.block(1);
            for (n, ahead) in ahead.into_iter().enumerate() {
                let packet = script.ahead(0, ahead);
                script.arrive(Arrival { ecn: marks >> n & 1 == 1, retx: shape.is_uet() && n == 1, ..packet });
            }
            script.urgent(0);
            script.drain();
            // Nothing is left of it.
            script.urgent(0);
            script.drain();
        }
    }
    let rows = aim(&["Trigger", "Stall"], &["G5", "G6", "G7", "G18", "M26", "M27", "U29"]);
    suite.add("trigger", "the packet whose EV or path is given back", rows, script);
}

/// RoCE: messages that end in packets that are held, in every order; more than a window at once; opened again.
fn messages(suite: &mut Suite, shape: Shape) {
    let window = shape.window;
    let mut script = Script::opened(shape, shape.psns() - window / 2);
    script.set(|s| Settings { count_multipath: 1, ..s });
    let orders: [&[u64]; 6] = [&[0, 0, 0], &[1, 0], &[2, 1, 0], &[1, 2, 0], &[3, 1, 0, 0], &[2, 0, 0]];
    for last in [0b111, 0b101, 0b010, 0b000] {
        for order in orders {
            for (n, &ahead) in order.iter().enumerate() {
                let packet = script.ahead(0, ahead);
                script.arrive(Arrival { last: last >> n & 1 == 1, ..packet });
            }
        }
        script.drain();
        script.read(0);
    }
    let rows = ["G8", "G9", "M31"];
    suite.add(
        "orders",
        "a few packets in every order, back to back",
        aim(&["Messages", "BackToBack", "PsnWrap"], &rows),
        script,
    );
    // A whole window behind one gap.
    for every in [1, 2, 7] {
        let mut script = Script::opened(shape, shape.psns() - 5);
        for ahead in 1..window {
            let packet = script.ahead(0, ahead);
            script.arrive(Arrival { last: ahead % every == 0, ..packet });
        }
        script.drain();
        script.send(0, 1);
        script.read(0);
        // Slots that were marked in the lap before are written anew.
        for ahead in (1..20).rev().chain([0]) {
            let packet = script.ahead(0, ahead);
            script.arrive(Arrival { last: ahead % 3 == 0, ..packet });
        }
        script.read(0);
        script.urgent(0);
        script.close(0);
        script.drain();
        script.open(0, 3);
        script.send(0, 2);
        script.read(0);
        suite.add(format!("window-{every}"), "a whole window behind a gap", aim(&["Messages"], &rows), script);
    }
    // As many slots as there are, and more: each counts once.
    let mut script = Script::opened(shape, 0);
    for ahead in 1..window {
        let packet = script.ahead(0, ahead);
        script.arrive(Arrival { last: ahead % 3 == 0, ..packet });
    }
    for (first, moved) in [(7, window - 1), (shape.psns() - 3, window), (9, window + 1), (1, 5 * window), (1, 1)] {
        let packet = script.ahead(0, 2 * window);
        let expected = (first + moved) % shape.psns();
        let arrival = Arrival { outcome: Outcome::InOrder, psn: first, expected, highest: expected, ..packet };
        script.arrive(Arrival { ack_request: true, ..arrival });
        script.drain();
    }
    // Marks are written while the connection is closed too, and not by what is neither in order nor held.
    script.close(0);
    for (psn, last) in [(1, false), (2, true), (3, true), (5, false)] {
        let packet = script.ahead(0, 0);
        script.arrive(Arrival { outcome: Outcome::InOrder, psn, last, ..packet });
        let packet = script.refused(0, 0, Outcome::Below);
        script.arrive(Arrival { psn, last: !last, ..packet });
    }
    script.drain();
    script.open(0, 0);
    let packet = script.ahead(0, 0);
    script.arrive(Arrival { psn: 0, expected: 7, last: true, ack_request: true, ..packet });
    suite.add("slots", "as many slots as there are, and more", aim(&["Messages"], &["G8"]), script);
    // Flowlets of packets in order, held, late, and of the highest one.
    let mut script = Script::opened(shape, shape.psns() - 20);
    for order in [&[0, 0][..], &[1, 0], &[3, 0, 1, 0], &[2, 1, 0, 0], &[1, 3, 0, 0, 0]] {
        for &ahead in order {
            let packet = script.ahead(0, ahead);
            script.arrive(Arrival { ack_request: true, ..packet });
            script.drain();
        }
    }
    suite.add("flowlets", "the flowlet with and without a gap", aim(&["Flowlet", "PsnWrap"], &["G9", "M31"]), script);
}

/// RoCE: delays at their limits, and times that wrap with 16 bits.
fn delays(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 0);
    script.set(|s| Settings { tick: 65_535, ..s });
    for offset in [0, 1, 700, 65_535, 32_768] {
        script.set(|s| Settings { offset, ..s });
        for age in [0, 1, 2, 65_535, 300] {
            script.idle(7);
            for stamped in [true, false] {
                let packet = script.ahead(0, 0);
                // Without an offset, the ages are those at the time of the pass.
                let stamp = (script.time() + 4 + offset).wrapping_sub(age) & 0xFFFF;
                script.arrive(Arrival { stamped, stamp, ack_request: true, ..packet });
                script.drain();
            }
        }
    }
    suite.add("delays", "delays of 0, 1 and others", aim(&["Delay"], &["G3", "G10", "M32"]), script);
}

/// UET: PSN of the trigger and base of the SACK word, relative to the cumulative one, at their limits.
fn offsets(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 20);
    for expected in [0, 1, 0x8000, 0x1_0000, 0xFFFF_FFFF, 0x7FFF_FFFF] {
        for ahead in [
            0,
            1,
            32_766,
            32_767,
            32_768,
            0x8000_0000,
            u64::MAX,
            u64::MAX - 32_767,
            u64::MAX - 32_768,
            u64::MAX - 32_769,
        ] {
            let packet = script.ahead(0, u64::MAX);
            let psn = ahead.wrapping_add(expected) % shape.psns();
            let (outcome, sack_base) = (Outcome::Duplicate, psn / 64 * 64);
            script.arrive(Arrival {
                outcome,
                psn,
                expected,
                sack_base,
                sack: 0x8000_0000_0000_0001 ^ psn << 5,
                ..packet
            });
            script.drain();
        }
    }
    let rows = aim(&["Offset", "PsnWrap"], &["G5", "G18"]);
    suite.add("offsets", "ack_psn_offset and sack_psn_offset at their limits", rows, script);
}

/// UET: service times of ACKs and replies, up to more than there are.
fn service_times(suite: &mut Suite, shape: Shape) {
    for added in [0, 1, 255] {
        let mut script = Script::opened(shape, 0);
        script.urgent(0);
        script.drain();
        script.set(|s| Settings { tick: 65_535, added, ..s });
        let waits: &[u64] = if added == 1 { &[0, 1, 255, 65_400, 65_600] } else { &[0, 3, 255] };
        for &wait in waits {
            script.send(0, 1);
            script.idle(wait % 1000);
            // Again, without becoming the trigger: the time is that of the packet before it.
            let marked = script.ahead(0, 0);
            script.set(|s| Settings { on_ecn: false, ..s });
            script.arrive(Arrival { ecn: true, ..marked });
            script.idle(wait);
            script.urgent(0);
            script.reply(0);
            script.drain();
        }
        script.set(|s| Settings { tick: 0, ..s });
        script.urgent(0);
        script.reply(0);
        script.drain();
        suite.add(
            format!("service-{added}"),
            "service times from the least to the most",
            aim(&["Delay"], &["G3", "G18"]),
            script,
        );
    }
}

/// UET: ACK or ACK_CC, for ACKs and for replies.
fn kinds(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 1000);
    for cc in [false, true, false] {
        for (pressure, mpr, restore) in [(0, 0, false), (127, 255, true), (64, 1, false)] {
            script.press(pressure);
            script.set(|s| Settings { cc, mpr, restore, ..s });
            for ahead in [0, 3, 0, 0, 0] {
                let packet = script.ahead(0, ahead);
                script.arrive(Arrival { ack_request: true, ..packet });
                script.drain();
                script.reply(0);
                script.drain();
            }
        }
    }
    suite.add("kinds", "ACK and ACK_CC", aim(&["Kind"], &["G14", "G18", "U29"]), script);
}
