// SPDX-License-Identifier: MIT OR Apache-2.0
//! Each row of `docs/stages/entropy_selector.md` by hand-made examples.

use golden_vectors::transmit::entropy_selector::oracle::{
    ALL_FREE, Answer, Command, Ev, Event, Grant, Kind, Op, Settings, Shape, answer, mix,
};

const SHAPE: Shape = Shape::new(3, 16);
const SETTINGS: Settings = Settings::new(100, 128);

/// CCC 0 is open from cycle 30 on, from EV 5.
fn opened(events: &[(u64, Event)]) -> Answer {
    let mut all = vec![(10, Event::Command(Command::new(Op::Open, 0, 5)))];
    all.extend_from_slice(events);
    answer(SHAPE, SETTINGS, &all)
}

fn evs(answer: &Answer) -> Vec<u64> {
    answer.grants.iter().map(|grant| grant.index).collect()
}

fn marks(cycle: u64, evs: impl IntoIterator<Item = u64>) -> Vec<(u64, Event)> {
    (cycle..).zip(evs).map(|(cycle, ev)| (cycle, Event::Feedback(0, Ev::Own(ev), Kind::Ecn))).collect()
}

#[test]
fn s1_a_grant_comes_8_cycles_later() {
    let answer = opened(&[(30, Event::Request(0, ALL_FREE)), (31, Event::Request(1, ALL_FREE))]);
    let wire = SHAPE.wire_base + mix(SHAPE, SETTINGS, (0, 0), 0).upper * SHAPE.evs + 5;
    let granted = Grant { cycle: 38, ccc: 0, open: true, ev: wire, index: 5, ..Grant::default() };
    assert_eq!(answer.grants, [granted, Grant { cycle: 39, ccc: 1, ..Grant::default() }]);
}

#[test]
fn s2_evs_in_their_order_from_start_on_with_0_behind_the_last() {
    let requests: Vec<_> = (30..50).map(|cycle| (cycle, Event::Request(0, ALL_FREE))).collect();
    let expected: Vec<_> = (5..16).chain(0..9).collect();
    assert_eq!(evs(&opened(&requests)), expected);
}

#[test]
fn s3_requests_that_are_refused_are_counted() {
    let events: Vec<_> =
        [(28, 0), (29, 0), (30, 0), (31, 1), (32, 3)].map(|(at, ccc)| (at, Event::Request(ccc, ALL_FREE))).into();
    let answer = opened(&events);
    assert_eq!(answer.refused_requests, 4);
    assert_eq!(answer.grants.iter().map(|grant| grant.open).collect::<Vec<_>>(), [false, false, true, false, false]);
}

#[test]
fn s4_u05_ecn_nack_and_timeout_mark() {
    for (kind, ev) in (0..8).map(Kind::of).zip([5, 6, 6, 6, 5, 5, 5, 5]) {
        let answer = opened(&[(40, Event::Feedback(0, Ev::Own(5), kind)), (60, Event::Request(0, ALL_FREE))]);
        assert_eq!(evs(&answer), [ev], "{kind:?}");
    }
}

#[test]
fn s5_feedback_is_seen_after_8_cycles() {
    for (distance, ev) in [(0, 5), (7, 5), (8, 6), (9, 6)] {
        let answer =
            opened(&[(40, Event::Feedback(0, Ev::Own(5), Kind::Nack)), (40 + distance, Event::Request(0, ALL_FREE))]);
        assert_eq!(evs(&answer), [ev], "{distance}");
    }
}

#[test]
fn s6_a_mark_holds_in_its_epoch_and_the_next() {
    for (marked, requested, ev) in [(99, 199, 6), (99, 200, 5), (100, 299, 6), (100, 300, 5)] {
        let answer =
            opened(&[(marked, Event::Feedback(0, Ev::Own(5), Kind::Ecn)), (requested, Event::Request(0, ALL_FREE))]);
        assert_eq!(evs(&answer), [ev], "{marked} {requested}");
    }
    let again = [(50, 5), (150, 5)].map(|(at, ev)| (at, Event::Feedback(0, Ev::Own(ev), Kind::Ecn)));
    let answer = opened(&[again[0], again[1], (250, Event::Request(0, ALL_FREE))]);
    assert_eq!(evs(&answer), [6], "renewed");
}

#[test]
fn s7_u12_more_than_the_fraction_or_all_are_too_many() {
    let fractions = [(8, 128, false), (9, 128, true), (16, 511, true), (15, 240, false), (15, 239, true), (1, 0, true)];
    for (count, fraction, saturated) in fractions {
        let settings = Event::Settings(Settings::new(100, fraction).into());
        let mut events = vec![(0, settings), (10, Event::Command(Command::new(Op::Open, 0, 0)))];
        events.extend(marks(30, 0..count));
        events.push((60, Event::Request(0, ALL_FREE)));
        let grant = answer(SHAPE, SETTINGS, &events).grants[0];
        assert_eq!(
            (grant.saturated, grant.index),
            (saturated, if saturated { 0 } else { count }),
            "{count} {fraction}"
        );
    }
}

#[test]
fn s8_feedback_that_is_not_for_an_ev_is_counted_and_changes_nothing() {
    let feedback = [(29, 0, 5), (31, 1, 5), (32, 3, 5), (33, 0, 16), (34, 0, 0xFFFF), (35, 1, 16)];
    for kind in [Kind::Good, Kind::Timeout] {
        let mut events: Vec<_> = feedback.map(|(at, ccc, ev)| (at, Event::Feedback(ccc, Ev::Own(ev), kind))).into();
        events.push((60, Event::Request(0, ALL_FREE)));
        let answer = opened(&events);
        assert_eq!((answer.feedback_closed, answer.feedback_range, evs(&answer)), (4, 2, vec![5]));
    }
}

#[test]
fn s9_epochs_have_rtt_cycles_and_at_least_64() {
    for (rtt, second) in [(0, 128), (63, 128), (64, 128), (65, 130), (1000, 2000)] {
        let settings = Event::Settings(Settings::new(rtt, 256).into());
        let requested = |cycle| {
            let mark = (40, Event::Feedback(0, Ev::Own(5), Kind::Ecn));
            evs(&opened_with(settings, &[mark, (cycle, Event::Request(0, ALL_FREE))]))
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
    // From cycle 91 on the RTT is 64: epoch 1 begins in cycle 92, epoch 2 in cycle 156.
    let requested = |cycle| {
        let change = (90, Event::Settings(Settings::new(64, 128).into()));
        evs(&opened(&[(89, Event::Feedback(0, Ev::Own(5), Kind::Ecn)), change, (cycle, Event::Request(0, ALL_FREE))]))
    };
    assert_eq!((requested(155), requested(156)), (vec![6], vec![5]));
}

#[test]
fn s7_s24_the_fraction_is_that_in_force_2_cycles_after_the_request() {
    for (changed, saturated) in [(61, true), (62, false)] {
        let mut events = marks(40, [1, 2]);
        events.push((60, Event::Request(0, ALL_FREE)));
        events.push((changed, Event::Settings(Settings::new(100, 1).into())));
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
        events.push((cycle, Event::Feedback(0, Ev::Own(16), Kind::Ecn)));
        events.push((cycle, Event::Request(0, ALL_FREE)));
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
    assert_eq!(read(&[op, (49, Event::Request(0, ALL_FREE))]), (5, 0));
    assert_eq!(read(&[op, (50, Event::Request(0, ALL_FREE))]), (4, 0));
    assert_eq!(read(&[op, (48, Event::Feedback(0, Ev::Own(1), Kind::Ecn))]), (4, 1));
    assert_eq!(read(&[op, (49, Event::Feedback(0, Ev::Own(1), Kind::Ecn))]), (4, 0));
    for (at, marked) in [(181, 1), (182, 0)] {
        assert_eq!(
            read(&[
                (60, Event::Feedback(0, Ev::Own(1), Kind::Ecn)),
                (at, Event::Command(Command::new(Op::Read, 0, 0)))
            ])
            .1,
            marked
        );
    }
}

#[test]
fn s11_an_opened_ccc_has_no_marks() {
    let answer = opened(&[
        (40, Event::Feedback(0, Ev::Own(9), Kind::Ecn)),
        (41, Event::Command(Command::new(Op::Close, 0, 0))),
        (62, Event::Command(Command::new(Op::Open, 0, 9))),
        (82, Event::Request(0, ALL_FREE)),
    ]);
    assert_eq!(evs(&answer), [9]);
}

#[test]
fn s12_the_sweep_accepts_no_operation() {
    for (cycle, responses) in [(2, 0), (3, 1)] {
        let events = [(cycle, Event::Command(Command::new(Op::Open, 0, 0))), (40, Event::Request(0, ALL_FREE))];
        let answer = answer(SHAPE, SETTINGS, &events);
        assert_eq!((answer.responses.len(), answer.grants[0].open), (responses, responses == 1));
    }
}

/// The counts of cycles at memories of latency 1 and 3, as they stand in the rows for latency 2 above.
#[test]
fn cycles_with_memories_of_another_latency() {
    // Grant and sight, saturation, effect, read: grants, feedback, epoch; one operation to the next.
    for (latency, [grant, limit, effect, grants, feedback, epoch, next]) in
        [(1, [7, 1, 19, 10, 9, 17, 20]), (2, [8, 2, 20, 9, 8, 18, 21]), (3, [9, 3, 21, 8, 7, 19, 22])]
    {
        let shape = SHAPE.ram_latency(latency);
        assert_eq!(shape.operations(), next);
        let open = (10, Event::Command(Command::new(Op::Open, 0, 5)));
        let run = |events: &[(u64, Event)]| {
            let all: Vec<_> = std::iter::once(open).chain(events.iter().copied()).collect();
            answer(shape, SETTINGS, &all)
        };
        let request = |at| (at, Event::Request(0, ALL_FREE));
        let mark = |at, ev| (at, Event::Feedback(0, Ev::Own(ev), Kind::Ecn));

        let early_and_late = run(&[request(9 + effect), request(10 + effect)]);
        assert_eq!(early_and_late.responses[0].cycle, 10 + effect);
        let seen: Vec<_> = early_and_late.grants.iter().map(|grant| (grant.cycle, grant.open)).collect();
        assert_eq!(seen, [(9 + effect + grant, false), (10 + effect + grant, true)]);
        assert_eq!(evs(&run(&[mark(40, 5), request(39 + grant)])), [5]);
        assert_eq!(evs(&run(&[mark(40, 5), request(40 + grant)])), [6]);
        // On the ports one cycle before it is in force.
        for (changed, saturated) in [(59 + limit, true), (60 + limit, false)] {
            let settings = (changed, Event::Settings(Settings::new(100, 1).into()));
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
