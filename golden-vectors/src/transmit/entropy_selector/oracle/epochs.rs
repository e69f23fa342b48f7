// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings, the epoch and the time of a cycle (S6, S9, S24 and `time` of `docs/stages/entropy_selector.md`).

use super::{Event, Settings, SettingsPorts, Shape};

/// Minimum length of an RTT of class 0 in cycles, whatever the value of `settings_rtt`.
pub const SHORTEST: u64 = 64;

/// Times wrap to 0 at this value.
pub const TIMES: u64 = 1 << 20;

/// Sums and differences of epochs are modulo this value (S9).
pub const EPOCHS: u64 = 1 << 12;

/// Settings and epochs from reset to the last output.
#[derive(Debug)]
pub struct Timeline {
    /// The cycle from which each is in force, in order; in cycle 0 those of reset are.
    settings: Vec<(u64, Settings)>,
    /// The cycle from which each number of the pipeline stands on its port, in order.
    pipelines: Vec<(u64, u64)>,
    /// The first cycle of epoch 1, 2, ... of class 0.
    advances: Vec<u64>,
}

impl Timeline {
    /// The settings of a list of events in the order of their cycles.
    pub fn new(shape: Shape, first: SettingsPorts, events: &[(u64, Event)]) -> Self {
        let changes = events.iter().filter_map(|&(cycle, event)| match event {
            Event::Settings(ports) => Some((cycle, ports)),
            _ => None,
        });
        let ports: Vec<_> = [(0, first)].into_iter().chain(changes).collect();
        let pipelines = ports.iter().map(|&(cycle, ports)| (cycle, ports.pipeline)).collect();
        let taken = ports.into_iter().filter(|(_, ports)| ports.valid);
        let taken = taken.map(|(cycle, ports)| (cycle + 1, ports.values));
        let settings = [(0, shape.settings)].into_iter().chain(taken).collect();
        let end = events.last().map_or(0, |&(cycle, _)| cycle + shape.effect());
        let mut timeline = Timeline { settings, pipelines, advances: Vec::new() };
        timeline.advances = timeline.advances(end);
        timeline
    }

    /// S9, cycle by cycle.
    fn advances(&self, end: u64) -> Vec<u64> {
        let mut advances = Vec::new();
        let mut since = 0;
        for cycle in 0..=end {
            if since + 1 >= self.settings(cycle).rtt.max(SHORTEST) {
                advances.push(cycle + 1);
                since = 0;
            } else {
                since += 1;
            }
        }
        advances
    }

    /// The settings in force in a cycle.
    pub fn settings(&self, cycle: u64) -> Settings {
        let behind = self.settings.partition_point(|&(from, _)| from <= cycle);
        self.settings[behind - 1].1
    }

    /// The number of the pipeline in a cycle.
    pub fn pipeline(&self, cycle: u64) -> u64 {
        let behind = self.pipelines.partition_point(|&(from, _)| from <= cycle);
        self.pipelines[behind - 1].1
    }

    /// The `time` of a cycle: 20 bits, in units of 64 cycles.
    pub const fn time(cycle: u64) -> u64 {
        cycle / 64 % TIMES
    }

    /// The epoch of a cycle for CCCs of an RTT class.
    pub fn epoch(&self, class: u64, cycle: u64) -> u64 {
        self.advances.partition_point(|&first| first <= cycle) as u64 >> class
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_begin_again() {
        assert_eq!([63, 64, (TIMES - 1) * 64, TIMES * 64 + 130].map(Timeline::time), [0, 1, TIMES - 1, 2]);
    }
}
