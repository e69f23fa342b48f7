// SPDX-License-Identifier: MIT OR Apache-2.0
//! The FIFO against a queue: nothing lost, repeated or changed, one row per clock cycle, and how many it holds.
#![allow(missing_docs)]

use pipeline::blocks::fifo::Fifo;
use proptest::prelude::*;
use rtl_model::model::Instance;
use rtl_model::{Bits, Model, bits};
use std::collections::VecDeque;

type Queue = Fifo<Model, Bits<Model>>;

fn bit(value: bool) -> Bits<Model> {
    Bits::lit(1, value as u64)
}

fn clock(fifo: &Queue, push: Option<u64>, pop: bool) {
    fifo.clock(bit(push.is_some()), || Bits::lit(16, push.unwrap_or(0)), bit(pop));
}

proptest! {
    #[test]
    fn what_goes_in_comes_out(
        latency in 1..4u32,
        address_bits in 1..4u32,
        // Consumers and producers that stall for long, so that it becomes full and empty.
        pattern in prop::collection::vec((0..4u8, 0..4u8, 1..24usize), 1..40),
    ) {
        let depth = 1 << address_bits;
        let fifo = Queue::new(depth, latency, &bits(16));
        let (mut inside, mut next) = (VecDeque::new(), 0);
        let cycles = pattern.iter().flat_map(|&(push, pop, cycles)| (0..cycles).map(move |i| {
            (push as usize > i % 4, pop as usize > i % 3)
        }));
        for (push, pop) in cycles {
            let (ready, valid) = (fifo.ready().value() == 1, fifo.valid().value() == 1);
            prop_assert_eq!(fifo.level().value(), inside.len() as u64);
            prop_assert!(ready || inside.len() as u64 >= depth, "room for {} rows", depth);
            prop_assert!(!valid || Some(&fifo.front().value()) == inside.front());
            clock(&fifo, push.then_some(next), pop);
            if valid && pop {
                inside.pop_front();
            }
            if push && ready {
                inside.push_back(next);
                next += 1;
            }
        }
        // Everything comes out.
        for _ in 0..inside.len() + latency as usize + 2 {
            if fifo.valid().value() == 1 {
                prop_assert_eq!(Some(fifo.front().value()), inside.pop_front());
            }
            clock(&fifo, None, true);
        }
        prop_assert_eq!((inside.len(), fifo.valid().value(), fifo.level().value()), (0, 0, 0));
    }
}

#[test]
fn one_row_a_clock() {
    for latency in 1..4 {
        let fifo = Instance::new(|| Queue::new(8, latency, &bits(16)));
        let delay = u64::from(latency) + 2;
        for cycle in 0..100 {
            assert_eq!(fifo.ready().value(), 1);
            assert_eq!(fifo.valid().value() == 1, cycle >= delay, "cycle {cycle}");
            if cycle >= delay {
                assert_eq!(fifo.front().value(), cycle - delay);
            }
            clock(&fifo, Some(cycle), true);
        }
        fifo.reset();
        assert_eq!((fifo.valid().value(), fifo.ready().value(), fifo.level().value()), (0, 1, 0));
    }
}

#[test]
fn it_holds_as_many_as_it_says() {
    for (depth, latency) in [(2, 1), (4, 2), (16, 3)] {
        let fifo = Queue::new(depth, latency, &bits(16));
        let mut pushed = 0;
        for _ in 0..100 {
            pushed += fifo.ready().value();
            clock(&fifo, Some(7), false);
        }
        assert_eq!((pushed, fifo.level().value()), (Queue::capacity(depth, latency), pushed));
        // Full: a row that is popped makes room one clock cycle later, and then one goes in as one comes out.
        let mut accepted = 0;
        for _ in 0..64 {
            accepted += fifo.ready().value();
            clock(&fifo, Some(7), true);
        }
        assert_eq!(accepted, 63);
    }
}
