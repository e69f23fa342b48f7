// SPDX-License-Identifier: MIT OR Apache-2.0
//! Decreases that an increase follows (C23, C24): when it does, with what, and what happens before it has been made.

use super::shapes;
use crate::collect::aim;
use crate::transmit::ccc_table::oracle::{Ack, Command, Event, Settings, Shape, nack, op};
use crate::transmit::ccc_table::script::Script;
use crate::transmit::ccc_table::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::CYCLES {
        suite.group("follows", "an increase that follows a decrease", shape, None);
        due(suite, shape);
        small(suite, shape);
        for kind in 0..CHANGES.len() {
            between(suite, shape, kind);
        }
    }
}

/// A base RTT of 10 units, a target of 6, and a unit per clock cycle. A window of 40000 bytes.
fn quick(s: Settings) -> Settings {
    let links = Settings { tick: 65_535, config_base_rtt: 10, wnd_rate: 160_000, config_wnd: 40_000, mtu: 4000, ..s };
    Settings { target: 6, small_delay: 1, adjust_bytes: 0, adjust_period: 60_000, qa_enable: false, ..links }
}

/// A CCC that is open and has sent, some time after that.
fn begin(script: &mut Script) {
    script.open_as(0, true, false, 0, 1);
    script.data(0, 1 << 20);
    script.send(0, 20, 4096);
    script.idle(60);
}

fn ack(script: &mut Script, quanta: u64, rtt: u64, marked: bool) {
    let ack = script.ack_of(0, 1, quanta, rtt);
    script.event(Event::Ack(Ack { marked, ..ack }));
}

/// What was summed up before is due by time, by bytes, by both or not at all when an ACK decreases; the next ACK.
fn due(suite: &mut Suite, shape: Shape) {
    for (adjust_bytes, adjust_period) in [(8192, 60_000), (1 << 20, 40), (8192, 40), (1 << 20, 60_000)] {
        for wait in [0, 64, 200] {
            let mut script = Script::with(shape, |s| Settings { adjust_bytes, adjust_period: 10_000, ..quick(s) });
            begin(&mut script);
            script.settle(|s| Settings { adjust_period, ..s });
            // On time, so that the next deadline is near, if it is.
            script.idle(10_000);
            ack(&mut script, 1, 20, false);
            script.adjusted();
            ack(&mut script, 30, 20, false);
            script.idle(20);
            ack(&mut script, 3, 300, true);
            script.idle(wait);
            ack(&mut script, 2, 12, true);
            ack(&mut script, 2, 300, true);
            script.read(0);
            script.adjusted();
            script.read(0);
            let rows = aim(&["Adjustment", "Decrease", "Deadline"], &["C20", "C23", "C24", "U31"]);
            let id = format!("due-{adjust_bytes}-{adjust_period}-{wait}");
            suite.add(id, "an ACK that decreases, and is due to fulfil or not", rows, script);
        }
    }
}

/// ACKs that all decrease: windows of few packets grow by eta.
fn small(suite: &mut Suite, shape: Shape) {
    let mut script = Script::with(shape, |s| {
        Settings { adjust_period: 20, adjust_bytes: 1 << 20, wnd_rate: 12_000, eta: 3000, ..quick(s) } //
    });
    begin(&mut script);
    for n in 0..12 {
        ack(&mut script, 2, 60 + 5 * n, true);
        script.adjusted();
        script.read(0);
    }
    let rows = aim(&["Adjustment", "Decrease"], &["C13", "C23", "C24", "U31"]);
    suite.add("small", "a window to which each RTT adds eta although it decreases", rows, script);
}

const CHANGES: [&str; 9] = ["loss", "penalty", "adapt", "restore", "close", "reopen", "up", "down", "none"];

/// A decrease, and another pass at each distance from it: before it, before the increase, and behind that.
fn between(suite: &mut Suite, shape: Shape, kind: usize) {
    let name = CHANGES[kind];
    let mut script = Script::with(shape, |s| Settings { qa_enable: name == "adapt", qa_gate: 0, ..quick(s) });
    for distance in [0_u64, 1, 40, 63, 64, 65, 66, 100, 126, 127, 128, 129, 130] {
        script.close(0, true);
        begin(&mut script);
        script.event(Event::Ack(Ack { pend: u64::from(name == "restore"), ..script.ack_of(0, 1, 16, 12) }));
        script.idle(130 + shape.effect());
        // What only the increase that follows adds.
        script.settle(|s| Settings { adjust_bytes: 1 << 20, ..s });
        ack(&mut script, 33, 13, false);
        script.settle(|s| Settings { adjust_bytes: 0, ..s });
        ack(&mut script, 1, 900, true);
        // Commands enter one cycle behind events that were offered with them.
        script.idle(if name == "close" { distance.saturating_sub(1) } else { distance });
        match name {
            "loss" => script.lose(0, 2000),
            "penalty" => script.event(Event::Ack(Ack { pend: 40, ..script.ack_of(0, 1, 4, 12) })),
            "adapt" => script.event(Event::Ack(script.nack_of(0, nack::TRIMMED, 2000, 12))),
            "restore" => script.event(Event::Ack(Ack { restore: true, ..script.ack_of(0, 1, 4, 12) })),
            "close" => script.close(0, true),
            "reopen" => {
                script.issue(Command { op: op::CLOSE, ccc: 0, force: true, ..Command::default() });
                script.open_as(0, true, false, 0, 1);
            }
            "up" => ack(&mut script, 7, 12, false),
            "down" => ack(&mut script, 7, 800, true),
            _ => script.read(0),
        }
        script.adjusted();
        script.read(0);
    }
    let rows = aim(&["Adjustment", "Decrease", "Visible"], &["C18", "C20", "C23", "C24", "U31"]);
    let comment = "a pass at each distance from a decrease that an increase follows";
    suite.add(format!("between-{name}"), comment, rows, script);
}
