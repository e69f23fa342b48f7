// SPDX-License-Identifier: MIT OR Apache-2.0
//! The table without a clock: it agrees with the oracle when every event has taken effect before the next one comes.
//!
//! Each clock cycle of a trace becomes 64, in which its events are far enough apart, and every time of the settings becomes 64 times
//! as long. The oracle answers that trace, and the table the same events in their order.

use golden_vectors::rng::SplitMix64;
use golden_vectors::schema::timed::{TimedCase, TimedGroup};
use golden_vectors::transmit::entropy_selector::oracle::{
    Answer, Command, Counters, Ev, Event, Grant, Kind, Mode, Op, Response, Settings, SettingsPorts, Shape, Table,
    answer,
};
use golden_vectors::transmit::entropy_selector::vectors;
use std::collections::BTreeMap;

/// Cycles for each one of a trace.
const SLOT: u64 = 64;

/// An event in its slot. A command comes first, and has taken effect before a request; new settings are in force in the next slot.
const fn place(event: &Event) -> u64 {
    match event {
        Event::Command(_) => 1,
        Event::Request(..) => 24,
        Event::Feedback(..) => 34,
        Event::Reroute(_) => 46,
        Event::Settings(_) => 62,
    }
}

fn slow(settings: Settings) -> Settings {
    Settings { rtt: settings.rtt.max(64) * SLOT, freeze: settings.freeze * SLOT, ..settings }
}

fn slow_ports(ports: SettingsPorts) -> SettingsPorts {
    SettingsPorts { values: slow(ports.values), ..ports }
}

/// A shape and a trace, slowly, from behind the sweep on.
fn slowly(shape: Shape, events: &[(u64, Event)]) -> (Shape, Vec<(u64, Event)>) {
    let sweep = shape.cccs.div_ceil(SLOT);
    let slower = |&(cycle, event): &(u64, Event)| {
        let at = (sweep + cycle) * SLOT + place(&event);
        let event = match event {
            Event::Settings(ports) => Event::Settings(slow_ports(ports)),
            _ => event,
        };
        (at, event)
    };
    let mut events: Vec<_> = events.iter().map(slower).collect();
    events.sort_by_key(|&(cycle, _)| cycle);
    (shape.settings(slow(shape.settings)), events)
}

/// What the table says.
fn tabled(shape: Shape, first: SettingsPorts, events: &[(u64, Event)]) -> Answer {
    let mut table = Table::new(shape);
    let mut answer = Answer::default();
    let settings = |table: &mut Table, cycle: u64, ports: SettingsPorts| {
        table.set_pipeline(ports.pipeline);
        if ports.valid {
            table.set(cycle + 1, ports.values);
        }
    };
    settings(&mut table, 0, first);
    for &(cycle, event) in events {
        match event {
            Event::Settings(ports) => settings(&mut table, cycle, ports),
            Event::Command(command) => answer.responses.push(table.command(cycle + shape.effect(), &command)),
            Event::Feedback(ccc, ev, kind) => {
                let number = match ev {
                    Ev::Wire(number) => number,
                    Ev::Own(index) => (table.wire(ccc).unwrap_or(shape.wire_base) + index) % (1 << 16),
                };
                table.feedback(cycle, ccc, number, kind);
            }
            Event::Reroute(ccc) => table.reroute(ccc),
            Event::Request(ccc, free) => answer.grants.push(table.request(cycle, ccc, free)),
        }
    }
    let Counters { refused_requests, blocked_requests, feedback_closed, feedback_range } = *table.counters();
    Answer { refused_requests, blocked_requests, feedback_closed, feedback_range, ..answer }
}

/// Without the cycles in which answers leave the stage.
fn untimed(answer: Answer) -> Answer {
    let grants = answer.grants.into_iter().map(|grant| Grant { cycle: 0, ..grant }).collect();
    let responses = answer.responses.into_iter().map(|response| Response { cycle: 0, ..response }).collect();
    Answer { grants, responses, ..answer }
}

/// Both answer a trace. Returns what they say.
fn agree(shape: Shape, first: SettingsPorts, events: &[(u64, Event)], id: &str) -> Answer {
    let (shape, events) = slowly(shape, events);
    let first = slow_ports(first);
    let oracle = untimed(answer(shape, first, &events));
    assert_eq!(untimed(tabled(shape, first, &events)), oracle, "{id}");
    oracle
}

/// The settings on the ports.
fn ports(values: &BTreeMap<String, u64>) -> SettingsPorts {
    let of = |name: &str| values[&format!("settings_{name}")];
    let values = Settings {
        rtt: of("rtt"),
        saturation: of("saturation"),
        seed: of("seed"),
        explore: of("explore"),
        freeze: of("freeze"),
        idle: of("idle"),
        reroute: of("reroute"),
    };
    SettingsPorts { valid: of("valid") == 1, pipeline: 0, values }
}

/// The first settings of a case of the vectors, and its events.
fn events(group: &TimedGroup, case: &TimedCase) -> (SettingsPorts, Vec<(u64, Event)>) {
    let mut standing = group.settings.clone();
    let with_pipeline =
        |standing: &BTreeMap<String, u64>| SettingsPorts { pipeline: standing["pipeline"], ..ports(standing) };
    let first = with_pipeline(&standing);
    let mut changes: BTreeMap<u64, Vec<(&String, u64)>> = BTreeMap::new();
    for (port, values) in &case.settings {
        values.iter().for_each(|&(cycle, value)| changes.entry(cycle).or_default().push((port, value)));
    }
    let mut all = Vec::new();
    for (cycle, new) in changes {
        standing.extend(new.into_iter().map(|(port, value)| (port.clone(), value)));
        all.push((cycle, Event::Settings(with_pipeline(&standing))));
    }
    for (stream, rows) in &case.inputs {
        let columns = &group.inputs[stream];
        for row in rows {
            let of = |name: &str| {
                let at = columns.iter().position(|column| column.name == name).expect("a column");
                row[at + 1]
            };
            let event = match stream.as_str() {
                "request" => Event::Request(of("ccc"), of("free_ports")),
                "feedback" => Event::Feedback(of("ccc"), Ev::Wire(of("ev")), Kind::of(of("kind"))),
                "reroute" => Event::Reroute(of("ccc")),
                _ => Event::Command(Command {
                    op: Op::of(of("op")),
                    ccc: of("ccc"),
                    start: of("start"),
                    fixed: of("fixed") == 1,
                    stride: of("stride"),
                    mode: of("mode"),
                    rod: of("rod") == 1,
                    space: of("space"),
                    class: of("rtt_class"),
                }),
            };
            all.push((row[0], event));
        }
    }
    (first, all)
}

fn shape(configuration: &BTreeMap<String, u64>) -> Shape {
    let of = |name: &str| configuration[name];
    Shape::new(of("cccs"), of("evs"))
        .ram_latency(of("ram_latency"))
        .modes(of("modes"))
        .ports(of("ports"))
        .wire(of("wire_base"), of("wire_range"))
}

#[test]
fn the_events_of_all_vectors_have_the_same_answers() {
    let file = vectors();
    let (mut ran, mut long, mut grants) = (0, 0, 0);
    for group in &file.groups {
        for case in &group.tests {
            // The oracle takes a step for each cycle.
            if case.cycles > 20_000 {
                long += 1;
                continue;
            }
            let (first, events) = events(group, case);
            grants += agree(shape(&group.configuration), first, &events, &case.id).grants.len();
            ran += 1;
        }
    }
    println!("{ran} cases with {grants} grants, {long} are too long");
    assert!(ran > 20 * long && grants > 10 * ran, "{ran} cases with {grants} grants, {long} are too long");
}

/// A random trace of a random shape.
fn random(seed: u64) -> (Shape, SettingsPorts, Vec<(u64, Event)>) {
    let mut rng = SplitMix64::new(seed);
    let evs = 8 << rng.below(5);
    let (cccs, latency) = (1 + rng.below(3), 1 + rng.below(3));
    let shape = Shape::new(cccs, evs).modes(Mode::MASK).ports(1 + rng.below(2)).ram_latency(latency);
    let settings = |rng: &mut SplitMix64| {
        let path = Settings::new(64 + rng.below(40), rng.below(300)).path(rng.below(3), rng.below(4));
        path.reps(rng.below(6), rng.below(4)).seed(rng.next_u64() >> 32)
    };
    let first = settings(&mut rng).pipeline(rng.below(3));
    let mut events = Vec::new();
    for ccc in 0..cccs {
        let command = Command::open(ccc, rng.below(evs), Mode::ALL[rng.below(7) as usize]);
        let command = Command { fixed: rng.below(2) == 0, stride: rng.below(3), class: rng.below(3), ..command };
        events.push((ccc, Event::Command(command)));
    }
    for cycle in cccs..cccs + 60 + rng.below(200) {
        let ccc = rng.below(cccs + 1);
        if rng.below(3) > 0 {
            events.push((cycle, Event::Request(ccc, if rng.below(6) == 0 { 1 } else { 3 })));
        }
        if rng.below(3) > 0 {
            let kind = if rng.below(2) == 0 { Kind::Good } else { Kind::of(rng.below(8)) };
            events.push((cycle, Event::Feedback(rng.below(cccs + 1), Ev::Own(rng.below(evs + evs / 4)), kind)));
        }
        match rng.below(60) {
            0 => events.push((cycle, Event::Settings(settings(&mut rng).pipeline(rng.below(3))))),
            1 | 2 => events.push((cycle, Event::Reroute(ccc))),
            3..8 => {
                let command = Command::open(ccc, rng.below(evs), Mode::ALL[rng.below(7) as usize]);
                let (op, space) = (Op::of(rng.below(6)), rng.below(8));
                let command = Command { op, space, rod: rng.below(9) == 0, class: rng.below(3), ..command };
                events.push((cycle, Event::Command(command)));
            }
            _ => {}
        }
    }
    (shape, first, events)
}

#[test]
fn random_traces_have_the_same_answers() {
    let mut kinds = [0_usize; 4];
    for seed in 0..u64::from(tier::cases(10_000)) {
        let (shape, first, events) = random(seed);
        let answer = agree(shape, first, &events, &format!("seed {seed}"));
        let count = |of: fn(&Grant) -> bool| answer.grants.iter().filter(|grant| of(grant)).count();
        kinds[0] += count(|grant| grant.open);
        kinds[1] += count(|grant| grant.blocked);
        kinds[2] += count(|grant| grant.saturated);
        kinds[3] += answer.responses.iter().filter(|response| response.marked > 0).count();
    }
    assert!(kinds.iter().all(|&count| count > 100), "{kinds:?}");
}
