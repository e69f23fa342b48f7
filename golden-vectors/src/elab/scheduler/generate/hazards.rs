// SPDX-License-Identifier: MIT OR Apache-2.0
//! Requests, reports and commands on the same and on different VPs, at every distance at which two of them can be in
//! the pipeline. A missing bypass between two steps is seen.

use super::shapes::{LATENCIES, NEVER, SIXTEEN};
use crate::collect::aim;
use crate::elab::scheduler::oracle::{Op, Report, Settings, Shape};
use crate::elab::scheduler::script::{MOST, Script};
use crate::elab::scheduler::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in LATENCIES.into_iter().chain([SIXTEEN]) {
        suite.group("hazards", "events at every distance", shape, WITH);
        requests(suite, shape);
        reports(suite, shape);
        everything(suite, shape);
    }
}

/// The distances between events, in cycles.
const DISTANCES: [u64; 8] = [1, 2, 3, 4, 5, 6, 8, 11];

/// Bursts of 3 packets, and an update with nearly every report.
const WITH: Settings = Settings { alpha: 77, explore: 2, burst: 3, ..NEVER };

fn requests(suite: &mut Suite, shape: Shape) {
    for distance in DISTANCES {
        for pairs in 1..=2 {
            let (mut script, at) = Script::all_running(shape, pairs, &[MOST, MOST / 2, MOST / 4]);
            (0..pairs).for_each(|pair| {
                script.call(at, pair, 1, 2);
            });
            let at = at + 2 * shape.unit + shape.visibility_delay() - 3 * distance;
            (0..14).for_each(|n| script.request(at + n * distance, n % pairs));
            let flags = [if pairs == 1 { "BackToBack" } else { "Interleaved" }];
            let rows = aim(&flags, &["V1", "V3", "V4"]);
            suite.add(format!("{pairs}-pairs-{distance}"), format!("{distance} cycles apart"), rows, script);
        }
        let (mut script, at) = Script::all_running(shape, 2, &[MOST, MOST / 2]);
        (0..5).for_each(|n| {
            script.stream(at + n * (distance + 2), 0, 2);
            script.stream(at + n * (distance + 2) + 2, 1, distance);
        });
        let rows = aim(&["Interleaved", "BackToBack"], &["V1", "V4"]);
        suite.add(format!("runs-{distance}"), "two for one pair, some for the other", rows, script);
    }
}

fn reports(suite: &mut Suite, shape: Shape) {
    for distance in DISTANCES {
        for (name, vps) in [("same", [0, 0]), ("turns", [0, 2])] {
            let (mut script, at) = Script::running(shape, &[MOST, MOST / 2, MOST / 3]);
            let at = script.ahead(at, shape.window());
            for n in 0..30 {
                let pair = 0;
                let vp = crate::elab::scheduler::script::port(shape, 0, vps[n as usize % 2]);
                let (ecn, probed) = (n % 7 == 2, n % 11 == 5);
                let report = Report { pair, vp, count: 40 + n, ecn, probed, rate: 0x80_0000 + n };
                script.report(at + n * distance, report);
            }
            script.stream(at + 10 * distance, 0, 30);
            script.reads(at + 4 * distance, 0, [0, 2]);
            script.reads(at + 32 * distance, 0, [0, 2]);
            let rows = aim(&["BackToBack", "Window"], &["V7", "V9", "V10", "V11", "V13"]);
            suite.add(format!("{name}-{distance}"), format!("reports {distance} cycles apart"), rows, script);
        }
    }
}

/// Requests, reports and commands as often as each is accepted, all on the same VP.
fn everything(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["BackToBack", "FullLoad", "Command"], &["V1", "V7", "V14", "V15", "V16"]);
    for (name, ops) in [
        ("read", &[Op::Read][..]),
        ("turns", &[Op::Remove, Op::Add]),
        ("mixed", &[Op::Read, Op::Remove, Op::Read, Op::Add]),
    ] {
        for vps in 1..=2 {
            let (mut script, at) = Script::running(shape, &[MOST, MOST / 2][..vps]);
            script.stream(at, 0, 160);
            for n in 0..160 {
                let vp = crate::elab::scheduler::script::port(shape, 0, n % vps as u64);
                let report = Report { pair: 0, vp, count: n, ecn: n % 19 == 3, probed: n % 37 == 20, rate: n << 16 };
                script.report(at + n, report);
            }
            for n in 0..9 {
                match ops[n % ops.len()] {
                    Op::Add => {
                        script.add(0, 0, MOST - n as u64);
                    }
                    op => {
                        script.command(at, op, 0, 0);
                    }
                }
            }
            suite.add(format!("all-{name}-{vps}"), format!("everything in every cycle on {vps} VPs"), rows, script);
        }
    }
}
