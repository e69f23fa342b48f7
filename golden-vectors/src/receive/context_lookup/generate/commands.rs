// SPDX-License-Identifier: MIT OR Apache-2.0
//! What each command does, and when the next one is accepted (C5 to C9).

use super::shapes;
use crate::collect::aim;
use crate::receive::context_lookup::oracle::{Command, Key, Op, Shape};
use crate::receive::context_lookup::script::Script;
use crate::receive::context_lookup::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::all() {
        suite.group("commands", "what commands do, and when they are accepted", shape, ());
        if shape.entries <= 16 || shape.elab {
            pairs(suite, shape);
        }
        other_kinds(suite, shape);
        indices(suite, shape);
        waits(suite, shape);
    }
}

/// Every command behind every other one, on the same key, at the highest rate, and with others on the port before.
fn pairs(suite: &mut Suite, shape: Shape) {
    let mut script = Script::new(shape, 20);
    let (key, other) = (script.any(), script.any());
    script.hammered = Op::ALL.into_iter().map(|op| Command { op, key, index: 0 }).collect();
    for first in Op::ALL {
        for second in Op::ALL {
            for present in [false, true] {
                let op = if present { Op::Insert } else { Op::Remove };
                for op in [op, first, second, Op::Read] {
                    let index = script.next_index();
                    script.command(op, key, index);
                }
            }
        }
        script.insert(other);
        script.check([key, other]);
    }
    let rows = aim(&["Ready", "Refused"], &["C5", "C6", "C7", "C9"]);
    suite.add("pairs", "every command behind every other one, in the first possible cycle", rows, script);
}

/// Commands on kinds that are not included, with the bits of a stored key.
fn other_kinds(suite: &mut Suite, shape: Shape) {
    let mut script = Script::new(shape, 21);
    let bits = 0x0_5A5A;
    let stored: Vec<_> = shape.kinds().map(|kind| Key::new(kind, bits)).collect();
    for &key in &stored {
        script.insert(key);
    }
    for kind in (0..4).filter(|&kind| !shape.includes(kind)) {
        for op in Op::ALL {
            let index = script.next_index();
            script.command(op, Key::new(kind, bits), index);
            script.check(stored.iter().copied().chain([Key::new(kind, bits)]));
        }
    }
    for &key in &stored {
        script.command(Op::None, key, 0);
        script.command(Op::Read, key, 0);
    }
    let rows = aim(&["Kinds", "Refused"], &["C4", "C6", "C7", "C9"]);
    suite.add("other-kinds", "commands on kinds that are not included", rows, script);
}

/// Every index is stored as it is, and stays until the key is removed.
fn indices(suite: &mut Suite, shape: Shape) {
    let mut script = Script::new(shape, 22);
    let most = (1 << shape.index_bits()) - 1;
    let keys: Vec<_> = (0..6).map(|_| script.find(|_, _| true)).collect();
    for (&key, index) in keys.iter().zip([0, most, shape.entries.min(most), 1, 1, most / 2]) {
        script.command(Op::Insert, key, index);
        script.command(Op::Insert, key, !index & most);
        script.command(Op::Read, key, !index & most);
    }
    script.check(keys.iter().copied());
    for (&key, index) in keys.iter().zip(0..) {
        script.command(Op::Remove, key, most);
        script.command(Op::Insert, key, index & most);
    }
    script.check(keys);
    let rows = aim(&["Refused"], &["C2", "C6", "C7", "C8"]);
    suite.add(
        "indices",
        "the smallest index, the largest, equal ones, and others for a key that is there",
        rows,
        script,
    );
}

/// Commands that come later than they could.
fn waits(suite: &mut Suite, shape: Shape) {
    let mut script = Script::new(shape, 23);
    for wait in [1, 2, 3, 5, 8, 13] {
        let key = script.find(|_, _| true);
        for op in [Op::Insert, Op::Read, Op::Remove, Op::Remove, Op::Insert] {
            let (at, index) = (script.free + wait, script.next_index());
            let (at, _) = script.command_at(at, op, key, index);
            script.lookups(at, [key; 3]);
        }
    }
    let rows = aim(&["Ready"], &["C5", "C7", "C9"]);
    suite.add("waits", "commands some cycles behind the first one in which they are accepted", rows, script);
}
