// SPDX-License-Identifier: MIT OR Apache-2.0
//! S17 and S18: the EV space of a CCC.

use super::help::{SETTINGS, SHAPE, evs, feedback, good, request, requests, run_on};
use golden_vectors::transmit::entropy_selector::oracle::{Answer, Command, Event, Kind, Mode, Op, Settings};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// CCC 0 is open in a mode from cycle 30 on, from EV `start`, with the space of a code.
fn sized(mode: Mode, start: u64, code: u64, events: &[(u64, Event)]) -> Answer {
    run_on(SHAPE, Command::open(0, start, mode).space(code), SETTINGS, events)
}

/// Effective from cycle `cycle` + 20 on.
fn resize(cycle: u64, code: u64) -> (u64, Event) {
    (cycle, Event::Command(Command::resize(0, code)))
}

fn read(cycle: u64) -> (u64, Event) {
    (cycle, Event::Command(Command::new(Op::Read, 0, 0)))
}

#[test]
fn s17_codes() {
    for code in 0..16 {
        let answer = sized(Mode::Bitmap, 0, code, &[read(40), resize(61, code), read(82)]);
        let seen: Vec<_> = answer.responses.iter().map(|r| (r.done, r.open, r.space)).collect();
        let space = if code == 0 { 4 } else { code };
        match code {
            0..=4 => assert_eq!(seen, [(true, true, 0), (true, true, space), (true, true, 0), (true, true, space)]),
            _ => assert_eq!(seen, [(false, false, 0), (true, false, 0), (false, false, 0), (true, false, 0)]),
        }
    }
    let wrong = sized(Mode::Bitmap, 0, 2, &[resize(40, 5), read(61)]).responses;
    assert_eq!(
        wrong[1..].iter().map(|r| (r.done, r.open, r.space)).collect::<Vec<_>>(),
        [(false, true, 0), (true, true, 2)]
    );
}

#[test]
fn s17_evs_of_the_space_alone_are_granted() {
    for (mode, expected) in [
        (Mode::Bitmap, [2, 3, 0, 1, 2, 3]),
        (Mode::RoundRobin, [2, 3, 0, 1, 2, 3]),
        (Mode::SinglePath, [2; 6]),
        (Mode::Mixed, [2, 3, 0, 1, 2, 3]),
    ] {
        assert_eq!(evs(&sized(mode, 2, 2, &requests(40, 6))), expected, "{mode:?}");
    }
}

#[test]
fn s17_a_start_beyond_the_space() {
    let first = |mode, start| evs(&sized(mode, start, 2, &requests(40, 2)));
    assert_eq!([first(Mode::Bitmap, 9), first(Mode::Bitmap, 15), first(Mode::Mixed, 4)], [[1, 2], [3, 0], [0, 1]]);
    assert_eq!(
        [first(Mode::RoundRobin, 9), first(Mode::RoundRobin, 15), first(Mode::SinglePath, 6)],
        [[1, 2], [3, 0], [2, 2]]
    );
}

#[test]
fn s17_feedback_beyond_the_space_is_out_of_range() {
    for (ev, range) in [(3, 0), (4, 1), (7, 1), (15, 1), (16, 1)] {
        let answer = sized(Mode::Bitmap, 0, 2, &[feedback(40, ev, Kind::Ecn), feedback(41, ev, Kind::Good), read(50)]);
        assert_eq!((answer.feedback_range, answer.responses[1].marked), (2 * range, 1 - range), "{ev}");
    }
    // As the space is in the cycle of the feedback.
    let told = [feedback(59, 9, Kind::Ecn), feedback(60, 9, Kind::Ecn)];
    assert_eq!(sized(Mode::Bitmap, 0, 0, &[&told[..], &[resize(40, 2)]].concat()).feedback_range, 1);
    assert_eq!(sized(Mode::Bitmap, 0, 2, &[&told[..], &[resize(40, 4)]].concat()).feedback_range, 1);
}

#[test]
fn s17_all_of_the_space_marked() {
    for (count, saturated) in [(3, false), (4, true)] {
        let marks = (0..count).map(|ev| feedback(40 + ev, ev, Kind::Ecn));
        let events: Vec<_> = marks.chain(requests(60, 2)).collect();
        let grants = sized(Mode::Bitmap, 1, 2, &events).grants;
        let expected = if saturated { [1, 2] } else { [3, 3] };
        assert_eq!(
            grants.iter().map(|g| (g.saturated, g.index)).collect::<Vec<_>>(),
            expected.map(|ev| (saturated, ev))
        );
    }
}

#[test]
fn s18_the_walk_goes_on() {
    // EVs 5 to 9, then the space ends at 4; then EVs go on behind 1.
    let events = [requests(40, 5), requests(60, 2), requests(100, 3)].concat();
    let answer = sized(Mode::Bitmap, 5, 0, &[&events[..], &[resize(40, 2), resize(61, 0)]].concat());
    assert_eq!(evs(&answer), [5, 6, 7, 8, 9, 0, 1, 2, 3, 4]);
}

#[test]
fn s18_a_smaller_space_forgets_marks_and_no_other_does() {
    let marked = |from, to| {
        let told = [feedback(35, 1, Kind::Ecn), feedback(59, 2, Kind::Ecn), feedback(60, 3, Kind::Ecn)];
        let answer = sized(Mode::Bitmap, 0, from, &[&told[..], &[resize(40, to), read(61), request(75)]].concat());
        (answer.responses[2].marked, answer.grants[0].index)
    };
    assert_eq!([marked(0, 2), marked(2, 2), marked(2, 0), marked(4, 0)], [(1, 0), (3, 0), (3, 0), (3, 0)]);
}

#[test]
fn s18_a_path_beyond_the_space_is_cut() {
    // EV 13 in a space of 4 is EV 1. By cycle 191 the CCC is idle.
    let path = |told: &[(u64, Event)]| {
        let asked = [request(41), resize(171, 2), request(191), request(192)];
        let open = Command::open(0, 13, Mode::SinglePath);
        evs(&run_on(SHAPE, open, Settings::new(64, 256), &[&asked[..], told].concat()))
    };
    assert_eq!(path(&[]), [13, 1, 1]);
    // Suspect as EV 13, so one further first.
    assert_eq!(path(&[feedback(150, 13, Kind::Ecn)]), [13, 2, 2]);
}

#[test]
fn s18_a_ring_is_cut() {
    for mode in [Mode::Reps, Mode::Mixed] {
        let events = [good(31, [13, 6, 15]), vec![resize(40, 2), request(59), request(60), request(61)]].concat();
        assert_eq!(evs(&sized(mode, 0, 0, &events)), [13, 2, 3], "{mode:?}");
    }
}

#[test]
fn s18_a_round_goes_on_in_the_space() {
    // Index 13 in a space of 8 is index 5; in a space of 16 again it goes on to the last EV.
    let events = [requests(58, 5), vec![resize(40, 3), resize(70, 4)], requests(95, 16)].concat();
    let expected: Vec<_> = [11, 12, 5, 6, 7].into_iter().chain(0..16).collect();
    assert_eq!(evs(&sized(Mode::RoundRobin, 11, 0, &events)), expected);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: tier::cases(96), ..ProptestConfig::default() })]

    /// S17: in every mode, whatever happens, an EV is granted of the space that the CCC has in the cycle of the request.
    #[test]
    fn every_ev_is_in_the_space(
        code in 0..Mode::ALL.len(),
        start in 0..16u64,
        sizes in proptest::collection::vec(0..7u64, 12),
        dice in proptest::collection::vec((0..16u64, 0..4usize, any::<bool>(), any::<bool>()), 300),
    ) {
        let mut events: Vec<_> = sizes.iter().zip(0..).map(|(&size, n)| resize(35 + 22 * n, size)).collect();
        for (at, &(ev, kind, told, asked)) in (30..).zip(&dice) {
            events.extend(told.then(|| feedback(at, ev, Kind::ALL[kind])));
            events.extend(asked.then(|| request(at)));
        }
        let answer = sized(Mode::ALL[code], start, 3, &events);
        let mut spaces = vec![(0, 8)];
        for response in answer.responses.iter().filter(|r| r.op == Op::Resize && r.done) {
            let n = (response.cycle - 55) / 22;
            spaces.push((response.cycle, 1 << if sizes[n as usize] == 0 { 4 } else { sizes[n as usize] }));
        }
        for grant in &answer.grants {
            let asked = grant.cycle - 8;
            let space = spaces.iter().rev().find(|&&(from, _)| from <= asked).unwrap().1;
            prop_assert!(grant.index < space, "{grant:?} {space}");
        }
    }

    /// U10: without marks each EV of the space is granted once a round.
    #[test]
    fn a_round_has_all_evs_of_the_space(code in 1..5u64, mode in 0..3usize, seed in any::<u16>()) {
        let space = 1 << code;
        let open = Command::open(0, 0, Mode::ALL[mode]).space(code);
        let answer = run_on(SHAPE, open, SETTINGS.seed(seed.into()), &requests(40, 3 * space));
        for round in evs(&answer).chunks(space as usize) {
            prop_assert_eq!(round.iter().copied().collect::<BTreeSet<_>>(), (0..space).collect());
        }
    }
}
