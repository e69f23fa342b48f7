// SPDX-License-Identifier: MIT OR Apache-2.0
//! N1 to N4. The epoch of cycle t is t / 64, unless the class is above 0.

use super::help::{SHAPE, evs, feedback, request, requests, run, run_on, set};
use golden_vectors::transmit::entropy_selector::oracle::{Command, Event, Kind, Mode, Settings};
use proptest::prelude::*;

const SETTINGS: Settings = Settings::new(64, 256);
const NEVER: u64 = 255;

fn path(settings: Settings, events: &[(u64, Event)]) -> Vec<u64> {
    evs(&run(Mode::SinglePath, 5, settings, events))
}

#[test]
fn n1_it_stays() {
    assert_eq!(path(SETTINGS, &requests(30, 400)), [5; 400]);
}

#[test]
fn n2_u05_the_last_that_marks_counts() {
    let told = |events: &[(u64, Event)]| {
        let all: Vec<_> = [request(31)].iter().chain(events).copied().chain([request(160)]).collect();
        path(SETTINGS, &all)[1]
    };
    for (kind, ev) in (0..8).map(Kind::of).zip([5, 6, 6, 6, 5, 5, 5, 5]) {
        assert_eq!(told(&[feedback(40, 5, kind)]), ev, "{kind:?}");
    }
    assert_eq!(told(&[feedback(40, 5, Kind::Ecn), feedback(41, 9, Kind::Ecn)]), 5, "another EV");
    assert_eq!(told(&[feedback(40, 5, Kind::Ecn), feedback(41, 5, Kind::Good)]), 6, "GOOD behind it");
    assert_eq!(told(&[feedback(40, 5, Kind::Ecn), feedback(41, 9, Kind::LastHop)]), 6, "LAST_HOP behind it");
    assert_eq!(told(&[feedback(40, 5, Kind::Ecn), feedback(153, 9, Kind::Ecn)]), 6, "not seen yet");
    assert_eq!(told(&[feedback(40, 9, Kind::Ecn), feedback(152, 5, Kind::Ecn)]), 6, "just seen");
    assert_eq!(told(&[feedback(40, 5, Kind::Ecn), feedback(41, 25, Kind::Ecn)]), 6, "out of range");
}

#[test]
fn n3_ev_0_is_behind_the_last() {
    let events = [request(40), feedback(41, 15, Kind::Nack), request(149), request(150)];
    assert_eq!(evs(&run(Mode::SinglePath, 15, SETTINGS, &events)), [15, 0, 0]);
}

#[test]
fn n3_n4_u06_a_change_is_due() {
    // First request in epoch 0, so a change is due in epoch 3; a value of 0 counts as 1.
    for (reroute, first) in [(2, 192), (1, 128), (0, 128), (10, 704)] {
        let settings = SETTINGS.path(NEVER, reroute);
        let until = |at: u64| path(settings, &[request(61), feedback(62, 5, Kind::Ecn), request(at)])[1];
        assert_eq!([until(70), until(first - 1), until(first), until(first + 70)], [5, 5, 6, 6]);
        // The move puts the next one off as long.
        let again = |at: u64| {
            let marks = [feedback(62, 5, Kind::Ecn), feedback(first + 1, 6, Kind::Timeout)];
            path(settings, &[request(61), marks[0], request(first), marks[1], request(at)])[2]
        };
        assert_eq!([again(first + 20), again(2 * first - 1), again(2 * first)], [6, 6, 7]);
    }
}

#[test]
fn n3_n4_u06_idle() {
    // Every request puts it off; that of cycle 191 is in epoch 2, so it is idle in epoch 5.
    let settings = SETTINGS.path(2, NEVER);
    let mark = feedback(62, 5, Kind::Ecn);
    let gap = |at: u64| path(settings, &[request(61), mark, request(100), request(190), request(191), request(at)]);
    assert_eq!(gap(319), [5; 5]);
    assert_eq!(gap(320), [5, 5, 5, 5, 6]);
    // In class 1 an epoch has 128 cycles: that of cycle 191 is in epoch 1, idle in epoch 4.
    let open = Command::open(0, 5, Mode::SinglePath).class(1);
    let gap = |at: u64| evs(&run_on(SHAPE, open, settings, &[request(61), mark, request(191), request(at)]));
    assert_eq!([gap(511), gap(512)], [[5, 5, 5], [5, 5, 6]]);
}

#[test]
fn n4_s24_settings_are_those_in_force_3_cycles_after_the_request() {
    for (changed, ev) in [(42, 5), (43, 6)] {
        let change = set(changed, SETTINGS.path(NEVER, NEVER));
        let events = [request(40), feedback(41, 5, Kind::Ecn), change, request(160)];
        assert_eq!(path(SETTINGS, &events), [5, ev], "{changed}");
    }
}

#[test]
fn n4_the_first_request_changes_nothing() {
    let events = [feedback(30, 5, Kind::Ecn), request(160), request(161), request(300)];
    assert_eq!(path(SETTINGS, &events), [5, 5, 6]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: tier::cases(96), ..ProptestConfig::default() })]

    /// U06: moves are at least `reroute` RTT apart if the CCC is never idle, and each is to the next EV.
    #[test]
    fn u06_moves_are_rare(
        reroute in 0..5u64,
        class in 0..3u64,
        rod in any::<bool>(),
        dice in proptest::collection::vec((0..16u64, 0..8u64, any::<bool>(), 0..4u8), 1600),
    ) {
        let mut events = Vec::new();
        for (at, &(ev, kind, asked, moved)) in (30..).zip(&dice) {
            events.push(feedback(at, ev, Kind::of(kind)));
            events.extend(asked.then(|| request(at)));
            events.extend((moved == 0).then_some((at, Event::Reroute(0))));
        }
        let open = Command { rod, ..Command::open(0, 5, Mode::SinglePath) }.class(class);
        let grants = run_on(SHAPE, open, SETTINGS.path(NEVER, reroute), &events).grants;
        // A grant comes 8 cycles behind its request.
        let mut last = grants[0].cycle - 8;
        for pair in grants.windows(2).filter(|pair| pair[0].index != pair[1].index) {
            prop_assert_eq!(pair[1].index, (pair[0].index + 1) % 16);
            let now = pair[1].cycle - 8;
            prop_assert!(now - last > reroute.max(1) * (64 << class), "{:?}", pair);
            last = now;
        }
    }

    /// U05: without bad news of its EV a path stays, however often it could move.
    #[test]
    fn u05_good_last_hop_and_other_evs_change_nothing(dice in proptest::collection::vec((0..16u64, 0..8u64), 400)) {
        let harmless = dice.iter().map(|&(ev, kind)| (ev, if ev == 5 { [0, 4, 5, 6][kind as usize % 4] } else { kind }));
        let told = (30..).zip(harmless).map(|(at, (ev, kind))| feedback(at, ev, Kind::of(kind)));
        let events: Vec<_> = told.chain((30..430).step_by(70).map(request)).collect();
        prop_assert_eq!(path(SETTINGS.path(0, 0), &events), vec![5; 6]);
    }
}
