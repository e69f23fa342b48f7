// SPDX-License-Identifier: MIT OR Apache-2.0
//! The modes of choosing EVs, and sets of modes.

use rtl_model::{Bits, Logic};

/// Codes of the modes (rule S14).
pub mod mode {
    /// Every EV in numeric order, except those that feedback has marked.
    pub const BITMAP: u64 = 0;
    /// Every EV once per round, in an order that changes with the round.
    pub const OBLIVIOUS: u64 = 1;
    /// Every EV once per round, in numeric order.
    pub const ROUND_ROBIN: u64 = 2;
    /// One EV at a time.
    pub const SINGLE_PATH: u64 = 3;
    /// EVs that came back without a mark, once more.
    pub const REPS: u64 = 4;
    /// EVs that came back without a mark, if there are any, otherwise the bitmap.
    pub const MIXED: u64 = 5;
    /// Every EV in numeric order, except those with a penalty.
    pub const PENALTY: u64 = 6;
}

/// Width of a mode code.
pub const MODE_WIDTH: u32 = 3;

/// A set of modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modes(u8);

impl Modes {
    /// Only mode `bitmap`.
    pub const BITMAP: Self = Self(1 << mode::BITMAP);
    /// All seven modes.
    pub const ALL: Self = Self(0x7f);

    /// The set with mode `i` if bit `i` is 1; `None` if the mask is 0 or contains a mode that does not exist.
    #[must_use]
    pub const fn of_mask(mask: u64) -> Option<Self> {
        if mask == 0 || mask > Self::ALL.mask() { None } else { Some(Self(mask as u8)) }
    }

    /// Bit `i` is 1 if mode `i` is in the set.
    #[must_use]
    pub const fn mask(self) -> u64 {
        self.0 as u64
    }

    /// Whether the mode is in the set.
    #[must_use]
    pub const fn has(self, mode: u64) -> bool {
        self.mask() >> mode & 1 == 1
    }

    /// The set with or without a mode.
    #[must_use]
    pub const fn with(self, mode: u64, there: bool) -> Self {
        let bit = 1 << mode;
        if there { Self(self.0 | bit) } else { Self(self.0 & !bit) }
    }

    /// Suffix of the module name, such as `_oblivious_reps`; empty for only `bitmap`, which is always included.
    pub(super) fn suffix(self) -> String {
        const NAMES: [&str; 7] = ["bitmap", "oblivious", "round_robin", "single_path", "reps", "mixed", "penalty"];
        if self == Self::ALL {
            return "_all_modes".to_owned();
        }
        let others = (mode::OBLIVIOUS..).zip(&NAMES[1..]).filter(|(code, _)| self.has(*code));
        let bitmap = if self.has(mode::BITMAP) { "" } else { "_no_bitmap" };
        others.fold(bitmap.to_owned(), |suffix, (_, name)| format!("{suffix}_{name}"))
    }

    /// Whether a mode draws EVs from rounds.
    pub(super) const fn has_rounds(self) -> bool {
        self.has(mode::OBLIVIOUS) || self.has(mode::ROUND_ROBIN) || self.has(mode::REPS)
    }

    /// Whether a mode reuses EVs from a ring.
    pub(super) const fn has_ring(self) -> bool {
        self.has(mode::REPS) || self.has(mode::MIXED)
    }

    /// Whether mode `penalty` is in the set.
    pub(super) const fn has_penalty(self) -> bool {
        self.has(mode::PENALTY)
    }

    /// Whether the code is that of a mode in the set.
    pub(super) fn contains<L: Logic>(self, code: Bits<L>) -> Bits<L> {
        Bits::lit(1 << MODE_WIDTH, self.mask()).slice_at(code, 1)
    }
}
