// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which settings and which time a cycle has (`time` of `docs/stages/path_scheduler.md`).

use super::{Event, Settings};

/// So many times there are before they begin again with 0.
const TIMES: u64 = 1 << 20;

/// The settings from reset until all is answered.
#[derive(Debug)]
pub struct Timeline {
    /// From which cycle on, in their order; the first from cycle 0 on.
    settings: Vec<(u64, Settings)>,
}

impl Timeline {
    /// Of a list of events in the order of their cycles.
    pub fn new(first: Settings, events: &[(u64, Event)]) -> Self {
        let changes = events.iter().filter_map(|&(cycle, event)| match event {
            Event::Settings(new) => Some((cycle, new)),
            _ => None,
        });
        Timeline { settings: [(0, first)].into_iter().chain(changes).collect() }
    }

    /// What stands on the settings in a cycle.
    pub fn settings(&self, cycle: u64) -> Settings {
        let behind = self.settings.partition_point(|&(from, _)| from <= cycle);
        self.settings[behind - 1].1
    }

    /// The `time` of a cycle, in units of 64 cycles and of 20 bits.
    pub const fn time(cycle: u64) -> u64 {
        cycle / 64 % TIMES
    }

    /// From one time to another, as numbers that wrap tell it (T3).
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
