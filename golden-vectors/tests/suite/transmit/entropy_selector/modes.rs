// SPDX-License-Identifier: MIT OR Apache-2.0
//! S14 to S16: what all modes have in common.

use super::help::{SETTINGS, SHAPE, evs, feedback, request, requests, run, run_on};
use golden_vectors::transmit::entropy_selector::oracle::{ALL_FREE, Command, Ev, Event, Kind, Mode, Op, answer};
use proptest::prelude::*;

#[test]
fn s14_a_mode_that_is_not_built_is_not_opened() {
    // Modes 1 and 4.
    let shape = SHAPE.modes(18);
    for code in 0..8 {
        let open = Command::new(Op::Open, 0, 5).mode(code);
        let read = (40, Event::Command(Command::new(Op::Read, 0, 0).mode(3)));
        let answer = run_on(shape, open, SETTINGS, &[read, request(70)]);
        let built = code == 1 || code == 4;
        let seen: Vec<_> = answer.responses.iter().map(|r| (r.done, r.open, r.mode)).collect();
        assert_eq!(seen, [(built, built, 0), (true, built, if built { code } else { 0 })], "{code}");
        assert_eq!((answer.grants[0].open, answer.refused_requests), (built, u64::from(!built)), "{code}");
    }
}

#[test]
fn s14_opening_an_open_ccc_does_not_change_its_mode() {
    for (again, close) in [(Mode::RoundRobin, false), (Mode::RoundRobin, true)] {
        let mut events = vec![(31, Event::Command(Command::open(0, 3, again).mode(if close { 7 } else { 2 })))];
        events.push((60, Event::Command(Command::new(Op::Read, 0, 0))));
        let answer = run(Mode::SinglePath, 5, SETTINGS, &events);
        let seen: Vec<_> = answer.responses.iter().map(|r| (r.done, r.open, r.mode)).collect();
        assert_eq!(seen, [(true, true, 0), (false, true, 0), (true, true, 3)]);
    }
}

#[test]
fn s14_a_read_gives_the_ev_granted_last() {
    // Two requests from EV 5; a single path stays there.
    let lasts =
        [(Mode::Bitmap, 6), (Mode::Oblivious, 4), (Mode::RoundRobin, 6), (Mode::SinglePath, 5), (Mode::Reps, 4)];
    for (mode, last) in lasts {
        let read = |at| (at, Event::Command(Command::new(Op::Read, 0, 0)));
        let answer = run(mode, 5, SETTINGS, &[read(31), request(52), request(53), read(60)]);
        let seen: Vec<_> = answer.responses.iter().map(|r| (r.last, r.marked, r.mode)).collect();
        assert_eq!(seen, [(0, 0, 0), (4, 0, mode.code()), (last, 0, mode.code())], "{mode:?}");
    }
}

#[test]
fn s15_s16_marks_are_counted_in_three_modes_and_not_for_rod() {
    for mode in Mode::ALL {
        for rod in [false, true] {
            let open = Command { rod, ..Command::open(0, 5, mode) };
            let read = (60, Event::Command(Command::new(Op::Read, 0, 0)));
            let events = [feedback(40, 5, Kind::Ecn), feedback(41, 9, Kind::Nack), feedback(42, 16, Kind::Good), read];
            let answer = run_on(SHAPE, open, SETTINGS, &events);
            let marks = matches!(mode, Mode::Bitmap | Mode::Mixed | Mode::Penalty) && !rod;
            assert_eq!(answer.responses[1].marked, if marks { 2 } else { 0 }, "{mode:?} {rod}");
            assert_eq!((answer.feedback_range, answer.feedback_closed), (1, 0));
        }
    }
}

#[test]
fn s16_only_modes_with_marks_are_saturated() {
    let settings = SETTINGS.path(255, 255);
    for mode in Mode::ALL {
        let marks = (40..56).map(|cycle| feedback(cycle, cycle - 40, Kind::Ecn));
        let events: Vec<_> = marks.chain(requests(70, 2)).collect();
        let saturated = matches!(mode, Mode::Bitmap | Mode::Mixed | Mode::Penalty);
        assert!(run(mode, 5, settings, &events).grants.iter().all(|grant| grant.saturated == saturated), "{mode:?}");
    }
}

#[test]
fn s19_the_lowest_bits_of_an_ev_are_its_port() {
    for ports in [1, 2, 4, 8] {
        let open = Command::open(0, 5, Mode::RoundRobin);
        let grants = run_on(SHAPE.ports(ports), open, SETTINGS, &requests(29, 18)).grants;
        assert_eq!((grants[0].open, grants[0].port), (false, 0));
        for grant in &grants[1..] {
            let bits = [0b000, 0b001, 0b011, 0b111][ports.ilog2() as usize];
            assert_eq!(grant.port, grant.index & bits, "{ports}");
        }
    }
}

#[test]
fn s10_a_ccc_opened_again_has_nothing_of_its_life_before() {
    for mode in Mode::ALL {
        let events = [
            feedback(31, 9, Kind::Good),
            request(40),
            feedback(41, 3, Kind::Timeout),
            request(50),
            (51, Event::Command(Command::new(Op::Close, 0, 0))),
            // Cycle 70 is the last one of the life before.
            feedback(70, 12, Kind::Good),
            request(70),
            (72, Event::Command(Command::open(0, 3, mode))),
            request(92),
            request(100),
        ];
        let second = match mode {
            Mode::SinglePath => 3,
            Mode::Oblivious | Mode::Reps => 2,
            _ => 4,
        };
        assert_eq!(evs(&run(mode, 5, SETTINGS, &events))[3..], [3, second], "{mode:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: tier::cases(64), ..ProptestConfig::default() })]

    /// S15: of a ROD CCC nothing depends on feedback.
    #[test]
    fn a_rod_ccc_ignores_feedback(
        code in 0..Mode::ALL.len(),
        start in 0..16u64,
        dice in proptest::collection::vec((0..16u64, 0..4usize, any::<bool>()), 300),
        explore in 0..4u64,
    ) {
        let settings = SETTINGS.seed(0x1234).reps(explore, 1);
        let open = Command::open(0, start, Mode::ALL[code]).rod();
        let asked: Vec<_> = (30..).zip(&dice).filter(|(_, d)| d.2).map(|(at, _)| request(at)).collect();
        let told = (30..).zip(&dice).map(|(at, &(ev, kind, _))| feedback(at, ev, Kind::ALL[kind]));
        let both: Vec<_> = told.chain(asked.clone()).collect();
        prop_assert_eq!(run_on(SHAPE, open, settings, &asked), run_on(SHAPE, open, settings, &both));
    }

    /// A CCC is not disturbed by what others do, whatever their modes; but K4.
    #[test]
    fn cccs_do_not_disturb_each_other(
        codes in (0..Mode::ALL.len(), 0..Mode::ALL.len()),
        dice in proptest::collection::vec((0..16u64, 0..4usize, 0..3u64, 0..3u64), 400),
    ) {
        let settings = SETTINGS.seed(0xBEEF).reps(3, 2).path(2, 1);
        let opens = [(10, Command::open(0, 5, Mode::ALL[codes.0])), (31, Command::open(1, 9, Mode::ALL[codes.1]))];
        let mut events: Vec<_> = opens.map(|(at, open)| (at, Event::Command(open))).into();
        for (at, &(ev, kind, told, asked)) in (52..).zip(&dice) {
            events.push((at, Event::Feedback(told, Ev::Own(ev), Kind::ALL[kind])));
            events.push((at, Event::Request(asked, ALL_FREE)));
        }
        // K4: a CCC in mode counting sees that there is a feedback for others; so that stays, for a CCC that nobody opens.
        let counts = [codes.0, codes.1].map(|code| Mode::ALL[code] == Mode::Penalty);
        let of = |event: Event, ccc: u64| match event {
            Event::Command(command) => (command.ccc == ccc).then_some(event),
            Event::Feedback(told, ..) if told == ccc => Some(event),
            Event::Feedback(_, ev, kind) => counts[ccc as usize].then_some(Event::Feedback(2, ev, kind)),
            Event::Request(asked, _) | Event::Reroute(asked) => (asked == ccc).then_some(event),
            Event::Settings(_) => Some(event),
        };
        let all = answer(SHAPE, settings, &events).grants;
        for ccc in 0..2 {
            let own: Vec<_> = events.iter().filter_map(|&(at, event)| of(event, ccc).map(|event| (at, event))).collect();
            let mine: Vec<_> = all.iter().copied().filter(|grant| grant.ccc == ccc).collect();
            prop_assert_eq!(answer(SHAPE, settings, &own).grants, mine);
        }
    }
}
