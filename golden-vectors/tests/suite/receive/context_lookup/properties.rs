// SPDX-License-Identifier: MIT OR Apache-2.0
//! What must hold of every run, told apart from the oracle.

use golden_vectors::receive::context_lookup::oracle::{
    Command, Event, Key, MOVES, Op, Place, ROCEV2, Response, STASH, SUB_TABLES, Shape, Table, UET, run,
};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeMap;

const SHAPE: Shape = Shape::new(20, 2).protocols(true, true, false);

/// Few keys, of which many have rows in common: multiples of the product of all polynomials of 8 rows have row 0.
fn key() -> impl Strategy<Value = Key> {
    let clashing =
        (0u64..3, 0u64..12).prop_map(|(low, n)| low ^ (0..4).fold(0, |sum, i| sum ^ ((0x1_1B9 << i) * ((n >> i) & 1))));
    (prop_oneof![Just(ROCEV2), Just(UET), Just(2)], prop_oneof![clashing, 0u64..40])
        .prop_map(|(kind, bits)| Key::new(kind, bits))
}

fn command() -> impl Strategy<Value = Command> {
    let op = prop_oneof![5 => Just(Op::Insert), 2 => Just(Op::Remove), 1 => Just(Op::Read), 1 => Just(Op::None)];
    (op, key(), 0u64..32).prop_map(|(op, key, index)| Command { op, key, index })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: tier::cases(128), ..ProptestConfig::default() })]

    /// The table has exactly the keys that the responses tell, each once and in one of its places.
    #[test]
    fn a_table_is_a_map(commands in vec(command(), 0..300)) {
        let mut table = Table::new(SHAPE);
        let mut map = BTreeMap::new();
        for command in commands {
            let Command { op, key, index } = command;
            let before = map.get(&key).copied();
            let included = key.kind < 2;
            let stash: Vec<_> = table.stash().collect();
            let outcome = table.command(command);
            let full = included && op == Op::Insert && before.is_none() && !outcome.response.done;
            let done = included && match op {
                Op::Read => true,
                Op::Insert => before.is_none() && !full,
                Op::Remove => before.is_some(),
                Op::None => false,
            };
            let (present, response) = (before.is_some(), outcome.response);
            prop_assert_eq!(response, Response { op: op.code(), present, index: before.unwrap_or(0), done, full });
            prop_assert!(!full || stash.len() == STASH);
            match op {
                Op::Insert if done => drop(map.insert(key, index)),
                Op::Remove if done => drop(map.remove(&key)),
                _ => {
                    prop_assert_eq!(outcome.rounds, 0);
                    prop_assert!(table.stash().eq(stash.iter().copied()));
                }
            }
            let mut stored: Vec<_> = table.keys().collect();
            stored.sort_unstable();
            prop_assert!(stored.into_iter().eq(map.iter().map(|(&key, &index)| (key, index))));
            prop_assert!(map.keys().all(|&key| table.place(key).is_some()));
            prop_assert!(table.stash().count() <= STASH);
            prop_assert!(outcome.rounds <= MOVES + 1 && (!outcome.gave_up || outcome.rounds == MOVES + 1));
            let behind = table.stash().count();
            if outcome.gave_up {
                prop_assert!(behind > 0);
            } else if outcome.rounds == 1 {
                prop_assert!(behind < STASH);
            }
        }
    }

    /// What each look-up finds depends on the commands before it alone, and on nothing that the placements do.
    #[test]
    fn look_ups_see_the_commands_in_effect(
        commands in vec((command(), 0u64..20), 1..60),
        lookups in vec((key(), 1u64..9), 1..300),
    ) {
        let mut events = Vec::new();
        let mut table = Table::new(SHAPE);
        let mut at = SHAPE.rows();
        let mut effects = Vec::new();
        for (command, wait) in commands {
            at += wait;
            events.push((at, Event::Command(command)));
            let outcome = table.command(command);
            effects.push((at, command, outcome));
            at += (1 + outcome.rounds) * 7 + 1;
        }
        let mut cycle = 0;
        for (key, step) in lookups {
            cycle += step;
            events.push((cycle, Event::Lookup(key)));
        }
        events.sort_by_key(|&(cycle, _)| cycle);
        let answer = run(SHAPE, &events);
        prop_assert_eq!(answer.accepted.len(), effects.len());
        let asked = events.iter().filter_map(|&(cycle, event)| match event {
            Event::Lookup(key) => Some((cycle, key)),
            Event::Command(_) => None,
        });
        let mut missed = 0;
        for ((cycle, key), &(answered, found)) in asked.zip(&answer.answers) {
            prop_assert_eq!(answered, cycle + 5);
            let last = effects.iter().rev().find(|(accepted, command, outcome)| {
                accepted + 5 <= cycle && command.key == key && outcome.response.done && command.op != Op::Read
            });
            let expected = last.filter(|(_, command, _)| command.op == Op::Insert).map(|(_, command, _)| command.index);
            prop_assert_eq!(found, expected, "{:?} in cycle {}", key, cycle);
            missed += u64::from(found.is_none());
        }
        prop_assert_eq!(answer.unknown.iter().sum::<u64>(), missed);
        for (response, (accepted, _, outcome)) in answer.responses.iter().zip(effects) {
            prop_assert_eq!(*response, (accepted + 6, outcome.response));
        }
    }
}

/// Keys that have all rows in common: four in the rows, in the order of the sub-tables, and four in the stash.
#[test]
fn rows_then_the_stash_then_full() {
    let mut table = Table::new(SHAPE);
    let rows = table.rows(Key::new(ROCEV2, 0));
    let all = (0..1 << 24).map(|bits| Key::new(ROCEV2, bits));
    let keys: Vec<_> = all.filter(|&key| table.rows(key) == rows).take(SUB_TABLES + STASH + 1).collect();
    let insert = |key| Command { op: Op::Insert, key, index: 3 };
    for (n, &key) in keys.iter().enumerate() {
        let outcome = table.command(insert(key));
        assert_eq!(outcome.response.done, n < SUB_TABLES + STASH);
        assert_eq!(outcome.rounds, if (SUB_TABLES..SUB_TABLES + STASH).contains(&n) { MOVES + 1 } else { 0 });
        if n < SUB_TABLES {
            assert_eq!(table.place(key), Some(Place::SubTable(n)));
        }
    }
    // 64 moves by five keys leave the key that has the turn at the back, and the order of the others as it was.
    let stash: Vec<_> = table.stash().collect();
    let front = stash[0];
    let key = keys.iter().copied().find(|&key| table.place(key) == Some(Place::SubTable(2))).unwrap();
    let outcome = table.command(Command { op: Op::Remove, key, index: 0 });
    assert_eq!((outcome.rounds, table.place(front)), (1, Some(Place::SubTable(2))));
    assert!(table.stash().eq(stash[1..].iter().copied()));
}

#[test]
fn sizes() {
    let rows = [1, 28, 29, 57, 58, 115, 116, 460, 461, 29_491].map(|entries| Shape::new(entries, 1).rows());
    assert_eq!(rows, [8, 8, 16, 16, 32, 32, 64, 128, 256, 8192]);
    let bits = |rocev2, uet, elab| Shape::new(8, 1).protocols(rocev2, uet, elab).key_bits();
    let all = [bits(false, false, false), bits(false, true, false), bits(true, true, false), bits(true, true, true)];
    assert_eq!(all, [24, 17, 24, 256]);
    assert!(Shape::new(8, 1).protocols(false, false, false).includes(ROCEV2));
    assert!(!Shape::new(8, 1).protocols(false, true, false).includes(ROCEV2));
}

/// The table of cycles of the page.
#[test]
fn cycles_of_the_page() {
    for (l, answer, response, next, round, most) in [(1, 4, 5, 7, 6, 397), (2, 5, 6, 8, 7, 463), (3, 6, 7, 9, 8, 529)] {
        let shape = Shape::new(8, l);
        assert_eq!([shape.steps(), shape.steps() + 1, shape.unready(0) + 1], [answer, response, next]);
        assert_eq!([shape.unready(1) - shape.unready(0), shape.unready(MOVES + 1) + 1], [round, most]);
    }
}
