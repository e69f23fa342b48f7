// SPDX-License-Identifier: MIT OR Apache-2.0
//! EVs in rounds, each EV once per round (O1, O2). The order depends only on the first word and the EVs so far.

/// The state of the rounds of a CCC since it was opened.
#[derive(Debug)]
pub struct Draws {
    /// The first word.
    word: u64,
    /// Rounds that have ended.
    rounds: u64,
    /// Position in the round.
    index: u64,
}

impl Draws {
    /// O1, mode `round_robin`.
    pub const fn in_order(start: u64) -> Self {
        Draws { word: 0, rounds: 0, index: start }
    }

    /// O1, mode `oblivious` of a stage with so many EVs: *L* with the start in its lowest bits.
    pub const fn mixed(start: u64, word: u64, evs: u64) -> Self {
        Draws { word: word - word % evs + start, rounds: 0, index: 0 }
    }

    /// O2: the next EV below `space`. The word is advanced by one step for each round that has ended.
    pub fn draw(&mut self, space: u64) -> u64 {
        let word = (0..self.rounds).fold(self.word, |word, _| step(word));
        let ev = (self.index % space) ^ (word % space);
        self.index = (self.index + 1) % space;
        self.rounds += u64::from(self.index == 0);
        ev
    }
}

/// O2: 16 single steps of x^16 + x^14 + x^13 + x^11 + 1.
pub fn step(word: u64) -> u64 {
    (0..16).fold(word, |w, _| {
        let bit = (w ^ (w >> 2) ^ (w >> 3) ^ (w >> 5)) & 1;
        (w >> 1) | (bit << 15)
    })
}
