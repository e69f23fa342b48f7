// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random demand of open sources, for the properties.

use super::help::Run;
use golden_vectors::receive::credit_pacer::oracle::{Demand, Grant, Inputs, Settings, Shape};
use golden_vectors::rng::SplitMix64;

/// A run with random demand, and all that was seen of it. Sources 0 to `open` - 1 are open; their credit begins at 0.
pub struct Traffic {
    pub shape: Shape,
    pub settings: Settings,
    pub run: Run,
    /// The demands, with the cycle in which each was accepted.
    pub demands: Vec<(u64, Demand)>,
    /// In so many of 8 demands there is `repeat`, and some of those have no new target.
    repeats: u64,
    rng: SplitMix64,
}

impl Traffic {
    fn new(shape: Shape, settings: Settings, repeats: u64, seed: u64) -> Self {
        let run = Run::new(shape, settings, shape.sources);
        Traffic { shape, settings, run, demands: Vec::new(), repeats, rng: SplitMix64::new(seed) }
    }

    /// The target that was accepted last; targets of a source never become less.
    pub fn target(&self, source: u64) -> u64 {
        self.demands.iter().rev().find(|(_, demand)| demand.source == source).map_or(0, |(_, demand)| demand.target)
    }

    /// So many cycles; in one of `pause` there is a demand for up to `most` more.
    pub fn go(&mut self, cycles: u64, pause: u64, most: u64) {
        for _ in 0..cycles {
            let mut inputs = Inputs::idle(None);
            if self.rng.below(pause) == 0 && self.run.oracle.outputs().demand_ready {
                let source = self.rng.below(self.shape.sources);
                let repeat = self.rng.below(8) < self.repeats;
                let more = if repeat && self.rng.below(3) > 0 { 0 } else { 1 + self.rng.below(most) };
                let demand = Demand { source, target: self.target(source) + more, repeat };
                self.demands.push((self.run.oracle.cycle(), demand));
                inputs.demand = Some(demand);
            }
            self.run.step(&inputs);
        }
    }

    /// Until every source has what it asked for, and its credit in advance.
    pub fn finish(&mut self) {
        let Settings { rate, advance, .. } = self.settings;
        let owed = |source| self.target(source) + advance - self.run.oracle.source(source).credit;
        let owed: u64 = (0..self.shape.sources).map(owed).sum();
        // Each quantum as long as the rate says, or a take of its own.
        self.run.idle((owed + 100) * ((1 << 16) / rate + 23));
    }

    /// Grants with the cycles in which their takes entered.
    pub fn takes(&self) -> Vec<(u64, Grant)> {
        self.run.grants.iter().map(|&(cycle, grant)| (cycle - self.shape.ram_latency - 5, grant)).collect()
    }
}

/// Every kind of settings, size and load. Demand is often more than the rate, and often less; in half of the runs there
/// are repeats.
pub fn all() -> impl Iterator<Item = Traffic> {
    (0..90).map(|seed| {
        let mut rng = SplitMix64::new(1000 + seed);
        let shape = Shape::new([1, 2, 3, 8, 13][rng.below(5) as usize]).ram_latency(1 + seed % 3);
        let settings = Settings {
            rate: 1 << (10 + rng.below(10)),
            quota: rng.below(70),
            burst: 1 + rng.below(100),
            advance: [0, 0, 1 + rng.below(200)][rng.below(3) as usize],
        };
        let mut traffic = Traffic::new(shape, settings, [0, 3][seed as usize / 3 % 2], seed);
        for _ in 0..4 {
            let (pause, most) = (1 + traffic.rng.below(60), 1 + traffic.rng.below(60));
            traffic.go(900, pause, most);
            traffic.go(300, 1000, 5);
        }
        traffic
    })
}
