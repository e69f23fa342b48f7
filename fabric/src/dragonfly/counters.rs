// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a switch counts of the traffic that its own hosts offer (L12 to L16).

use super::shape::{Shape, Trunks};

/// For each jump to another switch of a group: offsets whose packets may take it there, and the share that does.
type Shares = Vec<Vec<(u16, f64)>>;

/// The counters of all switches, by the offset of the destination group.
#[derive(Debug)]
pub struct Counters {
    groups: usize,
    /// Flits that have left injection queues in this interval.
    now: Vec<u32>,
    /// The same of the last full interval (inj).
    last: Vec<u32>,
    /// Flits in injection queues (que).
    queued: Vec<u32>,
    weight: f64,
    shares: Shares,
    /// For each offset the jumps that its packets may take in an intermediate group.
    jumps: Vec<Vec<u16>>,
}

impl Counters {
    /// All zero. `weight` is that of queued flits (w).
    #[must_use]
    pub fn new(shape: &Shape, weight: f64) -> Self {
        let groups = shape.groups as usize;
        let count = shape.all_switches() as usize * groups;
        let (shares, jumps) = shares(shape);
        let zero = vec![0; count];
        Counters { groups, now: zero.clone(), last: zero.clone(), queued: zero, weight, shares, jumps }
    }

    /// Flits come into an injection queue.
    pub fn enqueue(&mut self, switch: usize, offset: u16, flits: u32) {
        self.queued[switch * self.groups + offset as usize] += flits;
    }

    /// Flits leave one.
    pub fn dequeue(&mut self, switch: usize, offset: u16, flits: u32) {
        let at = switch * self.groups + offset as usize;
        self.queued[at] -= flits;
        self.now[at] += flits;
    }

    /// The interval is over.
    pub fn end(&mut self) {
        std::mem::swap(&mut self.now, &mut self.last);
        self.now.fill(0);
    }

    /// The extended counter of an offset (L12, L14), in flits of an interval.
    #[must_use]
    pub fn offered(&self, switch: usize, offset: usize) -> f64 {
        let at = switch * self.groups + offset;
        f64::from(self.last[at]) + self.weight * f64::from(self.queued[at])
    }

    /// The remote counter of a jump (L15, L16): what all switches together would send over one local link of an intermediate group.
    #[must_use]
    pub fn remote(&self, switch: usize, jump: usize) -> f64 {
        self.shares[jump].iter().map(|&(offset, share)| share * self.offered(switch, offset as usize)).sum()
    }

    /// The largest remote counter that concerns an offset (L18); 0 if its packets need no local hop.
    #[must_use]
    pub fn remote_worst(&self, switch: usize, offset: usize) -> f64 {
        self.jumps[offset].iter().map(|&jump| self.remote(switch, jump as usize)).fold(0.0, f64::max)
    }
}

/// Equation (3) (L16): a packet that comes in on link *n* of an intermediate group goes out on link *n* + *x*, where *x* is its offset
/// times *t*, so it makes a jump of *k* = *x* / *h* or one more. With trunks of links that are apart there are *t* values of *x*.
fn shares(shape: &Shape) -> (Shares, Vec<Vec<u16>>) {
    let (all, links) = (shape.group_links(), shape.links);
    let mut shares = vec![Vec::new(); shape.switches as usize];
    let mut jumps = vec![Vec::new(); shape.groups as usize];
    for offset in 1..shape.groups {
        let distances: Vec<u32> = match shape.trunks {
            Trunks::Neighbours => vec![offset * shape.trunk],
            Trunks::Apart => (0..shape.trunk).map(|which| (offset + which * (shape.groups - 1)) % all).collect(),
        };
        let each = 1.0 / distances.len() as f64;
        for distance in distances {
            let (jump, rest) = (distance / links, distance % links);
            for (jump, part) in [(jump, links - rest), (jump + 1, rest)] {
                if (1..shape.switches).contains(&jump) && part > 0 {
                    let share = each * f64::from(part) / f64::from(links);
                    shares[jump as usize].push((offset as u16, share));
                    jumps[offset as usize].push(jump as u16);
                }
            }
        }
    }
    (shares, jumps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remote_counters_are_equation_3() {
        let shape = Shape::new(6, 12, 6, 1, Trunks::Neighbours).expect("it exists");
        let mut counters = Counters::new(&shape, 0.0);
        let value = |offset: i64| (offset * offset % 97) as u32;
        for offset in 1..73 {
            counters.enqueue(3, offset, value(i64::from(offset)));
            counters.dequeue(3, offset, value(i64::from(offset)));
        }
        counters.end();
        for jump in 1..12_i64 {
            let sum: i64 = (-5..=5_i64).map(|j| (6 - j.abs()) * i64::from(value(6 * jump + j))).sum();
            assert!((counters.remote(3, jump as usize) - sum as f64 / 6.0).abs() < 1e-6, "{jump}");
        }
        assert!(counters.remote(4, 1) == 0.0, "another switch counts its own");
    }

    #[test]
    fn what_waits_counts_by_its_weight() {
        let shape = Shape::new(2, 4, 2, 1, Trunks::Neighbours).expect("it exists");
        let mut counters = Counters::new(&shape, 0.5);
        counters.enqueue(0, 5, 24);
        counters.dequeue(0, 5, 8);
        assert!((counters.offered(0, 5) - 8.0).abs() < 1e-9, "the interval goes on");
        counters.end();
        assert!((counters.offered(0, 5) - 16.0).abs() < 1e-9);
        counters.end();
        assert!((counters.offered(0, 5) - 8.0).abs() < 1e-9, "only the last interval counts");
    }
}
