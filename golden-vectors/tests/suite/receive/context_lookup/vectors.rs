// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors: consistent, what the oracle says, and complete in what they cover.

use golden_vectors::receive::context_lookup::oracle::{Command, Event, Key, MOVES, Op, STASH, Shape, Table, run};
use golden_vectors::receive::context_lookup::{load_vectors, vectors};
use golden_vectors::{TimedCase, TimedFile, TimedGroup};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

static FILE: LazyLock<TimedFile> = LazyLock::new(vectors);

fn shape(group: &TimedGroup) -> Shape {
    let value = |name: &str| group.configuration[name];
    let shape = Shape::new(value("entries"), value("ram_latency"));
    shape.protocols(value("rocev2") == 1, value("uet") == 1, value("elab") == 1)
}

fn key(columns: &[u64]) -> Key {
    let mut key = Key::new(columns[0], 0);
    key.words[..columns.len() - 1].copy_from_slice(&columns[1..]);
    key
}

/// The events of a case as they stand in the file.
fn events(case: &TimedCase) -> Vec<(u64, Event)> {
    let lookups = case.inputs["lookup"].iter().map(|row| (row[0], Event::Lookup(key(&row[1..]))));
    let commands = case.inputs["command"].iter().map(|row| {
        let (op, index) = (Op::ALL[row[1] as usize], row[row.len() - 1]);
        (row[0], Event::Command(Command { op, key: key(&row[2..row.len() - 1]), index }))
    });
    let mut events: Vec<_> = lookups.chain(commands).collect();
    events.sort_by_key(|&(cycle, _)| cycle);
    events
}

#[test]
fn every_row_and_every_flag_occurs_in_a_file_of_moderate_size() {
    let file = &*FILE;
    file.check().unwrap();
    let mut rows = BTreeMap::new();
    for row in file.cases().flat_map(|case| &case.rows) {
        *rows.entry(row.as_str()).or_insert(0) += 1;
    }
    for row in &file.provenance.rows {
        assert!(rows.get(row.as_str()).is_some_and(|&count| count >= 5), "{row}: {rows:?}");
    }
    let flags: BTreeSet<_> = file.cases().flat_map(|case| &case.flags).collect();
    assert_eq!(flags, file.notes.keys().collect());
    let bytes = serde_json::to_vec(file).unwrap().len();
    assert!(bytes < 1_500_000, "{bytes}");
}

/// The cases have what is rare, and the answers are those of the oracle for the events of the file.
#[test]
fn cases_end_placements_in_every_way() {
    let file = &*FILE;
    let (mut rounds, mut full, mut turns) = (BTreeMap::new(), 0, BTreeSet::new());
    let (mut removed, mut latencies) = (BTreeSet::new(), BTreeSet::new());
    for group in &file.groups {
        let shape = shape(group);
        for case in &group.tests {
            let events = events(case);
            let answer = run(shape, &events);
            assert_eq!(answer.accepted.len(), case.inputs["command"].len(), "{}", case.id);
            let found: Vec<_> = answer
                .answers
                .iter()
                .map(|&(cycle, index)| {
                    vec![cycle, index.is_some().into(), index.unwrap_or(0)] //
                })
                .collect();
            assert_eq!(case.expect.outputs["answer"], found, "{}", case.id);
            let mut table = Table::new(shape);
            for (_, event) in events {
                let Event::Command(command) = event else {
                    continue;
                };
                let position = table.stash().position(|key| key == command.key);
                if let Some(position) = position.filter(|_| command.op == Op::Remove) {
                    removed.insert((position, table.stash().count()));
                }
                turns.insert(table.turn());
                let outcome = table.command(command);
                *rounds.entry((outcome.rounds, outcome.gave_up)).or_insert(0) += 1;
                full += u64::from(outcome.response.full);
                if outcome.gave_up {
                    latencies.insert(shape.ram_latency);
                }
            }
        }
    }
    let all = (0..=8).chain([MOVES - 1, MOVES, MOVES + 1]).map(|rounds| (rounds, false)).chain([(MOVES + 1, true)]);
    for way in all {
        assert!(rounds.contains_key(&way), "{way:?}: {rounds:?}");
    }
    assert!(full >= 25, "{full}");
    assert_eq!(turns, (0..4).collect());
    assert!((0..STASH).all(|position| removed.contains(&(position, STASH))), "{removed:?}");
    assert_eq!(latencies, [1, 2, 3].into());
}

#[test]
fn load_for_any_size() {
    for (entries, l) in [(1, 1), (100, 3), (1024, 2)] {
        for (rocev2, uet, elab) in [(true, false, false), (false, true, true), (true, true, true)] {
            let groups = load_vectors(Shape::new(entries, l).protocols(rocev2, uet, elab));
            let lookups: usize =
                groups.iter().flat_map(|group| &group.tests).map(|case| case.inputs["lookup"].len()).sum();
            assert!(lookups > 500, "{lookups}");
            FILE.with(groups).check().unwrap();
        }
    }
}
