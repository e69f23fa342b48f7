// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is measured of a run: latencies, accepted load, what each switch could inject.

use super::policy::Decision;
use super::shape::Shape;

/// Which cycles count, and how long the steps of the series over time are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The first cycle that counts.
    pub from: u32,
    /// The first one that does not any more; the run ends there.
    pub end: u32,
    /// Length of a step.
    pub step: u32,
}

/// Packets that arrived in a step of time, and the sum of their latencies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// Packets.
    pub packets: u64,
    /// Cycles.
    pub latency: u64,
}

/// The measurements of a run.
#[derive(Clone, Debug)]
pub struct Measure {
    window: Window,
    /// Packets by their latency; the last place is for all that is longer.
    latencies: Vec<u32>,
    /// Sum of the latencies.
    pub latency: u64,
    /// Packets that arrived in the window.
    pub packets: u64,
    /// Links over which they came.
    pub links: u64,
    /// Packets that each switch injected in the window.
    pub injected: Vec<u32>,
    /// Packets of these to other groups: all, those on detours, those of them that kept the first local hop, and the second one.
    pub kinds: [u64; 4],
    /// Packets that hosts made in the window.
    pub offered: u64,
    /// Packets of these for which no injection queue had room.
    pub refused: u64,
    /// All of the run.
    pub series: Vec<Step>,
}

impl Measure {
    const LONGEST: usize = 1 << 16;

    /// Nothing yet.
    #[must_use]
    pub fn new(shape: &Shape, window: Window) -> Self {
        Measure {
            window,
            latencies: vec![0; Self::LONGEST],
            latency: 0,
            packets: 0,
            links: 0,
            injected: vec![0; shape.all_switches() as usize],
            kinds: [0; 4],
            offered: 0,
            refused: 0,
            series: vec![Step::default(); window.end.div_ceil(window.step) as usize],
        }
    }

    /// Whether a cycle counts.
    #[must_use]
    pub const fn counts(&self, cycle: u32) -> bool {
        self.window.from <= cycle && cycle < self.window.end
    }

    /// A packet leaves an injection queue. `abroad` is one to another group.
    pub fn injects(&mut self, cycle: u32, switch: usize, abroad: bool, kind: u8) {
        if !self.counts(cycle) {
            return;
        }
        self.injected[switch] += 1;
        let detour = kind & Decision::DETOUR != 0;
        let flags = [true, detour, kind & Decision::FIRST != 0, kind & Decision::SECOND != 0];
        self.kinds.iter_mut().zip(flags).for_each(|(count, flag)| *count += u64::from(abroad && flag));
    }

    /// The last flit of a packet is at its host.
    pub fn arrives(&mut self, cycle: u32, born: u32, links: u8) {
        if cycle >= self.window.end {
            return;
        }
        let latency = cycle - born;
        let step = &mut self.series[(cycle / self.window.step) as usize];
        step.packets += 1;
        step.latency += u64::from(latency);
        if self.counts(cycle) {
            self.latencies[(latency as usize).min(Self::LONGEST - 1)] += 1;
            self.latency += u64::from(latency);
            self.packets += 1;
            self.links += u64::from(links);
        }
    }

    /// The latency below which this share of packets lies.
    #[must_use]
    pub fn quantile(&self, share: f64) -> f64 {
        let wanted = (share * self.packets as f64).ceil() as u64;
        let mut sum = 0;
        for (latency, &packets) in self.latencies.iter().enumerate() {
            sum += u64::from(packets);
            if sum >= wanted {
                return latency as f64;
            }
        }
        0.0
    }

    /// Cycles of the window.
    #[must_use]
    pub const fn cycles(&self) -> u32 {
        self.window.end - self.window.from
    }
}
