// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row V4: the order of selection while weights change and VPs are added and removed.

use super::shapes::{EIGHT, FOUR, NEVER};
use crate::collect::aim;
use crate::elab::scheduler::oracle::{Command, Op, Shape};
use crate::elab::scheduler::script::{MOST, Script, port};
use crate::elab::scheduler::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in [EIGHT, FOUR] {
        suite.group("draw", "weights change while rounds are under way", shape, NEVER);
        first(suite, shape);
        changing(suite, shape);
        leaving(suite, shape);
    }
}

/// The first selection after reset starts as if VP 0 had been selected in round 0.
fn first(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Weight", "Boundary"], &["V4", "E10"]);
    let lists: [&[u64]; 6] = [&[MOST], &[300, 300], &[100, 30], &[0, 300], &[1, 1], &[30, 100]];
    for bandwidths in lists {
        for count in [1, 2] {
            let (mut script, at) = Script::running(shape, bandwidths);
            script.stream(at, 0, count);
            script.stream(at + 9, 0, 3);
            let name: Vec<_> = bandwidths.iter().map(u64::to_string).collect();
            suite.add(format!("first-{}-{count}", name.join("-")), "the first draws since reset", rows, script);
        }
    }
}

/// A high round becomes empty after the previous selection, and fills again.
fn changing(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Weight", "Indication"], &["V4", "V6", "V7", "V12"]);
    for (name, bandwidths, vp) in [("above", [0x30_0000, 0xF0_0000], 1), ("below", [0xF0_0000, 0x30_0000], 0)] {
        for ahead in [0, 3, 8, 13, 17] {
            let (mut script, at) = Script::running(shape, &bandwidths);
            script.stream(at, 0, 70);
            script.probed(at + ahead, 0, vp, 0x10_0000);
            script.probed(at + ahead + 2 * shape.unit, 0, vp, 0xF0_0000);
            let id = format!("falls-{name}-{ahead}");
            suite.add(id, "the greater bandwidth falls in a high round, and rises again", rows, script);
        }
    }
}

/// VPs are removed and added while requests come in every cycle.
fn leaving(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Weight", "Command"], &["V3", "V4", "V14", "V16", "E08"]);
    let last = shape.vps - 1;
    for (name, vp) in [("first", 0), ("last", last)] {
        for ahead in [0, 5, 11] {
            let mut script = Script::new(shape);
            script.add(0, 0, 0xB0_0000);
            let at = script.add(0, last, 0xF0_0000);
            script.command(at + ahead, Op::Remove, 0, vp);
            script.operate(at + ahead, Command::add(0, port(shape, 0, vp), 0x80_0000));
            script.stream(at, 0, 80);
            suite.add(format!("{name}-{ahead}"), "removed and added under load, in a high round", rows, script);
        }
    }
    let (mut script, at) = Script::running(shape, &[5000, 9000]);
    script.command(at, Op::Remove, 0, 0);
    script.command(0, Op::Remove, 0, 1);
    script.add(0, last, 1);
    script.stream(at, 0, 100);
    let rows = aim(&["Weight", "Command"], &["V2", "V4", "V16"]);
    suite.add("none", "until none is left, and one again", rows, script);
}
