// SPDX-License-Identifier: MIT OR Apache-2.0
//! The cycle of a request, and the cycles before and after it that the rows refer to.

use super::epochs::Timeline;
use super::{Settings, Shape};

/// The cycle in which a request is accepted, and what the CCC is in it.
#[derive(Clone, Copy, Debug)]
pub struct RequestTime<'a> {
    pub shape: Shape,
    pub timeline: &'a Timeline,
    pub cycle: u64,
    /// The RTT class of the CCC.
    pub class: u64,
    /// The size of its EV space.
    pub space: u64,
}

impl RequestTime<'_> {
    /// The last cycle whose feedback the request sees (S5); `None` if it can see none.
    pub fn last_visible_cycle(self) -> Option<u64> {
        self.cycle.checked_sub(self.shape.visibility_delay())
    }

    /// The fraction that is applied to the request (S7).
    pub fn saturation(self) -> u64 {
        self.timeline.settings(self.cycle + self.shape.saturation()).saturation
    }

    /// All other settings that are applied to the request (N4, P4).
    pub fn settings(self) -> Settings {
        self.timeline.settings(self.cycle + self.shape.decision())
    }

    /// The epoch of the CCC in which the request is accepted.
    pub fn epoch(self) -> u64 {
        self.timeline.epoch(self.class, self.cycle)
    }
}
