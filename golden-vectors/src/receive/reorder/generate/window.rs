// SPDX-License-Identifier: MIT OR Apache-2.0
//! Windows that are full, empty and moved all around: the search for the expected PSN, and the SACK word.

use super::outcomes::starts;
use super::shapes;
use crate::collect::aim;
use crate::receive::reorder::oracle::Shape;
use crate::receive::reorder::script::Script;
use crate::receive::reorder::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::LATENCIES {
        suite.group("window", "windows that are full, empty and moved all around", shape, None);
        for (name, start) in starts(shape) {
            reversed(suite, shape, name, start);
        }
        stream(suite, shape, shape.window + 40);
        for step in [5, 16, 17] {
            gaps(suite, shape, step);
        }
        sack(suite, shape);
        if shape == shapes::USUAL {
            laps(suite, shape);
        }
    }
    for shape in [shapes::LARGEST].into_iter().chain(shapes::WINDOWS) {
        suite.group("window", "windows that are full, empty and moved all around", shape, None);
        let (name, start) = starts(shape)[2];
        reversed(suite, shape, name, start);
        laps(suite, shape);
        if shape.window < 256 {
            stream(suite, shape, shape.window + 20);
        }
    }
}

/// Groups for a stage with frames.
pub fn with_frames(suite: &mut Suite, shape: Shape) {
    suite.group("window", "windows that are full, empty and moved all around", shape, None);
    let (name, start) = starts(shape)[2];
    reversed(suite, shape, name, start);
    gaps(suite, shape, 5);
}

/// The window from behind, without the first packet, which then comes.
fn reversed(suite: &mut Suite, shape: Shape, name: &str, start: u64) {
    let mut script = Script::opened(shape, start);
    script.send_all(0, (1..shape.window).rev().map(|ahead| start + ahead));
    script.send(0, start + shape.window);
    script.send(0, start);
    script.drain();
    script.send_all(0, [start + shape.window - 1, start + shape.window + 1, start + shape.window]);
    script.drain();
    script.read(0, 1);
    let rows = aim(&["FullWindow", "PsnWrap", "BackToBack"], &["R2", "R4", "R8", "R10", "R11", "R19", "M82", "M85"]);
    let comment = format!("a whole window in reverse, from {start:#x} on, delivered at one packet per cycle");
    suite.add(format!("reversed-{name}"), comment, rows, script);
}

/// Packets in order in every cycle.
fn stream(suite: &mut Suite, shape: Shape, count: u64) {
    let start = shape.psns() - count / 2;
    let mut script = Script::opened(shape, start);
    for first in (0..count).step_by(64) {
        script.send_all(0, (first..count.min(first + 64)).map(|ahead| start + ahead));
        script.drain();
    }
    script.read(0, 0);
    let rows = aim(&["BackToBack", "PsnWrap"], &["R1", "R2", "R4", "R8", "R11", "R12", "M58", "M102"]);
    suite.add("stream", format!("{count} packets in order, 64 of them one per cycle"), rows, script);
}

/// Gaps that are this far apart, closed from the front and from behind.
fn gaps(suite: &mut Suite, shape: Shape, step: u64) {
    let mut first = shape.psns() - shape.window / 2;
    let mut script = Script::opened(shape, first);
    for backwards in [false, true] {
        let missing: Vec<u64> = (0..shape.window.min(64 * step)).step_by(step as usize).collect();
        let last = missing[missing.len() - 1];
        script.send_all(0, (0..last).filter(|ahead| ahead % step != 0).map(|ahead| first + ahead));
        let closing: Vec<u64> = if backwards { missing.into_iter().rev().collect() } else { missing };
        for ahead in closing {
            script.send(0, first + ahead);
            if !backwards {
                script.drain();
            }
        }
        script.drain();
        first += last + 1;
    }
    script.read(0, 1);
    let rows = aim(&["Gaps", "PsnWrap"], &["R2", "R4", "R5", "R8", "R11", "R19", "M56", "M58"]);
    suite.add(
        format!("gaps-{step}"),
        format!("a gap every {step} PSNs, closed from the front and from behind"),
        rows,
        script,
    );
}

/// Words that begin before, in and behind the window, with all that can be in them.
fn sack(suite: &mut Suite, shape: Shape) {
    for (n, start) in (0..).zip([64_u64, 100, 127, shape.psns() - 30, shape.psns() - 64]) {
        let mut script = Script::opened(shape, start);
        for ahead in [40, 63, 1, 30, 31, 33, 62] {
            script.send(0, start + ahead);
        }
        // Before, in the word of the first PSN, behind the window, and as far away as can be.
        let half = shape.psns() / 2;
        let far = [half, half - 64, half - 1, half + 64, half + 70, half + start % 64, half - start % 64];
        for ahead in
            [shape.psns() - 1, shape.psns() - 64, shape.psns() - 70, 64, 65, 127, 128, 192].into_iter().chain(far)
        {
            script.send(0, start.wrapping_add(ahead));
        }
        script.send_all(0, [0, 2, 3].map(|ahead| start + ahead));
        script.drain();
        script.send_all(0, [start, start + 3, start + 40, start + 64, start + 67, start + 68]);
        script.drain();
        let rows = aim(&["Sack", "PsnWrap"], &["R5", "R4", "M59", "U29"]);
        suite.add(format!("sack-{n}"), format!("SACK words of a window from {start:#x} on"), rows, script);
    }
}

/// More than one lap of all slots in jumps of almost a window, so that old bits are met in every slot.
fn laps(suite: &mut Suite, shape: Shape) {
    let mut first = shape.psns() - 3 * shape.window / 2;
    let mut script = Script::opened(shape, first);
    for jump in [shape.window - 1, shape.window / 2 + 3, shape.window - 7, 17, shape.window - 1] {
        let few = jump.min(70);
        // Most of them in order, then a few with the first one last.
        let ordered = jump - few;
        if shape.window == 64 {
            for at in (0..ordered).step_by(64) {
                script.send_all(0, (at..ordered.min(at + 64)).map(|ahead| first + ahead));
                script.drain();
            }
        } else {
            script.close(0);
            script.open(0, first + ordered);
        }
        let from = first + ordered;
        let last = if shape.window == 64 { shape.window - 1 } else { few + 3 };
        script.send_all(0, [few - 1, few - 1, last, shape.window].map(|ahead| from + ahead));
        script.send_all(0, (1..few - 1).map(|ahead| from + ahead));
        script.send(0, from);
        script.drain();
        first += jump;
        // The last one has been received ahead.
        if from + last >= first {
            script.send_all(0, first..from + last);
            script.drain();
            first = from + last + 1;
        }
    }
    let rows = aim(&["Laps", "PsnWrap"], &["R2", "R3", "R4", "R8", "R18", "M82"]);
    suite.add("laps", "more than one lap of all slots", rows, script);
}
