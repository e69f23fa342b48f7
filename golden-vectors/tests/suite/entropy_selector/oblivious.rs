// SPDX-License-Identifier: MIT OR Apache-2.0
//! O1 and O2: oblivious and counter.

use super::help::{SETTINGS, SHAPE, evs, feedback, request, requests, run, run_on};
use golden_vectors::entropy_selector::oracle::{Answer, Command, Event, Kind, Mode, Shape, answer};
use std::collections::BTreeSet;

#[test]
fn o1_counter_goes_in_the_order_of_the_numbers() {
    let expected: Vec<_> = (14..16).chain(0..16).chain(0..2).collect();
    assert_eq!(evs(&run(Mode::RoundRobin, 14, SETTINGS.seed(0xFFFF), &requests(30, 20))), expected);
}

#[test]
fn o1_the_seed_is_that_of_3_cycles_after_the_first_request() {
    // The word's lowest bits are those of the seed: EV 4 becomes 4 XOR 9.
    for (changed, ev) in [(43, 13), (44, 4)] {
        let change = (changed, Event::Settings(SETTINGS.seed(9)));
        assert_eq!(evs(&run(Mode::Oblivious, 4, SETTINGS, &[request(40), change]))[0], ev, "{changed}");
    }
    // Later ones change nothing: 4, 5 and 6 XOR 9.
    let change = (46, Event::Settings(SETTINGS.seed(2)));
    let events = [request(40), change, request(60), request(70)];
    assert_eq!(evs(&run(Mode::Oblivious, 4, SETTINGS.seed(9), &events)), [13, 12, 15]);
}

#[test]
fn o2_the_second_round_is_in_another_order() {
    // The word is 0x8020, and behind 16 steps 0x3C2D.
    let second = [13, 12, 15, 14, 9, 8, 11, 10, 5, 4, 7, 6, 1, 0, 3, 2];
    let answer = run(Mode::Oblivious, 0, SETTINGS.seed(0x20), &requests(30, 32));
    assert_eq!(evs(&answer), (0..16).chain(second).collect::<Vec<_>>());
    // CCC 2 has the same word of seed 0, and the first round of CCC 2 has two EVs only.
    let mut events = vec![(10, Event::Command(Command::open(2, 14, Mode::Oblivious)))];
    events.extend((30..48).map(|at| (at, Event::Request(2))));
    let expected: Vec<_> = [14, 15].into_iter().chain(second).collect();
    assert_eq!(evs(&answer_of(&events)), expected);
}

fn answer_of(events: &[(u64, Event)]) -> Answer {
    answer(SHAPE, SETTINGS, events)
}

#[test]
fn o1_feedback_is_ignored() {
    let told = (30..60).map(|at| feedback(at, at % 16, Kind::ALL[at as usize % 4]));
    let events: Vec<_> = told.chain(requests(40, 40)).collect();
    for mode in [Mode::Oblivious, Mode::RoundRobin] {
        assert_eq!(evs(&run(mode, 3, SETTINGS, &events)), evs(&run(mode, 3, SETTINGS, &requests(40, 40))));
    }
}

#[test]
fn each_ev_has_its_turn_once_a_round_from_every_start_and_of_every_seed() {
    for seed in [0, 1, 7, 0x20, 0x1234, 0x7FFF, 0x8000, 0xACE1, 0xFFFF] {
        for start in 0..16 {
            for mode in [Mode::Oblivious, Mode::RoundRobin] {
                let granted = evs(&run(mode, start, SETTINGS.seed(seed), &requests(30, 16 - start + 64)));
                let (first, rounds) = granted.split_at(16 - start as usize);
                assert_eq!(first.iter().collect::<BTreeSet<_>>().len(), first.len(), "{seed:#x} {start}");
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
    for seed in [0, 1, 0x2CE1, 0x7FFF] {
        let mut bits: Vec<u64> = (0..16).map(|bit| (seed | 0x8000) >> bit & 1).collect();
        while bits.len() < 16 * 6 {
            let at = bits.len();
            bits.push([16, 14, 13, 11].iter().map(|back| bits[at - back]).sum::<u64>() % 2);
        }
        let open = Command::open(0, 0, Mode::Oblivious);
        let granted = evs(&run_on(shape, open, SETTINGS.seed(seed), &requests(30, 6 * 1024)));
        for (round, evs) in granted.chunks(1024).enumerate() {
            // The first EV of a round is index 0, and so the word itself.
            let word: u64 = (0..10).map(|bit| bits[16 * round + bit] << bit).sum();
            assert_eq!((evs[0], evs[1], evs[1023]), (word, word ^ 1, word ^ 1023), "{seed:#x} {round}");
        }
    }
}

#[test]
fn cccs_of_one_seed_and_seeds_of_one_ccc_differ() {
    let shape = Shape::new(64, 1024).modes(2);
    let first = |ccc: u64, seed: u64| {
        let events = [(70, Event::Command(Command::open(ccc, 0, Mode::Oblivious))), (100, Event::Request(ccc))];
        answer(shape, SETTINGS.seed(seed), &events).grants[0].ev
    };
    let of_cccs: BTreeSet<_> = (0..64).map(|ccc| first(ccc, 0x155)).collect();
    let of_seeds: BTreeSet<_> = (0..64).map(|seed| first(7, seed)).collect();
    assert_eq!((of_cccs.len(), of_seeds.len()), (64, 64));
}
