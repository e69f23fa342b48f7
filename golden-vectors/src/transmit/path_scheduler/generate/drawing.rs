// SPDX-License-Identifier: MIT OR Apache-2.0
//! Row T5: the order in which sub-paths are selected, with constant and with changing weights.

use super::shapes::{MANY, SETTINGS, TWO};
use crate::collect::aim;
use crate::transmit::path_scheduler::oracle::{Command, Granularity, Kind, Op, Shape};
use crate::transmit::path_scheduler::script::{MOST, Script};
use crate::transmit::path_scheduler::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in [TWO, MANY] {
        suite.group("draw", "packet by packet, in proportion to the weights", shape, SETTINGS);
        constant(suite, shape);
        limited(suite, shape);
    }
    wide(suite, MANY);
    suite.group("falling", "weights fall in a late round", TWO, SETTINGS);
    falling(suite, TWO);
}

/// Some of 64 sub-paths, with numbers far apart.
fn wide(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Draw"], &["T5", "T7", "M47"]);
    for (name, step, add) in [("all", 1, 0), ("odd", 2, 1), ("fifths", 5, 3), ("ninths", 9, 0)] {
        let mut script = Script::new(shape);
        script.open(0, Granularity::Packet, &[]);
        for path in (add..shape.paths).step_by(step) {
            script.add(0, path, 1 + path * 7 % 3);
        }
        let at = script.settled();
        let count = 5 * shape.paths / (2 * step as u64);
        script.stream(at, 0, count);
        script.command(at + 8, Op::Drain, 0, add);
        script.command(0, Op::Fail, 0, add + 4 * step as u64);
        suite.add(format!("wide-{name}"), "sub-paths all over, of which two go", rows, script);
    }
}

/// A little more than two rounds with constant weights.
fn constant(suite: &mut Suite, shape: Shape) {
    let lists: [&[u64]; 12] = [
        &[1],
        &[0, 1],
        &[1, 1],
        &[15, 1],
        &[1, 15],
        &[3, 2],
        &[1, 1, 1, 1],
        &[4, 3, 2, 1],
        &[1, 2, 3, 4],
        &[0, 15, 0, 1],
        &[5, 0, 5, 2],
        &[15, 15, 15, 15],
    ];
    for weights in lists.into_iter().filter(|weights| weights.len() as u64 <= shape.paths) {
        let (mut script, at) = Script::running(shape, Granularity::Packet, weights);
        script.stream(at, 0, (2 * weights.iter().sum::<u64>() + 3).min(70));
        let name: Vec<_> = weights.iter().map(u64::to_string).collect();
        let rows = aim(&["Draw", "BackToBack"], &["T4", "T5", "T8", "M43", "M47"]);
        suite.add(name.join("-"), "every sub-path is drawn as often as its weight says", rows, script);
    }
    let high = shape.paths - 1;
    let mut script = Script::new(shape);
    script.open(0, Granularity::Packet, &[2]);
    let at = script.add(0, high, 3);
    script.stream(at, 0, 14);
    let rows = aim(&["Draw"], &["T5", "T7", "M47"]);
    suite.add("ends", "the first and the last sub-path", rows, script);
}

/// Weights fall during a high round, so that the round becomes empty after the previous selection.
fn falling(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Draw", "Kind"], &["T5", "T13", "M64", "M67", "M68", "M70"]);
    for (name, weights, path) in [("above", [2, 9], 1), ("below", [9, 2], 0)] {
        for kind in [Kind::Ecn, Kind::Nack, Kind::Timeout] {
            for ahead in [4, 9, 12] {
                let (mut script, at) = Script::running(shape, Granularity::Packet, &weights);
                script.stream(at, 0, 40);
                let from = at + shape.counted() + ahead;
                script.kinds(from, (0, path), [kind; 3]);
                script.stream(at + 40, 0, 10);
                let id = format!("falls-{name}-{}-{ahead}", kind.code());
                suite.add(id, format!("{kind:?} on the greater weight, in a high round"), rows, script);
            }
        }
    }
}

/// A new limit cuts weights, and sub-paths are removed and added, during a round.
fn limited(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Draw", "Command"], &["T5", "T17", "M47"]);
    let second = shape.paths - 1;
    let changes = [
        ("limit", Command::new(Op::Limit, 0, second).weight(1)),
        ("drain", Command::new(Op::Drain, 0, second)),
        ("fail", Command::new(Op::Fail, 0, second)),
        ("other-limit", Command::new(Op::Limit, 0, 0).weight(1)),
        ("other-drain", Command::new(Op::Drain, 0, 0)),
    ];
    for (name, change) in changes {
        for ahead in [0, 5, 11, 13] {
            let mut script = Script::new(shape);
            script.open(0, Granularity::Packet, &[5]);
            let at = script.add(0, second, MOST);
            script.operate(at + ahead + 8, change);
            script.stream(at, 0, 44);
            suite.add(format!("{name}-{ahead}"), "under load, in a high round", rows, script);
        }
    }
}
