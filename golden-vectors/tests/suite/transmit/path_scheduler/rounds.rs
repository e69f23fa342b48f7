// SPDX-License-Identifier: MIT OR Apache-2.0
//! T5 and T24: shares follow weights, and weights follow the bandwidths that probes tell.

use super::help::*;
use golden_vectors::transmit::path_scheduler::oracle::{
    Answer, Command, Event, Granularity, Op, Packet, Request, Settings, Shape, answer,
};
use proptest::collection::vec;
use proptest::prelude::*;

const WIDE: Settings = Settings::new(1, 0, 0).window(30_000);

fn paths(weights: &[u64], count: u64) -> Vec<u64> {
    column(&run_with(WIDE, Granularity::Packet, weights, &stream(500, count)), |grant| grant.path)
}

#[test]
fn t5_rounds() {
    assert_eq!(paths(&[0, 1, 0, 1], 5), [1, 3, 1, 3, 1]);
    // Rounds 1, 3, 5, ... have 0; round 2, 6, ... 3; round 4 has 2; round 8 nobody.
    assert_eq!(paths(&[4, 0, 1, 2], 11), [0, 3, 0, 2, 0, 3, 0, 0, 3, 0, 2]);
    assert_eq!(paths(&[1, 3], 9), [1, 0, 1, 1, 1, 0, 1, 1, 1]);
    assert_eq!(paths(&[5, 5, 5], 7), [0, 1, 2, 0, 1, 2, 0], "the same weights take turns");
}

/// A changed weight takes effect within two rounds, and a sub-path that goes is skipped at once.
#[test]
fn t5_weights_that_change() {
    let mut events = stream(500, 6);
    events.extend([op(510, Op::Limit, 0, 1), op(530, Op::Drain, 2, 0)]);
    events.extend(stream(600, 9));
    let answer = run_with(WIDE, Granularity::Packet, &[4, 4, 4], &events);
    // Even rounds are empty. Then the weights are 1, 4 and 0: odd rounds have 1, and 0 comes in round 12.
    assert_eq!(column(&answer, |grant| grant.path), [0, 1, 2, 0, 1, 2, 1, 1, 1, 1, 0, 1, 1, 1, 1]);
}

/// The loss of throughput against the sum of the bandwidths, if the sender is as fast as the first sub-path that is
/// overloaded allows. The shares are those of a long stream after probes.
fn loss(bandwidths: &[u64], bits: u64) -> f64 {
    let shape = Shape::new(1, 8).weight_bits(bits);
    let most = *bandwidths.iter().max().unwrap();
    let mut events = vec![(20, Event::Command(Command::open(0, 0, 0, Granularity::Packet)))];
    for (path, &bandwidth) in (0..).zip(bandwidths) {
        let at = 40 + 40 * path;
        events.push(op(at, Op::Add, path, shape.most()));
        events.push(probe_answer(at + 10, path, bandwidth * shape.most() / most));
        events.push((at + 20, Event::Command(Command::new(Op::Start, 0, path).unforced())));
    }
    events.extend(stream(500, 20_000));
    let Answer { grants, .. } = answer(shape, WIDE, &events);
    let share = |path| grants.iter().filter(|grant| grant.path == path).count() as f64 / grants.len() as f64;
    let of_each = (0..).zip(bandwidths).map(|(path, &bandwidth)| bandwidth as f64 / share(path));
    1.0 - of_each.fold(f64::INFINITY, f64::min) / bandwidths.iter().sum::<u64>() as f64
}

/// M63 and M43: with bandwidths 1:40 over 8 sub-paths at most 2 % of the throughput is lost, and at 1:4 too.
#[test]
fn m63_at_most_2_percent_are_lost_with_bandwidths_1_to_40() {
    for bandwidths in [
        [1, 40, 40, 40, 40, 40, 40, 40],
        [1, 1, 1, 1, 1, 1, 1, 40],
        [1, 40, 1, 40, 1, 40, 1, 40],
        [1, 2, 3, 5, 9, 16, 25, 40],
        [1, 6, 12, 18, 23, 29, 35, 40],
        [1, 1, 2, 2, 3, 3, 4, 4],
        [1, 4, 4, 4, 4, 4, 4, 4],
        [3, 3, 3, 3, 3, 3, 3, 4],
    ] {
        let lost = loss(&bandwidths, 8);
        assert!(lost <= 0.02, "{bandwidths:?}: {lost}");
    }
    // With weights of 4 bits, as they were, much more is lost.
    assert!(loss(&[1, 1, 1, 1, 1, 1, 1, 40], 4) > 0.02);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: tier::cases(64), ..ProptestConfig::default() })]

    /// T5: in each sequence of selections as long as all rounds have, every sub-path is selected in exact proportion.
    #[test]
    fn every_sequence_of_selections_is_in_proportion(weights in vec(0..16u64, 4), latency in 1..4u64) {
        prop_assume!(weights.iter().any(|&weight| weight > 0));
        let top = weights.iter().max().unwrap().ilog2();
        let each: Vec<u64> = weights.iter().map(|weight| weight << (3 - top)).collect();
        let sum = each.iter().sum::<u64>() as usize;
        let mut events = running(Granularity::Packet, &weights);
        let request = Event::Request(Request { qp: 0, kind: Packet::Data, path: 0 });
        events.extend((400..400 + 3 * sum as u64).map(|at| (at, request)));
        let answer = answer(Shape::new(2, 4).ram_latency(latency).weight_bits(4), WIDE, &events);
        let paths: Vec<_> = answer.grants.iter().map(|grant| grant.path).collect();
        for window in paths.windows(sum) {
            for (path, &times) in (0..).zip(&each) {
                prop_assert_eq!(window.iter().filter(|&&at| at == path).count() as u64, times);
            }
        }
    }

    /// T5: spread evenly: the heaviest sub-path never waits for longer than one packet of each of the others twice.
    #[test]
    fn the_heaviest_never_waits_long(weights in vec(1..16u64, 4)) {
        let heaviest = (0..4).max_by_key(|&path| weights[path as usize]).unwrap();
        let paths = paths(&weights, 300);
        let places: Vec<_> = (0..).zip(&paths).filter(|(_, path)| **path == heaviest).map(|(at, _)| at).collect();
        prop_assert!(places.windows(2).all(|pair: &[i32]| pair[1] - pair[0] <= 7), "{:?}", paths);
    }
}
