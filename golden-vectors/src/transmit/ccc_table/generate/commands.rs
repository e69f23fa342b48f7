// SPDX-License-Identifier: MIT OR Apache-2.0
//! Commands (C31, C32): each one in each state, those that are not done, and their cycles.

use super::shapes;
use crate::collect::aim;
use crate::transmit::ccc_table::oracle::{Ack, Command, Event, Send, Settings, Shape, op};
use crate::transmit::ccc_table::script::Script;
use crate::transmit::ccc_table::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::all() {
        suite.group("commands", "commands in each state", shape, None);
        refused(suite, shape);
        reopened(suite, shape);
    }
    for shape in shapes::CYCLES {
        suite.group("responses", "commands among events", shape, None);
        ready(suite, shape);
        among(suite, shape);
    }
    for shape in shapes::USUAL {
        suite.group("close", "which CCCs can be closed", shape, None);
        close(suite, shape);
        fresh(suite, shape);
    }
}

/// Every code, class and weight, of a closed CCC and an open one; the first and the last number, and one above.
fn refused(suite: &mut Suite, shape: Shape) {
    let mut script = Script::with(shape, |s| s);
    let last = shape.cccs.next_power_of_two().max(2) - 1;
    let numbers = [0, shape.cccs - 1, last];
    for op in [7, 6, 5, 4, op::CHANGE, op::CLOSE, op::READ] {
        for ccc in numbers {
            script.command(Command { op, ccc, class: 0, weight: 1, force: true, nscc: true, rccc: true });
        }
    }
    for (class, weight) in [(0, 0), (3, 1), (shape.classes % 4, 0), (shape.classes - 1, 15)] {
        for op in [op::OPEN, op::CHANGE] {
            for ccc in numbers {
                let force = class > 0;
                script.command(Command { op, ccc, class, weight, force, nscc: true, rccc: false });
            }
        }
    }
    for (class, weight) in [(0, 8), (shape.classes % 4, 1), (0, 0), (shape.classes - 1, 4)] {
        script.command(Command { op: op::CHANGE, ccc: 0, class, weight, ..Command::default() });
        script.command(Command { op: op::OPEN, ccc: 0, class, weight, ..Command::default() });
        script.read(0);
    }
    for op in 4..8 {
        script.command(Command { op, ccc: 0, class: 0, weight: 1, force: true, nscc: true, rccc: true });
    }
    for ccc in numbers {
        script.close(ccc, false);
        script.close(ccc, false);
    }
    let rows = aim(&["Command", "Refused"], &["C4", "C31", "C32"]);
    suite.add("refused", "commands that can be done, and that cannot", rows, script);
}

/// Algorithms as chosen, with the state of each; nothing is left of the opening before.
fn reopened(suite: &mut Suite, shape: Shape) {
    let mut script = Script::with(shape, |s| s);
    for n in 0..8 {
        let (nscc, rccc) = (n & 1 == 1, n & 2 == 2);
        script.open_as(0, nscc, rccc, n % shape.classes, 1 + n);
        script.read(0);
        script.data(0, 100_000);
        script.send(0, 20, 4096);
        script.lose(0, 4096);
        script.event(Event::Ack(Ack { pend: 3, ..script.ack_of(0, 2, 32, 60) }));
        script.event(Event::Ack(script.nack_of(0, 1, 4096, 70)));
        script.event(Event::Ack(script.credit_of(0, 900 + n)));
        script.adjusted();
        script.read(0);
        script.close(0, true);
        script.read(0);
    }
    let rows = aim(&["Command", "Reopened"], &["C26", "C27", "C31", "C32", "U20"]);
    suite.add("reopened", "each choice of algorithms, opened after one another", rows, script);
}

/// Commands and events on the ports while they are not accepted.
fn ready(suite: &mut Suite, shape: Shape) {
    let mut script = Script::from_reset(shape);
    script.hammer_command(Command { op: op::CLOSE, ccc: 0, force: true, ..Command::default() });
    script.hammer_command(Command { op: op::OPEN, ccc: 2, class: 1, weight: 5, ..Command::default() });
    script.hammer(Event::Send(Send { ccc: 0, size: 77, packet: true, ..Send::default() }));
    script.hammer(Event::Ack(script.ack_of(0, 1, 1, 9)));
    script.until(shape.sweep());
    script.open_as(0, true, false, 0, 1);
    script.data(0, 1 << 20);
    for n in 0..90 {
        script.offer(Event::Send(Send { ccc: 0, size: 100, packet: true, ..Send::default() }));
        script.offer(Event::Ack(Ack { timed: false, ..script.ack_of(0, 0, 1, 9) }));
        if n % 20 == 0 {
            script.issue(Command { op: op::READ, ..Command::default() });
        }
        if n > 40 {
            script.accepted();
        }
    }
    script.accepted();
    script.read(0);
    let rows = aim(&["Unready", "Command"], &["C2", "C31", "C34"]);
    suite.add("ready", "what is on the ports while it is not accepted", rows, script);
}

/// A command at each distance from events of its CCC.
fn among(suite: &mut Suite, shape: Shape) {
    for op in [op::READ, op::CHANGE, op::CLOSE] {
        let mut script = Script::with(shape, |s| s);
        script.open_as(0, true, true, 0, 1);
        script.data(0, 1 << 20);
        for distance in 0..12 {
            for n in 0..12 {
                if n == distance {
                    script.issue(Command {
                        op,
                        ccc: 0,
                        class: distance % 2,
                        weight: 1 + distance,
                        ..Command::default()
                    });
                }
                script.send(0, 1, 100 + n);
            }
            script.answered();
        }
        let rows = aim(&["Command", "Visible"], &["C1", "C2", "C31", "C32"]);
        suite.add(format!("among-{op}"), "a command at each place in a burst of events", rows, script);
    }
}

/// *Close* in each state, in turn or not, with and without force.
fn close(suite: &mut Suite, shape: Shape) {
    for force in [false, true] {
        for state in 0..6 {
            let mut script = Script::opened(shape, |s| Settings { config_wnd: 8000, ..s });
            let close = |script: &mut Script| {
                script.close(0, force);
                script.read(0);
            };
            match state {
                0 => close(&mut script),
                // READY and in turn.
                1 => {
                    script.data(0, 100);
                    script.drain();
                    close(&mut script);
                }
                // IDLE and in turn, then not.
                2 => {
                    script.data(0, 100);
                    script.drain();
                    script.send(0, 1, 100);
                    script.event(Event::Ack(script.ack_of(0, 1, 1, 90)));
                    close(&mut script);
                    script.end_turn(0);
                    close(&mut script);
                }
                // ACTIVE.
                3 => {
                    script.data(0, 9000);
                    script.drain();
                    script.event(Event::Send(Send { size: 8000, packet: true, last: true, ..Send::default() }));
                    close(&mut script);
                }
                // PENDING.
                4 => {
                    script.data(0, 9000);
                    script.drain();
                    script.event(Event::Send(Send { size: 9000, packet: true, last: true, ..Send::default() }));
                    close(&mut script);
                }
                // IDLE and listed: what listed it has been taken back before the take.
                _ => {
                    script.stall(true);
                    script.data(0, 100);
                    script.event(Event::Send(Send { size: 100, packet: true, last: true, ..Send::default() }));
                    script.event(Event::Ack(script.ack_of(0, 1, 1, 90)));
                    close(&mut script);
                }
            }
            script.drain();
            script.open_as(0, true, false, 1, 2);
            script.data(0, 100);
            script.drain();
            script.close(0, true);
            let rows = aim(&["Command", "State"], &["C28", "C29", "C31", "C32", "U27"]);
            suite.add(format!("close-{state}-{}", u8::from(force)), "close in each state", rows, script);
        }
    }
}

/// The deadlines of a new CCC, and that nothing of an old one is left in what only later events show.
fn fresh(suite: &mut Suite, shape: Shape) {
    let mut script = Script::with(shape, |s| {
        let fast = Settings { tick: 65_535, config_base_rtt: 20, target: 10, adjust_period: 60, ..s };
        Settings { qa_gate: 0, adjust_bytes: 20_000, ..fast }
    });
    for n in 0..4 {
        script.open_as(0, true, false, 0, 1);
        script.data(0, 1 << 20);
        script.send(0, 20, 4096);
        let used = n % 2 == 0;
        if used {
            // Saved, summed up, nearly fast, triggered.
            script.event(Event::Ack(Ack { pend: 3, ..script.ack_of(0, 1, 16, 20) }));
            script.event(Event::Ack(script.ack_of(0, 1, 1000, 20)));
            script.event(Event::Ack(script.ack_of(0, 1, 70, 29)));
            script.event(Event::Ack(script.nack_of(0, 1, 4096, 20)));
            for _ in 0..4 {
                script.event(Event::Ack(script.nack_of(0, 2, 4096, 20)));
            }
        } else {
            for (quanta, rtt, marked) in
                [(50, 20, false), (20, 29, false), (9, 31, true), (16, 20, false), (99, 25, true)]
            {
                script.event(Event::Ack(Ack { restore: true, marked, ..script.ack_of(0, 1, quanta, rtt) }));
                script.idle(12);
                script.read(0);
            }
        }
        script.adjusted();
        script.read(0);
        script.close(0, true);
    }
    let rows = aim(&["Command", "Reopened", "Deadline"], &["C12", "C16", "C19", "C23", "C24", "C32", "U20"]);
    suite.add("fresh", "nothing is left of the opening before", rows, script);
}
