// SPDX-License-Identifier: MIT OR Apache-2.0
//! Events of `reorder` (G12, G13): void or not, with an ACK owed or not, beside arrivals that fill the gap, and the replies
//! that they make.

use super::shapes;
use crate::collect::aim;
use crate::receive::ack_generator::oracle::{Outcome, Report, Shape};
use crate::receive::ack_generator::script::Script;
use crate::receive::ack_generator::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::latencies() {
        suite.group("events", "suspected losses", shape, None);
        void(suite, shape);
        owed(suite, shape);
        filling(suite, shape);
        waiting(suite, shape);
        inferred(suite, shape);
        room(suite, shape);
        ahead(suite, shape);
        if !shape.is_uet() {
            moved(suite, shape);
        }
    }
    suite.group("events", "a gap of a whole window", shapes::OTHERS[3], None);
    window(suite, shapes::OTHERS[3]);
}

/// Expected PSNs before, at, in and behind the gap; a closed connection; multipath off.
fn void(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, shape.psns() - 4);
    script.open_single(1, 10);
    let first = shape.psns() - 2;
    // The gap is of 4 PSNs; the expected one moves from 2 before it to 2 behind it.
    for _ in 0..9 {
        script.report_gap(0, first, first + 3);
        script.drain();
        script.urgent(0);
        script.drain();
    }
    script.gap(1, 2);
    script.report(1);
    script.drain();
    script.report_gap(2, 0, 0);
    script.drain();
    script.close(0);
    script.report_gap(0, 5, 5);
    script.drain();
    let rows = aim(&["Event", "PsnWrap"], &["G12", "G13", "G25", "M28"]);
    suite.add("void", "the expected PSN before, in and behind the gap; closed; multipath off", rows, script);
}

/// Nothing owed, waiting, and due; what the ACK says then.
fn owed(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 50);
    script.open(1, 0);
    script.urgent(0);
    script.drain();
    script.gap(0, 3);
    script.drain();
    for state in 0..3 {
        // Drained by an ACK of its own, so that nothing is owed.
        script.urgent(0);
        script.gap(0, 5);
        let again = script.ahead(0, u64::MAX);
        script.arrive(again);
        script.drain();
        match state {
            0 => {}
            1 => script.gap(0, 8),
            _ => {
                script.block(1);
                let again = script.ahead(0, u64::MAX);
                script.arrive(again);
            }
        }
        script.report(0);
        script.idle(20);
        script.read(0);
        script.drain();
        script.gap(0, 9 + state);
        script.urgent(0);
        script.drain();
    }
    let rows = aim(&["Event", "Stall"], &["G12", "G13", "G6", "G25", "M28", "M57", "M83"]);
    suite.add("owed", "nothing owed, waiting and due", rows, script);
}

/// The gap fills, wholly or in part, in the cycles around the event.
fn filling(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, shape.psns() - 100);
    script.urgent(0);
    script.drain();
    for filled in [1, 2, 3] {
        for after in 0..shape.ram_latency + 9 {
            script.gap(0, 3);
            script.report(0);
            script.idle(after);
            script.send(0, filled);
            script.drain();
            script.send(0, 3 - filled);
            script.urgent(0);
            script.drain();
        }
    }
    let rows = aim(&["Event", "Visible"], &["G1", "G12", "G13", "M57", "M83"]);
    suite.add("filling", "packets of the gap in the cycles around its event", rows, script);
}

/// Events wait while there are arrivals, and a command goes before them. Those offered while `event_ready` is 0 have no effect.
fn waiting(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 100);
    script.open(1, 0);
    script.hammered =
        [(1, 3), (0, 1 << 20)].map(|(connection, last)| Report { connection, last, ..Report::default() }).to_vec();
    for arrivals in [0, 1, 2, 9, 20] {
        script.gap(0, 2);
        script.report(0);
        script.read(0);
        script.report_gap(0, script.expected(0), script.expected(0));
        script.read(1);
        script.report_gap(1, 0, 0);
        script.idle(1);
        script.issue(0, 1, 0, false);
        for n in 0..arrivals {
            let again = script.ahead(n % 2, u64::MAX);
            script.arrive(again);
        }
        script.drain();
        script.send(0, 2);
        script.drain();
    }
    let rows = aim(&["Event", "Unready", "Command"], &["G1", "G2", "G12", "G23"]);
    suite.add("waiting", "events behind arrivals and commands, and others while they are not ready", rows, script);
}

/// Replies for a gap, while other replies are decided and the connection changes or is closed.
fn inferred(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, shape.psns() - 30);
    for missing in if shape.is_uet() { [1, 2, 4, 5, 13] } else { [1, 15, 16, 17, 33] } {
        for change in 0..6 {
            script.gap(0, missing);
            script.report(0);
            script.idle(shape.ram_latency + 5);
            match change {
                0 => {}
                1 => script.send(0, missing),
                2 => (0..6).for_each(|_| script.reply(0)),
                3 => {
                    // In every second cycle.
                    for _ in 0..6 {
                        script.reply(0);
                        script.idle(1);
                    }
                }
                4 => script.stall(true),
                _ => script.close(0),
            }
            script.idle(60);
            script.drain();
            if change == 5 {
                script.open(0, script.expected(0));
            }
            script.send(0, missing + 1);
            script.drain();
        }
    }
    let rows = aim(&["Event", "Inferred", "PsnWrap"], &["G13", "G14", "G15", "G16", "U29"]);
    suite.add("inferred", "replies for all PSNs of a gap", rows, script);
}

/// Replies of an event wait for room, to the cycle.
fn room(suite: &mut Suite, shape: Shape) {
    for released in 0..12 {
        let mut script = Script::opened(shape, 0);
        script.open(1, 0);
        script.block(1);
        (0..shape.replies - 1).for_each(|_| script.reply(0));
        script.gap(0, if shape.is_uet() { 6 } else { 60 });
        script.report(0);
        script.idle(shape.ram_latency + 8 + released);
        script.stall(false);
        script.idle(30);
        // Replies of passes take the room, or find none.
        for n in 0..30 {
            if n % 3 == released % 3 {
                script.reply(1);
            } else {
                script.idle(1);
            }
        }
        script.drain();
        let rows = aim(&["Event", "Inferred", "Full", "Stall"], &["G13", "G14", "G15", "G16", "U29"]);
        suite.add(format!("room-{released}"), "replies of an event that wait for room", rows, script);
    }
}

/// UET: a gap of all the window but one.
fn window(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, shape.psns() - 500);
    script.gap(0, shape.window - 1);
    script.report(0);
    script.drain();
    script.urgent(0);
    script.drain();
    let above = script.refused(0, 7, Outcome::Above);
    script.arrive(above);
    script.drain();
    let rows = aim(&["Event", "Inferred", "PsnWrap"], &["G13", "U29"]);
    suite.add("window", "a NACK for each PSN of a window", rows, script);
}

/// Gaps behind the expected PSN, one behind the other, which stays where it is, comes up to them, or goes beyond.
fn ahead(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, shape.psns() - 12);
    script.open(1, 3);
    for step in 0..12 {
        let first = script.expected(0);
        let psn = |ahead: u64| (first + ahead) % shape.psns();
        script.report_gap(0, psn(0), psn(0));
        script.report_gap(1, 3, 3);
        script.report_gap(0, psn(2), psn(4));
        script.report_gap(0, psn(20), psn(20 + step));
        script.report_gap(0, psn(shape.window - 1), psn(shape.window - 1));
        script.drain();
        (0..=step).for_each(|_| script.send(0, 0));
        script.report_gap(0, psn(2), psn(8));
        script.urgent(0);
        script.drain();
    }
    let rows = aim(&["Event", "Inferred", "PsnWrap"], &["G12", "G13", "G14", "G18", "M28", "M32", "M57", "U29"]);
    suite.add("ahead", "gaps before, at and behind the expected PSN", rows, script);
}

/// RoCE: the expected PSN moves while a reply waits: through the PSNs that it names, to the last one, and beyond.
fn moved(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, shape.psns() - 40);
    script.open(1, 0);
    for named in [1, 2, 16] {
        for moved in 0..named + 5 {
            script.block(1);
            let first = (script.expected(0) + 3) % shape.psns();
            script.report_gap(0, first, (first + named - 1) % shape.psns());
            script.idle(2 * shape.ram_latency + 20);
            (0..moved).for_each(|_| script.send(0, 0));
            script.drain();
        }
    }
    // Another opening, of which the PSNs are far away.
    script.block(1);
    script.report_gap(0, script.expected(0), script.expected(0));
    script.idle(2 * shape.ram_latency + 20);
    script.close(0);
    script.open(0, 4242);
    script.drain();
    let rows = aim(&["Event", "Inferred", "Stall", "PsnWrap"], &["G12", "G13", "G14", "G18", "M28", "M32", "M57"]);
    suite.add("moved", "the expected PSN moves through a gap that a reply names", rows, script);
}
