// SPDX-License-Identifier: MIT OR Apache-2.0
//! Events per second of the oracles of `ccc_table`, `packet_tracker` and `entropy_selector`, in the processor time of the thread.
//!
//! The events are those of the random traffic of the vectors, recorded before: ACKs, NACKs, credit, packets, losses, data,
//! commands and settings of several contexts. `table` takes them one after the other, with the adjustments and grants, or the
//! scans, that follow, and has no clock. `clocked` is the stage with its ports, one cycle after the other, in the cycles of the vectors.

use cpu_time::ThreadTime;
use criterion::{Criterion, Throughput};
use golden_vectors::rng::SplitMix64;
use golden_vectors::transmit::ccc_table;
use golden_vectors::transmit::entropy_selector::oracle as entropy;
use golden_vectors::transmit::packet_tracker;
use std::hint::black_box;
use std::time::Duration;

/// Cases of random traffic, each with several hundred events.
const CASES: usize = 64;

/// Events with their cycles, of one case.
type Trace<C> = [(u64, C)];

/// Measures `play`, which returns a number that depends on all that it has done, with all traces.
fn measure<C>(
    criterion: &mut Criterion,
    name: &str,
    traces: &[Vec<(u64, C)>],
    is_event: impl Fn(&C) -> bool,
    play: impl Fn(&Trace<C>) -> u64,
) {
    let events = traces.iter().flatten().filter(|(_, change)| is_event(change)).count();
    assert!(events > 100 * CASES, "{name}: {events} events");
    let cycles: u64 = traces.iter().filter_map(|trace| trace.last()).map(|&(cycle, _)| cycle).sum();
    println!("{name}: {events} events in {cycles} cycles");
    let mut group = criterion.benchmark_group("oracles");
    group.throughput(Throughput::Elements(events as u64));
    group.sample_size(20).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
    group.bench_function(name, |bencher| {
        bencher.iter_custom(|repetitions| {
            let start = ThreadTime::now();
            for _ in 0..repetitions {
                for trace in traces {
                    black_box(play(black_box(trace)));
                }
            }
            start.elapsed()
        });
    });
    group.finish();
}

/// All events of a case through the table without ports.
fn table(shape: ccc_table::oracle::Shape, trace: &Trace<ccc_table::oracle::Change>) -> u64 {
    use ccc_table::oracle::{Change, Table};
    let mut table = Table::new(shape);
    let (mut tick, mut last, mut sum, mut limits) = (shape.reset.tick, 0, 0, 0);
    for &(cycle, change) in trace {
        sum += (cycle - last) * tick;
        last = cycle;
        let now = (sum >> 16) % (1 << 20);
        while table.next_adjustment().is_some_and(|due| due <= cycle) {
            table.adjust();
        }
        match change {
            Change::Event(event) => table.step(cycle, now, &event),
            Change::Command(command) => {
                let in_turn = table.is_in_turn(command.ccc);
                limits ^= table.command(cycle, now, &command, in_turn).cwnd;
            }
            Change::Settings(Some(settings)) => {
                // Nothing is under way when they take effect.
                while table.is_adjusting() {
                    table.adjust();
                }
                tick = settings.tick;
                table.set(settings);
            }
            Change::Settings(None) | Change::GrantReady(_) => {}
        }
        if let Some(grant) = table.take(cycle).and_then(|take| take.grant) {
            limits ^= grant.limit;
        }
    }
    limits ^ table.counters().adjustments
}

/// Plays the changes of a case in their cycles. Returns a number that depends on the outputs.
fn clocked<C: Copy, I>(
    trace: &Trace<C>,
    mut inputs: I,
    next: impl Fn(&mut I),
    apply: impl Fn(&mut I, C),
    mut step: impl FnMut(&I) -> u64,
) -> u64 {
    let mut changes = trace.iter().peekable();
    let mut digest = 0;
    let cycles = trace.last().map_or(0, |&(cycle, _)| cycle);
    for cycle in 0..=cycles {
        next(&mut inputs);
        while let Some(&(_, change)) = changes.next_if(|(at, _)| *at == cycle) {
            apply(&mut inputs, change);
        }
        digest ^= step(&inputs);
    }
    digest
}

fn of_ccc_table(criterion: &mut Criterion) {
    use ccc_table::oracle::{Algorithms, Change, Inputs, Oracle, Shape};
    let is_event = |change: &Change| matches!(change, Change::Event(_) | Change::Command(_));
    for (name, algorithms) in [("nscc", Algorithms::Nscc), ("both", Algorithms::Both)] {
        let shape = Shape::new(algorithms, 64);
        let traces = ccc_table::load_traces(shape, CASES);
        measure(criterion, &format!("ccc_table {name} table"), &traces, is_event, |trace| table(shape, trace));
        measure(criterion, &format!("ccc_table {name} clocked"), &traces, is_event, |trace| {
            let mut oracle = Oracle::new(shape);
            clocked(trace, Inputs::idle(None), Inputs::next, Inputs::apply, |inputs| {
                oracle.step(inputs).grant.map_or(0, |grant| grant.limit)
            })
        });
    }
}

/// The next change of a table, and a number that depends on what comes of it.
fn replayed(replay: &mut packet_tracker::oracle::Replay, cycle: u64, change: &packet_tracker::oracle::Change) -> u64 {
    let mut digest = 0;
    replay.change(cycle, change, |effects| {
        digest ^= effects.outcomes.last().map_or(0, |outcome| outcome.psn);
        digest ^= effects.events.last().map_or(0, |event| event.room);
    });
    digest
}

fn of_packet_tracker(criterion: &mut Criterion) {
    use packet_tracker::oracle::{Change, Inputs, Oracle, Replay, Shape};
    let is_event = |change: &Change| matches!(change, Change::Ack(_) | Change::Send(_) | Change::Command(_));
    let shape = Shape::new(64, 256);
    let traces = packet_tracker::load_traces(shape, CASES);
    measure(criterion, "packet_tracker table", &traces, is_event, |trace| {
        let mut replay = Replay::new(shape);
        trace.iter().fold(0, |digest, (cycle, change)| digest ^ replayed(&mut replay, *cycle, change))
    });
    // As in a simulation of many NICs: each has a table, and they take turns.
    let numbered = |(n, trace): (usize, &Vec<(u64, Change)>)| {
        trace.iter().map(|&(cycle, change)| (cycle, (n, change))).collect::<Vec<_>>() //
    };
    let mut merged: Vec<_> = traces.iter().enumerate().flat_map(numbered).collect();
    merged.sort_by_key(|&(cycle, _)| cycle);
    measure(
        criterion,
        "packet_tracker many tables",
        &[merged],
        |(_, change)| is_event(change),
        |trace| {
            let mut replays: Vec<_> = traces.iter().map(|_| Replay::new(shape)).collect();
            trace.iter().fold(0, |digest, (cycle, (n, change))| digest ^ replayed(&mut replays[*n], *cycle, change))
        },
    );
    measure(criterion, "packet_tracker clocked", &traces, is_event, |trace| {
        let mut oracle = Oracle::new(shape);
        clocked(trace, Inputs::idle(None), Inputs::next, Inputs::apply, |inputs| {
            oracle.step(inputs).outcome.map_or(0, |outcome| outcome.psn)
        })
    });
}

/// Requests and feedback of contexts in all modes, about as many of each; a fifth of the feedback is no good.
fn entropy_trace(shape: entropy::Shape, seed: u64) -> Vec<(u64, entropy::Event)> {
    let mut rng = SplitMix64::new(seed);
    let feedback = |rng: &mut SplitMix64| {
        let kind = if rng.below(5) > 0 { entropy::Kind::Good } else { entropy::Kind::of(1 + rng.below(3)) };
        entropy::Event::Feedback(rng.below(shape.cccs), entropy::Ev::Own(rng.below(shape.evs)), kind)
    };
    (0..1000)
        .map(|cycle| {
            let asks = rng.below(2) == 0;
            let event = if asks {
                entropy::Event::Request(rng.below(shape.cccs), entropy::ALL_FREE)
            } else {
                feedback(&mut rng)
            };
            (cycle, event)
        })
        .collect()
}

fn of_entropy_selector(criterion: &mut Criterion) {
    let modes = entropy::Mode::ALL;
    let shape = entropy::Shape::new(modes.len() as u64, 256).modes(entropy::Mode::MASK);
    let mut opened = entropy::Table::new(shape);
    for (ccc, mode) in (0..).zip(modes) {
        opened.command(0, &entropy::Command::open(ccc, 0, mode).random());
    }
    // The numbers on the wire do not depend on what comes later.
    let wires: Vec<_> = (0..shape.cccs).map(|ccc| opened.wire(ccc).unwrap_or_default()).collect();
    let traces: Vec<_> = (0..CASES as u64).map(|seed| entropy_trace(shape, seed)).collect();
    measure(
        criterion,
        "entropy_selector table",
        &traces,
        |_| true,
        |trace| {
            let mut table = opened.clone();
            let mut evs = 0;
            for &(cycle, event) in trace {
                match event {
                    entropy::Event::Request(ccc, free) => evs += table.request(cycle, ccc, free).ev,
                    entropy::Event::Feedback(ccc, entropy::Ev::Own(ev), kind) => {
                        table.feedback(cycle, ccc, wires[ccc as usize] + ev, kind);
                    }
                    _ => {}
                }
            }
            evs
        },
    );
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    of_ccc_table(&mut criterion);
    of_packet_tracker(&mut criterion);
    of_entropy_selector(&mut criterion);
    criterion.final_summary();
}
