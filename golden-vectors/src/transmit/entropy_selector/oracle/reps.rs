// SPDX-License-Identifier: MIT OR Apache-2.0
//! Recycled entropies: EVs that have come back GOOD are granted once more, and new ones are drawn (P4 to P6).

use super::moment::RequestTime;
use super::oblivious::Draws;
use super::ring::Ring;

/// The state of mode REPS for a CCC since it was opened.
#[derive(Debug)]
pub struct Reps {
    pub ring: Ring,
    draws: Draws,
    /// The flush count, modulo 4, that the previous request saw; none before the first.
    round: Option<u64>,
    /// Number of new EVs still to be drawn.
    explore: u64,
    /// Position of the next EV of a frozen ring.
    stale: u64,
}

impl Reps {
    /// The state when a CCC is opened.
    pub fn new(draws: Draws) -> Self {
        Reps { ring: Ring::default(), draws, round: None, explore: 0, stale: 0 }
    }

    /// The EV for a request.
    pub fn choose(&mut self, now: RequestTime) -> u64 {
        let (seen, space) = (self.ring.seen(now), now.space);
        let state = seen.state;
        // P4.
        if self.round != Some(state.round()) {
            self.round = Some(state.round());
            (self.explore, self.stale) = (now.settings().explore, 0);
        }
        // P5.
        if self.explore > 0 {
            self.explore -= 1;
            self.draws.draw(space)
        } else if seen.usable > 0 {
            // S17, here and below: an EV that is no longer in the space is reduced modulo its size.
            self.ring.pop(now, seen) % space
        } else if state.frozen && state.written > 0 {
            let k = if self.stale < state.written { self.stale } else { 0 };
            self.stale = (k + 1) % 8;
            self.ring.slot(state, state.written - k) % space
        } else {
            self.draws.draw(space)
        }
    }
}
