// SPDX-License-Identifier: MIT OR Apache-2.0
//! O1 and O2: oblivious and round robin.

use super::help::{SETTINGS, SHAPE, evs, feedback, requests, run, run_on};
use golden_vectors::transmit::entropy_selector::oracle::{Command, Kind, Mode, Shape, mix};
use std::collections::BTreeSet;

#[test]
fn o1_round_robin_goes_in_the_order_of_the_numbers() {
    let expected: Vec<_> = (14..16).chain(0..16).chain(0..2).collect();
    assert_eq!(evs(&run(Mode::RoundRobin, 14, SETTINGS.seed(0xFFFF), &requests(30, 20))), expected);
}

#[test]
fn o1_oblivious_begins_a_round_with_the_start() {
    let expected: Vec<_> = (0..16).map(|index| index ^ 6).collect();
    assert_eq!(evs(&run(Mode::Oblivious, 6, SETTINGS, &requests(30, 16))), expected);
    // In a space of 8 the lowest three bits of the word count.
    let open = Command::open(0, 14, Mode::Oblivious).space(3);
    let expected: Vec<_> = (0..8).map(|index| index ^ 6).collect();
    assert_eq!(evs(&run_on(SHAPE, open, SETTINGS, &requests(30, 8))), expected);
}

#[test]
fn o1_feedback_is_ignored() {
    let told = (30..60).map(|at| feedback(at, at % 16, Kind::of(at % 8)));
    let events: Vec<_> = told.chain(requests(40, 40)).collect();
    for mode in [Mode::Oblivious, Mode::RoundRobin] {
        assert_eq!(evs(&run(mode, 3, SETTINGS, &events)), evs(&run(mode, 3, SETTINGS, &requests(40, 40))));
    }
}

#[test]
fn u08_each_ev_has_its_turn_once_a_round_from_every_start_and_of_every_seed() {
    for seed in [0, 1, 7, 0x20, 0x1234, 0x7FFF, 0x8000, 0xACE1, 0xFFFF_FFFF] {
        for start in 0..16 {
            for (mode, first) in [(Mode::Oblivious, 16), (Mode::RoundRobin, 16 - start)] {
                let granted = evs(&run(mode, start, SETTINGS.seed(seed), &requests(30, first + 64)));
                let (first, rounds) = granted.split_at(first as usize);
                assert_eq!(first.iter().collect::<BTreeSet<_>>().len(), first.len(), "{seed:#x} {start}");
                assert_eq!(first[0], start);
                for round in rounds.chunks(16) {
                    assert_eq!(round.iter().copied().collect::<BTreeSet<_>>(), (0..16).collect(), "{seed:#x} {start}");
                }
            }
        }
    }
}

/// The words of the rounds are 16 bits each of one row of bits in which each is the sum of those 16, 14, 13 and 11
/// before it.
#[test]
fn o2_words_are_the_sequence_of_the_polynomial() {
    let shape = Shape::new(3, 1024).modes(2);
    for seed in [0, 1, 0x2CE1_1234, 0x7FFF] {
        for start in [0, 1, 777] {
            let first = mix(shape, SETTINGS.seed(seed), (0, 0), 0).word / 1024 * 1024 + start;
            let mut bits: Vec<u64> = (0..16).map(|bit| first >> bit & 1).collect();
            while bits.len() < 16 * 6 {
                let at = bits.len();
                bits.push([16, 14, 13, 11].iter().map(|back| bits[at - back]).sum::<u64>() % 2);
            }
            let open = Command::open(0, start, Mode::Oblivious);
            let granted = evs(&run_on(shape, open, SETTINGS.seed(seed), &requests(30, 6 * 1024)));
            for (round, evs) in granted.chunks(1024).enumerate() {
                // The first EV of a round is index 0, and so the word itself.
                let word: u64 = (0..10).map(|bit| bits[16 * round + bit] << bit).sum();
                assert_eq!((evs[0], evs[1], evs[1023]), (word, word ^ 1, word ^ 1023), "{seed:#x} {round}");
            }
        }
    }
}
