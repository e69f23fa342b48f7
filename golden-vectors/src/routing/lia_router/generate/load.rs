// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random traffic: events of each kind in most cycles, commands and settings.

use super::shapes;
use crate::collect::aim;
use crate::rng::SplitMix64;
use crate::routing::lia_router::oracle::{Command, Hop, Settings, Size, op};
use crate::routing::lia_router::script::Script;
use crate::routing::lia_router::suite::Suite;

pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    for size in shapes::all() {
        of_size(suite, size, rng, if size == shapes::USUAL { 3 } else { 2 });
    }
}

/// A group for a stage of any size.
pub fn of_size(suite: &mut Suite, size: Size, rng: &mut SplitMix64, cases: u64) {
    suite.group("load", "random traffic", size, None);
    for n in 0..cases {
        let mut traffic = Traffic::new(size, rng);
        // In so many of 8 cycles is there an event of each kind.
        for share in [8, 3, 7, 1] {
            traffic.phase(share);
        }
        let rows = ["LR1", "LR2", "LR3", "LR4", "LR5", "LR6", "LR7", "LR8", "LR9", "LR10"];
        suite.add(format!("load-{n}"), "random traffic", aim(&["FullLoad", "BackToBack"], &rows), traffic.script);
    }
}

struct Traffic<'a> {
    script: Script,
    size: Size,
    rng: &'a mut SplitMix64,
    /// Flits in the queue for each group.
    queued: Vec<u64>,
}

impl<'a> Traffic<'a> {
    fn new(size: Size, rng: &'a mut SplitMix64) -> Self {
        let mut script = Script::from_reset(size);
        script.ready();
        Traffic { script, size, rng, queued: vec![0; 2 * size.shape.groups() as usize] }
    }

    /// A group: often one of a few, now and then one that does not exist.
    fn group(&mut self) -> u64 {
        let groups = self.size.shape.groups();
        match self.rng.below(40) {
            0 => self.rng.below(groups.next_power_of_two()),
            1..20 => self.rng.below(groups.min(4)),
            _ => self.rng.below(groups),
        }
    }

    fn settings(&mut self) {
        let load = 1 << self.size.shape.counter_bits.min(9);
        let hop = |n| [Hop::Rule, Hop::Rule, Hop::Kept, Hop::Dropped][n as usize];
        let rng = &mut *self.rng;
        let bias = |rng: &mut SplitMix64| match rng.below(6) {
            0 => -32768,
            1 => 0,
            _ => rng.below(400) as i64 - 200,
        };
        let settings = Settings {
            weight: rng.below(64),
            limits: [rng.below(load / 2), rng.below(load)],
            biases: [bias(rng), bias(rng), bias(rng)],
            link_threshold: rng.below(load / 2),
            saturated_links: rng.below(1 + self.size.shape.global_ports / 2),
            remote_threshold: rng.below(load * self.size.shape.global_ports / 2),
            interval: rng.below(4),
            first_hop: hop(rng.below(4)),
            second_hop: hop(rng.below(4)),
            corrected: rng.below(2) == 0,
        };
        self.script.set_beside(|_| settings);
    }

    fn command(&mut self) {
        let place = self.rng.below(8) == 0;
        let (group, switch) = (self.group(), self.rng.below(self.size.shape.switches));
        let op = if place { op::PLACE } else { op::READ };
        self.script.command_beside(Command { op, group, switch, seed: self.rng.below(1 << 32) });
        if place {
            self.queued.fill(0);
        }
    }

    /// A few sweeps with so many events in 8 cycles.
    fn phase(&mut self, share: u64) {
        self.settings();
        for _ in 0..(4 * self.size.sweep()).clamp(150, 400) {
            let goes = |rng: &mut SplitMix64| rng.below(8) < share;
            if goes(self.rng) {
                let (group, flits) = (self.group(), self.rng.below(12));
                self.queued[group as usize] += flits;
                self.script.enter_beside(group, flits);
            }
            if goes(self.rng) {
                let group = self.group();
                let queued = &mut self.queued[group as usize];
                let flits = self.rng.below(14).min(*queued);
                *queued -= flits;
                self.script.leave_beside(group, flits);
            }
            if goes(self.rng) {
                let port = self.rng.below(self.size.shape.ports().next_power_of_two());
                let (flits, in_flight) = (self.rng.below(90), self.rng.below(40));
                self.script.occupy_beside(port, flits, in_flight);
            }
            if goes(self.rng) {
                let (group, switch) = (self.group(), self.rng.below(self.size.shape.switches));
                self.script.request_beside(group, switch);
            }
            if self.script.outputs().command_ready && self.rng.below(30) == 0 {
                self.command();
            }
            if self.rng.below(200) == 0 {
                self.settings();
            }
            self.script.step();
        }
    }
}
