// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row V12: the indications of reports, each of which takes effect with its own.

use super::shapes::{EIGHT, EIGHT_SLOW, FOUR, NEVER};
use crate::collect::aim;
use crate::elab::scheduler::oracle::{Report, Settings, Shape};
use crate::elab::scheduler::script::{MOST, Script, port};
use crate::elab::scheduler::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in [EIGHT, EIGHT_SLOW, FOUR] {
        suite.group("indications", "marks and bursts in reports whose packets are gathered", shape, NEVER);
        orders(suite, shape);
        alone(suite, shape);
        limits(suite, shape);
    }
}

/// The kinds of indication: name, `report_ecn`, `report_probed`.
const KINDS: [(&str, bool, bool); 4] =
    [("none", false, false), ("ecn", true, false), ("probed", false, true), ("both", true, true)];

fn of_kind(shape: Shape, (ecn, probed): (bool, bool), rate: u64) -> Report {
    Report { pair: 0, vp: port(shape, 0, 0), count: 300, ecn, probed, rate }
}

/// Two reports in one window, the second at its end: each takes effect, and what the first indicated not once more.
fn orders(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Indication", "Window"], &["V9", "V12", "E04", "E05", "E06", "E14", "E15"]);
    for (first, ecn, probed) in KINDS {
        for (second, marked, measured) in KINDS {
            let (mut script, at) = Script::running(shape, &[0x40_0000, 0x50_0000]);
            script.set(0, Settings { window: 4, ..NEVER });
            let at = script.ahead(at + 4 * shape.unit, shape.window());
            script.count(at, 0, 0, 50);
            script.report(at + 2, of_kind(shape, (ecn, probed), 0x11_1111));
            script.report(at + 4 * shape.unit, of_kind(shape, (marked, measured), 0x22_2222));
            script.count(at + 8 * shape.unit, 0, 0, 900);
            script.reads(at + 4 * shape.unit + 8, 0, [0]);
            script.reads(at + 8 * shape.unit + 8, 0, [0]);
            script.stream(at + 4 * shape.unit + 10, 0, 12);
            suite.add(format!("{first}-{second}"), format!("{first}, then {second}"), rows, script);
        }
    }
}

/// Each kind alone: on an armed VP, on one that is not armed, and as the very first report.
fn alone(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Indication"], &["V9", "V11", "V12", "V17", "E14", "E15"]);
    for (name, ecn, probed) in KINDS {
        for waits in [false, true] {
            let (mut script, at) = Script::running(shape, &[0x40_0000, 0x50_0000]);
            if waits {
                script.ecn(at, 0, 0, 100);
            }
            let next = at + 3 * shape.unit;
            script.report(next, of_kind(shape, (ecn, probed), 0x33_3333));
            script.reads(next + 8, 0, [0, 1]);
            script.stream(next, 0, 30);
            let before = if waits { "probe_armed" } else { "idle" };
            suite.add(format!("{name}-{before}"), format!("{name} on a VP that {before}"), rows, script);
        }
    }
    let (mut script, at) = Script::running(shape, &[0x40_0000, 0x50_0000]);
    (0..8).for_each(|n| script.ecn(at + n * 2 * shape.unit, 0, n % 2, 100 + n));
    script.stream(at, 0, 60);
    script.reads(at + 16 * shape.unit, 0, [0, 1]);
    suite.add("marked-on", "marks again and again on both", rows, script);
}

/// Burst rates around the limits of a bandwidth.
fn limits(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Indication", "Boundary"], &["V9", "V12", "E15"]);
    for rate in [0, 1, MOST - 1, MOST, MOST + 1, 0x8000_0000, 0xFFFF_FFFF] {
        let (mut script, at) = Script::running(shape, &[0x40_0000, 0x50_0000]);
        script.probed(at, 0, 0, rate);
        script.reads(at + 8, 0, [0]);
        script.stream(at + 10, 0, 24);
        suite.add(format!("rate-{rate:x}"), format!("a burst of rate {rate:#x}"), rows, script);
        // `report_rate` means nothing unless `report_probed` is set.
        let (mut script, at) = Script::running(shape, &[0x40_0000, 0x50_0000]);
        let report = Report { pair: 0, vp: port(shape, 0, 0), count: 3, ecn: rate % 2 == 0, probed: false, rate };
        script.report(at, report);
        script.reads(at + 8, 0, [0]);
        suite.add(format!("no-rate-{rate:x}"), "the same in a report that has none", rows, script);
    }
}
