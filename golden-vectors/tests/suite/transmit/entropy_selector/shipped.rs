// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings after reset against the rules of their sources, with nothing on the ports of the settings.

use golden_vectors::transmit::entropy_selector::oracle::{
    ALL_FREE, Answer, Command, Ev, Event, Kind, Mode, Settings, SettingsPorts, Shape, answer,
};
use std::collections::BTreeSet;

const SHAPE: Shape = Shape::new(4, 256).modes(Mode::MASK);
/// An RTT, 12 us.
const RTT: u64 = 3867;

/// CCC 0 is open from cycle 30 on.
fn run(open: Command, events: impl IntoIterator<Item = (u64, Event)>) -> Answer {
    let mut all = vec![(10, Event::Command(open))];
    all.extend(events);
    all.sort_by_key(|&(cycle, _)| cycle);
    let nothing = Settings { rtt: 0, saturation: 0, seed: 0, explore: 0, freeze: 0, idle: 0, reroute: 0 };
    answer(SHAPE, SettingsPorts { valid: false, pipeline: 0, values: nothing }, &all)
}

fn request(cycle: u64) -> (u64, Event) {
    (cycle, Event::Request(0, ALL_FREE))
}

fn told(cycle: u64, ev: u64, kind: Kind) -> (u64, Event) {
    (cycle, Event::Feedback(0, Ev::Own(ev), kind))
}

#[test]
fn s24_times_are_those_of_the_sources() {
    let Settings { rtt, freeze, explore, .. } = Settings::DEFAULT;
    let us = |cycles: u64| cycles as f64 / 322.265625;
    assert!((us(rtt) - 12.0).abs() < 0.01);
    assert!((us(freeze * 64) - 10_000.0).abs() < 1.0);
    // 100 Gb/s for 12 us, in packets of 4 KiB.
    assert_eq!(explore, 100_000 * 12 / 8 / 4150);
}

#[test]
fn u08_a_round_is_used_once() {
    for mode in [Mode::Bitmap, Mode::Oblivious, Mode::RoundRobin, Mode::Mixed, Mode::Penalty] {
        let grants = run(Command::open(0, 0, mode), (40..40 + 512).map(request)).grants;
        for round in grants.chunks(256) {
            assert_eq!(round.iter().map(|grant| grant.index).collect::<BTreeSet<_>>().len(), 256, "{mode:?}");
        }
    }
}

#[test]
fn u12_half_marked_stops_skipping() {
    for (marks, saturated) in [(127, false), (128, false), (129, true), (255, true)] {
        let marked = (0..marks).map(|ev| told(40 + ev, ev, Kind::Ecn));
        let grants = run(Command::open(0, 0, Mode::Bitmap), marked.chain((400..410).map(request))).grants;
        let first = if saturated { 0 } else { marks };
        assert!(grants.iter().zip(first..).all(|(grant, ev)| (grant.index, grant.saturated) == (ev, saturated)));
    }
}

#[test]
fn u11_a_marked_ev_rests_for_one_to_two_rtt() {
    for (at, last) in [(2 * RTT, 4 * RTT - 1), (3 * RTT - 1, 4 * RTT - 1)] {
        let asked =
            |cycle| run(Command::open(0, 5, Mode::Bitmap), [told(at, 5, Kind::Ecn), request(cycle)]).grants[0].index;
        assert_eq!([asked(last), asked(last + 1)], [6, 5]);
    }
}

#[test]
fn u06_u28_rod_moves_once_in_ten_rtt() {
    let open = Command::open(0, 5, Mode::SinglePath).rod();
    // A request and an event every fifth of an RTT.
    let events = (0..300).flat_map(|n| [request(40 + 773 * n), (300 + 773 * n, Event::Reroute(0))]);
    let grants = run(open, events).grants;
    let moves: Vec<_> = grants.windows(2).filter(|pair| pair[0].index != pair[1].index).map(|p| p[1].cycle).collect();
    // 60 RTT.
    assert_eq!(moves.len(), 5, "{moves:?}");
    assert!(moves.windows(2).all(|pair| (10 * RTT..=11 * RTT + RTT / 5).contains(&(pair[1] - pair[0]))), "{moves:?}");
    // Idle for two RTT: at once.
    let events = [request(40), (300, Event::Reroute(0)), request(3 * RTT), request(3 * RTT + 1)];
    assert_eq!(run(open, events).grants.iter().map(|grant| grant.index).collect::<Vec<_>>(), [5, 6, 6]);
}

#[test]
fn u13_a_bdp_is_explored_first() {
    let events = (0..8).map(|ev| told(40 + ev, 200 + ev, Kind::Good)).chain((60..110).map(request));
    let grants = run(Command::open(0, 0, Mode::Reps), events).grants;
    let first = grants.iter().position(|grant| grant.index >= 200);
    assert_eq!(first, Some(36));
}
