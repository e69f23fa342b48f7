// SPDX-License-Identifier: MIT OR Apache-2.0
//! T11 to T15 by hand-made examples.

use super::help::*;
use golden_vectors::transmit::path_scheduler::oracle::Kind::{Ecn, Good, Nack, Timeout};
use golden_vectors::transmit::path_scheduler::oracle::{
    Event, Feedback, Granularity, Kind, Op, Settings, State, answer,
};

/// Weight, congested and state of a sub-path of some weight after feedback, all of it on packets in flight.
fn after(settings: Settings, weight: u64, kinds: &[Kind]) -> (u64, bool, State) {
    let mut events = stream(400, kinds.len() as u64);
    events.extend(told(600, 0, kinds));
    events.push(op(700, Op::Read, 0, 0));
    let answer = run_with(settings, Granularity::Flow, &[weight], &events);
    let read = response(&answer, 700);
    assert_eq!((read.in_flight, answer.feedback_absent), (0, 0));
    (read.weight, read.congested, read.state)
}

/// GOOD adds an eighth, at least 1, and ECN takes it; NACK halves. The limit is 15 or as said.
#[test]
fn t13_each_kind_at_each_weight() {
    let raise = Settings::new(0, 1, 0);
    for (weight, good, ecn, nack) in
        [(1, 2, 1, 1), (2, 3, 1, 1), (3, 4, 2, 2), (9, 10, 8, 5), (14, 15, 13, 7), (15, 15, 14, 8)]
    {
        let expected = [(good, false), (ecn, true), (nack, true), (1, true)];
        for (kind, (rated, congested)) in Kind::STREAM.into_iter().zip(expected) {
            assert_eq!(after(raise, weight, &[kind]), (rated, congested, State::Active), "{kind:?} {weight}");
        }
    }
    for (bits, limit, weight, good, ecn, nack) in [
        (8, 255, 16, 18, 14, 8),
        (8, 255, 23, 25, 21, 12),
        (8, 255, 239, 255, 210, 120),
        (8, 255, 240, 255, 210, 120),
        (8, 200, 190, 200, 167, 95),
        (5, 31, 16, 18, 14, 8),
        (4, 15, 14, 15, 13, 7),
    ] {
        for (kind, rated) in Kind::STREAM.into_iter().zip([good, ecn, nack, 1]) {
            let mut events = vec![op(400, Op::Add, 0, limit), op(420, Op::Start, 0, weight), data(440)];
            events.extend([feedback(460, 0, kind), op(470, Op::Read, 0, 0)]);
            let mut all = running(Granularity::Flow, &[]);
            all.extend(events);
            let answer = answer(SHAPE.weight_bits(bits), raise, &all);
            assert_eq!(response(&answer, 470).weight, rated, "{kind:?} {weight} {bits}");
        }
    }
}

#[test]
fn t13_good_ones_are_counted_and_begin_anew() {
    let rated = |raise, kinds: &[Kind]| {
        let mut events = vec![op(400, Op::Add, 7, 100), op(420, Op::Start, 7, 40)];
        events.extend(stream(440, kinds.len() as u64));
        events.extend(told(600, 7, kinds));
        events.push(op(700, Op::Read, 7, 0));
        let answer = run_with(Settings::new(0, raise, 0), Granularity::Flow, &[], &events);
        let read = response(&answer, 700);
        (read.weight, read.congested)
    };
    assert_eq!(rated(3, &[Good; 2]), (40, false));
    assert_eq!(rated(3, &[Good; 3]), (45, false));
    assert_eq!(rated(3, &[Good; 6]), (50, false));
    assert_eq!(rated(0, &[Good; 60]), (40, false));
    assert_eq!(rated(63, &[Good; 62]), (40, false));
    assert_eq!(rated(63, &[Good; 63]), (45, false));
    assert_eq!(rated(3, &[Good, Good, Ecn, Good, Good]), (35, true));
    assert_eq!(rated(3, &[Good, Good, Ecn, Good, Good, Good]), (39, false), "no longer congested");
    assert_eq!(rated(1, &[Good; 20]), (100, false), "not above the limit");
}

#[test]
fn t14_packets_lost_in_a_row() {
    let state = |fail, kinds: &[Kind]| after(Settings::new(0, 0, fail), 4, kinds).2;
    assert_eq!(state(0, &[Timeout; 9]), State::Active);
    assert_eq!(state(1, &[Nack, Ecn]), State::Active);
    assert_eq!(state(1, &[Timeout]), State::Failed);
    assert_eq!(state(7, &[Timeout; 6]), State::Active);
    assert_eq!(state(7, &[Timeout; 7]), State::Failed);
    for kind in [Good, Ecn] {
        assert_eq!(state(2, &[Timeout, kind, Timeout]), State::Active);
    }
    // A NACK is no packet that has arrived, and none that was waited for in vain.
    assert_eq!(state(2, &[Timeout, Nack, Timeout]), State::Failed);
    assert_eq!(state(2, &[Timeout, Nack, Nack]), State::Active);
    assert_eq!(after(Settings::new(0, 0, 1), 4, &[Timeout]).0, 0, "the weight of one that has failed");
}

#[test]
fn t14_settings_are_those_of_3_cycles_later_and_at_least() {
    for (changed, weight) in [(611, 5), (612, 5), (613, 4)] {
        let mut events = stream(400, 11);
        events.extend(told(600, 0, &[Good; 11]));
        events.extend([(changed, Event::Settings(Some(Settings::new(0, 5, 0)))), op(700, Op::Read, 0, 0)]);
        let answer = run(Granularity::Flow, &[4], &events);
        assert_eq!(response(&answer, 700).weight, weight, "{changed}");
    }
    for (changed, state) in [(606, State::Failed), (607, State::Active)] {
        let mut events = stream(400, 5);
        events.extend(told(600, 0, &[Timeout; 5]));
        events.extend([(changed, Event::Settings(Some(Settings::new(0, 0, 2)))), op(700, Op::Read, 0, 0)]);
        assert_eq!(response(&run(Granularity::Flow, &[4], &events), 700).state, state, "{changed}");
    }
}

#[test]
fn t12_t15_only_packets_in_flight_are_answered_for() {
    let stranger = (513, Event::Feedback(Feedback::new(1, 0, Nack)));
    let mut events = stream(400, 2);
    events.extend(told(500, 0, &[Ecn; 3]));
    events.extend([feedback(510, 1, Ecn), feedback(511, 8, Ecn), feedback(512, 255, Nack), stranger]);
    events.push(op(700, Op::Read, 0, 0));
    let answer = run(Granularity::Flow, &[9], &events);
    assert_eq!((answer.feedback_absent, answer.feedback_range, answer.feedback_closed), (2, 2, 1));
    assert_eq!(response(&answer, 700).weight, 7);
}

/// T13 and T17: nothing but a GOOD that raises the weight, and the end of the sub-path, ends congestion.
#[test]
fn t13_what_ends_congestion() {
    // Congested with ECN or by failing, then operations with GOOD behind the first; whether it is congested behind each.
    type Line<'a> = (Settings, Kind, &'a [(Op, bool)]);
    let table: [Line; 7] = [
        (Settings::new(0, 0, 0), Ecn, &[(Op::Read, true), (Op::Limit, true), (Op::Regrain, true), (Op::Read, true)]),
        (Settings::new(0, 2, 0), Ecn, &[(Op::Read, true), (Op::Limit, true), (Op::Read, true)]),
        (Settings::new(0, 1, 0), Ecn, &[(Op::Read, true), (Op::Read, false)]),
        (Settings::new(0, 1, 0), Ecn, &[(Op::Limit, true), (Op::Read, false)]),
        (Settings::new(0, 1, 0), Nack, &[(Op::Drain, true), (Op::Read, true), (Op::Remove, false), (Op::Add, false)]),
        (Settings::new(0, 1, 0), Timeout, &[(Op::Fail, true), (Op::Read, true), (Op::Remove, false), (Op::Add, false)]),
        (
            Settings::new(0, 1, 1),
            Timeout,
            &[(Op::Read, true), (Op::Remove, false), (Op::Add, false), (Op::Start, false)],
        ),
    ];
    for (settings, kind, ops) in table {
        let mut events = stream(400, 2);
        events.extend([feedback(450, 0, kind), feedback(510, 0, Good)]);
        // A limit of 3 is below the weight.
        events.extend((500..).step_by(20).zip(ops).map(|(at, &(what, _))| op(at, what, 0, 3)));
        let answer = run_with(settings, Granularity::Flow, &[9], &events);
        for (at, &(what, congested)) in (500..).step_by(20).zip(ops) {
            let response = response(&answer, at);
            // Regrain is not about a sub-path, but shows the one that is named.
            assert_eq!((response.done, response.congested), (true, congested), "{kind:?} {what:?} {ops:?}");
        }
    }
}

#[test]
fn t12_sub_paths_that_are_not_active_count_and_do_nothing_else() {
    for (what, state) in [(Op::Drain, State::Draining), (Op::Fail, State::Failed)] {
        let mut events = stream(400, 3);
        events.extend([feedback(450, 0, Ecn), op(500, what, 0, 0), feedback(510, 0, Timeout), feedback(511, 0, Good)]);
        events.extend([op(520, Op::Read, 0, 0), feedback(530, 0, Good)]);
        let answer = run_with(Settings::new(0, 1, 1), Granularity::Flow, &[9], &events);
        let read = response(&answer, 520);
        assert_eq!((read.state, read.weight, read.congested, read.in_flight), (state, 0, true, 0));
        assert_eq!(answer.feedback_absent, 1);
    }
}
