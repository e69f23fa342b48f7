// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row V11: the rate of a number of packets in a time, and how it changes the rate of a VP.

use super::shapes::{EIGHT, EIGHT_SLOW, LATENCIES, LONG, NEVER, SMALL};
use crate::collect::aim;
use crate::elab::scheduler::oracle::{Settings, Shape};
use crate::elab::scheduler::script::{MOST, Script};
use crate::elab::scheduler::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in [EIGHT, SMALL] {
        suite.group("rate", "packets in a time", shape, NEVER);
        spans(suite, shape, if shape == SMALL { 3 } else { 1 });
        extremes(suite, shape);
    }
    for shape in [LATENCIES[0], EIGHT_SLOW, LONG] {
        suite.group("alpha", "the rate follows the newest one", shape, NEVER);
        follows(suite, shape);
        settings(suite, shape);
    }
}

/// Spans near powers of two, where the number of leading bits changes, and spans between them. Only every `step`th is
/// used.
fn spans(suite: &mut Suite, shape: Shape, step: usize) {
    let rows = aim(&["Rate"], &["V10", "V11", "E12"]);
    let spans = [
        2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 200, 255, 256, 257, 383,
        384, 511, 512, 513, 515, 516, 767, 1000,
    ];
    for span in spans.into_iter().step_by(step) {
        // The smallest count, the largest whose rate is not limited, and the next one.
        let most = (256 * span).min(65_535);
        let counts = [1, 3, 77 * span % 65_536, most - 1, most];
        let some = if span < 10 { &counts[..] } else { &counts[span as usize % 3..][..2] };
        for &count in some {
            let mut script = Script::new(shape);
            let at = script.add(0, 0, MOST) + 3 * shape.unit;
            script.count(at, 0, 0, 5);
            script.count(at + span * shape.unit, 0, 0, count);
            script.reads(at + span * shape.unit + 6, 0, [0]);
            suite.add(format!("{count}-in-{span}"), format!("{count} packets in {span} units"), rows, script);
        }
    }
}

/// Rates that reach their limit, and longer spans.
fn extremes(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Rate", "Boundary"], &["V9", "V11", "E12"]);
    for (span, count) in
        [(2, 65_535), (5, 65_535), (255, 65_279), (255, 65_280), (255, 65_535), (2047, 65_535), (1600, 1)]
    {
        let mut script = Script::new(shape);
        let at = script.add(0, 0, MOST) + 3 * shape.unit;
        script.count(at, 0, 0, 0);
        script.count(at + span * shape.unit, 0, 0, count);
        let end = script.reads(at + span * shape.unit + 6, 0, [0]);
        // The rate falls again from the limit.
        script.count(end + 4 * shape.unit, 0, 0, 1);
        script.reads(end + 4 * shape.unit + 6, 0, [0]);
        suite.add(format!("extreme-{count}-in-{span}"), format!("{count} packets in {span} units"), rows, script);
    }
}

/// Consecutive updates with several values of `settings_alpha`, the share of the newest rate.
fn follows(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Rate", "Alpha"], &["V11", "E12", "E16"]);
    for alpha in [0, 1, 77, 128, 255] {
        for (name, counts) in [("rise", [900, 900, 900, 900]), ("fall", [65_535, 0, 0, 0]), ("turns", [1, 500, 3, 800])]
        {
            let (mut script, at) = Script::running(shape, &[MOST, MOST / 3]);
            script.set(0, Settings { alpha, ..NEVER });
            let at = script.ahead(at, shape.window());
            for (n, count) in (0..).zip(counts) {
                let at = at + n * 3 * shape.unit;
                script.count(at, 0, 0, count);
                script.reads(at + 7, 0, [0]);
            }
            let comment = format!("alpha {alpha}, {counts:?} packets in 3 units each");
            suite.add(format!("{name}-{alpha}"), comment, rows, script);
        }
    }
}

/// `settings_alpha` changes around the cycle in which it is read.
fn settings(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Rate", "Alpha", "Settings", "Boundary"], &["V11", "E12"]);
    for distance in [0, shape.window(), shape.alpha() - 1, shape.alpha(), shape.alpha() + 1] {
        let (mut script, at) = Script::running(shape, &[MOST, MOST]);
        script.set(0, Settings { alpha: 20, ..NEVER });
        script.count(at, 0, 0, 400);
        script.count(at + 1, 0, 1, 400);
        script.set(at + distance, Settings { alpha: 200, ..NEVER });
        script.reads(at + 12, 0, [0, 1]);
        let comment = format!("another alpha {distance} cycles behind a report");
        suite.add(format!("changed-{distance}"), comment, rows, script);
    }
}
