// SPDX-License-Identifier: MIT OR Apache-2.0
//! Turns (C28 to C30): who is listed, what is taken when, and what a grant shows.

use super::shapes;
use crate::collect::aim;
use crate::transmit::ccc_table::oracle::{Ack, Command, Event, Send, Settings, Shape, op};
use crate::transmit::ccc_table::script::Script;
use crate::transmit::ccc_table::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::CYCLES {
        suite.group("turns", "who is listed, what is taken when, and what a grant shows", shape, None);
        page(suite, shape);
        for pass in 0..PASSES.len() {
            around(suite, shape, pass);
        }
        ends(suite, shape);
        stalls(suite, shape);
        closed(suite, shape);
    }
    for shape in [shapes::OTHERS[2], shapes::OTHERS[4], shapes::OTHERS[5], shapes::OTHERS[6]] {
        suite.group("turns", "many CCCs, classes, and takes that are open", shape, None);
        many(suite, shape);
        open_takes(suite, shape);
        void_takes(suite, shape);
    }
    for shape in shapes::all() {
        suite.group("grants", "one CCC in turn after turn", shape, None);
        alone(suite, shape);
    }
}

/// A window of 12288 bytes that does not change.
fn steady(s: Settings) -> Settings {
    Settings { config_wnd: 12_288, adjust_period: 60_000, adjust_bytes: (1 << 24) - 1, ..s }
}

fn with(shape: Shape) -> Script {
    let mut script = Script::with(shape, steady);
    script.open_as(0, true, false, 0, 1);
    script
}

fn sent(ccc: u64, size: u64, last: bool) -> Event {
    Event::Send(Send { ccc, size, packet: true, last, ..Send::default() })
}

/// The example at the top of the page.
fn page(suite: &mut Suite, shape: Shape) {
    let mut script = Script::with(shape, steady);
    script.open_as(0, true, false, 0, 4);
    script.data(0, 20_000);
    script.idle(60);
    script.event(sent(0, 4160, false));
    script.read(0);
    script.event(sent(0, 4160, true));
    script.read(0);
    let ack = script.ack_of(0, 1, 17, 94);
    script.event(Event::Ack(Ack { marked: true, ..ack }));
    script.read(0);
    script.idle(60);
    script.event(sent(0, 4224, false));
    script.event(sent(0, 4160, true));
    script.read(0);
    let rows = aim(&["Turn", "State"], &["C26", "C28", "C29", "C30", "U25", "U26", "U27", "U30"]);
    suite.add("page", "the example of the page", rows, script);
}

const PASSES: [&str; 8] = ["data", "send", "ack", "loss", "last", "close", "change", "read"];

/// A CCC that becomes READY, and a pass of it at each distance: before, in and behind the cycle of the take.
fn around(suite: &mut Suite, shape: Shape, pass: usize) {
    let name = PASSES[pass];
    let mut script = with(shape);
    for distance in 0..3 * shape.ram_latency + 14 {
        script.data(0, 5000);
        script.idle(distance);
        let mut granted_once = false;
        match name {
            "data" => script.data(0, 700),
            // It is no longer READY.
            "send" => script.event(sent(0, 5000, false)),
            "ack" => script.event(Event::Ack(Ack { restore: true, ..script.ack_of(0, 0, 1, 94) })),
            "loss" => {
                script.event(sent(0, 100, false));
                script.lose(0, 100);
            }
            "last" => script.end_turn(0),
            "close" => {
                script.issue(Command { op: op::CLOSE, force: true, ..Command::default() });
                script.idle(1);
                granted_once = true;
            }
            "change" => {
                script.issue(Command {
                    op: op::CHANGE,
                    class: distance % 2,
                    weight: 1 + distance % 15,
                    ..Command::default()
                });
            }
            _ => script.issue(Command { op: op::READ, ..Command::default() }),
        }
        script.drain();
        script.read(0);
        if granted_once {
            script.open_as(0, true, false, 0, 1);
        } else {
            // Everything is sent and acknowledged, and the turn ends, if there was one.
            let ccc = script.oracle().table().ccc(0).clone();
            if ccc.waiting_rtx > 0 {
                let again = Send { size: 100, packet: true, retransmission: true, ..Send::default() };
                script.event(Event::Send(again));
            }
            script.event(sent(0, ccc.backlog, true));
            script.drain();
            let packets = script.oracle().table().ccc(0).inflight_pkts;
            script.event(Event::Ack(Ack { timed: false, ..script.ack_of(0, packets, 4, 94) }));
            script.drain();
            // A turn that nothing has ended, as its take came late.
            script.end_turn(0);
            script.drain();
        }
    }
    let rows = aim(&["Turn", "Visible"], &["C26", "C28", "C29", "C30", "C31", "U26", "U27"]);
    suite.add(format!("around-{name}"), "a pass at each distance from when a CCC became READY", rows, script);
}

/// The end of a turn, and another pass that would list the CCC, in each order and distance; turns that end twice.
fn ends(suite: &mut Suite, shape: Shape) {
    for refused in [false, true] {
        let mut script = with(shape);
        script.data(0, 1 << 20);
        for distance in 0..2 * shape.ram_latency + 8 {
            script.drain();
            script.event(sent(0, 300, true));
            script.idle(distance);
            script.end_turn(0);
            script.data(0, 1);
            script.drain();
            script.read(0);
            script.end_turn(0);
            script.end_turn(0);
            script.event(Event::Ack(Ack { timed: false, ..script.ack_of(0, 1, 1, 9) }));
        }
        if refused {
            // `last` with a send that is short.
            script.event(Event::Send(Send {
                size: 9,
                packet: true,
                retransmission: true,
                last: true,
                ..Send::default()
            }));
            script.drain();
        }
        let rows = aim(&["Turn", "Visible"], &["C8", "C11", "C25", "C28", "C29"]);
        suite.add(format!("ends-{}", u8::from(refused)), "turns that end around a take", rows, script);
    }
}

/// The output is stalled from each cycle, for so long; what a grant shows does not change meanwhile.
fn stalls(suite: &mut Suite, shape: Shape) {
    let mut script = with(shape);
    script.open_as(1, true, false, 1, 15);
    script.open_as(2, true, false, 0, 7);
    for ccc in 0..3 {
        script.data(ccc, 1 << 20);
    }
    script.drain();
    for distance in 0..3 * shape.ram_latency + 12 {
        for ccc in [1, 0, 2] {
            script.end_turn(ccc);
        }
        script.idle(shape.effect() + distance);
        script.stall(true);
        for ccc in 0..3 {
            script.event(sent(ccc, 64, false));
            script.lose(ccc, 64);
        }
        script.idle(distance * 3);
        script.stall(false);
        script.idle(1 + distance % 3);
        script.stall(true);
        script.idle(9);
        script.drain();
        for ccc in 0..3 {
            let again =
                Send { ccc, size: 64, packet: true, retransmission: true, last: distance % 2 == 0, ..Send::default() };
            script.event(Event::Send(again));
            script.event(Event::Ack(Ack { timed: false, ..script.ack_of(ccc, 1, 0, 9) }));
        }
        script.drain();
    }
    let rows = aim(&["Turn", "Stall"], &["C29", "C30", "U26", "U27"]);
    suite.add("stalls", "the output is stalled around takes", rows, script);
}

/// Closed while listed, in turn, or with its grant on the stalled ports; and opened again in each of these.
fn closed(suite: &mut Suite, shape: Shape) {
    for stalled in [false, true] {
        let mut script = with(shape);
        for distance in 0..10 {
            script.stall(stalled);
            script.data(0, 5000);
            script.idle(6 * distance);
            script.issue(Command { op: op::CLOSE, force: true, ..Command::default() });
            script.open_as(0, true, false, distance % 2, 3);
            script.data(0, 9000);
            script.idle(30);
            script.issue(Command { op: op::CHANGE, class: (distance + 1) % 2, weight: 9, ..Command::default() });
            script.idle(40);
            script.drain();
            script.read(0);
            script.close(0, true);
            script.open_as(0, true, false, 0, 1);
        }
        let rows = aim(&["Turn", "Closed", "Reopened"], &["C28", "C29", "C30", "C32"]);
        let comment = "a CCC that is closed and opened while it is listed or in turn";
        suite.add(format!("closed-{}", u8::from(stalled)), comment, rows, script);
    }
}

/// Many CCCs of several classes become READY in many orders: strict classes, round robin within them.
fn many(suite: &mut Suite, shape: Shape) {
    let mut script = Script::with(shape, steady);
    for ccc in 0..shape.cccs.min(24) {
        script.open_as(ccc, true, true, ccc % shape.classes, 1 + ccc % 15);
    }
    for round in 0..3 {
        script.stall(round != 1);
        for n in 0..24 {
            let ccc = (n * 7 + round) % 24;
            script.data(ccc, 3000 + n);
        }
        script.idle(60);
        script.drain();
        let grants = script.granted();
        for grant in grants {
            script.event(sent(grant.ccc, 500 + grant.ccc, grant.ccc % 3 != 0));
        }
        script.drain();
        for ccc in 0..24 {
            script.end_turn(ccc);
        }
        script.drain();
    }
    let rows = aim(&["Turn", "Classes", "Stall"], &["C28", "C29", "C30", "U26"]);
    suite.add("many", "many CCCs in all classes", rows, script);
}

/// 16 takes are open, the next one waits; grants leave one by one.
fn open_takes(suite: &mut Suite, shape: Shape) {
    for burst in [15, 16, 17, 24] {
        let mut script = Script::with(shape, steady);
        for ccc in 0..burst {
            script.open_as(ccc, true, true, 0, 1);
        }
        script.stall(true);
        for ccc in 0..burst {
            script.data(ccc, 3000);
        }
        script.idle(60);
        // Those that wait for a take show what happens meanwhile.
        for ccc in 0..burst {
            script.event(sent(ccc, 100 + ccc, false));
        }
        script.idle(40);
        for n in 0..burst {
            script.stall(false);
            script.idle(1 + n % 3);
            script.stall(true);
            script.idle(n % 4);
        }
        script.drain();
        let rows = aim(&["Turn", "Stall", "Full"], &["C29", "C30"]);
        suite.add(format!("open-{burst}"), "takes up to 16 that are open", rows, script);
    }
}

/// Takes without a grant: they are open for some cycles too.
fn void_takes(suite: &mut Suite, shape: Shape) {
    let mut script = Script::with(shape, steady);
    for ccc in 0..24 {
        script.open_as(ccc, true, true, 0, 1);
    }
    for stalled in [false, true] {
        script.stall(stalled);
        // Listed, and no longer READY when the take comes.
        for ccc in 0..24 {
            script.offer(Event::Send(Send { ccc, size: 3000, packet: true, ..Send::default() }));
            script.data(ccc, 3000);
        }
        script.drain();
        for ccc in 0..24 {
            script.end_turn(ccc);
            script.event(Event::Ack(Ack { timed: false, ..script.ack_of(ccc, 1, 1, 9) }));
        }
        script.drain();
        for ccc in 0..24 {
            script.data(ccc, 3000);
            script.event(sent(ccc, 3000, ccc % 2 == 0));
        }
        script.drain();
    }
    let rows = aim(&["Turn", "BackToBack"], &["C29", "C30"]);
    suite.add("void", "takes of CCCs that are no longer READY", rows, script);
}

/// CCC 0 alone: with weight *w* it sends *w* packets per turn, until the window ends it.
fn alone(suite: &mut Suite, shape: Shape) {
    let mut script = Script::with(shape, |s| Settings { config_wnd: 30_000, ..s });
    script.open_as(0, true, true, 0, 3);
    script.data(0, 40_000);
    for _ in 0..12 {
        script.drain();
        let grants = script.granted();
        let Some(grant) = grants.first() else {
            script.ack(0, 2, 100, false);
            continue;
        };
        let mut total = 0;
        for n in 0..grant.packets {
            let size = 2048;
            let more = total + size <= grant.limit && n + 1 < grant.packets;
            script.event(sent(0, size, !more));
            total += size;
            if !more {
                break;
            }
        }
    }
    script.read(0);
    suite.add(
        "alone",
        "turns of one CCC until its window is full",
        aim(&["Turn"], &["C26", "C28", "C29", "C30"]),
        script,
    );
}
