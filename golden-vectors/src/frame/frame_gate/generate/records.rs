// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows F3, F5 and F6: records that come before or after their frames, and a consumer that does not take them.

use super::frames::DROP;
use super::shapes::BOTH;
use crate::collect::aim;
use crate::frame::frame_gate::oracle::{LEAD, Shape};
use crate::frame::frame_gate::script::Script;
use crate::frame::frame_gate::suite::Suite;

/// Adds the group `records` of one size.
pub fn add(suite: &mut Suite, shape: Shape) {
    suite.group("records", "records at other times than their frames", shape, BOTH);
    shifted(suite);
    many(suite);
    owed(suite, shape);
}

/// A record some cycles before or after the last beat of its frame.
fn shifted(suite: &mut Suite) {
    let rows = aim(&["Lead"], &["F6"]);
    for shift in 0..=8 {
        for user in [0, DROP] {
            let mut script = Script::default();
            for n in 0..6 {
                script.frame(5 + 4 * n, 2, if n % 2 == 0 { user } else { 0 });
                script.record(6 + 4 * n + shift - 4);
            }
            let verdict = if user == 0 { "ok" } else { "drop" };
            let id = format!("shift-{shift}-{verdict}");
            suite.add(id, format!("records {shift} cycles behind four ahead of the last beat"), rows, script);
        }
    }
}

/// As many records as can wait for their frames, and as many frames as can wait for their records.
fn many(suite: &mut Suite) {
    let rows = aim(&["Boundary", "Lead"], &["F3", "F5", "F6"]);
    let most = LEAD as u64;
    for count in [most - 1, most, most + 3] {
        let mut script = Script::default();
        (0..count).for_each(|n| script.record(1 + n));
        let taken = count.min(most);
        (0..taken).for_each(|n| {
            script.frame(count + 10 + 2 * n, 1, if n % 3 == 1 { DROP } else { 0 });
        });
        suite.add(format!("early-{count}"), format!("{count} records ahead of all frames"), rows, script);
    }
    for count in [most - 1, most, most + 1, most + 5] {
        let mut script = Script::default();
        (0..count).for_each(|n| {
            script.frame(1 + n, 1, if n % 2 == 1 || n < most - 2 { DROP } else { 0 });
        });
        (0..count).for_each(|n| script.record(count + 6 + n));
        // When the records have caught up, frames pass again; one cycle earlier they do not.
        for n in 0..6 {
            script.record(2 * count + 6 + n);
            script.frame(2 * count + 4 + n, 1, 0);
        }
        suite.add(format!("late-{count}"), format!("{count} frames ahead of all records"), rows, script);
    }
}

/// Released frames whose record has not been taken. Those of dropped frames do not count.
fn owed(suite: &mut Suite, shape: Shape) {
    if shape.frames > 8 {
        return;
    }
    let rows = aim(&["Boundary", "Overflow", "Stall"], &["F3"]);
    for count in [shape.frames - 1, shape.frames, shape.frames + 2] {
        for dropped in [0, 3, 40] {
            let mut script = Script::default();
            script.ready(0, true, false);
            let mut at = 1;
            for _ in 0..count {
                at = script.whole(at, 1, 0) + 6;
            }
            for _ in 0..dropped {
                at = script.whole(at, 1, DROP);
            }
            // One record is taken, which makes room for one frame.
            script.ready(at + 4, true, true);
            script.ready(at + 5, true, false);
            for n in 0..4 {
                script.whole(at + 4 + n, 1, 0);
            }
            script.ready(at + 30, true, true);
            let comment = format!("{count} records are owed, behind them {dropped} frames are dropped");
            suite.add(format!("owed-{count}-{dropped}"), comment, rows, script);
        }
    }
}
