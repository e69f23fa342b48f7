// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every order of up to seven packets, with each of them lost or twice: all are delivered once and in order. What is
//! expected is counted from the order itself.

use super::help::{Bench, SHAPE};
use golden_vectors::receive::reorder::oracle::Outcome;
use tier::is_all;

/// Calls `with` for every order of the numbers below `count` (Heap's algorithm).
fn orders(count: usize, with: &mut impl FnMut(&[u64])) {
    fn swap(items: &mut [u64], size: usize, with: &mut impl FnMut(&[u64])) {
        if size == 1 {
            return with(items);
        }
        for at in 0..size {
            swap(items, size - 1, with);
            items.swap(if size.is_multiple_of(2) { at } else { 0 }, size - 1);
        }
    }
    let mut items: Vec<u64> = (0..count as u64).collect();
    swap(&mut items, count, with);
}

/// A run that goes on from order to order, with what has been counted.
struct Run {
    bench: Bench,
    /// The first PSN of the order, not modulo 2^24.
    first: u64,
    answers: Vec<(Outcome, u64, u64, u64)>,
    delivered: u64,
}

impl Run {
    fn new() -> Self {
        let first = (1 << 24) - 40;
        Run { bench: Bench::opened(SHAPE, first), first, answers: Vec::new(), delivered: first }
    }

    /// The packets of an order one after the other, then the rest. Of so many packets none is left.
    fn play(&mut self, order: &[u64], count: u64) {
        let mut received = vec![false; count as usize];
        let rest = (0..count).filter(|number| !order.contains(number));
        for number in order.iter().copied().chain(rest) {
            let expected = received.iter().take_while(|&&there| there).count() as u64;
            let outcome = match received[number as usize] {
                true if number < expected => Outcome::Below,
                true => Outcome::Duplicate,
                false if number == expected => Outcome::InOrder,
                false => Outcome::Held,
            };
            received[number as usize] = true;
            let expected = received.iter().take_while(|&&there| there).count() as u64;
            let held = received.iter().skip(expected as usize).filter(|&&there| there).count() as u64;
            let highest = received.iter().rposition(|&there| there).unwrap() as u64;
            let psn = |number: u64| (self.first + number) % (1 << 24);
            self.answers.push((outcome, psn(expected), psn(highest), held));
            self.bench.send(0, psn(number));
        }
        self.first += count;
        if self.answers.len() > 1000 {
            self.compare();
        }
    }

    /// R4, R12: all answers so far, and what was delivered.
    fn compare(&mut self) {
        self.bench.idle(60);
        let answers = std::mem::take(&mut self.bench.answers);
        let seen = answers.iter().map(|(_, seen)| (seen.outcome, seen.expected, seen.highest, seen.held));
        assert!(seen.eq(self.answers.drain(..)), "{:?}", self.bench.oracle.cycle());
        for (_, packet) in std::mem::take(&mut self.bench.delivered) {
            let psn = self.delivered % (1 << 24);
            assert_eq!((packet.psn, packet.handle), (psn, psn & 0xFFFF));
            self.delivered += 1;
        }
        assert_eq!(self.delivered, self.first);
    }
}

#[test]
fn every_order() {
    let mut run = Run::new();
    for count in 1..=7 {
        orders(count, &mut |order| run.play(order, count as u64));
    }
    run.compare();
}

#[test]
fn every_order_with_one_lost() {
    let mut run = Run::new();
    for count in 2..=7 {
        orders(count, &mut |order| {
            for lost in 0..count as u64 {
                let others: Vec<u64> = order.iter().copied().filter(|&number| number != lost).collect();
                run.play(&others, count as u64);
            }
        });
    }
    run.compare();
}

#[test]
fn every_order_with_one_twice() {
    let mut run = Run::new();
    for count in 1..=if is_all() { 7 } else { 6 } {
        orders(count, &mut |order| {
            for again in 0..count {
                for at in again + 1..=count {
                    let mut twice = order.to_vec();
                    twice.insert(at, order[again]);
                    run.play(&twice, count as u64);
                }
            }
        });
    }
    run.compare();
}
