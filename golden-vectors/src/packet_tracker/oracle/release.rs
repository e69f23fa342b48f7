// SPDX-License-Identifier: MIT OR Apache-2.0
//! Walks that release packets: what an ACK names, the blocks that are visited, and the reads (D11 to D13, D30).

use super::pdc::{Pdc, State};
use super::{Ack, Shape};
use std::collections::VecDeque;

/// What an ACK names, as distances from *B* (D11).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// *a*: so many PSNs are acknowledged cumulatively.
    pub cumulative: u64,
    /// Those that only the bitmap names.
    selective: Vec<u64>,
    /// The highest one.
    pub highest: Option<u64>,
}

impl Named {
    /// All PSNs of the window, as an ACK of *N* - 1 would.
    pub fn all(pdc: &Pdc) -> Self {
        let cumulative = pdc.length();
        Named { cumulative, selective: Vec::new(), highest: cumulative.checked_sub(1) }
    }

    /// What an ACK names; `None` if it is outside.
    pub fn by(shape: Shape, pdc: &Pdc, ack: &Ack) -> Option<Self> {
        let psns = 1 << shape.psn_bits;
        let length = pdc.length();
        let acknowledged = shape.psn(pdc.offset(shape, ack.psn) + 1);
        let cumulative = match acknowledged {
            a if a <= length => a,
            a if a >= psns - shape.window => 0,
            _ => return None,
        };
        let first = ack.psn.wrapping_add_signed(ack.sack_offset.into());
        let mut selective = Vec::new();
        let mut highest = cumulative.checked_sub(1);
        for bit in (0..64).filter(|bit| ack.sack >> bit & 1 == 1) {
            match pdc.offset(shape, first.wrapping_add(bit)) {
                o if o < length => {
                    highest = highest.max(Some(o));
                    if o >= cumulative {
                        selective.push(o);
                    }
                }
                o if o >= psns / 2 => {}
                _ => return None,
            }
        }
        Some(Named { cumulative, selective, highest })
    }

    /// D12: the packets that are released, by visit. A part is visited in ascending order, a block at a time.
    fn visits(&self, shape: Shape, pdc: &Pdc) -> VecDeque<VecDeque<u64>> {
        let mut visits: VecDeque<VecDeque<u64>> = VecDeque::new();
        let cumulative: Vec<u64> = (0..self.cumulative).collect();
        for part in [&cumulative, &self.selective] {
            let mut last = None;
            for &offset in part {
                let block = shape.psn(pdc.base + offset) / 64;
                if last != Some(block) {
                    visits.push_back(VecDeque::new());
                    last = Some(block);
                }
                if pdc.packets[offset as usize].state != State::Acknowledged {
                    visits.back_mut().expect("a visit has begun").push_back(offset);
                }
            }
        }
        visits
    }
}

/// What a walk does in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Nothing that is seen.
    Waits,
    /// The record of the packet at this distance from *B* is read.
    Reads(u64),
    /// This cycle is *t*.
    Ends,
}

/// The visits and reads of a walk (D13).
#[derive(Clone, Debug)]
pub struct Release {
    /// Cycle of the first visit that is left, or *t*.
    visit: u64,
    /// What is still to be read, by visit.
    visits: VecDeque<VecDeque<u64>>,
}

impl Release {
    /// A walk that begins in this cycle.
    pub fn new(shape: Shape, pdc: &Pdc, named: &Named, begins: u64) -> Self {
        Release { visit: begins, visits: named.visits(shape, pdc) }
    }

    /// Whether a packet is released.
    pub fn releases(&self) -> bool {
        self.visits.iter().any(|visit| !visit.is_empty())
    }

    /// One cycle, in which there is room for an outcome or not.
    pub fn clock(&mut self, shape: Shape, cycle: u64, room: bool) -> Step {
        loop {
            let Some(reads) = self.visits.front_mut() else {
                return if cycle == self.visit { Step::Ends } else { Step::Waits };
            };
            let first = self.visit + shape.visit();
            if cycle < first || !reads.is_empty() && !room {
                return Step::Waits;
            }
            match reads.pop_front() {
                Some(offset) => {
                    if reads.is_empty() {
                        self.visits.pop_front();
                        self.visit = cycle + 1;
                    }
                    return Step::Reads(offset);
                }
                None => {
                    self.visits.pop_front();
                    self.visit = first;
                }
            }
        }
    }
}
