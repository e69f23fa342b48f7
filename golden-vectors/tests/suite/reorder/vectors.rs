// SPDX-License-Identifier: MIT OR Apache-2.0
//! The committed vectors: consistent, what the oracle says at every pace, and complete in what they cover.

use golden_vectors::reorder::oracle::{
    Arrival,
    Command,
    Event,
    Outputs,
    Pace,
    Report,
    Settings,
    Shape,
    run, //
};
use golden_vectors::reorder::{load_vectors, vectors};
use golden_vectors::{Outcome, TimedCase, TimedFile, TimedGroup, Vectors};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

static FILE: LazyLock<TimedFile> = LazyLock::new(vectors);

#[test]
fn file_reads_back_as_it_was_made() {
    assert_eq!(TimedFile::embedded_stage("reorder").unwrap().unwrap(), *FILE);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/reorder.json");
    assert_eq!(Vectors::load(path).unwrap(), Vectors::Timed(FILE.clone()));
}

/// The size of a group, and the events of a case as they stand in the file.
fn events(group: &TimedGroup, case: &TimedCase) -> (Shape, Vec<(u64, Event)>) {
    let value = |name: &str| group.configuration[name];
    let shape = Shape::new(value("connections"), value("window")).paths(value("paths"));
    let shape = shape.psn_bits(value("psn_bits") as u32).handle_bits(value("handle_bits") as u32);
    let stands = |port: &str, at: u64| {
        let changes = case.settings.get(port).into_iter().flatten();
        changes.rev().find(|&&(from, _)| from <= at).map_or(group.settings[port], |&(_, value)| value)
    };
    let mut events = Vec::new();
    for at in case.settings.values().flatten().map(|&(at, _)| at).collect::<BTreeSet<_>>() {
        let settings = Settings { span: stands("settings_span", at), time: stands("settings_time", at) };
        events.push((at, Event::Settings((stands("settings_valid", at) == 1).then_some(settings))));
        events.push((at, Event::DeliveryReady(stands("delivery_ready", at) == 1)));
        events.push((at, Event::EventReady(stands("event_ready", at) == 1)));
    }
    for row in &case.inputs["arrival"] {
        let &[at, connection, found, psn, path, flags, length, handle] = row.as_slice() else { panic!("{row:?}") };
        let found = found == 1;
        events.push((at, Event::Arrival(Arrival { connection, found, psn, path, flags, length, handle })));
    }
    for row in &case.inputs["command"] {
        let &[at, op, connection, path, psn] = row.as_slice() else { panic!("{row:?}") };
        events.push((at, Event::Command(Command { op, connection, path, psn })));
    }
    events.sort_by_key(|&(cycle, _)| cycle);
    (shape.ram_latency(value("ram_latency")), events)
}

fn cases() -> impl Iterator<Item = (&'static TimedGroup, &'static TimedCase)> {
    FILE.groups.iter().flat_map(|group| group.tests.iter().map(move |case| (group, case)))
}

/// What the contract leaves open changes nothing: each case has one answer only.
#[test]
fn answers_are_the_same_at_every_pace() {
    let mut differing = Vec::new();
    for (group, case) in cases() {
        let (shape, events) = events(group, case);
        let plain = run(shape, Pace::LATE, None, &events, case.cycles);
        for pace in Pace::ALL {
            let other = run(shape, pace, None, &events, case.cycles);
            let differs = (0_u64..).zip(plain.iter().zip(&other)).find(|(_, (a, b))| a != b);
            differing.extend(differs.map(|(cycle, _)| (&case.id, pace, cycle)));
        }
    }
    assert!(differing.is_empty(), "{differing:#?}");
}
