// SPDX-License-Identifier: MIT OR Apache-2.0
//! From which cycle on look-ups see a command (C3, C5).

use super::shapes;
use crate::collect::aim;
use crate::receive::context_lookup::oracle::{Key, Op, Place, SUB_TABLES, Shape};
use crate::receive::context_lookup::script::Script;
use crate::receive::context_lookup::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::LATENCIES.into_iter().chain(shapes::ALL_KINDS) {
        suite.group("visible", "look-ups in every cycle around a command", shape, ());
        for op in Op::ALL {
            for present in [false, true] {
                around(suite, shape, op, present);
            }
        }
        places(suite, shape);
        rate(suite, shape);
    }
}

/// A command, and look-ups of its key in every cycle around it.
fn watched(script: &mut Script, shape: Shape, op: Op, key: Key) {
    let at = script.free + 4;
    let index = script.next_index();
    let (at, _) = script.command_at(at, op, key, index);
    let end = script.lookups(at - 4, vec![key; (shape.unready(0) + 10) as usize]);
    script.free = script.free.max(end);
}

fn around(suite: &mut Suite, shape: Shape, op: Op, present: bool) {
    let mut script = Script::new(shape, 30);
    for kind in shape.kinds() {
        let key = script.random(kind);
        if present {
            script.insert(key);
        }
        watched(&mut script, shape, op, key);
    }
    let name = format!("{op:?}-{}", if present { "present" } else { "absent" }).to_lowercase();
    let changes = matches!((op, present), (Op::Insert, false) | (Op::Remove, true));
    let flags: &[&str] = if changes { &["Visible"] } else { &["Visible", "Refused"] };
    suite.add(name, "look-ups of the key of a command in every cycle", aim(flags, &["C3", "C5", "C6"]), script);
}

/// Keys that go into each sub-table and into the stash, and are taken out of there.
fn places(suite: &mut Suite, shape: Shape) {
    let mut script = Script::new(shape, 31);
    let first = script.any();
    let keys = script.clashing(first, script.clashes().min(SUB_TABLES as u64 + 2));
    for &key in &keys {
        watched(&mut script, shape, Op::Insert, key);
    }
    let behind = |place| if let Place::Stash(n) = place { n } else { 9 };
    let mut keys = script.keys();
    keys.sort_by_key(|&key| script.table().place(key).map(behind));
    for key in keys {
        watched(&mut script, shape, Op::Remove, key);
    }
    let rows = aim(&["Visible", "Stash"], &["C3", "C5", "C11", "C12"]);
    suite.add("places", "look-ups of keys that go into each sub-table and the stash, in every cycle", rows, script);
}

/// A key that is put in and taken out at the highest rate, under look-ups in every cycle.
fn rate(suite: &mut Suite, shape: Shape) {
    let mut script = Script::new(shape, 32);
    let (key, other) = (script.any(), script.any());
    let begin = script.free;
    for n in 0..12 {
        let op = if n % 2 == 0 { Op::Insert } else { Op::Remove };
        let index = script.next_index();
        script.command(op, key, index);
    }
    let cycles = script.free - begin;
    script.lookups(begin, (0..cycles).map(|n| if n % 11 == 10 { other } else { key }));
    let rows = aim(&["Visible", "Ready", "BackToBack"], &["C3", "C5", "C9"]);
    suite.add("rate", "one key inserted and removed at the highest rate, and looked up in every cycle", rows, script);
}
