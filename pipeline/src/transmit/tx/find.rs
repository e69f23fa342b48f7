// SPDX-License-Identifier: MIT OR Apache-2.0
//! Finds the message of a PSN. Each message that has begun has a row: its first PSN and the number of its packets. A search
//! visits the ring of the PDC, one message per clock cycle, from the oldest one on or from the newest one back. With
//! memories of latency `l`:
//!
//! ```text
//!  cycle n                start
//!        n + 1 + k        row of message k to be read
//!        n + l + 2 + k    row in its register
//!        n + l + 3 + k    the number of the packet in it, if the PSN is its
//!        n + l + 4 + k    found
//! ```
//!
//! The first message that has the PSN is the right one: those that have not begun, and so have rows of other times, come
//! behind it in both directions. A PSN that is looked for is one of a message that is not complete, so its row is not
//! written meanwhile.

use super::config::TxConfig;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, clog2, name_nets, select, when};

/// Which PSNs a message has.
#[derive(Bundle)]
#[shape(config: TxConfig)]
pub struct Range<L: Reading> {
    /// The first one.
    #[shape(config.psn())]
    pub first: Bits<L>,
    /// How many.
    #[shape(config.packets())]
    pub packets: Bits<L>,
}

/// A message whose row is read.
#[derive(Bundle)]
#[shape(config: TxConfig)]
struct Visit<L: Reading> {
    #[reset]
    valid: Bits<L>,
    #[shape(config.pointer())]
    pointer: Bits<L>,
}

/// A message and how far the PSN is behind its first one.
#[derive(Bundle)]
struct Candidate<L: Reading> {
    #[reset]
    valid: Bits<L>,
    pointer: Bits<L>,
    packets: Bits<L>,
    distance: Bits<L>,
}

/// The message that was found.
#[derive(Bundle)]
pub struct Found<L: Reading> {
    /// It has been found: 1 for one clock cycle.
    #[reset]
    pub valid: Bits<L>,
    /// Its place in the ring.
    pub pointer: Bits<L>,
    /// The number of its packets.
    pub packets: Bits<L>,
    /// Which of them has the PSN.
    pub index: Bits<L>,
}

/// The direction of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the oldest message on.
    Forward,
    /// From the newest message back.
    Backward,
}

/// A search at a time.
#[name_nets]
pub struct Find<L: Logic> {
    config: TxConfig,
    direction: Direction,
    psn: Reg<Bits<L>>,
    /// Messages that have not been visited.
    left: Reg<Bits<L>>,
    next: Reg<Bits<L>>,
    /// The messages whose rows are read: `l` clock cycles ago is the last one.
    visits: Vec<Reg<Visit<L>>>,
    arrived: Reg<Visit<L>>,
    range: Reg<Range<L>>,
    candidate: Reg<Candidate<L>>,
    found: Reg<Found<L>>,
}

#[name_nets]
impl<L: Logic> Find<L> {
    pub fn new(config: TxConfig, direction: Direction) -> Self {
        let (flag, pointer) = (bits(1), config.pointer());
        let Range { first, packets } = Range::shape(config);
        let visit = Visit::shape(config);
        let mut visits = Vec::new();
        for step in 1..=config.latency() {
            visits.push(Reg::numbered(step, &visit));
        }
        Find {
            config,
            direction,
            psn: Reg::new(&first),
            left: Reg::new(&bits(clog2(config.messages + 1))).with_reset(),
            next: Reg::new(&pointer),
            visits,
            arrived: Reg::new(&visit),
            range: Reg::new(&Range::shape(config)),
            candidate: Reg::new(&Candidate { valid: flag, pointer, packets, distance: first }),
            found: Reg::new(&Found { valid: flag, pointer, packets, index: packets }),
        }
    }

    /// The place whose row is to be read.
    pub fn pointer(&self) -> Bits<L> {
        self.next.get()
    }

    /// What was found.
    pub fn found(&self) -> Found<L> {
        self.found.get()
    }

    /// The search has ended, or will find nothing more.
    pub fn idle(&self) -> Bits<L> {
        let mut open = self.left.get().any() | self.arrived.get().valid | self.candidate.get().valid;
        for visit in &self.visits {
            open = open | visit.get().valid;
        }
        !open
    }

    /// One clock cycle: a search starts with the message at `from`; `row` is what was read for the place of `l` clock
    /// cycles ago.
    pub fn clock(&self, starts: Bits<L>, (psn, from): (Bits<L>, Bits<L>), row: Range<L>) {
        let (candidate, range, arrived) = (self.candidate.get(), self.range.get(), self.arrived.get());
        let (left, next) = (self.left.get(), self.next.get());
        let width = candidate.distance.width();
        let packets = candidate.packets.extend(width);
        let hits = candidate.valid & candidate.distance.less(packets);
        let index = candidate.distance.truncate(candidate.packets.width());
        self.found.set(Found { valid: hits, pointer: candidate.pointer, packets: candidate.packets, index });
        // What is behind a hit is of no interest.
        self.candidate.set(Candidate {
            valid: arrived.valid & !hits,
            pointer: arrived.pointer,
            packets: range.packets,
            distance: self.psn.get() - range.first,
        });
        let last = self.visits.len() - 1;
        let read = self.visits[last].get();
        self.range.set(row);
        self.arrived.set(Visit { valid: read.valid & !hits, ..read });
        for step in (1..=last).rev() {
            let before = self.visits[step - 1].get();
            self.visits[step].set(Visit { valid: before.valid & !hits, ..before });
        }
        let visits = left.any();
        self.visits[0].set(Visit { valid: visits & !hits, pointer: next });
        let after = match self.direction {
            Direction::Forward => next + 1,
            Direction::Backward => next - 1,
        };
        when(visits, || self.next.set(after));
        let remaining = select(visits, left - 1, left).gate(!hits);
        self.left.set(remaining);
        when(starts, || {
            self.psn.set(psn);
            self.next.set(from);
            self.left.set(Bits::lit(left.width(), self.config.messages));
        });
    }
}
