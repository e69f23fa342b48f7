// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows V9 and V10: reports are accumulated until the window has passed. An update in the wrong unit, or a lost
//! report, is seen in bandwidth and rate.

use super::shapes::{EIGHT_SLOW, LATENCIES, LONG, NEVER};
use crate::collect::aim;
use crate::elab::scheduler::oracle::{Command, Op, Report, Settings, Shape};
use crate::elab::scheduler::script::{MOST, Script, port};
use crate::elab::scheduler::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in [LATENCIES[0], EIGHT_SLOW, LONG] {
        suite.group("gather", "reports within a window, and about its end", shape, NEVER);
        edges(suite, shape);
        added(suite, shape);
        sums(suite, shape);
        windows(suite, shape);
    }
}

/// Two reports a given number of units apart, each in the first or in the last cycle of its unit.
fn edges(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Window", "Boundary"], &["V9", "V10", "V11", "E12"]);
    for window in [0, 1, 2, 3] {
        for (name, units, first, second) in [
            ("1-long", 1, 0, shape.unit - 1),
            ("2-short", 2, shape.unit - 1, 0),
            ("2-long", 2, 0, shape.unit - 1),
            ("3-short", 3, shape.unit - 1, 0),
        ] {
            let (mut script, at) = Script::running(shape, &[MOST, MOST]);
            script.set(0, Settings { window, ..NEVER });
            let at = script.ahead(at, shape.window()) + shape.unit;
            script.count(at + first, 0, 0, 100);
            script.count(at + units * shape.unit + second, 0, 0, 30);
            script.reads(at + units * shape.unit + second + 6, 0, [0, 1]);
            let comment = format!("window {window}, reports of units {units} apart");
            suite.add(format!("{window}-{name}"), comment, rows, script);
        }
    }
}

/// The first window begins when *add* takes effect.
fn added(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Window", "Boundary", "Command"], &["V9", "V10", "V16"]);
    for (name, phase) in [("begin", 0), ("end", shape.unit - 1)] {
        for (units, offset) in [(2, -1), (2, 0), (3, -1), (3, 0)] {
            let mut script = Script::new(shape);
            // Counted from the effect, which is one cycle after the acceptance.
            let at = script.ahead(shape.sweep() + 1, shape.window()) + phase;
            script.operate(at - 1, Command::add(0, port(shape, 0, 3), MOST));
            let next = script.ahead(at + 1, shape.window()) + (units - u64::from(phase != 0)) * shape.unit;
            let report = (next - if phase == 0 { shape.unit } else { 0 }).saturating_add_signed(offset);
            script.count(report, 0, 3, 50);
            script.reads(report + 20, 0, [3]);
            script.count(report + 3 * shape.unit, 0, 3, 70);
            script.reads(report + 3 * shape.unit + 6, 0, [3]);
            let comment = format!("added at the {name} of a unit, a report about the begin of the {units}th behind");
            suite.add(format!("added-{name}-{units}{offset:+}"), comment, rows, script);
        }
    }
    // *remove* discards what the VP has accumulated.
    let (mut script, at) = Script::running(shape, &[MOST, MOST]);
    script.set(0, Settings { window: 6, ..NEVER });
    let at = script.ahead(at + 4 * shape.unit, shape.window());
    script.count(at, 0, 0, 5);
    script.count(at + shape.unit, 0, 0, 9000);
    let again = script.command(at + shape.unit, Op::Remove, 0, 0) + shape.commands();
    script.add(0, 0, MOST);
    script.count(again + 3, 0, 0, 10);
    script.count(again + 7 * shape.unit, 0, 0, 20);
    script.reads(again + 7 * shape.unit + 8, 0, [0]);
    suite.add("forgotten", "removed and added with reports gathered", rows, script);
}

/// Many reports in one window: their counts add up, to 65535 at most.
fn sums(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Window", "BackToBack"], &["V9", "V10", "V11", "E12"]);
    let lists: [(&str, &[u64]); 7] = [
        ("ones", &[1; 20]),
        ("nothing", &[0; 5]),
        ("below-most", &[65_534]),
        ("most", &[65_534, 1]),
        ("over", &[65_534, 2]),
        ("far-over", &[65_535; 6]),
        ("over-once", &[40_000, 40_000, 0]),
    ];
    for (name, counts) in lists {
        let (mut script, at) = Script::running(shape, &[MOST, MOST]);
        // A window so long that the rate of a full count is below its limit.
        let window = if shape.unit < 100 { 300 } else { 24 };
        script.set(0, Settings { window, ..NEVER });
        let at = script.ahead(at, shape.window());
        (at + 2..).zip(counts).for_each(|(at, &count)| script.count(at, 0, 0, count));
        let end = at + window * shape.unit;
        script.count(end, 0, 0, 0);
        script.count(end + 1, 0, 0, 7);
        script.reads(end + 10, 0, [0]);
        script.count(end + (window + 1) * shape.unit, 0, 0, 1);
        script.reads(end + (window + 1) * shape.unit + 9, 0, [0]);
        suite.add(format!("sum-{name}"), format!("{} reports in a window", counts.len()), rows, script);
    }
    // Several VPs and pairs, each of which must accumulate separately.
    let (mut script, at) = Script::all_running(shape, 2, &[MOST, MOST / 2, MOST / 4]);
    script.set(0, Settings { window: 4, ..NEVER });
    for n in 0..8 * shape.unit.min(40) {
        script.count(at + n, n % 2, n % 3, 1 + n);
    }
    for pair in 0..2 {
        script.reads(at + 5 * shape.unit, pair, 0..3);
    }
    let rows = aim(&["Window", "Interleaved"], &["V8", "V9", "V10"]);
    suite.add("apart", "VPs and pairs in turns", rows, script);
}

/// `settings_window` changes around the cycle in which it is read.
fn windows(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Window", "Settings", "Boundary"], &["V10", "E12"]);
    for (name, from, to) in [("shorter", 0xF_FFFF, 2), ("longer", 2, 0xF_FFFF)] {
        for distance in shape.window() - 1..=shape.window() + 1 {
            let (mut script, at) = Script::running(shape, &[MOST, MOST]);
            script.set(0, Settings { window: from, ..NEVER });
            let report = |vp, count| Report { pair: 0, vp: port(shape, 0, vp), count, ..Report::default() };
            script.report(at, report(0, 40));
            script.report(at + 1, report(1, 50));
            script.set(at + distance, Settings { window: to, ..NEVER });
            script.reads(at + 9, 0, [0, 1]);
            let comment = format!("another window {distance} cycles behind a report");
            suite.add(format!("{name}-{distance}"), comment, rows, script);
        }
    }
}
