// SPDX-License-Identifier: MIT OR Apache-2.0
//! N1 to N4. The time of a request of cycle t is (t + 3) / 64.

use super::help::{SETTINGS, evs, feedback, request, requests, run};
use golden_vectors::entropy_selector::oracle::{Event, Kind, Mode, Settings};
use proptest::prelude::*;

const NEVER: u64 = (1 << 19) - 1;

fn path(settings: Settings, events: &[(u64, Event)]) -> Vec<u64> {
    evs(&run(Mode::SinglePath, 5, settings, events))
}

#[test]
fn n1_it_stays() {
    assert_eq!(path(SETTINGS, &requests(30, 40)), [5; 40]);
}

#[test]
fn n2_the_last_that_is_not_good_counts() {
    let told = |events: &[(u64, Event)]| {
        let all: Vec<_> = [request(31)].iter().chain(events).copied().chain([request(60)]).collect();
        path(SETTINGS, &all)[1]
    };
    for (kind, ev) in Kind::ALL.into_iter().zip([5, 6, 6, 6]) {
        assert_eq!(told(&[feedback(40, 5, kind)]), ev, "{kind:?}");
    }
    assert_eq!(told(&[feedback(40, 5, Kind::Ecn), feedback(41, 9, Kind::Ecn)]), 5, "another EV");
    assert_eq!(told(&[feedback(40, 5, Kind::Ecn), feedback(41, 5, Kind::Good)]), 6, "GOOD behind it");
    assert_eq!(told(&[feedback(40, 5, Kind::Ecn), feedback(53, 9, Kind::Ecn)]), 6, "not seen yet");
    assert_eq!(told(&[feedback(40, 9, Kind::Ecn), feedback(52, 5, Kind::Ecn)]), 6, "just seen");
    assert_eq!(told(&[feedback(40, 5, Kind::Ecn), feedback(41, 25, Kind::Ecn)]), 6, "out of range");
}

#[test]
fn n3_ev_0_is_behind_the_last() {
    let events = [request(40), feedback(41, 15, Kind::Nack), request(49), request(50)];
    assert_eq!(evs(&run(Mode::SinglePath, 15, SETTINGS, &events)), [15, 0, 0]);
}

#[test]
fn n3_n4_a_change_is_due() {
    // First request at time 1, so a change is due at time 3, which begins with the request of cycle 189.
    let settings = SETTINGS.path(NEVER, 2);
    let until = |at: u64| path(settings, &[request(61), feedback(62, 5, Kind::Ecn), request(at)])[1];
    assert_eq!([until(70), until(188), until(189), until(400)], [5, 5, 6, 6]);
    // The change of time 3 puts the next one off to time 5.
    let again = |at: u64| {
        let marks = [feedback(62, 5, Kind::Ecn), feedback(190, 6, Kind::Timeout)];
        path(settings, &[request(61), marks[0], request(189), marks[1], request(at)])[2]
    };
    assert_eq!([again(198), again(316), again(317)], [6, 6, 7]);
}

#[test]
fn n3_n4_idle() {
    // Every request puts it off; that of cycle 189 has time 3 and is idle at time 5, from cycle 317 on.
    let settings = SETTINGS.path(2, NEVER);
    let mark = feedback(62, 5, Kind::Ecn);
    let gap = |at: u64| path(settings, &[request(61), mark, request(100), request(188), request(189), request(at)]);
    assert_eq!(gap(316), [5; 5]);
    assert_eq!(gap(317), [5, 5, 5, 5, 6]);
}

#[test]
fn n4_settings_are_those_of_3_cycles_after_the_request() {
    for (changed, ev) in [(43, 5), (44, 6)] {
        let change = (changed, Event::Settings(SETTINGS.path(NEVER, NEVER)));
        let events = [request(40), feedback(41, 5, Kind::Ecn), change, request(60)];
        assert_eq!(path(SETTINGS, &events), [5, ev], "{changed}");
    }
}

#[test]
fn n4_the_first_request_changes_nothing() {
    let events = [feedback(30, 5, Kind::Ecn), request(60), request(61)];
    assert_eq!(path(SETTINGS, &events), [5, 6]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    /// U06: changes are at least `reroute` apart if the CCC is never idle, and each is to the next EV.
    #[test]
    fn changes_are_rare(
        reroute in 0..5u64,
        dice in proptest::collection::vec((0..16u64, 0..4usize, any::<bool>()), 1200),
    ) {
        let told = (30..).zip(&dice).map(|(at, &(ev, kind, _))| feedback(at, ev, Kind::ALL[kind]));
        let asked = (30..).zip(&dice).filter(|(_, d)| d.2).map(|(at, _)| request(at));
        let events: Vec<_> = told.chain(asked).collect();
        let grants = run(Mode::SinglePath, 5, SETTINGS.path(NEVER, reroute), &events).grants;
        // A grant comes 8 cycles behind its request, so 5 behind the cycle that has its time.
        let time = |cycle: u64| (cycle - 5) / 64;
        let mut last = time(grants[0].cycle);
        for pair in grants.windows(2).filter(|pair| pair[0].ev != pair[1].ev) {
            prop_assert_eq!(pair[1].ev, (pair[0].ev + 1) % 16);
            let now = time(pair[1].cycle);
            prop_assert!(now - last >= reroute, "{:?}", pair);
            last = now;
        }
    }

    /// U05: without bad news of its EV a path stays, however often it could change.
    #[test]
    fn good_and_other_evs_change_nothing(dice in proptest::collection::vec((0..16u64, 0..4usize), 400)) {
        let harmless = dice.iter().map(|&(ev, kind)| if ev == 5 { (ev, Kind::Good) } else { (ev, Kind::ALL[kind]) });
        let told = (30..).zip(harmless).map(|(at, (ev, kind))| feedback(at, ev, kind));
        let events: Vec<_> = told.chain(requests(30, 400)).collect();
        prop_assert_eq!(path(SETTINGS, &events), vec![5; 400]);
    }
}
