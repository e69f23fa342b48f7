// SPDX-License-Identifier: MIT OR Apache-2.0
//! The cycles of the contract for each latency, as its last table has them.

use super::help::SETTINGS;
use golden_vectors::path_scheduler::oracle::{
    Answer, Command, Event, Feedback, Granularity, Kind, Op, Packet, Request, Settings, Shape, answer,
};

/// Latency, then T1, T11, T12, T16 and T16 of the table; T3 has a test of its own.
const TABLE: [(u64, [u64; 5]); 3] = [(1, [6, 8, 4, 11, 5]), (2, [7, 10, 5, 14, 6]), (3, [8, 12, 6, 17, 7])];

fn data(cycle: u64) -> (u64, Event) {
    (cycle, Event::Request(Request { qp: 0, kind: Packet::Data, path: 0 }))
}

fn ecn(cycle: u64) -> (u64, Event) {
    (cycle, Event::Feedback(Feedback { qp: 0, path: 0, kind: Kind::Ecn }))
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

#[test]
fn t3_request_to_its_time_and_timeout() {
    for (latency, distance) in [(1, 3), (2, 4), (3, 5)] {
        let flowlets = |events: &[(u64, Event)]| {
            let set_granularity = (90, Event::Command(Command::new(Op::Regrain, 0, 0).mode(1)));
            let answer = run(latency, &[&[set_granularity], events].concat());
            answer.grants.iter().map(|grant| grant.flowlet).collect::<Vec<_>>()
        };
        // Unit 3 begins with cycle 192.
        assert_eq!(flowlets(&[data(191 - distance), data(192 - distance)]), [0, 1]);
        assert_eq!(flowlets(&[data(192 - distance), data(255 - distance)]), [0, 0]);
        let change = |at| (at, Event::Settings(Some(Settings::new(0, 0, 0))));
        assert_eq!(flowlets(&[data(130), data(131), change(131 + distance)]), [0, 1]);
        assert_eq!(flowlets(&[data(130), data(131), change(132 + distance)]), [0, 0]);
    }
}

#[test]
fn t14_settings() {
    let told = |at, kind| (at, Event::Feedback(Feedback { qp: 0, path: 0, kind }));
    for latency in 1..4 {
        for (distance, weight) in [(latency + 1, 6), (latency + 2, 5)] {
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
