// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where hosts send, and when.

use super::shape::Shape;
use crate::random::Random;

/// Where packets go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pattern {
    /// To any other host (UN).
    Uniform,
    /// To any host of the group that is so many further (ADV+i).
    Adversarial(u32),
    /// To any host of the next *h* groups (ADVc): all their links are at one switch.
    Consecutive,
}

/// The traffic from some cycle on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Phase {
    /// The first cycle of it.
    pub from: u32,
    /// Where packets go.
    pub pattern: Pattern,
    /// This share of them goes to any other host instead.
    pub uniform: f64,
    /// Flits of a host in a cycle.
    pub load: f64,
}

impl Phase {
    /// The destination of a packet.
    pub fn destination(&self, shape: &Shape, source: u32, random: &mut Random) -> u32 {
        let mixed = self.uniform > 0.0 && random.real() < self.uniform;
        let per_group = shape.switches * shape.hosts;
        let group = source / per_group;
        let offset = match self.pattern {
            _ if mixed => 0,
            Pattern::Uniform => 0,
            Pattern::Adversarial(offset) => offset,
            Pattern::Consecutive => 1 + random.below(u64::from(shape.links)) as u32,
        };
        if offset == 0 {
            let other = random.below(u64::from(shape.all_hosts() - 1)) as u32;
            return if other < source { other } else { other + 1 };
        }
        let to = (group + offset) % shape.groups;
        to * per_group + random.below(u64::from(per_group)) as u32
    }
}

/// Times between the packets of a host that makes one with the same chance in each cycle, from a table: made of products only, it is the
/// same on every machine.
#[derive(Clone, Debug)]
pub struct Gaps {
    /// The chance that the gap is at most the place plus 1.
    below: Vec<f64>,
}

impl Gaps {
    /// Longer gaps are put together.
    const LONGEST: usize = 4096;

    /// Of a chance above 0 and at most 1.
    #[must_use]
    pub fn new(chance: f64) -> Self {
        let mut none = 1.0;
        let mut below = Vec::new();
        while below.len() < Self::LONGEST && none > 1e-16 {
            none *= 1.0 - chance;
            below.push(1.0 - none);
        }
        Gaps { below }
    }

    /// The next gap.
    pub fn draw(&self, random: &mut Random) -> u32 {
        let mut gap = 0;
        loop {
            let drawn = random.real();
            let at = self.below.partition_point(|&below| below <= drawn);
            if at < self.below.len() {
                return gap + at as u32 + 1;
            }
            // None in so many cycles, and then as if from the beginning.
            gap = u32::min(gap + self.below.len() as u32, u32::MAX / 4);
            if gap == u32::MAX / 4 {
                return gap;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::shape::Trunks;
    use super::*;

    #[test]
    fn gaps_have_the_mean_of_their_chance() {
        for chance in [1.0, 0.5, 0.0625, 0.001, 0.00005] {
            let (gaps, mut random) = (Gaps::new(chance), Random::new(1, 0));
            let sum: u64 = (0..40_000).map(|_| u64::from(gaps.draw(&mut random))).sum();
            let mean = sum as f64 / 40_000.0;
            assert!((mean * chance - 1.0).abs() < 0.02, "{chance}: {mean}");
        }
    }

    #[test]
    fn patterns_lead_where_they_say() {
        let shape = Shape::new(4, 8, 4, 1, Trunks::Neighbours).expect("it exists");
        let mut random = Random::new(1, 0);
        let mut offsets = |pattern, uniform| {
            let phase = Phase { from: 0, pattern, uniform, load: 0.1 };
            let mut seen = vec![0_u32; 33];
            for _ in 0..3300 {
                let to = phase.destination(&shape, 1000, &mut random);
                assert!(to != 1000 && to < shape.all_hosts());
                seen[shape.distance(1000 / 32, to / 32) as usize] += 1;
            }
            seen
        };
        assert_eq!(offsets(Pattern::Adversarial(5), 0.0)[5], 3300);
        let consecutive = offsets(Pattern::Consecutive, 0.0);
        assert!(
            consecutive[1..=4].iter().all(|&count| count > 700) && consecutive[5..].iter().all(|&count| count == 0)
        );
        assert!(offsets(Pattern::Uniform, 0.0).iter().all(|&count| (50..200).contains(&count)));
        let mixed = offsets(Pattern::Adversarial(5), 0.5);
        assert!((1500..1900).contains(&mixed[5]), "{mixed:?}");
    }
}
