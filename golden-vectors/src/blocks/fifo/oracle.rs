// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a FIFO in a memory must do, cycle by cycle: the rows "Qn" of the section on `fifo` in `docs/blocks.md`.

use crate::blocks::queue::Queue;
use std::collections::VecDeque;

/// The size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shape {
    /// Items that the memory holds, a power of two.
    pub depth: u64,
    /// Bits of an item.
    pub width: u64,
    /// Cycles from address to row of the memory: 1, 2 or 3. The rows call it *l*.
    pub ram_latency: u64,
}

impl Shape {
    /// Of so many items.
    #[must_use]
    pub const fn new(depth: u64, width: u64, ram_latency: u64) -> Self {
        Shape { depth, width, ram_latency }
    }
}

/// A FIFO from reset on.
#[derive(Clone, Debug)]
pub struct Fifo {
    shape: Shape,
    cycle: u64,
    /// Items in the memory, each with the cycle in which it was pushed.
    memory: VecDeque<(u64, u64)>,
    /// Items read from the memory, each with the cycle from which it can be popped.
    ahead: VecDeque<(u64, u64)>,
}

impl Fifo {
    /// In the first cycle after reset.
    #[must_use]
    pub const fn new(shape: Shape) -> Self {
        Fifo { shape, cycle: 0, memory: VecDeque::new(), ahead: VecDeque::new() }
    }
}

impl Queue for Fifo {
    /// Q2: there is room in the memory.
    fn ready(&self) -> bool {
        (self.memory.len() as u64) < self.shape.depth
    }

    fn front(&self) -> Option<u64> {
        self.ahead.front().filter(|(from, _)| *from <= self.cycle).map(|(_, item)| *item)
    }

    /// Q5.
    fn level(&self) -> Option<u64> {
        Some((self.memory.len() + self.ahead.len()) as u64)
    }

    fn clock(&mut self, push: Option<u64>, pop: bool) {
        let room = self.ready();
        // Q4
        if pop && self.front().is_some() {
            self.ahead.pop_front();
        }
        // Q3: an item is read after the cycle of its push, if there is a place for it; one that is freed now counts.
        let place = self.ahead.len() as u64 <= self.shape.ram_latency;
        if place && self.memory.front().is_some_and(|(pushed, _)| *pushed < self.cycle) {
            let offered = self.cycle + self.shape.ram_latency + 1;
            self.ahead.extend(self.memory.pop_front().map(|(_, item)| (offered, item)));
        }
        // Q1, Q2
        if let Some(item) = push.filter(|_| room) {
            self.memory.push_back((self.cycle, item));
        }
        self.cycle += 1;
    }
}
