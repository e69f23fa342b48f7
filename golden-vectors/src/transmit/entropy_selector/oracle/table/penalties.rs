// SPDX-License-Identifier: MIT OR Apache-2.0
//! Penalties that requests decrement (K1 to K5).

use super::super::Kind;
use super::marks::Marked;

/// Largest penalty.
const MOST: u8 = 15;

/// A penalty for each EV.
#[derive(Clone, Debug)]
pub struct Penalties {
    penalties: Box<[u8]>,
    /// Those above 0.
    words: Box<[u64]>,
}

impl Penalties {
    /// All are 0. There are none if the stage does not have the mode.
    pub fn new(evs: u64) -> Self {
        Penalties { penalties: vec![0; evs as usize].into(), words: vec![0; evs.div_ceil(64) as usize].into() }
    }

    /// K5: all are 0 again.
    pub fn forget(&mut self) {
        self.penalties.fill(0);
        self.words.fill(0);
    }

    fn set(&mut self, ev: u64, penalty: u8) {
        self.penalties[ev as usize] = penalty;
        let (word, bit) = (&mut self.words[(ev / 64) as usize], 1 << (ev % 64));
        *word = if penalty > 0 { *word | bit } else { *word & !bit };
    }

    /// K1.
    pub fn feedback(&mut self, ev: u64, kind: Kind) {
        let more = match kind {
            Kind::Ecn => 1,
            Kind::Nack => 4,
            Kind::Timeout => MOST,
            Kind::Good | Kind::LastHop | Kind::Unknown(_) => return,
        };
        self.set(ev, (self.penalties[ev as usize] + more).min(MOST));
    }

    /// K3: what a request takes off.
    pub fn decrement(&mut self, ev: u64) {
        self.set(ev, self.penalties[ev as usize].saturating_sub(1));
    }
}

impl Marked for Penalties {
    fn word(&self, word: usize) -> u64 {
        self.words[word]
    }
}
