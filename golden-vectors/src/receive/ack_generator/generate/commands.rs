// SPDX-License-Identifier: MIT OR Apache-2.0
//! Commands and the sweep (G21 to G24, G26).

use super::shapes;
use crate::collect::aim;
use crate::receive::ack_generator::oracle::{Arrival, Command, Outcome, Report, Settings, Shape, op};
use crate::receive::ack_generator::script::Script;
use crate::receive::ack_generator::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::latencies() {
        suite.group("commands", "when commands take effect, what they need, and what they show", shape, None);
        effect(suite, shape);
        cannot(suite, shape);
        owing(suite, shape);
        anew(suite, shape);
        hammered(suite, shape);
        sweep(suite, shape);
    }
    for shape in shapes::OTHERS {
        suite.group("commands", "other sizes", shape, None);
        sweep(suite, shape);
    }
}

/// Arrivals in every cycle but one, in which the command enters: those before see nothing of it.
fn effect(suite: &mut Suite, shape: Shape) {
    let mut script = Script::new(shape);
    for pause in [0, 1, 5, 12] {
        for (code, psn) in [(op::OPEN, 20), (op::READ, 0), (op::CHANGE, 7), (op::CLOSE, 0), (op::CLOSE, 0)] {
            script.begin(0, 20);
            script.issue(code, 0, psn, pause % 2 == 0);
            for n in 0..2 * shape.ram_latency + 20 {
                if n == pause {
                    script.idle(1);
                }
                let packet = script.ahead(0, if n % 3 == 1 { 2 } else { 0 });
                script.arrive(Arrival { ack_request: n % 5 == 0, ..packet });
            }
            script.answered();
            script.read(0);
            script.drain();
        }
    }
    let rows = aim(&["Command", "Visible", "BackToBack"], &["G1", "G4", "G21", "G23", "G24"]);
    suite.add("effect", "arrivals in every cycle around the effect of commands", rows, script);
}

/// Commands that cannot be done change nothing.
fn cannot(suite: &mut Suite, shape: Shape) {
    let mut script = Script::new(shape);
    script.close(3);
    script.read(3);
    script.issue(op::CHANGE, 3, 5, true);
    script.answered();
    script.open(0, 20);
    script.urgent(0);
    script.gap(0, 2);
    for (code, connection) in [(op::OPEN, 0), (op::CHANGE, 0), (op::READ, 0), (op::CLOSE, 1), (op::OPEN, 0)] {
        script.issue(code, connection, 777, false);
        script.answered();
    }
    script.send(0, 1);
    script.urgent(0);
    script.drain();
    script.close(0);
    script.close(0);
    script.issue(op::CHANGE, 0, 79, true);
    script.answered();
    script.read(0);
    let rows = aim(&["Command", "Refused"], &["G21", "G23", "G24"]);
    suite.add("cannot", "open an open connection, close or change a closed one", rows, script);
}

/// Closed and opened with nothing owed, an ACK that waits and one that is due.
fn owing(suite: &mut Suite, shape: Shape) {
    let mut script = Script::new(shape);
    script.open(1, 0);
    for state in 0..3 {
        script.open(0, shape.psns() - 1);
        script.urgent(0);
        script.gap(0, 3);
        script.urgent(0);
        script.drain();
        script.block(1);
        match state {
            0 => {}
            1 => script.send(0, 1),
            _ => script.urgent(0),
        }
        script.read(0);
        script.close(0);
        script.read(0);
        script.issue(op::OPEN, 0, 55, true);
        script.answered();
        // They are unknown now.
        script.send(0, 2);
        script.read(0);
        script.drain();
        script.read(0);
    }
    let rows = aim(&["Command", "Stall", "Refused"], &["G21", "G22", "G24"]);
    suite.add("owing", "closed and opened while nothing is owed, waits, is due", rows, script);
}

/// Nothing is left of the opening before.
fn anew(suite: &mut Suite, shape: Shape) {
    let mut script = Script::new(shape);
    script.open(1, 0);
    for (n, psn) in [0, 63, 64, shape.psns() - 1, shape.psns() / 2].into_iter().enumerate() {
        if n % 2 == 0 {
            script.open(0, psn)
        } else {
            script.open_single(0, psn)
        }
        // The first ACK has nothing but the opening in it: an event, and a reply without room.
        if n == 4 {
            script.report_gap(0, psn, psn + 1);
            script.drain();
        }
        script.block(1);
        (0..shape.replies + 2).for_each(|_| script.reply(0));
        script.drain();
        let marked = script.ahead(0, 0);
        script.arrive(Arrival { ecn: true, last: !shape.is_uet(), ..marked });
        script.gap(0, 2);
        let full = script.refused(0, 0, Outcome::NoBuffer);
        script.arrive(full);
        script.report(0);
        script.drain();
        let held = script.ahead(0, 4);
        script.arrive(Arrival { ecn: true, last: !shape.is_uet(), ..held });
        script.read(0);
        script.close(0);
        script.drain();
    }
    let rows = aim(&["Command", "Reopened"], &["G11", "G15", "G21", "G24"]);
    suite.add("anew", "nothing is left of the opening before", rows, script);
}

/// Commands on the ports while they are not accepted.
fn hammered(suite: &mut Suite, shape: Shape) {
    let mut script = Script::new(shape);
    script.hammered_commands = vec![
        Command { op: op::OPEN, connection: 1, psn: 3, ..Command::default() },
        Command { op: op::CLOSE, connection: 0, ..Command::default() },
    ];
    script.open(0, 20);
    script.issue(op::READ, 1, 0, false);
    script.send(0, 30);
    script.answered();
    script.read(0);
    let rows = aim(&["Command", "Unready"], &["G1", "G23"]);
    suite.add("hammered", "commands while they are not accepted", rows, script);
}

/// Arrivals in every cycle of the sweep and behind it, settings in it, the first visit and the first commands.
fn sweep(suite: &mut Suite, shape: Shape) {
    let mut script = Script::from_reset(shape);
    script.hammered = vec![Report::default()];
    script.hammered_commands = vec![Command { op: op::OPEN, ..Command::default() }];
    for n in 0..shape.sweep() + 4 {
        if n == shape.connections {
            script.set_beside(|s| Settings { time: 2, tick: 50_000, ..s });
        }
        let packet = script.ahead(n % shape.connections, 0);
        script.arrive(packet);
    }
    script.drain();
    script.open(shape.connections - 1, 5);
    script.send(shape.connections - 1, 6);
    script.idle(shape.connections + 40);
    let rows = aim(&["Sweep", "Unready"], &["G2", "G19", "G25", "G26"]);
    suite.add("sweep", "arrivals, commands and events in the first cycles after reset", rows, script);
    // With the settings after reset.
    let mut script = Script::from_reset(shape);
    script.until(shape.sweep());
    script.open(0, 5);
    script.open_single(1, 6);
    script.report_gap(0, 5, 5);
    for n in 0..12 {
        let packet = script.ahead(n % 2, if n == 6 { 1 } else { 0 });
        script.arrive(Arrival { ecn: n == 9, ..packet });
        script.idle(n * 3);
    }
    script.idle(900);
    suite.add("reset", "the settings after reset", aim(&["Settings"], &["G7", "G12", "G19", "G26"]), script);
}
