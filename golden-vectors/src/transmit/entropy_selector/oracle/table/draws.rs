// SPDX-License-Identifier: MIT OR Apache-2.0
//! EVs in rounds, each EV once per round (O1, O2).

use super::super::oblivious::step;

/// A round.
#[derive(Clone, Copy, Debug, Default)]
pub struct Draws {
    /// The LFSR word of the round.
    word: u64,
    /// Position in the round.
    index: u64,
}

impl Draws {
    /// O1, mode `round_robin`.
    pub const fn in_order(start: u64) -> Self {
        Draws { word: 0, index: start }
    }

    /// O1, mode `oblivious`: *L* with the start in its lowest bits.
    pub const fn mixed(start: u64, word: u64, evs: u64) -> Self {
        Draws { word: word - word % evs + start, index: 0 }
    }

    /// O2: the next EV below `space`.
    pub fn draw(&mut self, space: u64) -> u64 {
        let ev = (self.index % space) ^ (self.word % space);
        self.index = (self.index + 1) % space;
        if self.index == 0 {
            self.word = step(self.word);
        }
        ev
    }
}
