// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings.

/// The settings, as they stand on the ports. Times are in units of 64 cycles, except `rtt`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Settings {
    /// True if they are in force from the next cycle on; otherwise those before stay in force.
    pub valid: bool,
    /// Cycles of an epoch; less than 64 counts as 64 (S9).
    pub rtt: u64,
    /// A CCC with more marked EVs than this is saturated (S7).
    pub limit: u64,
    /// Seed of the LFSR words of oblivious CCCs (O1).
    pub seed: u64,
    /// Number of new EVs drawn before the ring is used (P4).
    pub explore: u64,
    /// Time for which a ring is frozen (P2).
    pub freeze: u64,
    /// A CCC without requests for this time is idle (N4).
    pub idle: u64,
    /// The time between changes of a single path (N4).
    pub reroute: u64,
}

impl Settings {
    /// The settings of the bitmap; all others are 0.
    #[must_use]
    pub const fn new(rtt: u64, limit: u64) -> Self {
        Settings { valid: true, rtt, limit, seed: 0, explore: 0, freeze: 0, idle: 0, reroute: 0 }
    }

    /// The same values, which do not come into force.
    #[must_use]
    pub const fn withheld(self) -> Self {
        Settings { valid: false, ..self }
    }

    /// The same settings with another seed.
    #[must_use]
    pub const fn seed(self, seed: u64) -> Self {
        Settings { seed, ..self }
    }

    /// The same settings with another length of exploration and of a freeze.
    #[must_use]
    pub const fn reps(self, explore: u64, freeze: u64) -> Self {
        Settings { explore, freeze, ..self }
    }

    /// The same settings with other times for a single path.
    #[must_use]
    pub const fn path(self, idle: u64, reroute: u64) -> Self {
        Settings { idle, reroute, ..self }
    }
}

impl From<(u64, u64)> for Settings {
    /// The settings from `rtt` and `limit`.
    fn from((rtt, limit): (u64, u64)) -> Self {
        Self::new(rtt, limit)
    }
}
