// SPDX-License-Identifier: MIT OR Apache-2.0
//! Size of the stage, the kinds of key that it stores, and the widths derived from them.

use super::ports::kind;
use super::records::{Entry, Key};
use crate::headers::protocols::Protocols;
use rtl_model::{Bits, Shape, bits, index_width};

/// Number of sub-tables: with four places per key, random keys can fill 97 % of the rows.
pub const SUB_TABLES: usize = 4;
/// Number of places in the stash (row C11).
pub const STASH: usize = 4;
/// Most keys that one placement moves (row C12).
pub const MAX_MOVES: u64 = 64;
/// Bits per word of a wide key.
pub const WORD: u32 = 64;

/// The kinds of key that are included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyKinds {
    /// Destination QP of RoCEv2, 24 bits.
    pub rocev2: bool,
    /// PDC identifier of UET with its direction, 17 bits.
    pub uet: bool,
    /// Source and destination address of ELAB, 256 bits.
    pub elab: bool,
}

impl KeyKinds {
    /// The kinds for these protocols; RoCEv2 if there is none.
    pub const fn of(protocols: &Protocols) -> Self {
        let Protocols { rocev2, uet, elab, .. } = *protocols;
        KeyKinds { rocev2: rocev2 || !(uet || elab), uet, elab }
    }

    /// The codes of the included kinds, in ascending order.
    pub fn codes(self) -> Vec<u64> {
        let all = [(self.rocev2, kind::ROCEV2), (self.uet, kind::UET), (self.elab, kind::ELAB)];
        all.into_iter().filter_map(|(included, code)| included.then_some(code)).collect()
    }

    /// Width of a key in bits.
    pub const fn key_width(self) -> u32 {
        match self {
            KeyKinds { elab: true, .. } => 256,
            KeyKinds { rocev2: true, .. } => 24,
            _ => 17,
        }
    }

    /// Width of the code that is stored, which distinguishes the included kinds only; 0 if there is one.
    pub fn stored_code_width(self) -> u32 {
        self.codes().len() as u32 - 1
    }

    /// Part of a module name.
    fn letters(self) -> String {
        let all = [(self.rocev2, "r"), (self.uet, "u"), (self.elab, "e")];
        all.into_iter().filter_map(|(included, letter)| included.then_some(letter)).collect()
    }
}

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

    /// Shape of a stored key.
    pub(super) fn key(self) -> Key<Shape> {
        let width = self.kinds.stored_code_width();
        Key {
            kind: (width > 0).then(|| bits(width)),
            low: self.low_word(),
            high: self.high_word().map(|word| [word; 3]),
        }
    }

    /// Shape of a row of a sub-table.
    pub(super) fn entry(self) -> Entry<Shape> {
        Entry { valid: bits(1), key: self.key(), index: self.index() }
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
