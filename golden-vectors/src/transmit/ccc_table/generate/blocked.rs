// SPDX-License-Identifier: MIT OR Apache-2.0
//! CCCs that could not send in their turn (C35): what makes them blocked, what ends it, and when they are listed again.

use super::shapes;
use crate::collect::aim;
use crate::transmit::ccc_table::oracle::{Ack, Command, Data, Event, Loss, Send, Settings, Shape, op};
use crate::transmit::ccc_table::script::Script;
use crate::transmit::ccc_table::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::CYCLES {
        suite.group("blocked", "a CCC that could not send, and what ends that", shape, None);
        for pass in PASSES {
            after(suite, shape, pass);
        }
        around(suite, shape);
        others(suite, shape);
    }
    for shape in [shapes::CREDIT[0], shapes::OTHERS[3]] {
        suite.group("blocked", "without NSCC", shape, None);
        for pass in PASSES {
            after(suite, shape, pass);
        }
        others(suite, shape);
    }
}

/// What may follow on a CCC that is blocked. The first ones end it.
const PASSES: [&str; 14] = [
    "ack",
    "old-ack",
    "nack",
    "loss",
    "refused-loss",
    "unblock",
    "last",
    "read",
    "change",
    "none",
    "data",
    "credit",
    "odd",
    "packet",
];

/// A window of 12288 bytes that does not change.
fn script(shape: Shape) -> Script {
    let steady = |s| Settings { config_wnd: 12_288, adjust_period: 60_000, adjust_bytes: (1 << 24) - 1, ..s };
    let mut script = Script::with(shape, steady);
    script.open_as(0, true, false, 0, 2);
    script
}

/// A packet is sent in a turn, and another turn ends blocked; then this comes, and it is seen whether there is a turn.
fn after(suite: &mut Suite, shape: Shape, pass: &str) {
    let mut script = script(shape);
    let sent = Send { size: 1000, packet: true, ..Send::default() };
    script.data(0, 30_000);
    script.event(Event::Send(sent));
    for distance in [0, 1, 2, 60] {
        script.drain();
        script.block(0);
        script.idle(distance);
        let ack = script.ack_of(0, 1, 4, 94);
        match pass {
            "ack" => script.event(Event::Ack(ack)),
            // It says nothing new.
            "old-ack" => script.event(Event::Ack(Ack { packets: 0, quanta: 0, timed: false, ..ack })),
            "nack" => script.event(Event::Ack(script.nack_of(0, 1, 1000, 94))),
            "loss" => script.event(Event::Loss(Loss { ccc: 0, size: 1000 })),
            "refused-loss" => {
                script.event(Event::Ack(Ack { timed: false, ..ack }));
                script.block(0);
                script.event(Event::Loss(Loss { ccc: 0, size: 1000 }));
            }
            "unblock" => script.unblock(0),
            // A packet of a turn that there is not, and its end.
            "last" => script.event(Event::Send(Send { last: true, blocked: distance % 2 == 0, ..sent })),
            "read" => script.read(0),
            // It cannot be done, but ends it.
            "change" => script.command(Command { op: op::CHANGE, weight: 0, ..Command::default() }),
            "none" => script.command(Command { op: 7, ..Command::default() }),
            "data" => script.event(Event::Data(Data { ccc: 0, bytes: 100 })),
            "credit" => script.event(Event::Ack(script.credit_of(0, 1000 + distance))),
            "odd" => script.event(Event::Ack(Ack { kind: 3, ..ack })),
            // A packet is not blocked, whatever is said of it, and does not end it either.
            _ => script.event(Event::Send(Send { blocked: distance % 2 == 0, ..sent })),
        }
        script.drain();
        // A grant that there was ends here; the next one shows that the CCC was listed only once.
        script.end_turn(0);
        script.drain();
        script.end_turn(0);
        script.drain();
        if !matches!(pass, "ack" | "refused-loss") {
            script.event(Event::Ack(Ack { timed: false, ..script.ack_of(0, 1, 4, 94) }));
        }
        script.event(Event::Send(Send { retransmission: matches!(pass, "nack" | "loss"), ..sent }));
    }
    let rows = aim(&["Turn", "Blocked"], &["C8", "C11", "C28", "C29", "C35", "U27"]);
    suite.add(format!("after-{pass}"), "a CCC that is blocked, and what may end that", rows, script);
}

/// A CCC that is blocked while it is listed, taken, and in turn: at each distance from when it became READY.
fn around(suite: &mut Suite, shape: Shape) {
    let mut script = script(shape);
    for distance in 0..3 * shape.ram_latency + 14 {
        script.data(0, 700);
        script.idle(distance);
        script.block(0);
        script.idle(distance % 4);
        script.data(0, 9);
        script.drain();
        script.read(0);
        // In two passes, one behind the other.
        script.block(0);
        script.unblock(0);
        script.drain();
        script.unblock(0);
        script.event(Event::Send(Send { ccc: 0, blocked: true, ..Send::default() }));
        script.end_turn(0);
        script.event(Event::Send(Send { ccc: 0, size: 709, packet: true, last: true, ..Send::default() }));
        script.event(Event::Ack(Ack { timed: false, ..script.ack_of(0, 1, 3, 94) }));
        script.drain();
        script.end_turn(0);
        script.drain();
    }
    let rows = aim(&["Turn", "Blocked", "Visible"], &["C28", "C29", "C35"]);
    suite.add("around", "an end of a turn that is blocked at each distance from a take", rows, script);
}

/// CCCs beside one that is blocked have all the turns; closed and opened again, it is not blocked.
fn others(suite: &mut Suite, shape: Shape) {
    let mut script = script(shape);
    script.open_as(1, true, false, shape.classes - 1, 1);
    for ccc in 0..2 {
        script.data(ccc, 1 << 20);
    }
    for _ in 0..4 {
        script.drain();
        script.block(0);
        for _ in 0..3 {
            script.drain();
            script.end_turn(1);
        }
    }
    script.block(0);
    script.close(0, true);
    // Of a closed CCC: it is opened without it.
    script.block(0);
    script.open_as(0, true, false, 0, 2);
    script.data(0, 5000);
    script.drain();
    let rows = aim(&["Turn", "Blocked", "Reopened"], &["C28", "C29", "C32", "C35"]);
    suite.add("others", "turns of a CCC beside one that is blocked", rows, script);
}
