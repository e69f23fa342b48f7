// SPDX-License-Identifier: MIT OR Apache-2.0
//! F4: rows of a memory on their way to the consumer.

use std::collections::VecDeque;

/// Places for rows that have been read.
#[derive(Clone, Debug)]
pub struct Outlet<T> {
    ram_latency: u64,
    /// Each with the cycle from which it can be offered.
    places: VecDeque<(u64, T)>,
}

impl<T> Outlet<T> {
    /// *l* + 1 places, all free.
    pub fn new(ram_latency: u64) -> Self {
        Outlet { ram_latency, places: VecDeque::new() }
    }

    /// What is offered in this cycle.
    pub fn offer(&self, cycle: u64) -> Option<&T> {
        self.places.front().filter(|(from, _)| *from <= cycle).map(|(_, row)| row)
    }

    /// The consumer takes what is offered, if it is ready; whether it did.
    pub fn take(&mut self, cycle: u64, ready: bool) -> bool {
        let taken = ready && self.offer(cycle).is_some();
        if taken {
            self.places.pop_front();
        }
        taken
    }

    /// There is a free place; one that was taken in this cycle counts.
    pub fn free(&self) -> bool {
        self.places.len() as u64 <= self.ram_latency
    }

    /// A row is read in this cycle.
    pub fn read(&mut self, cycle: u64, row: T) {
        self.places.push_back((cycle + self.ram_latency + 1, row));
    }
}
