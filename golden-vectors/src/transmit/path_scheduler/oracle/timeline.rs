// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings and the time of a cycle (`time` of `docs/stages/path_scheduler.md`).

use super::{Event, Settings};

/// Times wrap to 0 at this value.
const TIMES: u64 = 1 << 20;

/// The settings from reset to the last output.
#[derive(Debug)]
pub struct Timeline {
    /// The cycle from which each is in force, in order; the first is in force in cycle 0.
    settings: Vec<(u64, Settings)>,
}

impl Timeline {
    /// The settings of a list of events in the order of their cycles. They are `reset` before the first valid ones.
    pub fn new(reset: Settings, first: Option<Settings>, events: &[(u64, Event)]) -> Self {
        let changes = events.iter().filter_map(|&(cycle, event)| match event {
            Event::Settings(new) => Some((cycle, new)),
            _ => None,
        });
        // A transfer is in force from the next cycle on.
        let valid = [(0, first)].into_iter().chain(changes).filter_map(|(cycle, new)| Some((cycle + 1, new?)));
        Timeline { settings: [(0, reset)].into_iter().chain(valid).collect() }
    }

    /// The settings in force in a cycle.
    pub fn settings(&self, cycle: u64) -> Settings {
        let behind = self.settings.partition_point(|&(from, _)| from <= cycle);
        self.settings[behind - 1].1
    }

    /// The `time` of a cycle: 20 bits, in units of 64 cycles.
    pub const fn time(cycle: u64) -> u64 {
        cycle / 64 % TIMES
    }

    /// Time from one value to another, modulo 2^20 (T3).
    pub const fn since(from: u64, to: u64) -> u64 {
        (to + TIMES - from) % TIMES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_begin_again() {
        assert_eq!([63, 64, (TIMES - 1) * 64, TIMES * 64 + 130].map(Timeline::time), [0, 1, TIMES - 1, 2]);
        assert_eq!(
            [(5, 5), (5, 6), (TIMES - 1, 2), (1, 0)].map(|(from, to)| Timeline::since(from, to)),
            [0, 1, 3, TIMES - 1]
        );
    }
}
