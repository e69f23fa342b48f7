// SPDX-License-Identifier: MIT OR Apache-2.0
//! Suspected losses: above the tolerance, once.

use super::bench::{Bench, Drive, Packet};
use pipeline::receive::reorder::{ReorderConfig, op};
use rtl_model::Stage;

fn packet(connection: u64, psn: u64) -> Packet {
    Packet { connection, psn, ..Packet::default() }
}

fn config(ram_latency: u32) -> ReorderConfig {
    ReorderConfig { ram_latency, ..ReorderConfig::new(4, 64) }
}

/// The events: connection, first and last PSN, by span, by time.
fn events(bench: &Bench) -> Vec<[u64; 5]> {
    let all = bench.seen.events.iter();
    all.map(|(_, event)| {
        [event.connection, event.first, event.last, event.by_span, event.by_time].map(rtl_model::Bits::value)
    })
    .collect()
}

/// R13 to R16: a gap above the span is reported once, also if a part of it is filled; the next one is reported, too, once it is above the span.
#[test]
fn a_gap_above_the_span_is_reported_once() {
    for ram_latency in 1..=3 {
        let mut bench = Bench::new(config(ram_latency));
        let start = (1 << 24) - 2;
        bench.open(3, start);
        bench.clock(Drive { settings: Some((5, (1 << 20) - 1)), ..Drive::default() });
        for at in [0, 4, 6, 5] {
            bench.send(packet(3, start + at), false);
        }
        bench.idle(200);
        assert_eq!(events(&bench), Vec::<[u64; 5]>::new(), "a span of 5 is tolerated");
        bench.send(packet(3, start + 7), false);
        bench.idle(100);
        assert_eq!(events(&bench), [[3, start + 1, 1, 1, 0]]);
        // Late packets of the gap are delivered, and nothing is reported again.
        for at in [2, 8, 1, 20] {
            bench.send(packet(3, start + at), false);
            bench.idle(100);
        }
        assert_eq!(bench.seen.answers.last().expect("an answer").1.suspected.value(), 1);
        // The next gap is above the span, too.
        assert_eq!(events(&bench)[1..], [[3, 7, 17, 1, 0]]);
        bench.send(packet(3, start + 3), false);
        bench.idle(100);
        (0..30).for_each(|at| bench.send(packet(3, start + at), false));
        bench.drain();
        assert!(bench.all_delivered());
        assert_eq!(events(&bench).len(), 2);
    }
}

/// R13: by time, in clock cycles; the setting is changed while the gap is there.
#[test]
fn a_gap_above_the_time_is_reported_once() {
    let mut bench = Bench::new(config(2));
    bench.open(0, 10);
    bench.open(1, 10);
    bench.clock(Drive { settings: Some((63, 10)), ..Drive::default() });
    let begin = bench.cycle;
    bench.send(packet(1, 11), false);
    bench.send(packet(0, 14), false);
    bench.idle(9 * 64);
    assert_eq!(events(&bench).len(), 0);
    bench.idle(3 * 64);
    let mut all = events(&bench);
    all.sort();
    assert_eq!(all, [[0, 10, 13, 0, 1], [1, 10, 10, 0, 1]]);
    assert!(bench.seen.events.iter().all(|(cycle, _)| (10 * 64..12 * 64 + 60).contains(&(cycle - begin))));
    // A new gap; its time counts from the last move of the expected PSN.
    bench.send(packet(1, 10), false);
    bench.send(packet(1, 20), false);
    bench.idle(300);
    assert_eq!(events(&bench).len(), 2);
    bench.clock(Drive { settings: Some((63, 2)), ..Drive::default() });
    bench.idle(60);
    assert_eq!(events(&bench)[2..], [[1, 12, 19, 0, 1]]);
}

/// R16: while nobody takes the event, other gaps wait; those that are still there are reported then.
#[test]
fn gaps_wait_for_the_event_to_be_taken() {
    let mut bench = Bench::new(config(2));
    (0..4).for_each(|connection| bench.open(connection, 0));
    bench.clock(Drive { settings: Some((0, (1 << 20) - 1)), ..Drive::default() });
    let stalled = Drive { stall_event: true, ..Drive::default() };
    for connection in [2, 0, 1, 3] {
        bench.clock(Drive { packet: Some(packet(connection, 2)), ..stalled });
        bench.repeat(60, stalled);
    }
    for psn in [0, 1] {
        bench.clock(Drive { packet: Some(packet(1, psn)), ..stalled });
        bench.repeat(60, stalled);
    }
    assert_eq!(bench.stage.outputs().event.connection.value(), 2);
    bench.idle(100);
    assert_eq!(events(&bench), [[2, 0, 1, 1, 0], [3, 0, 1, 1, 0], [0, 0, 1, 1, 0]]);
}

/// R19: packets overtaken, most packets held, and the largest age of a gap that an arrival has ended; *open* clears them.
#[test]
fn statistics_of_reordering() {
    for ram_latency in 1..=3 {
        let mut bench = Bench::new(config(ram_latency));
        bench.open(2, 10);
        bench.send(packet(2, 12), false);
        bench.send(packet(2, 13), false);
        bench.idle(64 * 5);
        bench.send(packet(2, 10), false);
        bench.send(packet(2, 11), false);
        bench.idle(100);
        let response = bench.command(op::READ, 2, 0, 0);
        let fields =
            [response.state.reordered, response.state.depth, response.state.duration].map(rtl_model::Bits::value);
        assert_eq!(fields, [2, 2, 5]);
        bench.command(op::CLOSE, 2, 0, 0);
        let response = bench.command(op::OPEN, 2, 0, 0);
        let fields =
            [response.state.reordered, response.state.depth, response.state.duration].map(rtl_model::Bits::value);
        assert_eq!(fields, [0; 3]);
    }
}
