// SPDX-License-Identifier: MIT OR Apache-2.0
//! P1 to P7. The EVs drawn from EV 5 on are 5 XOR 0, 1, 2, ...: 5, 4, 7. The time of a feedback of cycle t is (t + 3) / 64.

use super::help::{SETTINGS, evs, feedback, good, request, requests, run, run_on, set};
use golden_vectors::transmit::entropy_selector::oracle::{Command, Ev, Event, Grant, Kind, Mode, Settings, Shape};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

fn reps(settings: Settings, parts: &[&[(u64, Event)]]) -> Vec<u64> {
    evs(&run(Mode::Reps, 5, settings, &parts.concat()))
}

#[test]
fn p5_a_good_ev_is_used_once_as_soon_as_it_is_seen() {
    assert_eq!(reps(SETTINGS, &[&good(40, [9]), &requests(47, 4)]), [5, 9, 4, 7]);
    for kind in [Kind::Ecn, Kind::Nack, Kind::Timeout] {
        assert_eq!(reps(SETTINGS, &[&[feedback(40, 9, kind)], &requests(47, 3)]), [5, 4, 7], "{kind:?}");
    }
}

#[test]
fn p2_the_ring_keeps_the_last_eight() {
    assert_eq!(reps(SETTINGS, &[&good(40, 0..8), &requests(60, 9)]), [0, 1, 2, 3, 4, 5, 6, 7, 5]);
    let ten = [0, 1, 2, 3, 8, 9, 10, 11, 12, 13];
    assert_eq!(reps(SETTINGS, &[&good(40, ten), &requests(60, 9)]), [2, 3, 8, 9, 10, 11, 12, 13, 5]);
}

#[test]
fn p2_p3_pops_are_counted_between_feedback_and_behind_it() {
    // Each is taken once, whether the next feedback comes one cycle before, in, or behind the cycle of the pop.
    for next in 48..=52 {
        let taken = reps(SETTINGS, &[&good(40, [1, 2, 3]), &[request(50)], &good(next, [4]), &requests(62, 4)]);
        assert_eq!(taken, [1, 2, 3, 4, 5], "{next}");
    }
}

#[test]
fn p5_a_push_that_is_not_seen_leaves_the_slot_as_it_was() {
    // The ninth overwrites the first; the request of cycle 57 does not see it, that of cycle 58 does. One was taken
    // meanwhile, so of the eight that are kept the oldest counts as taken.
    let full = good(40, 0..8);
    let taken = reps(SETTINGS, &[&full, &good(50, [12]), &requests(57, 9)]);
    assert_eq!(taken, [0, 2, 3, 4, 5, 6, 7, 12, 5]);
}

#[test]
fn p4_exploration_comes_first() {
    let settings = SETTINGS.reps(2, 0);
    assert_eq!(reps(settings, &[&good(30, [9, 10]), &requests(60, 5)]), [5, 4, 9, 10, 7]);
    for (changed, evs) in [(62, [5, 9, 10]), (63, [9, 10, 5])] {
        let change = set(changed, SETTINGS.reps(1, 0));
        assert_eq!(reps(SETTINGS, &[&good(30, [9, 10]), &[change], &requests(60, 3)]), evs, "{changed}");
    }
}

#[test]
fn p5_a_frozen_ring_gives_its_evs_again() {
    let settings = SETTINGS.reps(0, 100);
    let timeout = [feedback(43, 9, Kind::Timeout)];
    let expected = [1, 2, 3, 1, 2, 3, 1, 2];
    assert_eq!(reps(settings, &[&good(40, [1, 2, 3]), &timeout, &requests(60, 8)]), expected);
    // With nothing in it, EVs are drawn.
    assert_eq!(reps(settings, &[&timeout, &requests(60, 2)]), [5, 4]);
    // A GOOD of that time is used once as a fresh one, and then in its turn: the pointer is at 2 when it comes.
    let parts: [&[_]; 5] = [&good(40, [1, 2]), &timeout, &requests(60, 4), &good(70, [8]), &requests(80, 5)];
    assert_eq!(reps(settings, &parts), [1, 2, 1, 2, 8, 8, 1, 2, 8]);
    // Eight written: the pointer has three bits.
    let eight = good(34, [0, 1, 2, 3, 4, 8, 9, 10]);
    let all = [0, 1, 2, 3, 4, 8, 9, 10];
    assert_eq!(reps(settings, &[&eight, &timeout, &requests(60, 24)]), [all, all, all].concat());
}

#[test]
fn p2_a_freeze_ends_with_the_first_feedback_of_its_time() {
    // Frozen at time 0; time 2 begins with the feedback of cycle 125.
    let settings = SETTINGS.reps(0, 2);
    let before = [good(40, [1, 2]), vec![feedback(43, 9, Kind::Timeout)], requests(60, 2)].concat();
    let end = |at: u64, kind: Kind| reps(settings, &[&before, &[feedback(at, 8, kind)], &requests(at + 8, 2)]);
    assert_eq!(end(124, Kind::Ecn), [1, 2, 1, 2]);
    assert_eq!(end(125, Kind::Ecn), [1, 2, 5, 4]);
    assert_eq!(end(124, Kind::Good), [1, 2, 8, 1]);
    assert_eq!(end(125, Kind::Good), [1, 2, 8, 5]);
    // A TIMEOUT does not put the end off, and at the end it freezes again, an empty ring.
    assert_eq!(end(125, Kind::Timeout), [1, 2, 5, 4]);
    let twice = [feedback(100, 9, Kind::Timeout), feedback(125, 9, Kind::Timeout), feedback(126, 8, Kind::Good)];
    assert_eq!(reps(settings, &[&before, &twice, &requests(134, 3)]), [1, 2, 8, 8, 8]);
}

#[test]
fn p2_s24_freeze_is_that_in_force_3_cycles_after_the_feedback() {
    let before = [good(40, [1]), vec![feedback(43, 9, Kind::Timeout)], requests(60, 1)].concat();
    for (changed, ev) in [(102, 5), (103, 1)] {
        let change = set(changed, SETTINGS.reps(0, 0));
        let parts: [&[_]; 4] = [&before, &[feedback(100, 9, Kind::Ecn)], &[change], &[request(108)]];
        assert_eq!(reps(SETTINGS.reps(0, 50), &parts)[1], ev, "{changed}");
    }
}

#[test]
fn p4_behind_a_freeze_is_exploration_again() {
    let settings = SETTINGS.reps(1, 0);
    let thaw = [feedback(43, 9, Kind::Timeout), feedback(80, 8, Kind::Good), feedback(81, 10, Kind::Good)];
    // The first is drawn, 1 is taken, the ring is frozen and gives 1 again; then it has 8 and 10, and one is drawn.
    let parts: [&[_]; 4] = [&good(40, [1]), &thaw, &requests(60, 3), &requests(90, 4)];
    assert_eq!(reps(settings, &parts), [5, 1, 1, 4, 8, 10, 7]);
}

/// RTT 100, in place of 1000.
fn aged(parts: &[&[(u64, Event)]]) -> Vec<u64> {
    reps(Settings::new(100, 256), parts)
}

#[test]
fn p7_u13_an_ev_is_used_in_its_epoch_and_the_next_or_dropped() {
    for (told, asked, ev) in [(100, 199, 9), (100, 299, 9), (100, 300, 5), (199, 299, 9), (199, 300, 5), (199, 900, 5)]
    {
        assert_eq!(aged(&[&good(told, [9]), &[request(asked)]]), [ev], "{told} {asked}");
    }
}

#[test]
fn p5_p7_what_is_too_old_is_passed_over() {
    let both = [good(150, [1, 2, 3]), good(250, [9, 10])].concat();
    assert_eq!(aged(&[&both, &requests(260, 6)]), [1, 2, 3, 9, 10, 5]);
    assert_eq!(aged(&[&both, &requests(310, 3)]), [9, 10, 5]);
    // One of the older was taken before, and two come later.
    assert_eq!(aged(&[&both, &[request(270)], &good(305, [12, 13]), &requests(320, 5)]), [1, 9, 10, 12, 13, 5]);
    // A request that does not see the later two yet passes over as many.
    assert_eq!(aged(&[&both, &good(308, [12, 13]), &requests(310, 1), &requests(320, 4)]), [9, 10, 12, 13, 5]);
    // A full ring of old ones, and one new.
    assert_eq!(aged(&[&good(150, 0..9), &good(250, [12]), &requests(300, 2)]), [12, 5]);
}

#[test]
fn p7_after_a_gap_only_the_last_epoch_counts() {
    let parts: [&[_]; 3] = [&good(150, [1, 2, 3]), &good(350, [9]), &requests(360, 2)];
    assert_eq!(aged(&parts), [9, 5]);
}

#[test]
fn p5_p7_a_frozen_ring_uses_old_evs() {
    let frozen = [good(150, [1, 2]), vec![feedback(153, 9, Kind::Timeout)]].concat();
    let settings = Settings::new(100, 256).reps(0, 1000);
    assert_eq!(reps(settings, &[&frozen, &requests(160, 4)]), [1, 2, 1, 2]);
    assert_eq!(reps(settings, &[&frozen, &requests(500, 4)]), [1, 2, 1, 2]);
}

#[test]
fn p6_draws_are_those_of_an_oblivious_ccc() {
    for start in [0, 5, 15] {
        for seed in [0, 7, 0xDEAD_BEEF] {
            let drawn = |mode| evs(&run(mode, start, SETTINGS.seed(seed), &requests(40, 50)));
            assert_eq!(drawn(Mode::Reps), drawn(Mode::Oblivious));
        }
    }
}

/// A run of a CCC of 1024 EVs: EVs are drawn from the lower half, and GOOD is told of the upper half only, of each EV
/// once at most. So it can be told of every grant where it comes from.
fn grants(kinds: &[Kind], explore: u64, dice: &[(usize, bool, bool)]) -> (Vec<(u64, Event)>, Vec<Grant>, Vec<u64>) {
    let shape = Shape::new(1, 1024).modes(18);
    let settings = SETTINGS.seed(0x155).reps(explore, 2);
    let told = (30..).zip(dice).filter(|(_, d)| d.1);
    let told = told.zip(512..1024).map(|((at, d), ev)| feedback(at, ev, kinds[d.0 % kinds.len()]));
    let asked: Vec<_> = (30..).zip(dice).filter(|(_, d)| d.2).map(|(at, _)| request(at)).collect();
    let events: Vec<_> = told.chain(asked.clone()).collect();
    let run =
        |mode| run_on(shape, Command::open(0, 0, mode), settings, if mode == Mode::Reps { &events } else { &asked });
    (events.clone(), run(Mode::Reps).grants, evs(&run(Mode::Oblivious)))
}

/// When GOOD told of each EV.
fn told(events: &[(u64, Event)]) -> BTreeMap<u64, u64> {
    let good = |&(at, event): &(u64, Event)| match event {
        Event::Feedback(_, Ev::Own(ev), Kind::Good) => Some((ev, at)),
        _ => None,
    };
    events.iter().filter_map(good).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: tier::cases(96), ..ProptestConfig::default() })]

    /// P5, P6: an EV is the next one of an oblivious CCC, or GOOD was told of it long enough ago.
    #[test]
    fn an_ev_is_drawn_or_good(
        explore in 0..20u64,
        dice in proptest::collection::vec((0..20usize, any::<bool>(), any::<bool>()), 700),
    ) {
        let kinds = [[Kind::Good; 8].as_slice(), &[Kind::Ecn, Kind::Nack, Kind::Timeout]].concat();
        let (events, grants, draws) = grants(&kinds, explore, &dice);
        let good = told(&events);
        let mut draws = draws.iter();
        for (n, grant) in grants.iter().enumerate() {
            if grant.index < 512 {
                prop_assert_eq!(Some(&grant.index), draws.next());
            } else {
                prop_assert!(good.get(&grant.index).is_some_and(|at| at + 16 <= grant.cycle), "{:?}", grant);
                prop_assert!(n as u64 >= explore);
            }
        }
    }

    /// P5: unless the ring is frozen, each GOOD is used at most once, and in the order in which they were told.
    #[test]
    fn each_good_is_used_once(dice in proptest::collection::vec((0..20usize, any::<bool>(), any::<bool>()), 700)) {
        let (_, grants, _) = grants(&[Kind::Good, Kind::Good, Kind::Ecn, Kind::Nack], 3, &dice);
        let used: Vec<_> = grants.iter().map(|grant| grant.index).filter(|&ev| ev >= 512).collect();
        prop_assert!(used.is_sorted());
        prop_assert_eq!(used.iter().collect::<BTreeSet<_>>().len(), used.len());
    }

    /// As long as no more than eight can be there, none is lost: what was told is used as soon as somebody asks.
    #[test]
    fn none_is_lost_while_there_is_room(count in 1..9u64, gap in 0..12u64) {
        let told: Vec<_> = (0..count).flat_map(|n| good(40 + n * (gap + 1), [8 + n])).collect();
        let asked = requests(40 + count * (gap + 1) + 8, count + 1);
        prop_assert_eq!(reps(SETTINGS, &[&told, &asked]), (8..8 + count).chain([5]).collect::<Vec<_>>());
    }
}
