// SPDX-License-Identifier: MIT OR Apache-2.0
//! T1 to T10 by hand-made examples.

use super::help::*;
use golden_vectors::path_scheduler::oracle::{
    Command, Event, Grant, Granularity, Kind, Op, Packet, Request, Settings, answer,
};

const FLOW: Granularity = Granularity::Flow;
const FLOWLET: Granularity = Granularity::Flowlet;
const PACKET: Granularity = Granularity::Packet;

#[test]
fn t1_t2_a_grant_with_all_its_fields_and_some_that_are_refused() {
    let stranger = (402, Event::Request(Request { qp: 1, kind: Packet::Data, path: 3 }));
    let answer =
        run(PACKET, &[0, 2, 3], &[data(400), request(401, Packet::Nothing), stranger, probe(403, 8), data(404)]);
    let refused = |cycle, qp| Grant { cycle, qp, ..Grant::default() };
    let granted = |cycle, path, psn, flags, tag| Grant {
        cycle,
        ok: true,
        path,
        entropy: ENTROPY + path,
        psn,
        flags,
        tag,
        ..Grant::default()
    };
    let first = granted(407, 1, 1000, 0, 2 + 4 * 2);
    let last = granted(411, 2, 1001, 2, 2 + 4 * 3);
    assert_eq!(answer.grants, [first, refused(408, 0), refused(409, 1), refused(410, 0), last]);
    assert_eq!((answer.refused_requests, answer.no_path_requests), (2, 1));
}

#[test]
fn t2_only_active_sub_paths_take_packets_and_only_some_take_probes() {
    let states: [(&[Op], bool, bool); 5] = [
        (&[], false, false),
        (&[Op::Add], false, true),
        (&[Op::Add, Op::Start], true, true),
        (&[Op::Add, Op::Start, Op::Drain], false, false),
        (&[Op::Add, Op::Fail], false, false),
    ];
    for (ops, takes, probed) in states {
        let mut events: Vec<_> = (500..).step_by(20).zip(ops).map(|(at, &what)| op(at, what, 3, 2)).collect();
        events.extend([data(600), request(601, Packet::Retransmission), probe(602, 3)]);
        let answer = run(FLOW, &[], &events);
        assert_eq!(column(&answer, |grant| grant.ok), [takes, takes, probed], "{ops:?}");
        let pathless = [takes, takes, probed].iter().filter(|ok| !**ok).count() as u64;
        assert_eq!((answer.refused_requests, answer.no_path_requests), (0, pathless));
    }
}

#[test]
fn t3_a_flow_stays_where_it_is_until_that_is_not_active() {
    let mut events = vec![data(400), data(401), data(5000), op(5010, Op::Drain, 0, 0)];
    events.extend([data(5015), data(5016), data(5017)]);
    assert_eq!(column(&run(FLOW, &[1, 1], &events), |grant| grant.path), [0, 0, 0, 0, 1, 1]);
}

#[test]
fn t3_a_sub_path_that_came_again_in_between_is_still_that_of_the_flow() {
    let ops = [(Op::Drain, 0), (Op::Remove, 0), (Op::Add, 3), (Op::Start, 3)];
    let mut events: Vec<_> = (510..).step_by(20).zip(ops).map(|(at, (what, weight))| op(at, what, 0, weight)).collect();
    events.extend([data(400), feedback(500, 0, Kind::Good), data(700)]);
    assert_eq!(column(&run(FLOW, &[1, 1], &events), |grant| (grant.path, grant.tag >> 2)), [(0, 1), (0, 3)]);
}

#[test]
fn t3_a_flowlet_ends_with_a_pause() {
    // The time of a request is that of 4 cycles later: a request in cycle 443 is the last one of unit 6.
    for (timeout, next, drawn) in
        [(1, 443, false), (1, 444, true), (2, 507, false), (2, 508, true), (0, 401, true), (0xF_FFFF, 100_000, false)]
    {
        let answer = run_with(Settings::new(timeout, 0, 0), FLOWLET, &[1, 1], &[data(400), data(next)]);
        assert_eq!(column(&answer, |grant| grant.path), [0, drawn.into()], "{timeout} {next}");
        assert_eq!(column(&answer, |grant| grant.flags), [1, if drawn { 3 } else { 0 }]);
    }
}

#[test]
fn t3_the_timeout_is_that_of_4_cycles_after_the_request() {
    for (changed, path) in [(604, 1), (605, 0)] {
        let change = (changed, Event::Settings(Some(Settings::new(3, 0, 0))));
        let answer = run_with(Settings::new(100, 0, 0), FLOWLET, &[1, 1], &[data(400), data(600), change]);
        assert_eq!(column(&answer, |grant| grant.path), [0, path]);
    }
}

#[test]
fn t3_times_are_compared_modulo_2_to_the_20() {
    // One unit less than a whole round, a whole round, and one unit more.
    let round = 64 << 20;
    let timeout = |timeout, next| {
        let answer = run_with(Settings::new(timeout, 0, 0), FLOWLET, &[1, 1], &[data(400), data(next)]);
        answer.grants[1].path
    };
    assert_eq!([timeout(0xF_FFFF, 400 + round - 64), timeout(0xF_FFFE, 400 + round - 64)], [1, 1]);
    assert_eq!([timeout(1, 400 + round), timeout(1, 400 + round + 64), timeout(2, 400 + round + 64)], [0, 1, 0]);
    // From the last unit of a round to the first of the next.
    assert_eq!([timeout(1, round - 64), timeout(0xF_FFF9, round - 5)], [1, 1]);
    assert_eq!([timeout(0xF_FFFA, round - 5), timeout(0xF_FFFA, round - 4)], [0, 1]);
}

#[test]
fn t5_interleaved_weighted_round_robin() {
    let paths = |weights: &[u64], count| column(&run(PACKET, weights, &stream(500, count)), |grant| grant.path);
    assert_eq!(paths(&[0, 1, 0, 1], 5), [1, 3, 1, 3, 1]);
    assert_eq!(paths(&[4, 0, 1, 2], 9), [0, 2, 3, 0, 3, 0, 0, 0, 2]);
    assert_eq!(paths(&[1, 3], 9), [0, 1, 1, 1, 0, 1, 1, 1, 0]);
    let mut expected = vec![0, 1];
    expected.extend([0; 15]);
    expected.push(1);
    assert_eq!(paths(&[15, 1], 18), expected);
}

#[test]
fn t5_a_round_that_has_become_empty_is_left() {
    // 0 1 1 1 1: the last draw is of round 3. Round 4 needs a weight of 5.
    for (weight, next) in [(3, [0, 1, 1]), (4, [0, 1, 1]), (5, [1, 0, 1]), (15, [1, 1, 1])] {
        let mut events = stream(500, 5);
        events.push(op(510, Op::Limit, 1, weight));
        events.extend(stream(530, 3));
        let paths = column(&run(PACKET, &[1, 15], &events), |grant| grant.path);
        assert_eq!(paths[..5], [0, 1, 1, 1, 1]);
        assert_eq!(paths[5..], next, "{weight}");
    }
}

#[test]
fn t6_psns() {
    let kinds =
        [Packet::Retransmission, Packet::Data, Packet::Probe, Packet::Data, Packet::Retransmission, Packet::Data];
    let events: Vec<_> = (400..).zip(kinds).map(|(at, kind)| request(at, kind)).collect();
    let numbered = run(PACKET, &[1, 1], &events);
    assert_eq!(column(&numbered, |grant| grant.psn), [1000, 1000, 1001, 1001, 1002, 1002]);
    assert_eq!(column(&numbered, |grant| grant.path), [0, 1, 0, 0, 1, 0], "a retransmission is a packet of the stream");
    let mut events = vec![(20, Event::Command(Command::open(0, 0xFF_FFFF, 0, PACKET)))];
    events.extend([op(40, Op::Add, 5, 1), op(60, Op::Start, 5, 1), data(80), data(81)]);
    let wrapped = answer(SHAPE, SETTINGS, &events);
    assert_eq!(column(&wrapped, |grant| (grant.psn, grant.entropy)), [(0xFF_FFFF, 5), (0, 5)]);
}

#[test]
fn t8_t9_t10_flags_flowlets_and_tag_across_granularities() {
    let set_granularity = |at, granularity: Granularity| {
        (at, Event::Command(Command::new(Op::Regrain, 0, 0).mode(granularity.code()))) //
    };
    let mut events = vec![data(400), data(401), data(600), data(601)];
    events.extend([set_granularity(610, PACKET), data(700), data(701)]);
    events.extend([set_granularity(710, FLOWLET), data(720), data(800), probe(801, 1)]);
    events.extend([set_granularity(810, FLOW), data(900), data(901)]);
    let answer = run(FLOWLET, &[1, 1, 1], &events);
    let seen = column(&answer, |grant| (grant.path, grant.flags, grant.flowlet, grant.tag));
    let (flow, flowlet, packet) = (4, 5, 6);
    let in_flowlets = [(0, 1, 0, flowlet), (0, 0, 0, flowlet), (1, 3, 1, flowlet), (1, 0, 1, flowlet)];
    let in_packets = [(2, 2, 0, packet), (0, 2, 0, packet)];
    let again = [(0, 0, 1, flowlet), (1, 3, 2, flowlet), (1, 4, 0, flowlet)];
    let in_flow = [(1, 0, 0, flow), (1, 0, 0, flow)];
    let expected: Vec<_> = in_flowlets.into_iter().chain(in_packets).chain(again).chain(in_flow).collect();
    assert_eq!(seen, expected);
}

#[test]
fn t9_numbers_of_flowlets_begin_again() {
    let answer = run_with(Settings::default(), FLOWLET, &[1], &stream(400, (1 << 16) + 2));
    let last: Vec<_> = answer.grants.iter().rev().take(3).map(|grant| grant.flowlet).collect();
    assert_eq!(last, [1, 0, 0xFFFF]);
}
