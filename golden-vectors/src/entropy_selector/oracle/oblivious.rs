// SPDX-License-Identifier: MIT OR Apache-2.0
//! EVs in rounds, each EV once per round (O1, O2). The order depends only on the seed, the EVs so far and the EV space.

use super::moment::RequestTime;

/// The state of the rounds of a CCC since it was opened.
#[derive(Debug)]
pub struct Draws {
    ccc: u64,
    /// Mode `round_robin`: the word is 0.
    plain: bool,
    /// O1: the first word; known with the first request.
    word: Option<u64>,
    /// Rounds that have ended.
    rounds: u64,
    /// Position in the round.
    index: u64,
}

impl Draws {
    /// The state when a CCC is opened; `plain` in mode `round_robin`.
    pub const fn new(ccc: u64, start: u64, plain: bool) -> Self {
        Draws { ccc, plain, word: None, rounds: 0, index: start }
    }

    /// O1: the first request defines the word, also if it draws nothing (P6).
    pub fn request(&mut self, now: RequestTime) {
        let seeded = ((now.settings().seed ^ (self.ccc * 16)) & 0xFFFF) | 0x8000;
        self.word.get_or_insert(if self.plain { 0 } else { seeded });
    }

    /// O2: the next EV below `space`. The word is advanced by one step for each round that has ended.
    pub fn draw(&mut self, space: u64) -> u64 {
        let word = (0..self.rounds).fold(self.word.unwrap_or(0), |word, _| step(word));
        let ev = (self.index % space) ^ (word % space);
        self.index = (self.index + 1) % space;
        self.rounds += u64::from(self.index == 0);
        ev
    }
}

/// O2: 16 single steps of x^16 + x^14 + x^13 + x^11 + 1.
fn step(word: u64) -> u64 {
    (0..16).fold(word, |w, _| {
        let bit = (w ^ w >> 2 ^ w >> 3 ^ w >> 5) & 1;
        w >> 1 | bit << 15
    })
}
