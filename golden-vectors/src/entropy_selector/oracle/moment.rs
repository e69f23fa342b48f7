// SPDX-License-Identifier: MIT OR Apache-2.0
//! The cycle of a request, and the cycles before and after it that the rows refer to.

use super::epochs::Timeline;
use super::{Settings, Shape};

/// The cycle in which a request is accepted.
#[derive(Clone, Copy, Debug)]
pub struct RequestTime<'a> {
    pub shape: Shape,
    pub timeline: &'a Timeline,
    pub cycle: u64,
}

impl RequestTime<'_> {
    /// The last cycle whose feedback the request sees (S5); `None` if it can see none.
    pub fn last_visible_cycle(self) -> Option<u64> {
        self.cycle.checked_sub(self.shape.visibility_delay())
    }

    /// The settings that are applied to the request (S9, O1, N4, P4).
    pub fn settings(self) -> Settings {
        self.timeline.settings(self.cycle + self.shape.limit())
    }

    /// The time of the request (N3).
    pub fn time(self) -> u64 {
        Timeline::time(self.cycle + self.shape.limit())
    }
}
