// SPDX-License-Identifier: MIT OR Apache-2.0
//! Placements of every length, from every `turn` (C9, C12, C13).

use super::shapes;
use crate::collect::aim;
use crate::receive::context_lookup::oracle::{Command, Key, MOVES, Op, Outcome, SUB_TABLES, Shape};
use crate::receive::context_lookup::script::Script;
use crate::receive::context_lookup::suite::Suite;

/// How many tables are tried.
const LUCK: u64 = 24;

pub fn add(suite: &mut Suite) {
    for shape in shapes::LATENCIES.into_iter().chain([shapes::ALL_KINDS[0], shapes::TWO_KINDS]) {
        suite.group("placements", "rounds that move keys", shape, ());
        lengths(suite, shape);
        turns(suite, shape);
    }
}

/// Fills the table up to so many rows less than all, with the stash empty.
fn filled(shape: Shape, seed: u64, empty: u64) -> Script {
    let mut script = Script::new(shape, seed);
    for _ in 0..SUB_TABLES as u64 * shape.rows() - empty {
        let key = script.find_insert(|table, outcome| outcome.response.done && table.stash().next().is_none());
        script.insert(key);
    }
    script
}

/// The script behind the search for a key whose insertion does something, and the key.
fn first(tried: &[Option<Outcome>], from: &Script, does: impl Fn(&Outcome) -> bool) -> Option<(Script, Key)> {
    let before = tried.iter().position(|outcome| outcome.as_ref().is_some_and(&does))?;
    let mut script = from.clone();
    let key = script.tried(before);
    Some((script, key))
}

/// Placements of a certain number of rounds, the longest ones included.
fn lengths(suite: &mut Suite, shape: Shape) {
    // In which tables with one empty row there is a placement of so many rounds is a matter of luck.
    let mut full = Vec::new();
    let short = if shape.elab { 5..6 } else { 2..8 };
    for rounds in short.chain([17, MOVES - 1, MOVES, MOVES + 1]) {
        let found = (0..LUCK).find_map(|seed| {
            if full.len() as u64 <= seed {
                let script = filled(shape, 400 + seed, 1);
                full.push((script.tried_inserts(), script));
            }
            let (tried, script) = &full[seed as usize];
            first(tried, script, |outcome| outcome.rounds == rounds && !outcome.gave_up)
        });
        let Some((mut script, key)) = found else {
            continue;
        };
        script.hammered = vec![Command { op: Op::Remove, key, index: 0 }];
        script.insert(key);
        // The row that was empty is not any more.
        let next = script.find_insert(|_, outcome| outcome.gave_up);
        script.insert(next);
        script.check([key, next]);
        let some: Vec<_> = script.keys().into_iter().step_by(5).collect();
        script.check(some);
        let rows = aim(&["Chain", "Ready"], &["C9", "C11", "C12"]);
        suite.add(format!("rounds-{rounds}"), format!("a placement that ends in round {rounds}"), rows, script);
    }
    let found = full.iter().find_map(|(tried, script)| first(tried, script, |outcome| outcome.gave_up));
    let Some((mut script, key)) = found else {
        return;
    };
    script.insert(key);
    script.command(Op::Read, key, 0);
    script.check_all();
    let rows = aim(&["Chain", "Stash", "Ready"], &["C9", "C11", "C12"]);
    suite.add("rounds-end", "a placement that does not find an empty row, though there is one", rows, script);
}

/// Placements that would take another number of rounds if `turn` were another one.
fn turns(suite: &mut Suite, shape: Shape) {
    let mut script = filled(shape, 41, shape.rows() / 2);
    for turn in (0..SUB_TABLES).cycle().take(3 * SUB_TABLES) {
        // Let go of some key, so that the load stays.
        let key = script.keys()[0];
        script.remove(key);
        // From wherever `turn` is now, to this value.
        if script.table().turn() != turn {
            let key = script.search_insert(|table, outcome| table.turn() == turn && !outcome.gave_up);
            key.into_iter().for_each(|key| {
                script.insert(key);
            });
        }
        let now = script.table().clone();
        let key = script.search(|_, key| {
            let command = Command { op: Op::Insert, key, index: 0 };
            let rounds = |turn| now.clone().turned(turn).command(command).rounds;
            let (turn, expected) = (now.turn(), rounds(now.turn()));
            (2..20).contains(&expected) && (0..SUB_TABLES).all(|other| other == turn || rounds(other) != expected)
        });
        key.into_iter().for_each(|key| {
            script.insert(key);
        });
    }
    script.check_all();
    let rows = aim(&["Chain"], &["C9", "C12", "C13"]);
    suite.add("turns", "placements whose length tells `turn`", rows, script);
}
