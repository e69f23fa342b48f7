// SPDX-License-Identifier: MIT OR Apache-2.0
//! U13, U11: what holds of every EV that comes out of a ring, told from the outside.

use super::help::{feedback, request, run_on};
use golden_vectors::transmit::entropy_selector::oracle::{Command, Event, Kind, Mode, Settings, Shape};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// GOOD comes back for EVs of the upper half only, for each once, and only such an EV is granted there.
const SHAPE: Shape = Shape::new(3, 1024).modes(Mode::MASK);

/// The epoch of a cycle.
fn epoch(cycle: u64, class: u64) -> u64 {
    (cycle / 80) >> class
}

fn rings() -> impl Strategy<Value = (u64, u64, Vec<(u64, bool, bool)>)> {
    (0..2u64, 0..3u64, vec((0..8u64, any::<bool>(), any::<bool>()), 700))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: tier::cases(96), ..ProptestConfig::default() })]

    /// An EV of the ring is used in the epoch in which it came back, or in the next one; so within two RTT.
    #[test]
    fn u13_within_two_rtt_or_dropped((mode, class, dice) in rings(), quiet in 1..6u64) {
        let mode = [Mode::Reps, Mode::Mixed][mode as usize];
        let mut events = Vec::new();
        let mut told = BTreeMap::new();
        for ((at, ev), &(die, good, asked)) in (30..).zip(512..).zip(&dice) {
            if good && at / 100 % quiet == 0 && ev < 1024 {
                events.push(feedback(at, ev, Kind::Good));
                told.insert(ev, at);
            }
            if asked && die < 5 {
                events.push(request(at));
            }
        }
        let open = Command::open(0, 0, mode).class(class);
        for grant in run_on(SHAPE, open, Settings::new(80, 256), &events).grants {
            if let Some(&back) = told.get(&grant.index) {
                let asked = grant.cycle - 8;
                prop_assert!(epoch(asked, class) - epoch(back, class) <= 1, "{:?} {}", grant, back);
                prop_assert!(asked - back < 2 * (80 << class));
                prop_assert!(asked - back >= 8);
            } else {
                prop_assert!(grant.index < 512);
            }
        }
    }

    /// `mixed` does not grant an EV with a mark, be it from the ring or not, unless the CCC is saturated.
    #[test]
    fn u11_mixed_never_uses_an_ev_marked_since(
        class in 0..2u64,
        dice in vec((0..64u64, 0..5u64, any::<bool>(), any::<bool>()), 900),
    ) {
        let shape = Shape::new(3, 64).modes(Mode::MASK);
        let mut events: Vec<(u64, Event)> = Vec::new();
        let mut marks = Vec::new();
        for (at, &(ev, kind, told, asked)) in (30..).zip(&dice) {
            if told {
                // More GOOD than marks, so that it is seldom saturated.
                let kind = if kind == 1 { Kind::Ecn } else { Kind::Good };
                events.push(feedback(at, ev, kind));
                marks.extend((kind == Kind::Ecn).then_some((at, ev)));
            }
            events.extend(asked.then(|| request(at)));
        }
        let grants = run_on(shape, Command::open(0, 0, Mode::Mixed).class(class), Settings::new(80, 256), &events).grants;
        for grant in &grants {
            let asked = grant.cycle - 8;
            let valid = |&&(at, ev): &&(u64, u64)| {
                ev == grant.index && at + 8 <= asked && epoch(asked, class) - epoch(at, class) <= 1
            };
            prop_assert!(grant.saturated || marks.iter().find(valid).is_none(), "{:?}", grant);
        }
    }
}

/// The counter of epochs has 12 bits; the age of an EV is told for longer than any feedback takes.
#[test]
fn u13_old_evs_do_not_come_back_for_4000_epochs() {
    for epochs in [2, 3, 64, 255, 256, 257, 1023, 1024, 4094] {
        let events = [feedback(100, 900, Kind::Good), request(64 + 64 * epochs), request(70 + 64 * epochs)];
        let grants = run_on(SHAPE, Command::open(0, 0, Mode::Reps), Settings::new(64, 256), &events).grants;
        assert_eq!([grants[0].index, grants[1].index], [0, 1], "{epochs}");
    }
}
