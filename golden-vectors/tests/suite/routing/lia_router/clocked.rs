// SPDX-License-Identifier: MIT OR Apache-2.0
//! The oracle with a clock against the table without one: where nothing changes for some sweeps, both are the same. The
//! bounds of the page hold for where it does.

use golden_vectors::rng::{SEED, SplitMix64};
use golden_vectors::routing::lia_router::oracle::{
    Answer, Arrangement, Command, Flits, Inputs, Occupancy, Oracle, Place, Request, Settings, Shape, Size, Table, op,
};
use std::sync::Arc;

const SIZES: [(u64, u64, u64); 5] = [(2, 4, 1), (4, 8, 1), (3, 5, 1), (2, 8, 4), (6, 12, 2)];

fn size((global_ports, switches, trunks): (u64, u64, u64)) -> Size {
    Size::new(Shape { global_ports, switches, trunks, counter_bits: 16 })
}

/// A stage with its clock, and what it answers.
struct Bench {
    oracle: Oracle,
    answers: Vec<Answer>,
}

impl Bench {
    fn step(&mut self, inputs: Inputs) {
        self.answers.extend(self.oracle.step(&inputs).response);
    }

    fn idle(&mut self, cycles: u64) {
        (0..cycles).for_each(|_| self.step(Inputs::default()));
    }

    fn placed(size: Size, place: Place, seed: u64) -> Self {
        let mut bench = Bench { oracle: Oracle::new(size), answers: Vec::new() };
        bench.idle(size.ready());
        let command = Command { op: op::PLACE, group: place.group, switch: place.switch, seed };
        bench.step(Inputs { command: Some(command), ..Inputs::default() });
        while !bench.oracle.outputs().command_ready {
            bench.idle(1);
        }
        bench
    }
}

#[test]
fn at_rest_it_is_the_table() {
    let rng = &mut SplitMix64::new(SEED);
    let mut kinds = [0; 2];
    for numbers in SIZES {
        let size = size(numbers);
        let shape = size.shape;
        let settings = Settings {
            limits: [20, 60],
            link_threshold: 15,
            saturated_links: 0,
            remote_threshold: 80,
            biases: [6, 0, -9],
            interval: 1,
            ..size.reset
        };
        let size = size.reset(settings);
        let place = Place { group: rng.below(shape.groups()), switch: rng.below(shape.switches) };
        let mut bench = Bench::placed(size, place, 77);
        let mut table = Table::new(Arc::new(Arrangement::palmtree(shape)), place, 77, settings);
        for _ in 0..30 {
            for _ in 0..rng.below(30) {
                let group = rng.below(shape.groups());
                let flits = Flits { group, flits: rng.below(9) };
                let (port, waiting) = (rng.below(shape.ports()), rng.below(30));
                let occupancy = Occupancy { port, flits: waiting, in_flight: 2 };
                table.enqueue(group, flits.flits);
                table.occupancy(port, waiting, 2);
                bench.step(Inputs { enqueue: Some(flits), occupancy: Some(occupancy), ..Inputs::default() });
                if rng.below(3) > 0 {
                    table.dequeue(group, flits.flits);
                    bench.step(Inputs { dequeue: Some(flits), ..Inputs::default() });
                }
            }
            // Queues are those of now, and nothing has left in the last interval.
            bench.idle(4 * size.sweep());
            table.sweep(true);
            table.sweep(true);
            let mut expected = Vec::new();
            bench.answers.clear();
            for _ in 0..10 {
                let request = Request { group: rng.below(shape.groups()), switch: rng.below(shape.switches) };
                expected.push(table.request(request.group, request.switch));
                bench.step(Inputs { request: Some(request), ..Inputs::default() });
            }
            bench.idle(size.responds() + 1);
            assert_eq!(bench.answers, expected, "{size:?}");
            expected.iter().for_each(|answer| kinds[usize::from(answer.minimal)] += 1);
        }
    }
    assert!(kinds[0] > 200 && kinds[1] > 200, "{kinds:?}");
}

/// LR3: a flit that enters raises the level for requests after at most two sweeps and some cycles.
#[test]
fn results_are_at_most_two_sweeps_old() {
    for numbers in SIZES {
        let size = size(numbers).reset(Settings { limits: [0, 9], ..size(numbers).reset });
        for wait in 0..size.sweep() {
            let mut bench = Bench::placed(size, Place::default(), 1);
            bench.idle(wait);
            let last = size.shape.groups() - 1;
            bench.step(Inputs { enqueue: Some(Flits { group: last, flits: 1 }), ..Inputs::default() });
            let first = bench.oracle.cycle();
            while bench.oracle.table().loads().level(last) == 0 {
                bench.idle(1);
            }
            assert!(bench.oracle.cycle() - first <= 2 * size.sweep() + size.counted());
        }
    }
}
