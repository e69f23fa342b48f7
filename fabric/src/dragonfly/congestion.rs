// SPDX-License-Identifier: MIT OR Apache-2.0
//! What Piggyback and ACOR know of congestion. Their constants are ours; none is published.

use super::shape::Shape;

/// Piggyback: which global links of a group are saturated, as all its switches have been told.
#[derive(Debug)]
pub struct Saturation {
    shape: Shape,
    known: Vec<bool>,
    next: Vec<bool>,
}

impl Saturation {
    /// A link is saturated if its queue is above twice the mean of its switch, and this many flits more.
    const MORE: u32 = 8;

    /// Nothing is saturated.
    #[must_use]
    pub fn new(shape: &Shape) -> Self {
        let count = (shape.all_switches() * shape.links) as usize;
        Saturation { shape: *shape, known: vec![false; count], next: vec![false; count] }
    }

    /// Switches look at their links. What they see is known in the group when they look again, which is to be a local link's delay later.
    pub fn look(&mut self, ports: usize, occupancy: impl Fn(usize) -> u32) {
        std::mem::swap(&mut self.known, &mut self.next);
        let links = self.shape.links as usize;
        let first = ports - links;
        for switch in 0..self.shape.all_switches() as usize {
            let queue = |link: usize| occupancy(switch * ports + first + link);
            let sum: u32 = (0..links).map(queue).sum();
            for link in 0..links {
                let queue = queue(link) as usize;
                self.next[switch * links + link] = queue * links > 2 * sum as usize + Self::MORE as usize * links;
            }
        }
    }

    /// Whether all links from a switch's group to the one at an offset are saturated.
    #[must_use]
    pub fn of(&self, switch: usize, offset: u32) -> bool {
        let shape = &self.shape;
        let group = switch as u32 / shape.switches;
        let known = |which| self.known[(group * shape.group_links() + shape.link(offset, which)) as usize];
        (0..shape.trunk).all(known)
    }
}

/// ACOR: each switch has a level for the length of its detours. It rises when packets are blocked in injection queues, and falls when
/// few are: level 0 is G, 1 is GL, 2 is LGL.
#[derive(Debug)]
pub struct Acor {
    levels: Vec<u8>,
    blocked: Vec<u32>,
    ports: u32,
}

impl Acor {
    /// Length of a hysteresis cycle.
    pub const PERIOD: u32 = 100;
    /// Share of blocked injection ports above which a level rises, from 0 and from 1.
    const RISES: [f64; 2] = [0.3, 0.6];
    /// Share below which it falls, from 1 and from 2.
    const FALLS: [f64; 2] = [0.1, 0.2];

    /// All at level 0.
    #[must_use]
    pub fn new(shape: &Shape) -> Self {
        let count = shape.all_switches() as usize;
        Acor { levels: vec![0; count], blocked: vec![0; count], ports: shape.hosts }
    }

    /// The level of a switch.
    #[must_use]
    pub fn level(&self, switch: usize) -> u8 {
        self.levels[switch]
    }

    /// So many injection ports of a switch had packets in a cycle, and none was granted.
    pub fn blocked(&mut self, switch: usize, ports: u32) {
        self.blocked[switch] += ports;
    }

    /// A hysteresis cycle is over.
    pub fn end(&mut self) {
        for (level, blocked) in self.levels.iter_mut().zip(&mut self.blocked) {
            let share = f64::from(*blocked) / f64::from(Self::PERIOD * self.ports);
            let at = usize::from(*level);
            if Self::RISES.get(at).is_some_and(|&limit| share > limit) {
                *level += 1;
            } else if at > 0 && share < Self::FALLS[at - 1] {
                *level -= 1;
            }
            *blocked = 0;
        }
    }
}
