// SPDX-License-Identifier: MIT OR Apache-2.0
//! EVs in rounds, each EV once a round (O1, O2). Nothing but the seed and the number of EVs so far decides.

use super::moment::Moment;

/// The EVs that a CCC has drawn since it was opened.
#[derive(Debug)]
pub struct Draws {
    ccc: u64,
    start: u64,
    /// Mode counter: the word is 0.
    plain: bool,
    /// O1: the first word; known with the first request.
    word: Option<u64>,
    /// How many EVs have been drawn.
    count: u64,
}

impl Draws {
    /// Of a CCC that is opened; `plain` in mode counter.
    pub const fn new(ccc: u64, start: u64, plain: bool) -> Self {
        Draws { ccc, start, plain, word: None, count: 0 }
    }

    /// O1: each request says so, also if it draws nothing (P6); the first one counts.
    pub fn request(&mut self, now: Moment) {
        let seeded = ((now.settings().seed ^ (self.ccc * 16)) & 0xFFFF) | 0x8000;
        self.word.get_or_insert(if self.plain { 0 } else { seeded });
    }

    /// O2: the next EV. The index has gone on from `start` by one for each EV so far, and the word by one step for each
    /// time that it came to 0.
    pub fn draw(&mut self, evs: u64) -> u64 {
        let gone = self.start + self.count;
        self.count += 1;
        let word = (0..gone / evs).fold(self.word.unwrap_or(0), |word, _| step(word));
        (gone % evs) ^ (word % evs)
    }
}

/// O2: 16 single steps of x^16 + x^14 + x^13 + x^11 + 1.
fn step(word: u64) -> u64 {
    (0..16).fold(word, |w, _| {
        let bit = (w ^ w >> 2 ^ w >> 3 ^ w >> 5) & 1;
        w >> 1 | bit << 15
    })
}
