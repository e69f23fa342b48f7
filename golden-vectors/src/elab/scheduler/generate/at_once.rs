// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row V12: what a report indicates takes effect with it, and not at the end of the window. Too late an effect is seen in
//! *B* and in where packets go; a wrong order of a mark, a burst and an average in *B*.

use super::shapes::{LATENCIES, NEVER};
use crate::collect::aim;
use crate::elab::scheduler::oracle::{Report, Settings, Shape};
use crate::elab::scheduler::script::{MOST, Script, port};
use crate::elab::scheduler::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in LATENCIES {
        suite.group("at-once", "marks and bursts within a window, and beside its end", shape, WITH);
        marks(suite, shape);
        bursts(suite, shape);
        follow(suite, shape);
        shifts(suite, shape);
    }
}

/// A VP that has waited for 12 units when it is updated has a burst of 2 packets.
const WITH: Settings = Settings { alpha: 77, explore: 12, burst: 2, ..NEVER };
/// A window that ends in no case except where it is said.
const WINDOW: u64 = 40;
/// Packets in the first window of 3 units, so that *R* is far below *B*.
const PACKETS: u64 = 90;

fn of_kind(shape: Shape, vp: u64, (ecn, probed): (bool, bool)) -> Report {
    Report { pair: 0, vp: port(shape, 0, vp), count: 70, ecn, probed, rate: 0x60_0000 + 0x1000 * vp }
}

const NONE: (bool, bool) = (false, false);
const ECN: (bool, bool) = (true, false);
const PROBED: (bool, bool) = (false, true);
const BOTH: (bool, bool) = (true, true);

/// VPs 0 and 1 with a rate, and a window that has begun. Returns the cycle of the updates that began it.
fn rated(shape: Shape) -> (Script, u64) {
    let (mut script, at) = Script::running(shape, &[0x40_0000, 0x50_0000]);
    let at = script.ahead(at, shape.window()) + 3 * shape.unit;
    script.count(at, 0, 0, PACKETS);
    script.count(at + 1, 0, 1, PACKETS / 3);
    script.set(at + 20, Settings { window: WINDOW, ..WITH });
    (script, at)
}

/// Reports, each with its time in units and its indications.
type Reports = &'static [(u64, (bool, bool))];

/// E14: marks before a rate is known, within a window, and with its end; *B* stays until the next mark.
fn marks(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Indication", "Window"], &["V10", "V11", "V12", "E12", "E14"]);
    let lists: [(&str, &str, Reports); 6] = [
        ("E14-in-a-window", "a mark takes effect in the middle of a window", &[(10, ECN)]),
        (
            "E14-once-for-many",
            "marks in one window: the rate stays, and so does the bandwidth",
            &[(6, ECN), (7, ECN), (30, ECN)],
        ),
        ("E14-not-at-the-end", "the end of a window is not marked by a mark in it", &[(10, ECN), (WINDOW, NONE)]),
        ("E12-E14-with-the-end", "a mark with the end of a window: the average first", &[(10, NONE), (WINDOW, ECN)]),
        ("E14-in-each", "marks in two windows", &[(10, ECN), (WINDOW, NONE), (WINDOW + 9, ECN)]),
        ("E14-behind-a-burst", "a mark behind a burst in one window", &[(8, PROBED), (9, ECN)]),
    ];
    for (name, comment, reports) in lists {
        let (mut script, at) = rated(shape);
        for &(units, kind) in reports {
            let cycle = at + units * shape.unit + 3;
            script.report(cycle, of_kind(shape, 0, kind));
            script.reads(cycle, 0, [0]);
            script.stream(cycle + shape.visibility_delay() - 1, 0, 4);
        }
        suite.add(name, comment, rows, script);
    }
    let (mut script, at) = Script::running(shape, &[0x40_0000, 0x50_0000]);
    script.set(0, Settings { window: WINDOW, ..WITH });
    script.ecn(at, 0, 0, 5);
    script.reads(at, 0, [0]);
    script.stream(at + shape.visibility_delay() - 2, 0, 8);
    script.count(at + WINDOW * shape.unit, 0, 0, 5);
    script.stream(at + WINDOW * shape.unit + shape.visibility_delay() - 1, 0, 5);
    suite.add("E14-no-rate", "a mark on a VP without a rate arms it", rows, script);
}

/// E15: bursts within a window, alone and with a mark in the same report.
fn bursts(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Indication", "Explore"], &["V9", "V12", "V13", "E12", "E14", "E15"]);
    for (name, comment, first, second) in [
        ("E15-burst", "the rate of a burst takes effect at once", NONE, PROBED),
        ("E15-disarms", "a burst on a VP that waits", ECN, PROBED),
        ("E15-both", "a mark and a burst in one report: the rate of the burst, and the VP waits", NONE, BOTH),
        ("E15-both-behind-a-mark", "the same on a VP that waits already", ECN, BOTH),
        ("E14-both-and-a-mark", "a mark behind both", BOTH, ECN),
    ] {
        let (mut script, at) = rated(shape);
        let (one, two) = (at + 6 * shape.unit, at + 9 * shape.unit);
        script.report(one, of_kind(shape, 0, first));
        script.report(two, of_kind(shape, 0, second));
        script.reads(two, 0, [0]);
        script.count(at + WINDOW * shape.unit, 0, 0, 5);
        script.reads(at + WINDOW * shape.unit, 0, [0]);
        script.stream(at + WINDOW * shape.unit + shape.visibility_delay() - 1, 0, 5);
        suite.add(name, comment, rows, script);
    }
}

/// An update, a mark or a burst, and another one of the same VP a few cycles behind: each sees what came before.
fn follow(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["BackToBack", "Indication"], &["V7", "V12", "V15", "E12", "E14", "E15"]);
    for distance in [1, 2, 3, 5, 6, 7] {
        let (mut script, at) = rated(shape);
        // VP 0 is updated and marked behind that, VP 1 the other way about.
        let end = script.ahead(at, shape.window()) + WINDOW * shape.unit;
        for (vp, at, first, second) in [(0, end, NONE, ECN), (1, end + 12 - distance, ECN, NONE)] {
            script.report(at, of_kind(shape, vp, first));
            script.report(at + distance, of_kind(shape, vp, second));
        }
        script.reads(end + 12, 0, [0, 1]);
        script.stream(end + shape.visibility_delay(), 0, 14);
        suite.add(format!("E12-E14-apart-{distance}"), "an average and a mark close together", rows, script);
    }
    for (name, kinds) in [
        ("E14-E15-turns", [ECN, PROBED, ECN, BOTH, ECN, NONE, PROBED, NONE]),
        ("E14-E15-ends-with-both", [PROBED, ECN, ECN, NONE, PROBED, ECN, PROBED, BOTH]),
    ] {
        let (mut script, at) = rated(shape);
        let at = at + 5 * shape.unit;
        (at..).zip(kinds).for_each(|(at, kind)| script.report(at, of_kind(shape, 0, kind)));
        script.stream(at + shape.visibility_delay() - 1, 0, 10);
        // A read among the reports: their cycles are those without a command.
        script.reads(at + 3, 0, [0]);
        script.reads(at + 9, 0, [0]);
        suite.add(name, "a report in every cycle", rows, script);
    }
}

/// E18: the first packet that goes elsewhere because of a mark.
fn shifts(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Boundary", "Indication"], &["V7", "V12", "E14", "E18"]);
    for distance in [shape.visibility_delay() - 1, shape.visibility_delay()] {
        // VP 0 has far more left than VP 1, so that packets go there until it is marked.
        let (mut script, at) = Script::running(shape, &[MOST, 0x4_0000]);
        let at = script.ahead(at, shape.window()) + 3 * shape.unit;
        script.count(at, 0, 0, PACKETS);
        script.set(at + 20, Settings { window: WINDOW, ..WITH });
        let mark = at + 7 * shape.unit;
        script.ecn(mark, 0, 0, 1);
        script.request(mark + distance, 0);
        let id = format!("E18-{distance}");
        suite.add(id, format!("a packet {distance} cycles behind a mark"), rows, script);
    }
}
