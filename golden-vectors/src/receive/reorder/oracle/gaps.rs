// SPDX-License-Identifier: MIT OR Apache-2.0
//! What of the gaps of a connection has been reported, and since when the rest has been there (R13, R15).

/// The numbers of PSNs that R13 and R15 speak of.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gaps {
    /// *R*: the missing ones before it have been reported.
    pub reported: u64,
    /// *G*: behind the last gap.
    pub last_end: u64,
    /// The older horizon.
    pub older: u64,
    /// The newer one.
    pub newer: u64,
    /// *T*.
    pub since: u64,
}

impl Gaps {
    /// Those of a connection that begins with this number.
    pub fn from(start: u64) -> Self {
        Gaps { reported: start, ..Gaps::default() }
    }

    /// Whether there may be a gap that is not reported.
    pub const fn pending(&self) -> bool {
        self.reported < self.last_end
    }

    /// Gaps before this one are reported, or filled.
    pub fn advance(&mut self, to: u64) {
        self.reported = self.reported.max(to);
    }

    /// A gap begins, which ends before this number.
    pub fn begin(&mut self, end: u64, time: u64) {
        if self.pending() {
            self.last_end = end;
        } else {
            *self = Gaps { reported: self.reported, last_end: end, older: 0, newer: end, since: time };
        }
    }

    /// Both horizons are ahead of what has been reported, and the age counts from half a tolerance on.
    pub const fn has_older(&self) -> bool {
        self.reported < self.older
    }

    pub const fn has_newer(&self) -> bool {
        self.reported < self.newer
    }

    /// What may be renewed if half of the tolerance has passed, or, without a horizon, at once.
    pub const fn renewable(&self) -> bool {
        self.pending() && !self.has_older() && self.newer < self.last_end
    }

    /// The horizons are renewed. `seen` is *T* as the visit saw it.
    pub fn renew(&mut self, seen: u64, time: u64) {
        if self.renewable() && (!self.has_newer() || self.since == seen) {
            *self = Gaps { older: self.newer, newer: self.last_end, since: time, ..*self };
        }
    }
}
