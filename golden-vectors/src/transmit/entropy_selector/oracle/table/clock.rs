// SPDX-License-Identifier: MIT OR Apache-2.0
//! Epochs of class 0 (S9), from one event to the next.

use super::super::Settings;
use super::super::epochs::{SHORTEST, Timeline};
use super::Moment;

/// The time of the last event.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock {
    now: u64,
    epoch: u64,
    /// Cycles since the epoch began.
    since: u64,
}

impl Clock {
    /// Time goes on, with these settings in all cycles up to `now`.
    pub fn advance(&mut self, now: u64, settings: &Settings) {
        let passed = now.saturating_sub(self.now);
        self.now += passed;
        let rtt = settings.rtt.max(SHORTEST);
        // An epoch that is too long already, because the RTT has become shorter, ends with the first cycle.
        let first = rtt.saturating_sub(self.since).max(1);
        if passed < first {
            self.since += passed;
        } else {
            let behind = passed - first;
            self.epoch += 1 + behind / rtt;
            self.since = behind % rtt;
        }
    }

    /// The present.
    pub const fn moment(&self) -> Moment {
        Moment { time: Timeline::time(self.now), epoch: self.epoch }
    }
}
