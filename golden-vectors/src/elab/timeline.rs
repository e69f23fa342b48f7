// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which settings a cycle has.

/// The settings from reset until all is answered.
#[derive(Debug)]
pub struct Timeline<S> {
    /// From which cycle on, in their order; the first from cycle 0 on.
    settings: Vec<(u64, S)>,
}

impl<S: Copy> Timeline<S> {
    /// Of changes in the order of their cycles.
    pub fn new(first: S, changes: impl Iterator<Item = (u64, S)>) -> Self {
        Timeline { settings: [(0, first)].into_iter().chain(changes).collect() }
    }

    /// What stands on the settings in a cycle.
    pub fn settings(&self, cycle: u64) -> S {
        let behind = self.settings.partition_point(|&(from, _)| from <= cycle);
        self.settings[behind - 1].1
    }
}
