// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ways to choose an EV, and sets of them.

use super::EntropySelectorConfig;
use rtl_model::{Bits, Bundle, Constant, Logic, Reading, Shape, bits, constant, name_nets};

/// Codes of the modes (row S14).
pub mod mode {
    /// Every EV in turn, but for those that feedback has marked.
    pub const BITMAP: u64 = 0;
    /// Every EV once a round, in an order that changes with the round.
    pub const OBLIVIOUS: u64 = 1;
    /// Every EV once a round, in the order of their numbers.
    pub const ROUND_ROBIN: u64 = 2;
    /// One EV at a time.
    pub const SINGLE_PATH: u64 = 3;
    /// EVs that came back without a mark, once more.
    pub const REPS: u64 = 4;
    /// The same as long as there are some, else the bitmap.
    pub const MIXED: u64 = 5;
    /// Every EV in turn, but for those with a penalty.
    pub const PENALTY: u64 = 6;
}

/// Width of the code of a mode.
pub const MODE_WIDTH: u32 = 3;

/// A set of modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modes(u8);

impl Modes {
    /// Only mode `bitmap`.
    pub const BITMAP: Self = Self(1 << mode::BITMAP);
    /// All seven modes.
    pub const ALL: Self = Self(0x7f);

    /// The set of which bit `i` says whether mode `i` is in it; `None` if it has none, or one that there is not.
    #[must_use]
    pub const fn of_mask(mask: u64) -> Option<Self> {
        if mask == 0 || mask > Self::ALL.mask() { None } else { Some(Self(mask as u8)) }
    }

    /// Bit `i` says whether mode `i` is in it.
    #[must_use]
    pub const fn mask(self) -> u64 {
        self.0 as u64
    }

    /// Whether the mode is in it.
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

    /// Their names, for that of a module: `_oblivious_reps`; nothing for the bitmap alone, which is always there.
    pub(super) fn suffix(self) -> String {
        const NAMES: [&str; 7] = ["bitmap", "oblivious", "round_robin", "single_path", "reps", "mixed", "penalty"];
        if self == Self::ALL {
            return "_all_modes".to_owned();
        }
        let others = (mode::OBLIVIOUS..).zip(&NAMES[1..]).filter(|(code, _)| self.has(*code));
        let bitmap = if self.has(mode::BITMAP) { "" } else { "_no_bitmap" };
        others.fold(bitmap.to_owned(), |suffix, (_, name)| format!("{suffix}_{name}"))
    }

    /// Modes that draw EVs from rounds.
    pub(super) const fn has_rounds(self) -> bool {
        self.has(mode::OBLIVIOUS) || self.has(mode::ROUND_ROBIN) || self.has(mode::REPS)
    }

    /// Modes that use EVs again.
    pub(super) const fn has_ring(self) -> bool {
        self.has(mode::REPS) || self.has(mode::MIXED)
    }

    /// Whether a CCC can be opened in mode `counting`.
    pub(super) const fn has_penalty(self) -> bool {
        self.has(mode::PENALTY)
    }

    /// Whether it is the code of a mode in the set.
    pub(super) fn contains<L: Logic>(self, code: Bits<L>) -> Bits<L> {
        Bits::lit(1 << MODE_WIDTH, self.mask()).slice_at(code, 1)
    }
}

/// How the EVs of a CCC are chosen.
#[derive(Bundle)]
pub struct ModeState<L: Reading> {
    /// Mode code: one of [`mode`].
    pub mode: Bits<L>,
    /// A ring counts if it has the same.
    pub ring_generation: Bits<L>,
    /// A suspect counts if it has the same.
    pub suspect_generation: Bits<L>,
}

#[name_nets]
impl<L: Logic> ModeState<L> {
    /// Where there is no choice.
    pub fn bitmap() -> Self {
        let zero = Bits::lit(1, 0);
        ModeState { mode: constant!(mode::BITMAP).lit(MODE_WIDTH), ring_generation: zero, suspect_generation: zero }
    }

    /// It has this mode.
    pub fn is(self, mode: Constant) -> Bits<L> {
        self.mode.equals(mode)
    }

    /// It has a mode that marks EVs.
    pub fn uses_marks(self) -> Bits<L> {
        self.is(constant!(mode::BITMAP)) | self.is(constant!(mode::MIXED)) | self.uses_penalties()
    }

    /// Its marks are penalties.
    pub fn uses_penalties(self) -> Bits<L> {
        self.is(constant!(mode::PENALTY))
    }
}

impl EntropySelectorConfig {
    pub(super) fn mode_state(self) -> ModeState<Shape> {
        ModeState { mode: bits(MODE_WIDTH), ring_generation: bits(1), suspect_generation: bits(1) }
    }
}
