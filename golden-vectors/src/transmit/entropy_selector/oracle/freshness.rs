// SPDX-License-Identifier: MIT OR Apache-2.0
//! How many EVs of a ring came back in the current or the previous epoch (P7).

use super::epochs::EPOCHS;

/// Limit of both counts: the slots of a ring.
const MOST: u64 = 8;

/// The ages of the EVs in a ring.
#[derive(Clone, Copy, Debug, Default)]
pub struct Freshness {
    /// Epoch of the last EV stored; none before the first.
    since: Option<u64>,
    /// EVs stored in that epoch.
    latest: u64,
    /// EVs stored in that epoch and the one before it.
    recent: u64,
}

impl Freshness {
    /// An EV is stored in an epoch.
    pub fn store(&mut self, epoch: u64) {
        let epoch = epoch % EPOCHS;
        let (latest, recent) = match self.since {
            Some(since) if epoch == since => (self.latest + 1, self.recent + 1),
            Some(since) if epoch == (since + 1) % EPOCHS => (1, self.latest + 1),
            _ => (1, 1),
        };
        *self = Freshness { since: Some(epoch), latest: latest.min(MOST), recent: recent.min(MOST) };
    }

    /// *v* of a request in an epoch.
    pub fn usable(self, epoch: u64) -> u64 {
        let epoch = epoch % EPOCHS;
        match self.since {
            Some(since) if epoch == since => self.recent,
            Some(since) if epoch == (since + 1) % EPOCHS => self.latest,
            _ => 0,
        }
    }
}
