// SPDX-License-Identifier: MIT OR Apache-2.0
//! Marks of the current and the previous epoch (S6), and the next EV without one (S2, S7).

use super::super::Settings;

/// Sets of EVs, one bit each.
pub trait Marked {
    /// The bits of 64 EVs.
    fn word(&self, word: usize) -> u64;

    /// How many EVs of the space are in the set.
    fn count(&self, space: u64) -> u64 {
        (0..space.div_ceil(64)).map(|word| u64::from(self.word(word as usize).count_ones())).sum()
    }

    /// Whether an EV is.
    fn has(&self, ev: u64) -> bool {
        self.word((ev / 64) as usize) >> (ev % 64) & 1 == 1
    }

    /// S7.
    fn saturated(&self, settings: &Settings, space: u64) -> bool {
        let count = self.count(space);
        count * 256 > settings.saturation * space || count == space
    }

    /// The first EV from this one on, in a circle, that is not in the set. There must be one.
    fn next_free(&self, from: u64, space: u64) -> u64 {
        let mut ev = from;
        loop {
            let free = !self.word((ev / 64) as usize) >> (ev % 64);
            let found = ev + u64::from(free.trailing_zeros());
            if free != 0 && found < space {
                return found;
            }
            let behind = (ev / 64 + 1) * 64;
            ev = if behind < space { behind } else { 0 };
        }
    }
}

/// What a walk comes to.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The EV that is looked at first.
    pub first: u64,
    /// The EV.
    pub ev: u64,
    /// Marks are ignored.
    pub saturated: bool,
}

/// S2, S7 and S17: the EV behind this one.
pub fn walk(last: u64, marked: &impl Marked, settings: &Settings, space: u64) -> Step {
    let first = if last + 1 < space { last + 1 } else { 0 };
    let saturated = marked.saturated(settings, space);
    let ev = if saturated { first } else { marked.next_free(first, space) };
    Step { first, ev, saturated }
}

/// The marks of one epoch.
#[derive(Clone, Debug)]
struct Generation {
    epoch: Option<u64>,
    words: Box<[u64]>,
}

/// Marks by epoch. Those of older epochs than two have no effect, and their memory is used again.
#[derive(Clone, Debug)]
pub struct Marks {
    /// Those of even and of odd epochs.
    generations: [Generation; 2],
}

impl Marks {
    /// None, for so many EVs.
    pub fn new(evs: u64) -> Self {
        let none = Generation { epoch: None, words: vec![0; evs.div_ceil(64) as usize].into() };
        Marks { generations: [none.clone(), none] }
    }

    /// S18: all marks are discarded.
    pub fn forget(&mut self) {
        self.generations.iter_mut().for_each(|generation| generation.epoch = None);
    }

    /// S4: a mark.
    pub fn mark(&mut self, epoch: u64, ev: u64) {
        let generation = &mut self.generations[(epoch % 2) as usize];
        if generation.epoch != Some(epoch) {
            generation.words.fill(0);
            generation.epoch = Some(epoch);
        }
        generation.words[(ev / 64) as usize] |= 1 << (ev % 64);
    }

    /// The marks that are valid in an epoch.
    pub fn valid(&self, epoch: u64) -> Valid<'_> {
        let is_valid = |generation: &&Generation| generation.epoch.is_some_and(|of| of + 1 >= epoch);
        Valid([0, 1].map(|at| Some(&self.generations[at]).filter(is_valid)))
    }
}

/// Marks that are valid.
#[derive(Clone, Copy, Debug)]
pub struct Valid<'a>([Option<&'a Generation>; 2]);

impl Marked for Valid<'_> {
    fn word(&self, word: usize) -> u64 {
        self.0.iter().flatten().fold(0, |marked, generation| marked | generation.words[word])
    }
}
