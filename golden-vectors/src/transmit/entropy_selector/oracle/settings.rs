// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings (S24).

/// The values of all settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Settings {
    /// Cycles of an RTT of class 0; less than 64 counts as 64 (S9).
    pub rtt: u64,
    /// The fraction of an EV space that may be marked before a CCC is saturated, in parts of 256 (S7).
    pub saturation: u64,
    /// Seed of the numbers that *open* makes (S23).
    pub seed: u64,
    /// Number of new EVs drawn before the ring is used (P4).
    pub explore: u64,
    /// Time for which a ring is frozen, in units of 64 cycles (P2).
    pub freeze: u64,
    /// A single path without requests for this many RTT is idle (N4).
    pub idle: u64,
    /// RTTs between moves of a single path (N4).
    pub reroute: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Settings {
    /// The reset values of the contract: what the sources say, at 322.265625 MHz.
    pub const DEFAULT: Self =
        Settings { rtt: 3867, saturation: 128, seed: 0x9E37_79B9, explore: 36, freeze: 50354, idle: 1, reroute: 10 };

    /// The settings of the bitmap. Nothing is explored, freezes are the shortest, and a single path is idle and due
    /// after the shortest time.
    #[must_use]
    pub const fn new(rtt: u64, saturation: u64) -> Self {
        Settings { rtt, saturation, seed: 0x9E37_79B9, explore: 0, freeze: 0, idle: 0, reroute: 0 }
    }

    /// The same settings with another seed.
    #[must_use]
    pub const fn seed(self, seed: u64) -> Self {
        Settings { seed, ..self }
    }

    /// The settings on the ports of a pipeline with this number.
    #[must_use]
    pub const fn pipeline(self, pipeline: u64) -> SettingsPorts {
        SettingsPorts { valid: true, pipeline, values: self }
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

/// What stands on the ports `settings_*` and `pipeline`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SettingsPorts {
    /// `settings_valid`: the values are in force from the next cycle on. Otherwise those before stay in force.
    pub valid: bool,
    /// Number of the pipeline in its device (S23). It is no register.
    pub pipeline: u64,
    /// The values.
    pub values: Settings,
}

impl From<Settings> for SettingsPorts {
    fn from(values: Settings) -> Self {
        values.pipeline(0)
    }
}

impl From<(u64, u64)> for SettingsPorts {
    /// The settings of the bitmap, from `rtt` and `saturation`.
    fn from((rtt, saturation): (u64, u64)) -> Self {
        Settings::new(rtt, saturation).into()
    }
}
