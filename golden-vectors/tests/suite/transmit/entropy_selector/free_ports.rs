// SPDX-License-Identifier: MIT OR Apache-2.0
//! S20: only EVs of free ports are granted.

use super::help::{SETTINGS, SHAPE, feedback, run_on};
use golden_vectors::transmit::entropy_selector::oracle::{Answer, Command, Event, Grant, Kind, Mode};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeSet;

fn masked(ports: u64, mode: Mode, masks: &[u64], told: &[(u64, Event)]) -> Answer {
    let asked = (40..).zip(masks).map(|(at, &mask)| (at, Event::Request(0, mask)));
    run_on(SHAPE.ports(ports), Command::open(0, 0, mode), SETTINGS, &[told, &asked.collect::<Vec<_>>()].concat())
}

#[test]
fn s20_u26_a_blocked_request_shows_nothing_and_is_counted() {
    for mode in Mode::ALL {
        let answer = masked(4, mode, &[0, 0xF, 0x0, 0x1], &[]);
        let none = |n: usize| {
            let Grant { open, blocked, ev, saturated, port, .. } = answer.grants[n];
            (open, blocked, ev, saturated, port) == (false, true, 0, false, 0)
        };
        assert!(none(0) && none(2) && answer.grants[1].open && !answer.grants[1].blocked, "{mode:?}");
        assert_eq!((answer.blocked_requests, answer.refused_requests), if none(3) { (3, 0) } else { (2, 0) });
    }
    // One port: its bit must be 1 too.
    assert!(masked(1, Mode::Bitmap, &[0, 1], &[]).grants[0].blocked);
}

/// EVs of free ports are granted once per round, whatever the others are.
#[test]
fn s20_u26_evs_of_free_ports_once_per_round() {
    for ports in [2, 4, 8] {
        for mode in [Mode::Bitmap, Mode::Oblivious, Mode::RoundRobin, Mode::Mixed, Mode::Penalty, Mode::Reps] {
            for mask in 1..1 << ports {
                let grants = masked(ports, mode, &[mask; 48], &[]).grants;
                for round in grants.chunks(16) {
                    let open: Vec<_> = round.iter().filter(|grant| grant.open).map(|grant| grant.index).collect();
                    let free: BTreeSet<_> = (0..16).filter(|ev| mask >> (ev % ports) & 1 == 1).collect();
                    assert_eq!(
                        (open.len(), open.into_iter().collect()),
                        (free.len(), free),
                        "{mode:?} {ports} {mask:b}"
                    );
                }
                let blocked = grants.split(|grant| grant.open).map(<[_]>::len).max();
                assert!(blocked < Some(2 * ports as usize), "{mode:?} {ports} {mask:b}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: tier::cases(96), ..ProptestConfig::default() })]

    /// Whatever the mode and the feedback: a port that is not free has no grant, and the EVs do not depend on what is free.
    #[test]
    fn s20_u26_only_free_ports(
        mode in 0..Mode::ALL.len(),
        ports in 0..4u32,
        dice in vec((0..16u64, 0..8u64, 0..256u64, any::<bool>()), 400),
    ) {
        let (mode, ports) = (Mode::ALL[mode], 1 << ports);
        let told: Vec<_> = (40..).zip(&dice).filter(|(_, d)| d.3).map(|(at, d)| feedback(at, d.0, Kind::of(d.1))).collect();
        let masks: Vec<_> = dice.iter().map(|d| d.2).collect();
        let some = masked(ports, mode, &masks, &told);
        let all = masked(ports, mode, &[0xFF; 400], &told);
        for ((some, all), mask) in some.grants.iter().zip(&all.grants).zip(masks) {
            prop_assert_eq!(some.index, all.index);
            prop_assert_eq!(some.open, mask >> all.port & 1 == 1);
            prop_assert!(!some.open || *some == *all);
        }
        prop_assert_eq!(some.blocked_requests, some.grants.iter().filter(|grant| grant.blocked).count() as u64);
    }
}
