// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows V12 and V13: how long a VP is armed before it requests a probe.

use super::shapes::{EIGHT_SLOW, LATENCIES, LONG, NEVER};
use crate::collect::aim;
use crate::elab::scheduler::oracle::{Settings, Shape};
use crate::elab::scheduler::script::{MOST, Script};
use crate::elab::scheduler::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in [LATENCIES[0], EIGHT_SLOW, LONG] {
        suite.group("explore", "VPs that wait, and then call for a burst", shape, WITH);
        edges(suite, shape);
        again(suite, shape);
        settings(suite, shape);
        indications(suite, shape);
    }
}

/// A VP requests a probe 4 units after a mark, and a burst has 2 packets.
const WITH: Settings = Settings { explore: 4, burst: 2, ..NEVER };

/// The second report comes around the end of `settings_explore`. The mark comes at the beginning or the end of a
/// unit.
fn edges(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Explore", "Boundary"], &["V12", "V13", "E15"]);
    for explore in [0, 2, 3, 5] {
        for phase in [0, shape.unit - 1] {
            for (units, offset) in [(explore, -1), (explore, 0)] {
                let (mut script, at) = Script::running(shape, &[MOST, MOST]);
                script.set(0, Settings { explore, ..WITH });
                let at = script.ahead(at, shape.explore());
                let next = (at + units.max(2) * shape.unit).saturating_add_signed(offset);
                script.ecn(at + phase, 0, 0, 20);
                script.count(next, 0, 0, 20);
                script.count(next + 3 * shape.unit, 0, 1, 20);
                script.stream(next + shape.visibility_delay() - 2, 0, 8);
                let id = format!("{explore}-from-{phase}{offset:+}");
                let comment = format!("explore {explore}, a report about {units} units behind the mark");
                suite.add(id, comment, rows, script);
            }
        }
    }
}

/// Each completed wait makes one probe request, and each request one burst.
fn again(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Explore", "Burst"], &["V3", "V13", "E15"]);
    for (name, every) in [("2", 2), ("3", 3), ("4", 4), ("6", 6)] {
        let (mut script, at) = Script::running(shape, &[MOST, MOST / 2, MOST / 3]);
        script.ecn(at, 0, 1, 9);
        for n in 1..=6 {
            script.count(at + n * every * shape.unit, 0, 1, n);
        }
        let step = 4.max(shape.unit / 12);
        for n in 0..(6 * every + 4) * shape.unit / step {
            script.request(at + step * n, 0);
        }
        suite.add(format!("every-{name}"), format!("a report every {every} units"), rows, script);
    }
    // The *request* bit toggles, so two probe requests without a grant in between cancel each other.
    for calls in 1..=4 {
        let (mut script, at) = Script::running(shape, &[MOST, MOST / 2]);
        script.ecn(at, 0, 1, 9);
        (1..=calls).for_each(|n| script.count(at + n * 4 * shape.unit, 0, 1, n));
        script.stream(at + 4 * calls * shape.unit + shape.visibility_delay(), 0, 8);
        suite.add(format!("unheard-{calls}"), format!("{calls} calls without a request"), rows, script);
    }
}

/// `settings_explore` changes around the cycle in which it is read.
fn settings(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Explore", "Settings", "Boundary"], &["V13", "E15"]);
    for (name, from, to) in [("shorter", 0xF_FFFF, 3), ("longer", 3, 0xF_FFFF)] {
        for distance in [shape.alpha(), shape.explore(), shape.explore() + 1] {
            let (mut script, at) = Script::running(shape, &[MOST, MOST]);
            script.set(0, Settings { explore: from, ..WITH });
            let next = script.call(at, 0, 0, 4);
            script.set(next + distance, Settings { explore: to, ..WITH });
            script.stream(next + shape.visibility_delay(), 0, 5);
            let comment = format!("another time {distance} cycles behind the report");
            suite.add(format!("{name}-{distance}"), comment, rows, script);
        }
    }
}

/// A mark restarts the wait, and a measured burst ends it.
fn indications(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Explore", "Indication"], &["V12", "V13", "E14", "E15"]);
    for (name, mark) in [("mark", true), ("burst", false)] {
        for units in [2, 4, 5] {
            let (mut script, at) = Script::running(shape, &[MOST, MOST / 2]);
            script.ecn(at, 0, 0, 9);
            let middle = at + units * shape.unit;
            if mark {
                script.ecn(middle, 0, 0, 5)
            } else {
                script.probed(middle, 0, 0, MOST / 3)
            }
            script.count(middle + 3 * shape.unit, 0, 0, 1);
            script.count(middle + 6 * shape.unit, 0, 0, 1);
            let step = 3.max(shape.unit / 12);
            for n in 0..(units + 9) * shape.unit / step {
                script.request(at + step * n, 0);
            }
            script.reads(middle + 7 * shape.unit, 0, [0]);
            suite.add(format!("{name}-{units}"), format!("a {name} {units} units behind the mark"), rows, script);
        }
    }
}
