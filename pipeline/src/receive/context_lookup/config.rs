// SPDX-License-Identifier: MIT OR Apache-2.0
//! Size of the stage, and the widths derived from it.

use super::kinds::KeyKinds;
use rtl_model::{Bits, Shape, bits, index_width};

/// Number of sub-tables: with four places per key, random keys can fill 97 % of the rows.
pub const SUB_TABLES: usize = 4;
/// Number of places in the stash (row C11).
pub const STASH: usize = 4;
/// Most keys that one placement moves (row C12).
pub const MAX_MOVES: u64 = 64;
/// Bits per word of a wide key.
pub const WORD: u32 = 64;

/// Size of the stage `context_lookup`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContextLookupConfig {
    /// Number of contexts, 2 to 16384.
    pub entries: u64,
    /// The kinds of key.
    pub kinds: KeyKinds,
    /// Latency of the memories in clock cycles, 1 to 3.
    pub ram_latency: u32,
}

impl ContextLookupConfig {
    /// Rows per sub-table: `entries` are at most 90 % of the rows of all sub-tables.
    pub const fn rows(self) -> u64 {
        let rows = (5 * self.entries).div_ceil(18).next_power_of_two();
        if rows < 8 { 8 } else { rows }
    }

    /// Clock cycles from a look-up to its answer (row C1).
    pub const fn answer_latency(self) -> u32 {
        self.ram_latency + 3
    }

    /// Clock cycles from a command to its response (row C5).
    pub const fn response_latency(self) -> u32 {
        self.ram_latency + 4
    }

    /// Shape of the number of a row.
    pub(super) const fn row(self) -> Bits<Shape> {
        bits(self.rows().ilog2())
    }

    /// Shape of the index of a context.
    pub(crate) const fn index(self) -> Bits<Shape> {
        bits(index_width(self.entries))
    }

    /// Shape of the lowest word of a key.
    pub(super) const fn low_word(self) -> Bits<Shape> {
        let width = self.kinds.key_width();
        bits(if width < WORD { width } else { WORD })
    }

    /// Shape of one of the other three words of a key, if there are any.
    pub(super) fn high_word(self) -> Option<Bits<Shape>> {
        self.kinds.elab.then_some(bits(WORD))
    }

    /// Part of the module name: contexts and kinds.
    pub(super) fn suffix(self) -> String {
        format!("e{}{}", self.entries, self.kinds.letters())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: KeyKinds = KeyKinds { rocev2: true, uet: true, elab: true };

    #[test]
    fn at_most_nine_tenths_of_the_rows_are_used() {
        for entries in 2..=16_384 {
            let rows = ContextLookupConfig { entries, kinds: ALL, ram_latency: 2 }.rows();
            assert!(rows.is_power_of_two() && 18 * rows >= 5 * entries, "{entries}: {rows}");
            assert!(rows == 8 || 9 * rows < 5 * entries, "{entries}: {rows} are too many");
        }
    }

    #[test]
    fn a_kind_that_is_not_included_takes_no_bits() {
        let widths = |rocev2, uet, elab| {
            let kinds = KeyKinds { rocev2, uet, elab };
            (kinds.key_width(), kinds.stored_code_width())
        };
        assert_eq!(widths(true, false, false), (24, 0));
        assert_eq!(widths(false, true, false), (17, 0));
        assert_eq!(widths(true, true, false), (24, 1));
        assert_eq!(widths(false, true, true), (256, 1));
        assert_eq!(widths(true, true, true), (256, 2));
    }
}
