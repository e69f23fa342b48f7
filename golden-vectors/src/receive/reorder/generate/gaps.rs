// SPDX-License-Identifier: MIT OR Apache-2.0
//! Several gaps in one window: all are reported, each PSN once, while packets for them and behind them come.

use super::shapes;
use crate::collect::aim;
use crate::receive::reorder::oracle::Shape;
use crate::receive::reorder::script::Script;
use crate::receive::reorder::suite::Suite;

/// A time that stands for never.
const NEVER: u64 = (1 << 20) - 1;

pub fn add(suite: &mut Suite) {
    for shape in shapes::LATENCIES {
        suite.group("gaps", "several gaps in one window", shape, None);
        back_to_back(suite, shape);
        filled(suite, shape);
        repeated(suite, shape);
        if shape == shapes::USUAL {
            horizons(suite, shape);
            passed(suite, shape);
            both(suite, shape);
            repeated_filled(suite, shape);
        }
    }
    suite.group("gaps", "gaps of many connections", shapes::MANY, None);
    connections(suite, shapes::MANY);
    suite.group("gaps", "more gaps than checks that follow each other", shapes::WINDOWS[0], None);
    many(suite, shapes::WINDOWS[0]);
}

/// PSNs from a first one on.
fn from(shape: Shape, first: u64) -> impl Fn(u64) -> u64 {
    move |ahead| (first + ahead) % shape.psns()
}

/// Long enough for visits, checks and events of so many gaps.
fn walked(script: &mut Script, shape: Shape, gaps: u64) {
    script.idle(gaps * (4 * shape.ram_latency + 40) + shape.connections + 40);
}

/// Every second packet is missing, or two or three of four, over the wrap of PSNs; by span and by time; events that wait.
fn back_to_back(suite: &mut Suite, shape: Shape) {
    for (name, span, time) in [("span", 0, NEVER), ("time", shape.window - 1, 1)] {
        for missing in [1, 2, 3] {
            let psn = from(shape, shape.psns() - 9);
            let mut script = Script::opened(shape, psn(0));
            script.set(span, time);
            let received = (0..24).filter(|ahead| ahead % (missing + 1) == missing);
            script.send_all(0, received.map(&psn));
            if missing == 2 {
                script.stall_events(true);
                script.idle(300);
                script.stall_events(false);
            }
            script.idle(if time == NEVER { 0 } else { 200 });
            walked(&mut script, shape, 24);
            script.probe(0, psn(0));
            script.send_all(0, (0..24).rev().map(&psn));
            script.send(0, psn(30));
            script.idle(200);
            walked(&mut script, shape, 1);
            let rows = aim(&["Tolerance", "Gaps", "BackToBack", "PsnWrap"], &["R4", "R13", "R14", "R15", "R16", "M57"]);
            let comment = "gaps one behind the other, reported one after the other";
            suite.add(format!("{name}-{missing}"), comment, rows, script);
        }
    }
}

/// A packet for one of four gaps in every third cycle of the walk over them.
fn filled(suite: &mut Suite, shape: Shape) {
    let walk = 4 * (4 * shape.ram_latency + 34) + shape.connections;
    for gap in 0..4 {
        let mut script = Script::opened(shape, 0);
        script.set(3, NEVER);
        let mut first = 0;
        for late in (gap..walk).step_by(4) {
            while script.cycle() % 64 != 5 {
                script.idle(1);
            }
            let psn = from(shape, first);
            // 0, 2 and 3, 5, 7 and 8 are missing.
            script.send_all(0, [1, 4, 6, 9, 10, 11, 12].map(&psn));
            script.idle(late);
            script.send(0, psn([0, 3, 5, 7][gap as usize]));
            walked(&mut script, shape, 4);
            script.send_all(0, (0..13).map(&psn));
            script.drain();
            first += 13;
        }
        let rows = aim(&["Tolerance", "Gaps", "Visible"], &["R4", "R13", "R14", "R15", "R16", "M57", "M83"]);
        suite.add(format!("filled-{gap}"), "a packet for one of four gaps while they are reported", rows, script);
    }
}

/// Gaps that begin at different times: each is reported after 1 to 1.5 tolerances.
fn horizons(suite: &mut Suite, shape: Shape) {
    for apart in [40, 64, 100, 130, 200, 300] {
        let psn = from(shape, shape.psns() - 4);
        let mut script = Script::opened(shape, psn(0));
        script.set(shape.window - 1, 3);
        for gap in 0..7 {
            script.send_all(0, [2 * gap + 1].map(&psn));
            script.idle(apart);
        }
        script.idle(500);
        script.send_all(0, (0..20).map(&psn));
        script.read(0, 0);
        let rows = aim(&["Tolerance", "Gaps", "Age", "PsnWrap"], &["R13", "R14", "R15", "R16", "R19", "M57", "M83"]);
        suite.add(format!("horizons-{apart}"), "gaps that begin one after the other", rows, script);
    }
}

/// The expected PSN moves over horizons, or up to them, in each part of a tolerance; gaps go on behind it.
fn passed(suite: &mut Suite, shape: Shape) {
    for wait in [10, 70, 140, 200, 260, 330] {
        for filled in [1, 2, 3] {
            let psn = from(shape, 1000);
            let mut script = Script::opened(shape, psn(0));
            script.set(shape.window - 1, 4);
            for gap in 0..4 {
                script.send(0, psn(2 * gap + 1));
                script.idle(60);
            }
            script.idle(wait);
            script.send_all(0, (0..filled).map(|gap| psn(2 * gap)));
            script.idle(20);
            script.send(0, psn(11));
            script.idle(700);
            script.send_all(0, (0..14).map(&psn));
            script.drain();
            let rows = aim(&["Tolerance", "Gaps", "Age"], &["R13", "R14", "R15", "R16", "M57", "M83"]);
            let comment = "the expected PSN moves over gaps that wait to be reported";
            suite.add(format!("passed-{wait}-{filled}"), comment, rows, script);
        }
    }
}

/// A gap that stays: it is reported three times more, each time after four tolerances; the next gap of it when *E* moves there.
fn repeated(suite: &mut Suite, shape: Shape) {
    for (time, fills) in [(0, 0), (1, 0), (1, 300), (1, 520), (1, 540), (2, 1100), ((1 << 18) - 1, 600), (1 << 18, 600)]
    {
        let psn = from(shape, shape.psns() - 3);
        let mut script = Script::opened(shape, psn(0));
        script.set(0, time);
        script.send_all(0, [1, 2, 5, 9].map(&psn));
        script.idle(fills);
        if fills > 0 {
            script.send(0, psn(0));
        }
        script.idle(64 * 16 * (time % (1 << 18)).min(3) + 600);
        script.send_all(0, [0, 3, 4].map(&psn));
        script.idle(64 * 8 * (time % (1 << 18)).min(3) + 600);
        script.send_all(0, (6..9).map(&psn));
        script.drain();
        let rows = aim(&["Tolerance", "Gaps", "Age", "PsnWrap"], &["R13", "R14", "R15", "R16", "M57"]);
        suite.add(format!("repeated-{time}-{fills}"), "a gap that stays is reported once more", rows, script);
    }
}

/// A packet for the gap in each cycle around the visit that finds it to be reported once more.
fn repeated_filled(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 0);
    script.set(0, 0);
    let mut first = 0;
    for late in 0..shape.connections + 4 * shape.ram_latency + 40 {
        let psn = from(shape, first);
        while script.cycle() % 64 != 5 {
            script.idle(1);
        }
        script.send_all(0, [1, 3].map(&psn));
        script.idle(64 * 4 - 20 + late);
        script.send(0, psn(0));
        walked(&mut script, shape, 2);
        script.send(0, psn(2));
        script.drain();
        first += 4;
    }
    let rows = aim(&["Tolerance", "Gaps", "Visible"], &["R13", "R14", "R15", "R16", "M57"]);
    suite.add("repeated-filled", "a packet for a gap while it is reported once more", rows, script);
}

/// Span and time, and settings that change between the reports of one window.
fn both(suite: &mut Suite, shape: Shape) {
    for (span, time) in [(8, 2), (5, NEVER), (shape.window - 1, 0)] {
        let mut script = Script::opened(shape, 0);
        script.set(span, time);
        script.send_all(0, (0..8).map(|gap| 2 * gap + 1));
        script.idle(200);
        script.set(0, NEVER);
        script.idle(30);
        script.set(shape.window - 1, NEVER);
        script.idle(100);
        script.send_all(0, [18, 20]);
        script.set(shape.window - 1, 1);
        script.idle(700);
        script.send_all(0, 0..22);
        script.drain();
        let rows = aim(&["Tolerance", "Gaps", "Settings"], &["R13", "R14", "R15", "R16", "M46", "M57"]);
        suite.add(
            format!("both-{span}-{time}"),
            "gaps above tolerance by span, by time, and by settings",
            rows,
            script,
        );
    }
}

/// Gaps of all connections at once.
fn connections(suite: &mut Suite, shape: Shape) {
    for time in [2, NEVER] {
        let mut script = Script::new(shape);
        (0..shape.connections).for_each(|connection| script.open(connection, connection));
        script.set(if time == NEVER { 2 } else { shape.window - 1 }, time);
        for gap in 0..3 {
            for n in 0..shape.connections {
                let connection = n * 7 % shape.connections;
                script.send(connection, connection + 3 * gap + 1 + n % 2);
            }
        }
        script.idle(300 * shape.connections);
        let rows = aim(&["Tolerance", "Gaps", "Connections"], &["R14", "R15", "R16", "M57", "M83"]);
        suite.add(format!("connections-{}", u64::from(time == NEVER)), "gaps of all connections", rows, script);
    }
}

/// More checks of one connection than may follow each other, beside another connection.
fn many(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, 7);
    script.open(1, 0);
    script.send_all(0, (0..40).map(|gap| 8 + 2 * gap));
    script.send_all(1, [1, 3]);
    script.set(0, NEVER);
    walked(&mut script, shape, 90);
    let rows = aim(&["Tolerance", "Gaps", "Connections"], &["R14", "R15", "R16", "M57", "M83"]);
    suite.add("many", "32 checks of a connection follow each other, then others have their turn", rows, script);
}
