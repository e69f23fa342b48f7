// SPDX-License-Identifier: MIT OR Apache-2.0
//! The cycles of the contract for each latency, as its last table has them.

use super::help::SETTINGS;
use golden_vectors::transmit::path_scheduler::oracle::{
    Answer, Command, Entropy, Event, Feedback, Granularity, Kind, Op, Packet, Request, Settings, Shape, answer,
};

/// Latency, then T1, T11, T12, T16 and T16 of the table; the other rows have tests of their own.
const TABLE: [(u64, [u64; 5]); 3] = [(1, [8, 9, 4, 12, 5]), (2, [10, 11, 5, 15, 6]), (3, [12, 13, 6, 18, 7])];

fn data(cycle: u64) -> (u64, Event) {
    (cycle, Event::Request(Request { qp: 0, kind: Packet::Data, path: 0 }))
}

fn ecn(cycle: u64) -> (u64, Event) {
    (cycle, Event::Feedback(Feedback::new(0, 0, Kind::Ecn)))
}

fn op(cycle: u64, op: Op) -> (u64, Event) {
    (cycle, Event::Command(Command::new(op, 0, 0).weight(9)))
}

/// One QP of four sub-paths, of which 0 has weight 9 from cycle 100 on.
fn run(latency: u64, events: &[(u64, Event)]) -> Answer {
    let mut all = vec![(10, Event::Command(Command::open(0, 5, 0, Granularity::Flow)))];
    all.extend([op(40, Op::Add), op(70, Op::Start)]);
    all.extend_from_slice(events);
    all.sort_by_key(|&(cycle, _)| cycle);
    answer(Shape::new(1, 4).ram_latency(latency), SETTINGS, &all)
}

#[test]
fn t1_request_to_grant() {
    for (latency, [grant, ..]) in TABLE {
        assert_eq!(run(latency, &[data(100)]).grants[0].cycle, 100 + grant);
    }
}

#[test]
fn t11_request_to_the_first_feedback_that_counts_its_packet() {
    for (latency, [_, counted, ..]) in TABLE {
        let absent = |distance| run(latency, &[data(100), ecn(100 + distance)]).feedback_absent;
        assert_eq!([absent(0), absent(counted - 1), absent(counted), absent(counted + 9)], [1, 1, 0, 0]);
        // An operation takes effect in the cycle behind its acceptance.
        let read = |distance| run(latency, &[data(100), op(99 + distance, Op::Read)]).responses[3].in_flight;
        assert_eq!([read(counted - 1), read(counted)], [0, 1]);
    }
}

#[test]
fn t12_feedback_to_the_first_request_that_sees_it() {
    for (latency, [_, _, sight, ..]) in TABLE {
        let weight = |distance| run(latency, &[data(100), ecn(120), data(120 + distance)]).grants[1].tag >> 2;
        assert_eq!([weight(0), weight(sight - 1), weight(sight), weight(sight + 1)], [9, 9, 8, 8]);
    }
}

#[test]
fn t16_operation_to_operation_response_and_request() {
    for (latency, [_, _, sight, next, response]) in TABLE {
        let responses = |distance| {
            let answer = run(latency, &[op(100, Op::Drain), op(100 + distance, Op::Read)]);
            answer.responses[3..].iter().map(|response| response.cycle).collect::<Vec<_>>()
        };
        assert_eq!(responses(1), [100 + response]);
        assert_eq!(responses(next - 1), [100 + response]);
        assert_eq!(responses(next), [100 + response, 100 + next + response]);
        let ok = |distance| run(latency, &[op(100, Op::Drain), data(100 + distance)]).grants[0].ok;
        assert_eq!([ok(1), ok(sight), ok(sight + 1)], [true, true, false]);
        assert_eq!(Shape::new(1, 4).ram_latency(latency).operations(), next);
    }
}

/// T1: with entropies by XOR there is one table less to read.
#[test]
fn t1_request_to_grant_by_xor() {
    for (latency, grant) in [(1, 7), (2, 8), (3, 9)] {
        let shape = Shape::new(1, 4).ram_latency(latency).entropy(Entropy::Xor);
        assert_eq!(answer(shape, SETTINGS, &[data(100)]).grants[0].cycle, 100 + grant);
    }
}

#[test]
fn t3_request_to_its_time() {
    for (latency, distance) in [(1, 4), (2, 5), (3, 6)] {
        let flowlets = |events: &[(u64, Event)]| {
            let set_granularity = (90, Event::Command(Command::new(Op::Regrain, 0, 0).mode(1)));
            let answer = run(latency, &[&[set_granularity], events].concat());
            answer.grants.iter().map(|grant| grant.flowlet).collect::<Vec<_>>()
        };
        // Units 3 and 4 begin with cycles 192 and 256. A gap of one unit is no flowlet, since the time is 1.
        assert_eq!(flowlets(&[data(191 - distance), data(255 - distance), data(256 - distance)]), [0, 0, 0]);
        assert_eq!(flowlets(&[data(191 - distance), data(256 - distance)]), [0, 1]);
        assert_eq!(flowlets(&[data(192 - distance), data(319 - distance)]), [0, 0]);
    }
}

/// T20: cycles from a request to the window of its packet, and to the requests and the feedback that see it full.
#[test]
fn t20_request_to_its_window() {
    for (latency, [_, counted, ..]) in TABLE {
        let distance = [7, 9, 11][latency as usize - 1];
        let full = |at: u64| {
            let change = (at, Event::Settings(Some(SETTINGS.window(1))));
            let answer = run(latency, &[data(100), change, data(150)]);
            (answer.full_requests, answer.grants[1].ok)
        };
        // The transfer is in force one cycle later.
        assert_eq!([full(99 + distance), full(100 + distance)], [(1, false), (0, true)], "{latency}");
        let window = (90, Event::Settings(Some(SETTINGS.window(1))));
        let ok = |at| run(latency, &[window, data(100), data(100 + at)]).grants[1].ok;
        assert_eq!([ok(1), ok(counted - 1), ok(counted), ok(counted + 1)], [true, true, false, false]);
    }
}

/// T26: feedback to its event, if nothing else happens.
#[test]
fn t26_feedback_to_event() {
    for (latency, [cause, queued, fetch]) in [(1, [4, 5, 3]), (2, [5, 7, 4]), (3, [6, 9, 5])] {
        let failing = (10, Event::Settings(Some(Settings::new(1, 0, 1))));
        let lost = (130, Event::Feedback(Feedback::new(0, 0, Kind::Timeout)));
        let reports = run(latency, &[failing, data(100), lost]).reports;
        let cycle = 130 + cause + queued + fetch;
        assert_eq!(
            reports.iter().map(|report| (report.cycle, report.last)).collect::<Vec<_>>(),
            [(cycle, Some(cycle))]
        );
    }
}

#[test]
fn t14_settings() {
    let told = |at, kind| (at, Event::Feedback(Feedback::new(0, 0, kind)));
    for latency in 1..4 {
        for (distance, weight) in [(latency, 6), (latency + 1, 5)] {
            let change = (121 + distance, Event::Settings(Some(Settings::new(1, 1, 0))));
            let feedback = [told(120, Kind::Nack), told(121, Kind::Good)];
            let answer = run(latency, &[data(100), data(101), feedback[0], feedback[1], change, data(150)]);
            assert_eq!(answer.grants[2].tag >> 2, weight);
        }
    }
}

#[test]
fn t16_feedback_is_not_accepted_in_the_cycle_of_the_effect() {
    for latency in 1..4 {
        let weight = |at| run(latency, &[data(100), op(120, Op::Read), ecn(at), data(140)]).grants[1].tag >> 2;
        assert_eq!([weight(120), weight(121), weight(122)], [8, 9, 8]);
        let read = |at| run(latency, &[data(100), op(120, Op::Read), ecn(at)]).responses[3].weight;
        assert_eq!([read(120), read(122)], [8, 9], "in the order of feedback");
    }
}

#[test]
fn t18_the_sweep_accepts_neither_operations_nor_feedback() {
    let shape = Shape::new(3, 8);
    let events = |at| {
        let open = (at, Event::Command(Command::open(2, 5, 0, Granularity::Flow)));
        answer(shape, SETTINGS, &[ecn(at), open, data(at)])
    };
    let seen = [23, 24].map(|at| (events(at).feedback_closed, events(at).responses.len(), events(at).refused_requests));
    assert_eq!(seen, [(0, 0, 1), (1, 1, 1)]);
}
