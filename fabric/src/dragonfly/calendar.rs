// SPDX-License-Identifier: MIT OR Apache-2.0
//! What will happen in the next cycles: a ring with a list for each cycle.

/// Events of one kind.
#[derive(Debug)]
pub struct Calendar<T> {
    days: Vec<Vec<T>>,
}

impl<T> Calendar<T> {
    /// For events that are at most so many cycles ahead.
    #[must_use]
    pub fn new(ahead: u32) -> Self {
        let days = (u64::from(ahead) + 1).next_power_of_two();
        Calendar { days: (0..days).map(|_| Vec::new()).collect() }
    }

    /// How far ahead an event may be.
    #[must_use]
    pub const fn ahead(&self) -> u32 {
        self.days.len() as u32 - 1
    }

    /// An event in a later cycle.
    pub fn add(&mut self, cycle: u32, event: T) {
        let day = cycle as usize & (self.days.len() - 1);
        self.days[day].push(event);
    }

    /// Takes the list of a cycle; [`Self::give_back`] keeps its memory for later.
    pub fn take(&mut self, cycle: u32) -> Vec<T> {
        let day = cycle as usize & (self.days.len() - 1);
        std::mem::take(&mut self.days[day])
    }

    /// The list of a cycle, after it was taken. What was added for the same day of the next round is kept.
    pub fn give_back(&mut self, cycle: u32, mut list: Vec<T>) {
        let day = cycle as usize & (self.days.len() - 1);
        list.clear();
        if self.days[day].is_empty() {
            self.days[day] = list;
        }
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.days.iter_mut().for_each(Vec::clear);
    }

    /// All that will happen, in no order that means anything.
    pub fn all(&self) -> impl Iterator<Item = &T> {
        self.days.iter().flatten()
    }
}
