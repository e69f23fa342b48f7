// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which look-ups find something (C1, C2, C4), and look-ups after reset (C10).

use super::shapes;
use crate::collect::aim;
use crate::receive::context_lookup::oracle::{Command, ELAB, Key, Op, Place, SUB_TABLES, Shape};
use crate::receive::context_lookup::script::Script;
use crate::receive::context_lookup::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::all() {
        suite.group("lookups", "what look-ups find", shape, ());
        kinds(suite, shape);
        one_bit(suite, shape);
        same_row(suite, shape);
        mixed(suite, shape);
        sweep(suite, shape);
    }
}

/// All four codes of a kind, with these bits.
fn of_all_kinds(key: Key) -> impl Iterator<Item = Key> {
    (0..4).map(move |kind| Key { kind, ..key })
}

/// Equal bits under all kinds, put in one after the other, then taken out.
fn kinds(suite: &mut Suite, shape: Shape) {
    let mut script = Script::new(shape, 1);
    let bits = [Key::new(0, 0), Key::new(0, 0x1_ABCD), Key::new(0, 0x1_FFFF)];
    for key in bits {
        script.check(of_all_kinds(key));
        for key in of_all_kinds(key) {
            script.insert(key);
            script.check(of_all_kinds(key));
        }
    }
    for key in bits {
        for key in of_all_kinds(key) {
            script.remove(key);
            script.check(of_all_kinds(key));
        }
    }
    let rows = aim(&["Kinds", "Refused"], &["C1", "C2", "C4", "C6"]);
    suite.add("kinds", "equal bits under the four codes of a kind", rows, script);
}

/// Every bit of a key counts, wherever it is stored, also the bits that its kind does not use.
fn one_bit(suite: &mut Suite, shape: Shape) {
    for kind in shape.kinds() {
        let mut script = Script::new(shape, 2 + kind);
        let key = script.random(kind);
        let clashing = script.clashing(key, script.clashes().min(SUB_TABLES as u64 + 1));
        for &key in &clashing {
            script.insert(key);
        }
        let stashed = script.table().stash().next().unwrap_or(key);
        let bits = shape.key_bits() as usize;
        let step = if bits == 256 && kind != ELAB { 3 } else { 1 };
        script.check(
            (0..bits)
                .step_by(step)
                .flat_map(|bit| [stashed.flip(bit), stashed].into_iter().take(1 + usize::from(bit % 8 == 0))),
        );
        script.check(clashing);
        let rows = aim(&["NearKey", "BackToBack"], &["C1", "C2", "C4"]);
        suite.add(format!("one-bit-{kind}"), "keys that differ in one bit from one in the stash", rows, script);
    }
}

/// Keys that have the row of a stored key in its sub-table, and differ in few bits.
fn same_row(suite: &mut Suite, shape: Shape) {
    for kind in shape.kinds() {
        let mut script = Script::new(shape, 5 + kind);
        let key = script.random(kind);
        let all = script.clashing(key, script.clashes().min(SUB_TABLES as u64));
        for &key in &all {
            script.insert(key);
        }
        let degree = shape.rows().ilog2();
        for &key in &all {
            let Some(Place::SubTable(j)) = script.table().place(key) else {
                continue;
            };
            let polynomial = script.table().polynomials()[j];
            // Differences that are multiples of the polynomial leave the row as it is.
            let step = if shape.elab { 9 } else { 1 };
            let near: Vec<_> = (0..shape.key_bits() - degree)
                .step_by(step)
                .map(|shift| {
                    let bits = (0..=degree).filter(|bit| polynomial >> bit & 1 == 1);
                    bits.fold(key, |key, bit| key.flip((bit + shift) as usize))
                })
                .collect();
            assert!(near.iter().all(|&near| script.table().rows(near)[j] == script.table().rows(key)[j]));
            script.check(near);
            script.check([key]);
        }
        let rows = aim(&["NearKey", "BackToBack"], &["C1", "C2", "C4"]);
        suite.add(format!("same-row-{kind}"), "keys that differ in few bits and have the same row", rows, script);
    }
}

/// Keys that are there and keys that are not, in turns and in bursts.
fn mixed(suite: &mut Suite, shape: Shape) {
    let mut script = Script::new(shape, 8);
    let wanted = 2 * shape.rows().min(12);
    script.fill(wanted);
    let stored = script.keys();
    let absent: Vec<_> = (0..16).map(|_| script.find(|_, _| true)).collect();
    let turns = stored.iter().zip(absent.iter().cycle()).flat_map(|(&stored, &absent)| [stored, absent]);
    script.check(turns);
    script.check([[stored[0]; 6], [absent[0]; 6], [stored[1]; 6]].concat());
    script.check_all();
    let rows = aim(&["BackToBack"], &["C1", "C2", "C4", "C8"]);
    suite.add("mixed", "stored keys and others, in consecutive cycles", rows, script);
}

/// The sweep after reset: nothing is found, no command is accepted, then all is as usual.
fn sweep(suite: &mut Suite, shape: Shape) {
    let mut script = Script::new(shape, 9);
    let keys = [script.any(), script.any()];
    let command = |op, key| Command { op, key, index: 0 };
    script.hammered = vec![
        command(Op::Insert, keys[0]),
        command(Op::Insert, keys[1]),
        command(Op::Remove, keys[0]),
        command(Op::Read, keys[1]), //
    ];
    let (_, outcome) = script.command_at(shape.rows(), Op::Insert, keys[0], 1);
    assert!(outcome.response.done);
    let end = shape.rows() + shape.steps() + 4;
    script.lookups(0, (0..end).map(|n| keys[usize::from(n % 8 == 7)]));
    script.free = script.free.max(end);
    script.command(Op::Read, keys[1], 0);
    script.command(Op::Read, keys[0], 0);
    let rows = aim(&["Sweep", "Ready"], &["C10", "C2", "C4"]);
    suite.add("sweep", "look-ups from cycle 0 on, and commands on the port", rows, script);
}
