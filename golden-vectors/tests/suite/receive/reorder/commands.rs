// SPDX-License-Identifier: MIT OR Apache-2.0
//! R17 to R20: commands, what they show, and the sweep.

use super::help::{Bench, NEVER, SHAPE, packet};
use golden_vectors::receive::reorder::oracle::{Command, Outcome, Settings, op};

/// With *l* = 2: effect after 14 cycles, response after 29, the next command after 30.
#[test]
fn r17_cycles() {
    let mut bench = Bench::new(SHAPE);
    let command = Command { op: op::OPEN, psn: 3, ..Command::default() };
    bench.inputs.command = Some(command);
    let accepted = bench.oracle.cycle();
    let mut ready = Vec::new();
    for _ in 0..40 {
        // Held on the port: another one is accepted only in the 30th cycle behind.
        ready.push(bench.step().command_ready);
        bench.inputs.command = Some(Command { op: op::CHANGE, ..command });
        if bench.oracle.outputs().arrival_ready {
            bench.inputs.arrival = Some(packet(0, 3));
        }
    }
    assert_eq!(ready.iter().enumerate().filter(|(_, ready)| **ready).map(|(at, _)| at).collect::<Vec<_>>(), [0, 30]);
    assert_eq!(bench.responses[0].0, accepted + 29);
    let known = bench.answers.iter().find(|(_, answer)| answer.outcome != Outcome::Unknown).unwrap();
    assert_eq!(known.0, accepted + 14 + 1 + 14);
}

#[test]
fn r18_open_needs_a_closed_connection_that_has_been_read() {
    let mut bench = Bench::opened(SHAPE, 5);
    bench.send_all(0, [5, 7]);
    bench.command(op::OPEN, 0, 0, 50);
    assert!(!bench.response().done && bench.response().open);
    assert_eq!((bench.response().expected, bench.response().highest, bench.response().held), (6, 7, 1));
    bench.inputs.delivery_ready = false;
    bench.send_all(0, (6..40).filter(|&psn| psn != 7));
    bench.send(0, 45);
    bench.idle(60);
    bench.command(op::CLOSE, 0, 0, 0);
    assert!(bench.response().done && bench.response().draining && !bench.response().open);
    bench.command(op::CLOSE, 0, 0, 0);
    assert!(!bench.response().done);
    bench.command(op::OPEN, 0, 0, 50);
    assert!(!bench.response().done && !bench.response().open);
    bench.inputs.delivery_ready = true;
    bench.idle(80);
    assert_eq!(bench.psns(), (5..40).collect::<Vec<_>>());
    bench.command(op::OPEN, 0, 0, 50);
    let response = bench.response();
    assert!(response.done && response.open && !response.draining);
    assert_eq!((response.expected, response.highest, response.held, response.reordered), (50, 49, 0, 0));
    // What was held is gone.
    bench.send_all(0, 50..60);
    bench.idle(60);
    assert_eq!(bench.psns(), (5..40).chain(50..60).collect::<Vec<_>>());
}

#[test]
fn r18_change_needs_an_open_connection() {
    let mut bench = Bench::opened(SHAPE, 5);
    bench.send(0, 6);
    bench.command(op::CHANGE, 0, 2, 0);
    let response = bench.response();
    assert_eq!((response.done, response.open, response.expected, response.path_packets), (true, true, 5, 1));
    bench.command(op::CHANGE, 1, 2, 0);
    assert!(!bench.response().done && !bench.response().open);
}

/// A tolerance of its own stays until the next *change* or *open*, whatever the settings are.
#[test]
fn r18_a_connection_has_its_own_tolerance() {
    let mut bench = Bench::opened(SHAPE, 0);
    bench.command(op::OPEN, 1, 0, 0);
    bench.set(Settings { span: 10, ..NEVER });
    bench.change(0, Some(Settings { span: 2, ..NEVER }));
    for connection in [0, 1] {
        bench.send(connection, 3);
    }
    bench.idle(300);
    let events = |bench: &Bench| bench.events.iter().map(|(_, event)| event.connection).collect::<Vec<_>>();
    assert_eq!(events(&bench), [0]);
    bench.set(Settings { span: 1, ..NEVER });
    bench.idle(300);
    assert_eq!(events(&bench), [0, 1]);
    bench.change(0, None);
    bench.send_all(0, [5, 6]);
    bench.idle(300);
    assert_eq!(events(&bench), [0, 1, 0]);
}

#[test]
fn r19_statistics() {
    let mut bench = Bench::opened(SHAPE, 0);
    while !bench.oracle.cycle().is_multiple_of(64) {
        bench.step();
    }
    bench.send_all(0, [3, 1, 1, 2]);
    bench.idle(190);
    bench.send_all(0, [0, 5, 4, 4]);
    bench.idle(60);
    bench.send_all(0, [69, 6]);
    bench.idle(60);
    bench.command(op::READ, 0, 1, 0);
    let response = bench.response();
    // Overtaken were 1, 2, 0, 4 and 6.
    assert_eq!((response.reordered, response.depth, response.duration), (5, 3, 3));
    assert_eq!((response.expected, response.highest, response.held), (7, 69, 1));
    bench.command(op::CLOSE, 0, 1, 0);
    let closed = bench.response();
    assert_eq!((closed.held, closed.highest, closed.reordered, closed.duration), (1, 69, 5, 3));
    assert_eq!((closed.path_packets, closed.path_time), (response.path_packets, response.path_time));
    bench.command(op::OPEN, 0, 1, 9);
    let opened = bench.response();
    assert_eq!((opened.reordered, opened.depth, opened.duration, opened.path_packets), (0, 0, 0, 0));
}

#[test]
fn r20_the_sweep() {
    let mut bench = Bench::from_reset(SHAPE);
    for cycle in 0..40 {
        bench.inputs.arrival = Some(packet(0, 0));
        let out = bench.step();
        let swept = cycle >= 4 * 4 + 2 + 12;
        assert_eq!((out.busy, out.arrival_ready, out.command_ready), (!swept, swept, swept), "{cycle}");
    }
    assert_eq!(bench.counters().outcomes[Outcome::Unknown as usize], 10);
    // Settings are taken in the sweep too.
    let mut bench = Bench::from_reset(SHAPE);
    bench.set(Settings { span: 0, ..NEVER });
    bench.idle(40);
    bench.command(op::OPEN, 3, 0, 0);
    bench.send(3, 2);
    bench.idle(100);
    assert_eq!(bench.events.len(), 1);
}

/// The settings after reset: half a window, and 121 units of time.
#[test]
fn settings_after_reset() {
    let mut bench = Bench::from_reset(SHAPE);
    bench.idle(40);
    bench.command(op::OPEN, 0, 0, 0);
    bench.send(0, 32);
    bench.idle(121 * 64);
    assert_eq!(bench.events.len(), 0);
    bench.idle(128);
    assert_eq!(bench.events.len(), 1);
    bench.command(op::OPEN, 1, 0, 0);
    bench.send(1, 33);
    bench.idle(100);
    assert_eq!(bench.events.len(), 2);
}
