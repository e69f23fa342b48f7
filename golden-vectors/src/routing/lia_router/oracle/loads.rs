// SPDX-License-Identifier: MIT OR Apache-2.0
//! The counters of a switch, and what a sweep makes of them (L12 to L18).

use super::{Arrangement, Place, Settings, Shape};

/// The counters of an offset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counters {
    /// Flits that have entered the injection queues, and that have left them, modulo 2^*c*.
    entered: u64,
    left: u64,
    /// `left` at the end of the last interval.
    left_before: u64,
    /// What left in the last full interval.
    injected: u64,
}

/// The load of an offset, as a sweep finds it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// Flits in the injection queues.
    pub queued: u64,
    /// Flits that left them in the last full interval.
    pub injected: u64,
    /// GC: the extended counter.
    pub extended: u64,
    /// 0, 1 or 2.
    pub level: u64,
}

/// The counters of all offsets, and the results of the last sweep.
#[derive(Clone, Debug)]
pub struct Loads {
    shape: Shape,
    counters: Box<[Counters]>,
    /// The levels of the last sweep, and those of the present one.
    levels: Box<[u8]>,
    next_levels: Box<[u8]>,
    /// The sums of the sweep: *h* RC_k, and the number of own links that are saturated.
    remote: Box<[u64]>,
    saturated: u64,
    /// L1 and L2 as the last sweep found them, L2 for each offset.
    keeps_first: bool,
    keeps_second: Box<[bool]>,
}

impl Loads {
    /// All counters are 0.
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        let (offsets, jumps) = (shape.groups() as usize - 1, shape.switches as usize + 1);
        Loads {
            shape,
            counters: vec![Counters::default(); offsets].into(),
            levels: vec![0; offsets].into(),
            next_levels: vec![0; offsets].into(),
            remote: vec![0; jumps].into(),
            saturated: 0,
            keeps_first: false,
            keeps_second: vec![false; offsets].into(),
        }
    }

    const fn modulus(&self) -> u64 {
        1 << self.shape.counter_bits
    }

    /// Flits enter the injection queues for this offset, which is not 0.
    pub fn enter(&mut self, offset: u64, flits: u64) {
        let modulus = self.modulus();
        let counters = &mut self.counters[offset as usize - 1];
        counters.entered = (counters.entered + flits) % modulus;
    }

    /// Flits leave them.
    pub fn leave(&mut self, offset: u64, flits: u64) {
        let modulus = self.modulus();
        let counters = &mut self.counters[offset as usize - 1];
        counters.left = (counters.left + flits) % modulus;
    }

    /// A sweep begins: its sums are 0.
    pub fn begin(&mut self) {
        self.remote.fill(0);
        self.saturated = 0;
    }

    /// The sweep comes to this offset. At the end of an interval the counters of the interval begin anew.
    pub fn visit(
        &mut self,
        offset: u64,
        arrangement: &Arrangement,
        place: Place,
        settings: &Settings,
        end: bool,
    ) -> Load {
        let (modulus, shape) = (self.modulus(), self.shape);
        let counters = &mut self.counters[offset as usize - 1];
        if end {
            counters.injected = (counters.left + modulus - counters.left_before) % modulus;
            counters.left_before = counters.left;
        }
        // What leaves may be reported before it has entered: less than none counts as none.
        let difference = (counters.entered + modulus - counters.left) % modulus;
        let queued = if difference < modulus / 2 { difference } else { 0 };
        let injected = counters.injected;
        let extended = (injected + ((settings.weight * queued) >> 4)).min(modulus - 1);
        let level = settings.limits.iter().filter(|limit| extended > **limit).count() as u64;
        self.next_levels[offset as usize - 1] = level as u8;

        let h = shape.global_ports;
        let (k, r) = shape.jump(offset);
        self.remote[k as usize] += (h - r) * extended;
        self.remote[(k + 1).min(shape.switches) as usize] += r * extended;
        if extended > settings.link_threshold {
            let (first, own) = (arrangement.first(offset), place.switch * h);
            let end = (first + shape.trunks).min(own + h);
            self.saturated += end.saturating_sub(first.max(own));
        }
        Load { queued, injected, extended, level }
    }

    /// The sweep is over: from now on its results are in force.
    pub fn end(&mut self, settings: &Settings) {
        std::mem::swap(&mut self.levels, &mut self.next_levels);
        let shape = self.shape;
        // L15: there are *a* - 1 jumps.
        let above = |k: u64| (1..shape.switches).contains(&k) && self.remote[k as usize] > settings.remote_threshold;
        for (offset, keeps) in (1..).zip(&mut self.keeps_second) {
            let (k, r) = shape.jump(offset);
            *keeps = above(k) || r >= 1 && above(k + 1);
        }
        self.keeps_first = self.saturated > settings.saturated_links;
    }

    /// The level of an offset.
    #[must_use]
    pub fn level(&self, offset: u64) -> u64 {
        self.levels[offset as usize - 1].into()
    }

    /// L17: more own links than SGC were saturated.
    #[must_use]
    pub const fn keeps_first(&self) -> bool {
        self.keeps_first
    }

    /// L18: a local link that packets for this offset take in the intermediate group had too much load.
    #[must_use]
    pub fn keeps_second(&self, offset: u64) -> bool {
        self.keeps_second[offset as usize - 1]
    }
}
