// SPDX-License-Identifier: MIT OR Apache-2.0
//! Each row of `docs/stages/entropy_selector.md` by hand-made examples.

use golden_vectors::entropy_selector::oracle::{Answer, Command, Event, Grant, Kind, Op, Settings, Shape, answer};

const SHAPE: Shape = Shape::new(3, 16);
const SETTINGS: Settings = Settings::new(100, 8);

/// CCC 0 is open from cycle 30 on, from EV 5.
fn opened(events: &[(u64, Event)]) -> Answer {
    let mut all = vec![(10, Event::Command(Command::new(Op::Open, 0, 5)))];
    all.extend_from_slice(events);
    answer(SHAPE, SETTINGS, &all)
}

fn evs(answer: &Answer) -> Vec<u64> {
    answer.grants.iter().map(|grant| grant.ev).collect()
}

fn marks(cycle: u64, evs: impl IntoIterator<Item = u64>) -> Vec<(u64, Event)> {
    (cycle..).zip(evs).map(|(cycle, ev)| (cycle, Event::Feedback(0, ev, Kind::Ecn))).collect()
}

#[test]
fn s1_a_grant_comes_8_cycles_later() {
    let answer = opened(&[(30, Event::Request(0)), (31, Event::Request(1))]);
    assert_eq!(answer.grants[0], Grant { cycle: 38, ccc: 0, open: true, ev: 5, saturated: false, port: 0 });
    assert_eq!(answer.grants[1], Grant { cycle: 39, ccc: 1, open: false, ev: 0, saturated: false, port: 0 });
}

#[test]
fn s2_evs_in_their_order_from_start_on_with_0_behind_the_last() {
    let requests: Vec<_> = (30..50).map(|cycle| (cycle, Event::Request(0))).collect();
    let expected: Vec<_> = (5..16).chain(0..9).collect();
    assert_eq!(evs(&opened(&requests)), expected);
}

#[test]
fn s3_requests_that_are_refused_are_counted() {
    let events: Vec<_> =
        [(28, 0), (29, 0), (30, 0), (31, 1), (32, 3)].map(|(at, ccc)| (at, Event::Request(ccc))).into();
    let answer = opened(&events);
    assert_eq!(answer.refused_requests, 4);
    assert_eq!(answer.grants.iter().map(|grant| grant.open).collect::<Vec<_>>(), [false, false, true, false, false]);
}

#[test]
fn s4_all_but_good_mark() {
    for (kind, ev) in Kind::ALL.into_iter().zip([5, 6, 6, 6]) {
        let answer = opened(&[(40, Event::Feedback(0, 5, kind)), (60, Event::Request(0))]);
        assert_eq!(evs(&answer), [ev], "{kind:?}");
    }
}

#[test]
fn s5_feedback_is_seen_after_8_cycles() {
    for (distance, ev) in [(0, 5), (7, 5), (8, 6), (9, 6)] {
        let answer = opened(&[(40, Event::Feedback(0, 5, Kind::Nack)), (40 + distance, Event::Request(0))]);
        assert_eq!(evs(&answer), [ev], "{distance}");
    }
}

#[test]
fn s6_a_mark_holds_in_its_epoch_and_the_next() {
    for (marked, requested, ev) in [(99, 199, 6), (99, 200, 5), (100, 299, 6), (100, 300, 5)] {
        let answer = opened(&[(marked, Event::Feedback(0, 5, Kind::Ecn)), (requested, Event::Request(0))]);
        assert_eq!(evs(&answer), [ev], "{marked} {requested}");
    }
    let again = [(50, 5), (150, 5)].map(|(at, ev)| (at, Event::Feedback(0, ev, Kind::Ecn)));
    let answer = opened(&[again[0], again[1], (250, Event::Request(0))]);
    assert_eq!(evs(&answer), [6], "renewed");
}

#[test]
fn s7_more_than_limit_or_all_are_too_many() {
    for (count, limit, saturated) in [(8, 8, false), (9, 8, true), (16, 31, true), (15, 15, false), (1, 0, true)] {
        let settings = Event::Settings(Settings::new(100, limit));
        let mut events = vec![(0, settings), (10, Event::Command(Command::new(Op::Open, 0, 0)))];
        events.extend(marks(30, 0..count));
        events.push((60, Event::Request(0)));
        let grant = answer(SHAPE, SETTINGS, &events).grants[0];
        assert_eq!((grant.saturated, grant.ev), (saturated, if saturated { 0 } else { count }), "{count} {limit}");
    }
}

#[test]
fn s8_feedback_that_is_not_for_an_ev_is_counted_and_changes_nothing() {
    let feedback = [(29, 0, 5), (31, 1, 5), (32, 3, 5), (33, 0, 16), (34, 0, 0xFFFF), (35, 1, 16)];
    for kind in [Kind::Good, Kind::Timeout] {
        let mut events: Vec<_> = feedback.map(|(at, ccc, ev)| (at, Event::Feedback(ccc, ev, kind))).into();
        events.push((60, Event::Request(0)));
        let answer = opened(&events);
        assert_eq!((answer.feedback_closed, answer.feedback_range, evs(&answer)), (4, 2, vec![5]));
    }
}

#[test]
fn s9_epochs_have_rtt_cycles_and_at_least_64() {
    for (rtt, second) in [(0, 128), (63, 128), (64, 128), (65, 130), (1000, 2000)] {
        let settings = Event::Settings(Settings::new(rtt, 16));
        let requested = |cycle| {
            let mark = (40, Event::Feedback(0, 5, Kind::Ecn));
            evs(&opened_with(settings, &[mark, (cycle, Event::Request(0))]))
        };
        assert_eq!((requested(second - 1), requested(second)), (vec![6], vec![5]), "{rtt}");
    }
}

/// The settings stand before the opening.
fn opened_with(settings: Event, events: &[(u64, Event)]) -> Answer {
    let mut all = vec![(0, settings), (10, Event::Command(Command::new(Op::Open, 0, 5)))];
    all.extend_from_slice(events);
    answer(SHAPE, SETTINGS, &all)
}

#[test]
fn s9_an_epoch_that_is_already_too_long_ends_at_once() {
    // From cycle 90 on the RTT is 64: epoch 1 begins in cycle 91, epoch 2 in cycle 155.
    let requested = |cycle| {
        let change = (90, Event::Settings(Settings::new(64, 8)));
        evs(&opened(&[(89, Event::Feedback(0, 5, Kind::Ecn)), change, (cycle, Event::Request(0))]))
    };
    assert_eq!((requested(154), requested(155)), (vec![6], vec![5]));
}

#[test]
fn s9_limit_is_that_of_3_cycles_after_the_request() {
    for (changed, saturated) in [(63, true), (64, false)] {
        let mut events = marks(40, [1, 2]);
        events.push((60, Event::Request(0)));
        events.push((changed, Event::Settings(Settings::new(100, 1))));
        assert_eq!(opened(&events).grants[0].saturated, saturated);
    }
}

#[test]
fn s10_s11_operations_and_their_responses() {
    let command = |at, op, ccc| (at, Event::Command(Command::new(op, ccc, 3)));
    let answer = answer(
        SHAPE,
        SETTINGS,
        &[
            command(3, Op::Close, 0),
            command(30, Op::Open, 0),
            command(60, Op::Open, 0),
            command(90, Op::Read, 0),
            command(120, Op::Resize, 0),
            command(150, Op::Open, 3),
            command(180, Op::Close, 0),
            command(210, Op::Read, 0),
        ],
    );
    let seen: Vec<_> = answer.responses.iter().map(|r| (r.cycle, r.done, r.open, r.last, r.marked)).collect();
    let (no, yes) = (false, true);
    assert_eq!(
        seen,
        [
            (23, no, no, 0, 0),
            (50, yes, yes, 0, 0),
            (80, no, yes, 0, 0),
            (110, yes, yes, 2, 0),
            (140, yes, yes, 0, 0),
            (170, no, no, 0, 0),
            (200, yes, no, 0, 0),
            (230, yes, no, 0, 0),
        ]
    );
}

#[test]
fn s10_the_cycle_of_the_response_sees_the_new_state() {
    let mut events = vec![(40, Event::Command(Command::new(Op::Close, 0, 0)))];
    for cycle in [59, 60] {
        events.push((cycle, Event::Feedback(0, 16, Kind::Ecn)));
        events.push((cycle, Event::Request(0)));
    }
    let answer = opened(&events);
    assert_eq!((answer.refused_requests, answer.feedback_closed, answer.feedback_range), (1, 1, 1));
}

#[test]
fn s11_a_read_knows_what_came_shortly_behind_it() {
    let read = |events: &[(u64, Event)]| {
        let answer = opened(events);
        (answer.responses[1].last, answer.responses[1].marked)
    };
    let op = (40, Event::Command(Command::new(Op::Read, 0, 0)));
    assert_eq!(read(&[op, (49, Event::Request(0))]), (5, 0));
    assert_eq!(read(&[op, (50, Event::Request(0))]), (4, 0));
    assert_eq!(read(&[op, (48, Event::Feedback(0, 1, Kind::Ecn))]), (4, 1));
    assert_eq!(read(&[op, (49, Event::Feedback(0, 1, Kind::Ecn))]), (4, 0));
    for (at, marked) in [(181, 1), (182, 0)] {
        assert_eq!(
            read(&[(60, Event::Feedback(0, 1, Kind::Ecn)), (at, Event::Command(Command::new(Op::Read, 0, 0)))]).1,
            marked
        );
    }
}

#[test]
fn s11_an_opened_ccc_has_no_marks() {
    let answer = opened(&[
        (40, Event::Feedback(0, 9, Kind::Ecn)),
        (41, Event::Command(Command::new(Op::Close, 0, 0))),
        (62, Event::Command(Command::new(Op::Open, 0, 9))),
        (82, Event::Request(0)),
    ]);
    assert_eq!(evs(&answer), [9]);
}

#[test]
fn s12_the_sweep_accepts_no_operation() {
    for (cycle, responses) in [(2, 0), (3, 1)] {
        let events = [(cycle, Event::Command(Command::new(Op::Open, 0, 0))), (40, Event::Request(0))];
        let answer = answer(SHAPE, SETTINGS, &events);
        assert_eq!((answer.responses.len(), answer.grants[0].open), (responses, responses == 1));
    }
}

/// The counts of cycles at memories of latency 1 and 3, as they stand in the rows for latency 2 above.
#[test]
fn cycles_with_memories_of_another_latency() {
    // Grant and sight, limit, effect, read: grants, feedback, epoch; one operation to the next.
    for (latency, [grant, limit, effect, grants, feedback, epoch, next]) in
        [(1, [7, 2, 19, 10, 9, 17, 20]), (2, [8, 3, 20, 9, 8, 18, 21]), (3, [9, 4, 21, 8, 7, 19, 22])]
    {
        let shape = SHAPE.ram_latency(latency);
        assert_eq!(shape.operations(), next);
        let open = (10, Event::Command(Command::new(Op::Open, 0, 5)));
        let run = |events: &[(u64, Event)]| {
            let all: Vec<_> = std::iter::once(open).chain(events.iter().copied()).collect();
            answer(shape, SETTINGS, &all)
        };
        let request = |at| (at, Event::Request(0));
        let mark = |at, ev| (at, Event::Feedback(0, ev, Kind::Ecn));

        let early_and_late = run(&[request(9 + effect), request(10 + effect)]);
        assert_eq!(early_and_late.responses[0].cycle, 10 + effect);
        let seen: Vec<_> = early_and_late.grants.iter().map(|grant| (grant.cycle, grant.open)).collect();
        assert_eq!(seen, [(9 + effect + grant, false), (10 + effect + grant, true)]);
        assert_eq!(evs(&run(&[mark(40, 5), request(39 + grant)])), [5]);
        assert_eq!(evs(&run(&[mark(40, 5), request(40 + grant)])), [6]);
        for (changed, saturated) in [(60 + limit, true), (61 + limit, false)] {
            let settings = (changed, Event::Settings(Settings::new(100, 1)));
            assert_eq!(run(&[mark(40, 1), mark(41, 2), request(60), settings]).grants[0].saturated, saturated);
        }
        let read = |event: (u64, Event)| {
            let response = run(&[(40, Event::Command(Command::new(Op::Read, 0, 0))), event]).responses[1];
            (response.last, response.marked)
        };
        assert_eq!([read(request(40 + grants)), read(request(41 + grants))], [(5, 0), (4, 0)]);
        assert_eq!([read(mark(40 + feedback, 1)), read(mark(41 + feedback, 1))], [(4, 1), (4, 0)]);
        let counted = |at| run(&[mark(60, 1), (at, Event::Command(Command::new(Op::Read, 0, 0)))]).responses[1].marked;
        assert_eq!([counted(199 - epoch), counted(200 - epoch)], [1, 0]);
    }
}
