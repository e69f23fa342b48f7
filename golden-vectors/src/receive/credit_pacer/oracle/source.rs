// SPDX-License-Identifier: MIT OR Apache-2.0
//! A source, and what a pass does to it (PC3, PC4, PC7, PC10).

use super::Settings;

/// Credit numbers are modulo this.
pub const CREDITS: u64 = 1 << 24;

/// Half of it: from here on a difference is negative.
const HALF: u64 = CREDITS / 2;

/// So much further, modulo 2^24.
#[must_use]
pub const fn behind(number: u64, quanta: u64) -> u64 {
    number.wrapping_add(quanta) % CREDITS
}

/// How far a credit number is behind another one, modulo 2^24.
#[must_use]
pub const fn distance(number: u64, from: u64) -> u64 {
    number.wrapping_sub(from) % CREDITS
}

/// The queue in which a source waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queue {
    /// For credit up to its target.
    Demand,
    /// For credit beyond it.
    Ahead,
}

/// What became of a demand (PC3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demanded {
    /// The target has moved, or was the same.
    Done,
    /// It was old.
    Stale,
    /// The source is closed.
    Closed,
}

/// The state of a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// It may get credit.
    pub open: bool,
    /// The credit number that it has got.
    pub credit: u64,
    /// The credit number up to which it could use credit.
    pub target: u64,
    /// Its next take from the demand queue says the credit number, even if nothing is due.
    pub repeat: bool,
    /// It waits in the demand queue.
    pub queued: bool,
    /// It waits in the ahead queue.
    pub ahead: bool,
}

impl Source {
    /// How much credit it could use.
    #[must_use]
    pub const fn wants(&self) -> u64 {
        distance(self.target, self.credit)
    }

    /// How much credit it has beyond its target.
    #[must_use]
    pub const fn spent(&self) -> u64 {
        distance(self.credit, self.target)
    }

    /// Credit is due to it.
    #[must_use]
    pub const fn is_due(&self) -> bool {
        self.open && 0 < self.wants() && self.wants() < HALF
    }

    /// It may get credit in advance.
    #[must_use]
    pub const fn is_idle(&self, settings: &Settings) -> bool {
        self.open && !self.is_due() && self.spent() < settings.advance
    }

    /// PC3.
    pub const fn demand(&mut self, target: u64, repeat: bool) -> Demanded {
        if !self.open {
            return Demanded::Closed;
        }
        self.repeat |= repeat;
        if distance(target, self.target) >= HALF {
            return Demanded::Stale;
        }
        self.target = target;
        Demanded::Done
    }

    /// PC7: a take from this queue. Returns by how much the credit has grown, if there is a grant.
    pub fn take(&mut self, queue: Queue, settings: &Settings) -> Option<u64> {
        let most = match queue {
            Queue::Demand => {
                self.queued = false;
                let again = std::mem::replace(&mut self.repeat, false);
                if self.is_due() { Some(self.wants()) } else { (self.open && again).then_some(0) }
            }
            Queue::Ahead => {
                self.ahead = false;
                (self.is_idle(settings) && !self.queued).then(|| settings.advance - self.spent())
            }
        };
        let quanta = most?.min(settings.share());
        self.credit = behind(self.credit, quanta);
        Some(quanta)
    }

    /// PC4: the queue that it enters as a pass leaves it.
    pub const fn leave(&mut self, settings: &Settings) -> Option<Queue> {
        let asks = self.is_due() || self.open && self.repeat;
        if asks && !self.queued {
            self.queued = true;
            Some(Queue::Demand)
        } else if self.is_idle(settings) && !self.queued && !self.ahead {
            self.ahead = true;
            Some(Queue::Ahead)
        } else {
            None
        }
    }

    /// PC10: opens it with this credit number. Returns whether that was done.
    pub const fn open(&mut self, number: u64) -> bool {
        let done = !self.open;
        if done {
            self.open = true;
            self.credit = number;
            self.target = number;
            self.repeat = false;
        }
        done
    }

    /// PC10: closes it. Returns whether that was done.
    pub const fn close(&mut self) -> bool {
        std::mem::replace(&mut self.open, false)
    }
}
