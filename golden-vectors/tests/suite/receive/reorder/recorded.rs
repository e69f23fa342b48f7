// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cases as they stand in a file, for the oracle.

use golden_vectors::receive::reorder::oracle::{
    Arrival,
    Beat,
    Command,
    Event,
    Limits,
    Pace,
    PoolShape,
    Settings,
    Shape,
    run, //
};
use golden_vectors::{TimedCase, TimedFile, TimedGroup};
use std::collections::BTreeSet;

/// The size of a group.
fn shape(group: &TimedGroup) -> Shape {
    let value = |name: &str| group.configuration[name];
    let shape = Shape::new(value("connections"), value("window")).paths(value("paths"));
    let shape = shape.psn_bits(value("psn_bits") as u32).ram_latency(value("ram_latency"));
    if group.configuration.get("hold") != Some(&1) {
        return shape.handle_bits(value("handle_bits") as u32);
    }
    let pool = PoolShape::new(value("data_width"), value("cells"), value("cell_bytes"));
    shape.pool(PoolShape { reset: Limits { quota: value("quota"), reserve: value("reserve") }, ..pool })
}

/// The size of a group, and the events of a case.
fn events(group: &TimedGroup, case: &TimedCase) -> (Shape, Vec<(u64, Event)>) {
    let shape = shape(group);
    let stands = |port: &str, at: u64| {
        let changes = case.settings.get(port).into_iter().flatten();
        changes.rev().find(|&&(from, _)| from <= at).map_or(group.settings[port], |&(_, value)| value)
    };
    let ready = if shape.pool.is_some() { "m_axis_tready" } else { "delivery_ready" };
    let mut events = Vec::new();
    for at in case.settings.values().flatten().map(|&(at, _)| at).collect::<BTreeSet<_>>() {
        let settings = Settings { span: stands("settings_span", at), time: stands("settings_time", at) };
        events.push((at, Event::Settings((stands("settings_valid", at) == 1).then_some(settings))));
        events.push((at, Event::DeliveryReady(stands(ready, at) == 1)));
        events.push((at, Event::EventReady(stands("event_ready", at) == 1)));
        if shape.pool.is_some() {
            let limits = Limits { quota: stands("settings_quota", at), reserve: stands("settings_reserve", at) };
            events.push((at, Event::Limits(limits)));
        }
    }
    for row in case.inputs.get("arrival").into_iter().flatten() {
        let &[at, connection, found, psn, path, flags, length, handle] = row.as_slice() else { panic!("{row:?}") };
        let found = found == 1;
        events.push((at, Event::Arrival(Arrival { connection, found, psn, path, flags, length, handle })));
    }
    for row in case.inputs.get("s_axis").into_iter().flatten() {
        let &[at, data, keep, last, user, connection, found, psn, path, flags, length] = row.as_slice() else {
            panic!("{row:?}")
        };
        let beside = Arrival { connection, found: found == 1, psn, path, flags, length, handle: 0 };
        events.push((at, Event::Beat(Beat { data, keep, user, last: last == 1 }, beside)));
    }
    for row in &case.inputs["command"] {
        let &[at, op, connection, path, psn, own_tolerance, span, time] = row.as_slice() else { panic!("{row:?}") };
        events.push((at, Event::Command(Command { op, connection, path, psn, own_tolerance, span, time })));
    }
    events.sort_by_key(|&(cycle, _)| cycle);
    (shape, events)
}

/// Number of cases, each of which has the same answer at every pace.
pub fn same_at_every_pace(file: &TimedFile) -> usize {
    let mut differing = Vec::new();
    let mut count = 0;
    for (group, case) in file.groups.iter().flat_map(|group| group.tests.iter().map(move |case| (group, case))) {
        let (shape, events) = events(group, case);
        let plain = run(shape, Pace::LATE, None, &events, case.cycles);
        for pace in Pace::ALL {
            let other = run(shape, pace, None, &events, case.cycles);
            let differs = (0_u64..).zip(plain.iter().zip(&other)).find(|(_, (a, b))| a != b);
            differing.extend(differs.map(|(cycle, _)| (&case.id, pace, cycle)));
        }
        count += 1;
    }
    assert!(differing.is_empty(), "{differing:#?}");
    count
}
