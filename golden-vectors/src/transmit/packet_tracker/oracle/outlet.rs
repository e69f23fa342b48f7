// SPDX-License-Identifier: MIT OR Apache-2.0
//! What leaves in order, and what of it is open (D4, D26, D27).

use std::collections::VecDeque;

/// A stream of outputs. In each cycle things are opened after [`Outlet::open`] was asked, so they count from the next cycle on.
#[derive(Debug)]
pub struct Outlet<T> {
    /// Last cycles in which something without an output is open.
    void: VecDeque<u64>,
    /// What is to leave, each with the first cycle in which it may be on the ports.
    items: VecDeque<(u64, T)>,
}

impl<T> Default for Outlet<T> {
    fn default() -> Self {
        Outlet { void: VecDeque::new(), items: VecDeque::new() }
    }
}

impl<T: Copy> Outlet<T> {
    /// How many are open in this cycle.
    pub fn open(&self, cycle: u64) -> usize {
        self.void.iter().filter(|&&last| last >= cycle).count() + self.items.len()
    }

    /// An output from this cycle on, behind those before it; or none, open up to and with its cycle.
    pub fn push(&mut self, void: u64, item: Option<(u64, T)>) {
        match item {
            Some(item) => self.items.push_back(item),
            None => self.void.push_back(void),
        }
    }

    /// What is on the ports.
    pub fn front(&self, cycle: u64) -> Option<T> {
        self.items.front().filter(|(from, _)| *from <= cycle).map(|&(_, item)| item)
    }

    /// The end of a cycle, with or without a transfer.
    pub fn clock(&mut self, cycle: u64, ready: bool) {
        if ready && self.front(cycle).is_some() {
            self.items.pop_front();
            if let Some((from, _)) = self.items.front_mut() {
                *from = (*from).max(cycle + 1);
            }
        }
        while self.void.front().is_some_and(|&last| last <= cycle) {
            self.void.pop_front();
        }
    }
}
