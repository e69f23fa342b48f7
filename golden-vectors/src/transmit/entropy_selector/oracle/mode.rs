// SPDX-License-Identifier: MIT OR Apache-2.0
//! The modes of a CCC.

/// Modes: how a CCC selects its EVs (S14).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The next EV without a mark.
    Bitmap,
    /// All EVs once per round, in an order that depends on the seed.
    Oblivious,
    /// All EVs in numeric order.
    RoundRobin,
    /// One EV, until it is suspect.
    SinglePath,
    /// EVs that have come back GOOD, from a ring.
    Reps,
    /// EVs that have come back GOOD, else the bitmap.
    Mixed,
    /// The next EV with penalty 0; each request decrements the penalty of an EV that it skips.
    Penalty,
}

impl Mode {
    /// All modes in the order of their codes.
    pub const ALL: [Self; 7] =
        [Self::Bitmap, Self::Oblivious, Self::RoundRobin, Self::SinglePath, Self::Reps, Self::Mixed, Self::Penalty];

    /// All modes as a mask: bit *i* is the mode of code *i*.
    pub const MASK: u64 = (1 << Self::ALL.len()) - 1;

    /// The name in the configuration.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bitmap => "bitmap",
            Self::Oblivious => "oblivious",
            Self::RoundRobin => "round_robin",
            Self::SinglePath => "single_path",
            Self::Reps => "reps",
            Self::Mixed => "mixed",
            Self::Penalty => "penalty",
        }
    }

    /// The code on `command_mode` and `response_mode`.
    #[must_use]
    pub const fn code(self) -> u64 {
        self as u64
    }
}
