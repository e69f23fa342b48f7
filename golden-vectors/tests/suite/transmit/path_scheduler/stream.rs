// SPDX-License-Identifier: MIT OR Apache-2.0
//! T1 to T10 by hand-made examples.

use super::help::*;
use golden_vectors::transmit::path_scheduler::oracle::{
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
    let first = granted(410, 1, 1000, 0, 2 + 4 * 2);
    let last = granted(414, 2, 1001, 0, 2 + 4 * 3);
    assert_eq!(answer.grants, [first, refused(411, 0), refused(412, 1), refused(413, 0), last]);
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
    // The time of a request is that of 5 cycles later: requests in cycles 400 and 442 are of unit 6.
    for (timeout, next, drawn) in
        [(0, 442, false), (0, 443, true), (1, 506, false), (1, 507, true), (2, 571, true), (0xFFFF, 100_000, false)]
    {
        let answer = run_with(Settings::new(timeout, 0, 0), FLOWLET, &[1, 1], &[data(400), data(next)]);
        assert_eq!(column(&answer, |grant| grant.path), [0, drawn.into()], "{timeout} {next}");
        assert_eq!(column(&answer, |grant| grant.flags), [1, if drawn { 3 } else { 0 }]);
    }
}

#[test]
fn t3_times_are_compared_modulo_2_to_the_20() {
    let round = 64 << 20;
    let path = |flowlet, next| {
        let answer = run_with(Settings::new(flowlet, 0, 0), FLOWLET, &[1, 1], &[data(400), data(next)]);
        answer.grants[1].path
    };
    // A whole round later it is as if no time had passed.
    assert_eq!([0, 64, 128].map(|more| path(1, 400 + round + more)), [0, 0, 1]);
    assert_eq!(path(0xFFFF, 400 + round - 64), 1);
    // From the last unit of a round to the first ones of the next.
    assert_eq!([round - 5, round + 59].map(|next| path(0xFFF9, next)), [1, 1]);
}

#[test]
fn t6_psns() {
    let kinds =
        [Packet::Retransmission, Packet::Data, Packet::Probe, Packet::Data, Packet::Retransmission, Packet::Data];
    let events: Vec<_> = (400..).zip(kinds).map(|(at, kind)| request(at, kind)).collect();
    let numbered = run(PACKET, &[1, 1], &events);
    assert_eq!(column(&numbered, |grant| grant.psn), [1000, 1000, 0x80_0000 + 1001, 1001, 1002, 1002]);
    assert_eq!(column(&numbered, |grant| grant.path), [0, 1, 0, 0, 1, 0], "a retransmission is a packet of the stream");
    let mut events = vec![(20, Event::Command(Command::open(0, 0xFF_FFFF, 0, PACKET)))];
    events.extend([op(40, Op::Add, 5, 1), op(60, Op::Start, 5, 1), data(80), data(81)]);
    let wrapped = answer(SHAPE, SETTINGS, &events);
    assert_eq!(column(&wrapped, |grant| (grant.psn, grant.entropy)), [(0xFF_FFFF, ENTROPY ^ 5), (0, ENTROPY ^ 5)]);
}

#[test]
fn t8_t9_t10_flags_flowlets_and_tag_across_granularities() {
    let set_granularity = |at, granularity: Granularity| {
        (at, Event::Command(Command::new(Op::Regrain, 0, 0).mode(granularity.code()))) //
    };
    let mut events = vec![data(400), data(401), data(600), data(601)];
    events.extend([set_granularity(610, PACKET), data(700), data(701)]);
    events.extend([set_granularity(710, FLOWLET), data(720), data(860), probe(861, 1)]);
    events.extend([set_granularity(870, FLOW), data(900), data(901)]);
    let answer = run(FLOWLET, &[1, 1, 1], &events);
    let seen = column(&answer, |grant| (grant.path, grant.flags, grant.flowlet, grant.tag));
    let (flow, flowlet, packet) = (4, 5, 6);
    let in_flowlets = [(0, 1, 0, flowlet), (0, 0, 0, flowlet), (1, 3, 1, flowlet), (1, 0, 1, flowlet)];
    let in_packets = [(2, 0, 0, packet), (0, 0, 0, packet)];
    let again = [(0, 0, 1, flowlet), (1, 3, 2, flowlet), (1, 4, 0, flowlet)];
    let in_flow = [(1, 0, 0, flow), (1, 0, 0, flow)];
    let expected: Vec<_> = in_flowlets.into_iter().chain(in_packets).chain(again).chain(in_flow).collect();
    assert_eq!(seen, expected);
}

#[test]
fn t9_numbers_of_flowlets_begin_again() {
    let count = (1 << 16) + 2;
    let events: Vec<_> = (0..count).flat_map(|n| [data(400 + 64 * n), feedback(420 + 64 * n, 0, Kind::Good)]).collect();
    let answer = run_with(Settings::new(0, 0, 0), FLOWLET, &[1], &events);
    let last: Vec<_> = answer.grants.iter().rev().take(3).map(|grant| grant.flowlet).collect();
    assert_eq!(last, [1, 0, 0xFFFF]);
}
