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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::SplitMix64;
    use crate::transmit::entropy_selector::oracle::{Event, Shape};

    /// Against the rule that counts cycle by cycle, with settings that change at any time.
    #[test]
    fn epochs_are_those_of_each_cycle() {
        let mut rng = SplitMix64::new(3);
        let shape = Shape::new(1, 8).settings(Settings::new(90, 0));
        for _ in 0..200 {
            let mut cycle = 0;
            let changes: Vec<_> = (0..20)
                .map(|_| {
                    cycle += 1 + rng.below(300);
                    (cycle, Settings::new(40 + rng.below(200), 0))
                })
                .collect();
            let events: Vec<_> = changes.iter().map(|&(at, new)| (at, Event::Settings(new.into()))).collect();
            let timeline = Timeline::new(shape, shape.settings.into(), &events);
            let (mut clock, mut settings, mut next) = (Clock::default(), shape.settings, changes.iter().peekable());
            let mut now = 0;
            while now < cycle {
                // They are in force from the next cycle on.
                while let Some(&(at, new)) = next.next_if(|(at, _)| *at < now) {
                    clock.advance(at + 1, &settings);
                    settings = new;
                }
                clock.advance(now, &settings);
                assert_eq!(clock.moment().epoch, timeline.epoch(0, now), "cycle {now} of {changes:?}");
                now += rng.below(40);
            }
        }
    }
}
