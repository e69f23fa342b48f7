// SPDX-License-Identifier: MIT OR Apache-2.0
//! The streams of events (C1, C2): which one enters, how many wait, and what one finds of another on its row.

use super::shapes;
use crate::collect::aim;
use crate::transmit::ccc_table::oracle::{Ack, Command, Data, Event, Loss, Send, Shape, op};
use crate::transmit::ccc_table::script::Script;
use crate::transmit::ccc_table::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::CYCLES {
        suite.group("streams", "which event enters, and how many wait", shape, None);
        sets(suite, shape);
        full(suite, shape);
        rows(suite, shape);
    }
}

/// An event of this stream that shows, in the counts, which events came before it.
fn event(script: &Script, stream: usize, ccc: u64, n: u64) -> Event {
    match stream {
        0 => Event::Ack(Ack { timed: false, ..script.ack_of(ccc, 1, n % 9, 90) }),
        1 => Event::Send(Send { ccc, size: 200 + n, packet: true, ..Send::default() }),
        2 => Event::Loss(Loss { ccc, size: 100 + n }),
        _ => Event::Data(Data { ccc, bytes: 300 + n }),
    }
}

/// Every set of streams after every stream, with and without a command: the counts depend on the order.
fn sets(suite: &mut Suite, shape: Shape) {
    let mut script = Script::with(shape, |s| s);
    for before in 0..4 {
        for set in 1..16 {
            for commanded in [false, true] {
                script.close(0, true);
                script.open_as(0, true, false, 0, 1);
                let first = event(&script, before, 0, 0);
                script.event(first);
                script.idle(3);
                for stream in (0..4).filter(|stream| set >> stream & 1 == 1) {
                    for n in 1..=2 {
                        let event = event(&script, stream, 0, n * 10 + stream as u64);
                        script.offer(event);
                    }
                }
                if commanded {
                    script.issue(Command { op: op::READ, ..Command::default() });
                }
                script.accepted();
                script.idle(8);
                script.read(0);
            }
        }
    }
    let rows = aim(&["Order"], &["C1", "C2", "C5", "C6", "C7", "C9"]);
    suite.add("sets", "each set of streams that wait, after each stream", rows, script);
}

/// All streams full for long, then fewer and fewer of them; two events of each wait.
fn full(suite: &mut Suite, shape: Shape) {
    let mut script = Script::with(shape, |s| s);
    for ccc in 0..3 {
        script.open_as(ccc, true, true, 0, 2);
    }
    for streams in [4, 3, 2, 1, 4] {
        for n in 0..60 {
            for stream in 0..streams {
                let stream = (stream + streams) % 4;
                let event = event(&script, stream, n * n % 3, n);
                script.offer(event);
            }
            if n % 17 == 3 {
                script.issue(Command { op: op::READ, ccc: n % 3, ..Command::default() });
            }
        }
        script.accepted();
        for ccc in 0..3 {
            script.read(ccc);
        }
    }
    let rows = aim(&["Order", "FullLoad", "BackToBack"], &["C1", "C2", "C5", "C6", "C7", "C9", "C31"]);
    suite.add("full", "all streams full", rows, script);
}

/// Events of one CCC, then of another and the first one again, at each distance: each sees those before it.
fn rows(suite: &mut Suite, shape: Shape) {
    let mut script = Script::with(shape, |s| s);
    for ccc in 0..3 {
        script.open_as(ccc, true, true, 0, 1);
        script.data(ccc, 1 << 20);
        script.send(ccc, 90, 1000);
    }
    for distance in 1..shape.ram_latency + 22 {
        script.event(Event::Ack(script.ack_of(0, 1, 2, 90 - distance)));
        for n in 1..distance {
            script.event(Event::Ack(Ack { marked: true, ..script.ack_of(1 + n % 2, 0, 1, 100 + n) }));
        }
        script.event(Event::Ack(script.ack_of(0, 1, 3, 100)));
        script.lose(0, 500);
        script.read(0);
    }
    let aim = aim(&["BackToBack", "Visible"], &["C1", "C2", "C5", "C13", "C14"]);
    suite.add("rows", "two events of one CCC at each distance", aim, script);
}
