// SPDX-License-Identifier: MIT OR Apache-2.0
//! What of the gaps of a connection has been reported, and since when the rest has been there (R13, R15).

/// What is missing before a number was overtaken by this time at the latest.
#[derive(Clone, Copy, Debug, Default)]
pub struct Horizon {
    pub end: u64,
    pub time: u64,
}

/// The numbers of PSNs that R13 and R15 speak of.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gaps {
    /// *R*: the missing ones before it have been reported.
    pub reported: u64,
    /// *G*: behind the last gap.
    last: Horizon,
    older: Horizon,
    newer: Horizon,
}

impl Gaps {
    /// Those of a connection that begins with this number.
    pub fn from(start: u64) -> Self {
        Gaps { reported: start, ..Gaps::default() }
    }

    const fn is_ahead(&self, horizon: Horizon) -> bool {
        self.reported < horizon.end
    }

    /// Whether there may be a gap that is not reported.
    pub const fn pending(&self) -> bool {
        self.is_ahead(self.last)
    }

    /// Gaps before this one are reported, or filled.
    pub fn advance(&mut self, to: u64) {
        self.reported = self.reported.max(to);
    }

    /// A gap begins, which ends before this number.
    pub fn begin(&mut self, end: u64, time: u64) {
        let waits = self.pending();
        self.last = Horizon { end, time };
        if !waits {
            (self.older, self.newer) = (Horizon::default(), self.last);
        }
    }

    /// The horizon that decides, if one is ahead.
    pub fn horizon(&self) -> Option<Horizon> {
        [self.older, self.newer].into_iter().find(|&horizon| self.is_ahead(horizon))
    }

    /// Gaps wait for which there is no horizon, and one more would have a place.
    pub const fn renewable(&self) -> bool {
        self.pending() && !self.is_ahead(self.older) && self.newer.end < self.last.end
    }

    /// The horizons are renewed.
    pub fn renew(&mut self) {
        if self.renewable() {
            (self.older, self.newer) = (self.newer, self.last);
        }
    }
}
