// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which settings a cycle has.

/// The settings from reset until all is answered.
#[derive(Debug)]
pub struct Timeline<S> {
    /// From which cycle on, in their order; those after reset from cycle 0 on.
    settings: Vec<(u64, S)>,
}

impl<S: Copy> Timeline<S> {
    /// Of those after reset, and of transfers in the order of their cycles, each in force from the next cycle on (V20).
    pub fn new(reset: S, transfers: impl Iterator<Item = (u64, S)>) -> Self {
        let transfers = transfers.map(|(cycle, new)| (cycle + 1, new));
        Timeline { settings: [(0, reset)].into_iter().chain(transfers).collect() }
    }

    /// The settings in force in a cycle.
    pub fn settings(&self, cycle: u64) -> S {
        let behind = self.settings.partition_point(|&(from, _)| from <= cycle);
        self.settings[behind - 1].1
    }
}
