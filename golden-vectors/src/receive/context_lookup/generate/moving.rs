// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys are found while they are moved (C3).

use super::shapes;
use crate::collect::aim;
use crate::receive::context_lookup::oracle::{Key, Op, SUB_TABLES, Shape};
use crate::receive::context_lookup::script::Script;
use crate::receive::context_lookup::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::LATENCIES.into_iter().chain([shapes::ALL_KINDS[1]]) {
        suite.group("moving", "look-ups of keys that are being moved", shape, ());
        one_key(suite, shape);
        if shape.ram_latency == 2 {
            in_turns(suite, shape);
        }
    }
}

/// Keys with equal rows, one more than there are rows: the placement moves all of them, again and again.
fn overfull(shape: Shape) -> (Script, Vec<Key>) {
    let mut script = Script::new(shape, 60);
    let first = script.random(shape.kinds().next().unwrap_or_default());
    let keys = script.clashing(first, SUB_TABLES as u64 + 1);
    for &key in &keys[..SUB_TABLES] {
        script.insert(key);
    }
    (script, keys)
}

/// One key in every cycle, through the whole placement and past its end.
fn one_key(suite: &mut Suite, shape: Shape) {
    // The other keys take the same way, some moves later.
    let step = if shape.ram_latency == 2 { 2 } else { SUB_TABLES };
    for watched in (0..=SUB_TABLES).step_by(step) {
        let (mut script, keys) = overfull(shape);
        let (at, outcome) = script.command_at(0, Op::Insert, keys[SUB_TABLES], 5);
        assert!(outcome.gave_up);
        let cycles = script.free + 4 - at;
        script.lookups(at, (0..cycles).map(|_| keys[watched]));
        let rows = aim(&["Moved", "BackToBack"], &["C2", "C3", "C12"]);
        suite.add(format!("key-{watched}"), "one key in every cycle of a placement", rows, script);
    }
}

/// All keys in turns while another one is removed or inserted, so that a placement begins.
fn in_turns(suite: &mut Suite, shape: Shape) {
    for (name, op) in [("insert", Op::Insert), ("remove", Op::Remove)] {
        let (mut script, keys) = overfull(shape);
        script.insert(keys[SUB_TABLES]);
        let (at, _) = match op {
            Op::Insert => {
                let other = script.find_insert(|_, outcome| outcome.gave_up);
                script.command_at(0, op, other, 1)
            }
            _ => {
                let other = script.find_insert(|_, outcome| outcome.response.done);
                script.insert(other);
                script.command_at(0, op, other, 0)
            }
        };
        let cycles = script.free + 4 - at;
        script.lookups(at, keys.iter().copied().cycle().take(cycles as usize));
        let rows = aim(&["Moved", "BackToBack", "Stash"], &["C2", "C3", "C12"]);
        suite.add(
            format!("turns-{name}"),
            "all keys in turns through a placement behind another key's command",
            rows,
            script,
        );
    }
}
