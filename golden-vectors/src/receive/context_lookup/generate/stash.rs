// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stash, and inserts for which there is no place (C7, C11, C12).

use super::shapes;
use crate::collect::aim;
use crate::receive::context_lookup::oracle::{Command, Key, Op, STASH, SUB_TABLES, Shape};
use crate::receive::context_lookup::script::Script;
use crate::receive::context_lookup::suite::Suite;
use crate::rng::SplitMix64;

/// The most keys with equal rows that have places.
const MOST: usize = SUB_TABLES + STASH;

pub fn add(suite: &mut Suite) {
    for shape in shapes::LATENCIES.into_iter().chain(shapes::ALL_KINDS) {
        suite.group("stash", "keys beyond the rows", shape, ());
        full(suite, shape);
        for position in 0..STASH {
            removal(suite, shape, position);
        }
        order(suite, shape);
        over_the_brim(suite, shape);
    }
}

/// Keys that all have the same rows, of which as many as possible are in the table.
fn brimming(shape: Shape, seed: u64) -> (Script, Vec<Key>) {
    let mut script = Script::new(shape, seed);
    let first = script.random(shape.kinds().next().unwrap_or_default());
    let keys = script.clashing(first, MOST as u64 + 3);
    for &key in &keys[..MOST] {
        let outcome = script.insert(key);
        assert!(outcome.response.done);
    }
    (script, keys)
}

fn full(suite: &mut Suite, shape: Shape) {
    let (mut script, keys) = brimming(shape, 50);
    let beyond = keys[MOST];
    script.hammered = vec![Command { op: Op::Insert, key: keys[MOST + 1], index: 0 }];
    for _ in 0..2 {
        let outcome = script.insert(beyond);
        assert!(outcome.response.full);
        script.check([beyond]);
    }
    // Neither of these is refused because of that.
    script.insert(keys[0]);
    script.command(Op::Read, beyond, 0);
    script.remove(beyond);
    let elsewhere = script.find_insert(|_, outcome| outcome.response.done);
    script.insert(elsewhere);
    script.remove(keys[1]);
    script.insert(beyond);
    script.insert(keys[1]);
    script.check(keys);
    let rows = aim(&["Stash", "Refused"], &["C7", "C9", "C11", "C12"]);
    suite.add("full", "one key more than the rows and the stash hold", rows, script);
}

/// The key at this position of the stash is removed, then the others one after the other.
fn removal(suite: &mut Suite, shape: Shape, position: usize) {
    let (mut script, keys) = brimming(shape, 51);
    let stash: Vec<_> = script.table().stash().collect();
    script.remove(stash[position]);
    script.check(keys.iter().copied());
    script.insert(stash[position]);
    let row = script.keys()[STASH];
    script.remove(row);
    script.check(keys.iter().copied());
    for key in keys {
        script.remove(key);
    }
    script.check_all();
    let rows = aim(&["Stash"], &["C7", "C11", "C12"]);
    suite.add(
        format!("removal-{position}"),
        format!("the key with {position} in front of it is removed"),
        rows,
        script,
    );
}

/// Two sets of keys, each with rows of its own. How long a placement takes tells which key was at the front.
fn order(suite: &mut Suite, shape: Shape) {
    let mut script = Script::new(shape, 52);
    let kind = shape.kinds().next().unwrap_or_default();
    let first = script.random(kind);
    let rows = script.table().rows(first);
    let second = script.find(|table, key| {
        key.kind == kind && table.rows(key).iter().zip(rows).all(|(&row, other)| row != other) //
    });
    let sets = [script.clashing(first, MOST as u64), script.clashing(second, MOST as u64)];
    for key in (0..SUB_TABLES + 2).flat_map(|n| [sets[0][n], sets[1][n]]) {
        script.insert(key);
    }
    let mut rng = SplitMix64::new(53);
    for _ in 0..24 {
        let set = &sets[rng.below(2) as usize];
        let key = set[rng.below(MOST as u64) as usize];
        if script.table().place(key).is_none() {
            script.insert(key);
        } else {
            script.remove(key);
        }
        script.check(sets.iter().flatten().copied().filter(|key| key.words[0] % 2 == 0));
    }
    script.check(sets.concat());
    let rows = aim(&["Stash", "Chain"], &["C7", "C9", "C11", "C12"]);
    suite.add("order", "two sets of keys, and a stash with keys of both", rows, script);
}

/// Random keys until several of them have had no place, then removes, until the stash is empty again.
fn over_the_brim(suite: &mut Suite, shape: Shape) {
    let mut script = Script::new(shape, 54);
    let mut refused = Vec::new();
    while refused.len() < 4 {
        let key = script.find(|_, _| true);
        if script.insert(key).response.full {
            refused.push(key);
        }
    }
    script.check(refused.iter().copied());
    while script.table().stash().next().is_some() {
        let keys = script.keys();
        script.remove(keys[keys.len() / 2]);
    }
    script.check(refused);
    script.check_all();
    let rows = aim(&["Stash", "Refused"], &["C2", "C7", "C8", "C11", "C12"]);
    suite.add("over-the-brim", "random keys until there is no place, then removes", rows, script);
}
