// SPDX-License-Identifier: MIT OR Apache-2.0
//! R13 to R16: which gaps are reported, and when.

use super::help::{Bench, NEVER, SHAPE};
use golden_vectors::receive::reorder::oracle::{Command, Report, Settings, op};

const TIME: u64 = NEVER.time;

fn report(connection: u64, first: u64, last: u64, by_span: bool, by_time: bool) -> Report {
    Report { connection, first, last, by_span, by_time }
}

#[test]
fn r13_the_span() {
    let mut bench = Bench::opened(SHAPE, 10);
    bench.set(Settings { span: 5, time: TIME });
    bench.send(0, 15);
    bench.idle(100);
    assert_eq!(bench.events, []);
    bench.send(0, 16);
    bench.idle(100);
    assert_eq!(bench.events.iter().map(|&(_, event)| event).collect::<Vec<_>>(), [report(0, 10, 14, true, false)]);
}

/// The age counts from the `time` of cycle *a* + *l* + 10 of the arrival that began the gap, if no other gap waited.
#[test]
fn r13_the_age() {
    for phase in [0, 51, 52, 63] {
        let mut bench = Bench::opened(SHAPE, 0);
        bench.set(Settings { span: 63, time: 1 });
        while bench.oracle.cycle() % 64 != phase {
            bench.step();
        }
        for first in [0, 2] {
            let begun = bench.send(0, first + 1);
            bench.idle(200);
            let old = (begun + 12) / 64 * 64 + 128;
            // Behind the first gap the next missing PSN has to be sought, which is a check more.
            let at = bench.events.last().unwrap().0 - 17 * (first / 2);
            // A visit every 4 cycles, then a check and the event.
            assert!((old - 3..old + 4).contains(&(at - 17 + 3)), "{phase}: {at} {old}");
            assert_eq!(bench.events.last().unwrap().1, report(0, first, first, false, true));
        }
        assert_eq!(bench.events.len(), 2);
    }
}

/// Every missing PSN is reported once: not before the tolerance is over, and half a tolerance later, a few visits and checks
/// later, at the latest; though what is sent again comes meanwhile.
#[test]
fn r13_r15_every_gap_once() {
    let shape = golden_vectors::receive::reorder::oracle::Shape::new(4, 256);
    let (tolerance, apart, rtt, packets) = (36, 65, 2400, 300);
    for every in [2, 3, 5, 9, 23, 40, 50] {
        let mut bench = Bench::opened(shape, 0xFF_FF80);
        bench.set(Settings { span: 255, time: tolerance });
        let mut again = std::collections::VecDeque::new();
        let mut overtaken = std::collections::BTreeMap::new();
        let (mut seen, mut missing) = (0, Vec::new());
        let send = |bench: &mut Bench, psn: u64| {
            while !bench.oracle.outputs().arrival_ready {
                bench.step();
            }
            bench.send(0, psn)
        };
        for n in 0..packets + 200 {
            let end = bench.oracle.cycle() + apart;
            if n < packets && n % every != every - 1 {
                let at = send(&mut bench, (0xFF_FF80 + n) % (1 << 24));
                missing.drain(..).for_each(|psn| assert_eq!(overtaken.insert(psn, at), None));
            } else if n < packets {
                missing.push((0xFF_FF80 + n) % (1 << 24));
            }
            while bench.oracle.cycle() < end {
                if again.front().is_some_and(|(at, _)| *at <= bench.oracle.cycle()) {
                    let (_, psn) = again.pop_front().unwrap();
                    send(&mut bench, psn);
                }
                bench.step();
                for &(at, event) in &bench.events[seen..] {
                    let count = (event.last + (1 << 24) - event.first) % (1 << 24) + 1;
                    again.extend((0..count).map(|ahead| (at + rtt, (event.first + ahead) % (1 << 24))));
                }
                seen = bench.events.len();
            }
        }
        for &(at, event) in &bench.events {
            assert_eq!(event.first, event.last);
            let since = overtaken.remove(&event.first).unwrap_or_else(|| panic!("{every}: {event:?} twice"));
            let age = (at - since) / 64;
            // The gaps of half a tolerance take two checks each.
            let most = tolerance * 3 / 2 + 4 + 36 / every;
            assert!((tolerance..most).contains(&age), "{every}: {event:?} at {at}: {age}");
        }
        assert_eq!(overtaken, Default::default(), "{every}");
    }
}

/// One connection after the other is visited, one per cycle, from the end of the sweep on.
#[test]
fn r14_visits() {
    for connection in 0..4 {
        let mut bench = Bench::new(SHAPE);
        bench.command(op::OPEN, connection, 0, 0);
        bench.set(Settings { span: 0, time: TIME });
        let arrival = bench.send(connection, 2);
        bench.idle(60);
        // The first visit of the connection that sees it, the check, and the event.
        let visit = (arrival + 13..).find(|cycle| (cycle - 30) % 4 == connection).unwrap();
        assert_eq!(bench.unready.last(), Some(&(visit + 4)));
        assert_eq!(bench.events, [(visit + 4 + 13, report(connection, 0, 1, true, false))]);
    }
}

/// The check sees what came behind the visit: a report or none.
#[test]
fn r14_checks() {
    for (late, events) in [(13, 0), (16, 0), (17, 0), (22, 1)] {
        let mut bench = Bench::opened(SHAPE, 0);
        bench.set(Settings { span: 2, time: TIME });
        while !(bench.oracle.cycle() + 13 - 30).is_multiple_of(4) {
            bench.step();
        }
        // Visited 13 cycles later, checked 17 cycles later.
        let arrival = bench.send(0, 3);
        bench.idle(late - 1);
        if late == 17 {
            // `arrival_ready` is 0 in this cycle; the check is in it.
            assert!(!bench.step().arrival_ready);
            assert_eq!(bench.unready.last(), Some(&(arrival + 17)));
            bench.idle(80);
            assert_eq!(bench.events.len(), 1);
            continue;
        }
        bench.send(0, 0);
        bench.idle(80);
        assert_eq!(bench.events.len(), events, "{late}");
    }
    // What has come inside the gap by then shortens the report.
    let mut bench = Bench::opened(SHAPE, 0);
    bench.set(Settings { span: 2, time: TIME });
    while !(bench.oracle.cycle() + 13 - 30).is_multiple_of(4) {
        bench.step();
    }
    bench.send(0, 3);
    bench.idle(15);
    bench.send(0, 1);
    bench.idle(80);
    assert_eq!(bench.events[0].1, report(0, 0, 0, true, false));
}

#[test]
fn r14_a_closed_connection_is_not_reported() {
    let mut bench = Bench::opened(SHAPE, 0);
    bench.set(Settings { span: 0, time: TIME });
    while !(bench.oracle.cycle() + 12 - 30).is_multiple_of(4) {
        bench.step();
    }
    // The command takes effect between the visit and the check.
    bench.inputs.command = Some(Command { op: op::CLOSE, ..Command::default() });
    bench.send(0, 2);
    bench.idle(100);
    assert_eq!(bench.events, []);
}

#[test]
fn r15_once() {
    let mut bench = Bench::opened(SHAPE, 0);
    bench.set(Settings { span: 0, time: TIME });
    bench.send_all(0, [4, 5]);
    bench.idle(100);
    // Inside the gap; the gap that is left has been reported. Suspected, as long as it is there.
    bench.send_all(0, [0, 2]);
    bench.idle(100);
    assert_eq!(bench.events.len(), 1);
    assert!(bench.answers.iter().skip(2).all(|(_, answer)| answer.suspected));
    bench.send_all(0, [1, 3, 7]);
    bench.idle(100);
    assert_eq!(bench.events[1].1, report(0, 6, 6, true, false));
    assert_eq!(bench.events.len(), 2);
    let suspected: Vec<bool> = bench.answers.iter().map(|(_, answer)| answer.suspected).collect();
    assert_eq!(suspected, [false, false, true, true, true, false, false]);
    assert_eq!(bench.psns(), [0, 1, 2, 3, 4, 5]);
}

#[test]
fn r16_events_wait_and_visits_with_them() {
    let mut bench = Bench::new(SHAPE);
    (0..2).for_each(|connection| {
        bench.command(op::OPEN, connection, 0, 0);
    });
    bench.set(Settings { span: 0, time: TIME });
    bench.inputs.event_ready = false;
    bench.send_all(0, [2]);
    bench.send_all(1, [3]);
    bench.idle(100);
    let checks = bench.unready.len();
    let first = bench.oracle.outputs().event.unwrap();
    bench.idle(100);
    assert_eq!(bench.oracle.outputs().event, Some(first));
    assert_eq!(bench.unready.len(), checks);
    // The other gap is gone by then.
    let other = 1 - first.connection;
    let from = bench.oracle.expected(other);
    bench.send_all(other, from..from + 3 + other);
    bench.idle(100);
    bench.inputs.event_ready = true;
    bench.idle(1);
    let taken = bench.events[0].0;
    bench.send(2, 0);
    bench.idle(100);
    assert_eq!(bench.events.len(), 1);
    assert_eq!(taken + 1, bench.oracle.cycle() - 101);
}

/// Settings are in force from the next cycle on. The visit of this gap is compared 16 cycles behind the arrival.
#[test]
fn r14_settings() {
    for (at, events) in [(14, 0), (15, 1), (16, 0)] {
        let mut bench = Bench::opened(SHAPE, 0);
        while !(bench.oracle.cycle() + 13 - 30).is_multiple_of(4) {
            bench.step();
        }
        bench.send(0, 2);
        bench.idle(at - 1);
        bench.set(Settings { span: 0, time: TIME });
        bench.set(NEVER);
        bench.idle(80);
        assert_eq!(bench.events.len(), events, "{at}");
    }
}
