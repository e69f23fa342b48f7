// SPDX-License-Identifier: MIT OR Apache-2.0
//! In which cycles a walk visits blocks and reads packets (D13).

use super::Shape;
use super::named::{Visit, Visits};
use super::pdc::Pdc;

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

/// The visits and reads of a walk.
#[derive(Clone, Copy, Debug)]
pub struct Release {
    /// Cycle of the first visit that is left, or *t*.
    cycle: u64,
    /// This visit, with what is still to be read.
    visit: Option<Visit>,
    /// Those behind it.
    visits: Visits,
}

impl Release {
    /// A walk that begins in this cycle.
    pub fn new(pdc: &Pdc, mut visits: Visits, begins: u64) -> Self {
        Release { cycle: begins, visit: visits.next(pdc), visits }
    }

    /// One cycle, in which there is room for an outcome or not.
    pub fn clock(&mut self, shape: Shape, pdc: &Pdc, cycle: u64, room: bool) -> Step {
        loop {
            let Some(reads) = &mut self.visit else {
                return if cycle == self.cycle { Step::Ends } else { Step::Waits };
            };
            let first = self.cycle + shape.visit();
            if cycle < first || !reads.is_empty() && !room {
                return Step::Waits;
            }
            let read = reads.next();
            if reads.is_empty() {
                self.visit = self.visits.next(pdc);
                self.cycle = if read.is_some() { cycle + 1 } else { first };
            }
            if let Some(offset) = read {
                return Step::Reads(offset);
            }
        }
    }
}
