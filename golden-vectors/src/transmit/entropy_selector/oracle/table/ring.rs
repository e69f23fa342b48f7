// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ring of EVs that have come back GOOD (P1 to P7, X1).

use super::super::epochs::TIMES;
use super::super::freshness::Freshness;
use super::super::{Kind, Settings};
use super::draws::Draws;

/// Number of slots.
const SLOTS: u64 = 8;

/// A ring of slots, and what requests keep of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ring {
    slots: [u64; SLOTS as usize],
    /// EVs written since the CCC was opened: its lowest bits are the head.
    writes: u64,
    /// Slots with an EV that has not been recycled yet.
    fill: u64,
    /// Slots that hold an EV.
    written: u64,
    frozen: bool,
    since: u64,
    /// Flush count.
    emptied: u64,
    fresh: Freshness,
    /// P4: the flush count that the previous request saw, new EVs still to be drawn, and the position in a frozen ring.
    round: Option<u64>,
    explore: u64,
    stale: u64,
}

impl Ring {
    /// P2 in mode REPS.
    pub fn feedback(&mut self, time: u64, epoch: u64, settings: &Settings, ev: u64, kind: Kind) {
        // (a)
        if self.frozen && (time + TIMES - self.since) % TIMES >= settings.freeze.max(1) {
            (self.frozen, self.written, self.fill) = (false, 0, 0);
            self.emptied += 1;
        }
        // (b)
        self.recycle(epoch, ev, kind);
        // (c)
        if kind == Kind::Timeout && !self.frozen {
            (self.frozen, self.since) = (true, time);
        }
    }

    /// P2 (b) and P7, which is all in mode mixed (X1).
    pub fn recycle(&mut self, epoch: u64, ev: u64, kind: Kind) {
        if kind == Kind::Good {
            self.slots[(self.writes % SLOTS) as usize] = ev;
            self.writes += 1;
            self.fill = SLOTS.min(self.fill + 1);
            self.written = SLOTS.min(self.written + 1);
            self.fresh.store(epoch);
        }
    }

    /// The EV so many slots behind the head.
    const fn slot(&self, behind: u64) -> u64 {
        if behind > self.writes { 0 } else { self.slots[((self.writes - behind) % SLOTS) as usize] }
    }

    /// P5 and X1: the oldest EV that may be used, if there is one.
    pub fn pop(&mut self, epoch: u64) -> Option<u64> {
        let usable = self.fill.min(self.fresh.usable(epoch));
        if usable == 0 {
            return None;
        }
        self.fill = usable - 1;
        Some(self.slot(usable))
    }

    /// P4, P5 and S17: the EV for a request in mode REPS.
    pub fn choose(&mut self, epoch: u64, settings: &Settings, draws: &mut Draws, space: u64) -> u64 {
        let round = self.emptied % 4;
        if self.round != Some(round) {
            self.round = Some(round);
            (self.explore, self.stale) = (settings.explore, 0);
        }
        if self.explore > 0 {
            self.explore -= 1;
            return draws.draw(space);
        }
        if let Some(ev) = self.pop(epoch) {
            return ev % space;
        }
        if self.frozen && self.written > 0 {
            let k = if self.stale < self.written { self.stale } else { 0 };
            self.stale = (k + 1) % SLOTS;
            return self.slot(self.written - k) % space;
        }
        draws.draw(space)
    }
}
