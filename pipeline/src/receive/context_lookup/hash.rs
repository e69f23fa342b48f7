// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rows of a key: its remainders by four polynomials over GF(2), of the key and the code of its kind at bit 256.
//!
//! A remainder is the exclusive or of one constant for each bit that is 1 (H3). With constants that are powers of x, any
//! run of keys with a step that is a power of two meets all rows of a sub-table equally often. Constants drawn at random
//! leave half of the rows of a sub-table unused by such a run as often as not.

use super::config::{ContextLookupConfig, SUB_TABLES, WORD};
use super::kinds::KeyKinds;
use super::records::Key;
use rtl_model::{Bits, Linear, Logic, name_nets};

/// The polynomials of sub-tables of 8, 16 and so on to 8192 rows. No sum of small multiples of them is 0, else a run of
/// keys falls apart into sets that have few rows in common with others.
const POLYNOMIALS: [[u32; SUB_TABLES]; 11] = [
    [0xF, 0xD, 0xB, 0x9],
    [0x1F, 0x19, 0x15, 0x13],
    [0x3D, 0x37, 0x29, 0x25],
    [0x75, 0x6D, 0x5B, 0x49],
    [0xFD, 0xD5, 0xBF, 0x9D],
    [0x1F9, 0x1BD, 0x17B, 0x12D],
    [0x3FB, 0x37F, 0x2F9, 0x26F],
    [0x7FF, 0x6FD, 0x5F7, 0x4E7],
    [0xFFB, 0xDFF, 0xBED, 0x9D9],
    [0x1FFF, 0x1BFD, 0x17DF, 0x13F5],
    [0x3FFD, 0x37F3, 0x2FF5, 0x27B9],
];
/// Where the code of the kind begins.
const KIND_BIT: u32 = 256;
/// Two rows are the lower and the upper half of one map.
const HALF: u32 = 16;

/// Remainder of a power of x.
fn power_of_x(exponent: u32, polynomial: u32) -> u32 {
    let degree = polynomial.ilog2();
    (0..exponent).fold(1, |power, _| {
        let next = power << 1;
        if next >> degree & 1 == 1 { next ^ polynomial } else { next }
    })
}

/// The four row numbers of keys.
pub struct RowHash {
    width: u32,
    /// For each word of a key, the maps to the rows of sub-tables 0 and 1, 2 and 3.
    words: Vec<[Linear; 2]>,
    /// The same for the stored code of the kind.
    kind: Option<[Linear; 2]>,
    /// What every key has for the lowest of the kinds.
    base: [u64; SUB_TABLES],
}

impl RowHash {
    /// The row numbers for this size.
    pub fn new(config: ContextLookupConfig) -> Self {
        let width = config.row().bits();
        let polynomials = POLYNOMIALS[width as usize - 3];
        // The image of a bit in two sub-tables, whose number in the key is given.
        let image = |pair: usize, exponents: &[u32]| {
            let row = |polynomial| exponents.iter().fold(0, |sum, at| sum ^ power_of_x(*at, polynomial));
            row(polynomials[2 * pair]) | row(polynomials[2 * pair + 1]) << HALF
        };
        let maps = |name: &str, columns: &[Vec<u32>]| {
            [0, 1].map(|pair| {
                let images: Vec<_> = columns.iter().map(|exponents| image(pair, exponents)).collect();
                Linear::new(&images).named(&format!("rows_{}_{}_of_{name}", 2 * pair, 2 * pair + 1))
            })
        };
        let key_width = config.kinds.key_width();
        let words = (0..key_width.div_ceil(WORD)).map(|word| {
            let columns: Vec<_> = (word * WORD..key_width.min((word + 1) * WORD)).map(|at| vec![at]).collect();
            maps(&format!("word_{word}"), &columns)
        });
        let words = words.collect();
        let (base, columns) = kind_bits(config.kinds);
        let kind = (!columns.is_empty()).then(|| maps("kind", &columns));
        let base =
            polynomials.map(|polynomial| base.iter().fold(0, |sum, at| sum ^ u64::from(power_of_x(*at, polynomial))));
        RowHash { width, words, kind, base }
    }
}

/// The bits that are 1 for the lowest of the kinds, and those that change with each bit of the stored code.
fn kind_bits(kinds: KeyKinds) -> (Vec<u32>, Vec<Vec<u32>>) {
    let bits = |code: u64| (0..2).filter(|bit| code >> bit & 1 == 1).map(|bit| KIND_BIT + bit).collect::<Vec<_>>();
    match *kinds.codes() {
        [low, high] => (bits(low), vec![bits(low ^ high)]),
        [low, _, _] => (bits(low), vec![vec![KIND_BIT], vec![KIND_BIT + 1]]),
        [only] => (bits(only), Vec::new()),
        _ => (Vec::new(), Vec::new()),
    }
}

#[name_nets]
impl RowHash {
    /// The row of a key in each sub-table.
    pub fn rows<L: Logic>(&self, key: Key<L>) -> [Bits<L>; SUB_TABLES] {
        let words = key.words();
        let remainders = |pair: usize| {
            let mut remainders = words[0].linear(&self.words[0][pair]);
            for (word, maps) in words.iter().zip(&self.words).skip(1) {
                remainders = remainders ^ word.linear(&maps[pair]);
            }
            if let (Some(kind), Some(maps)) = (key.kind, &self.kind) {
                remainders = remainders ^ kind.linear(&maps[pair]);
            }
            remainders
        };
        let pairs = [remainders(0), remainders(1)];
        let row = |table: usize| {
            let row = pairs[table / 2].slice(HALF * (table as u32 % 2), self.width);
            if self.base[table] == 0 { row } else { row ^ self.base[table] }
        };
        [row(0), row(1), row(2), row(3)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtl_model::Model;

    fn remainder(dividend: u32, divisor: u32) -> u32 {
        let mut rest = dividend;
        while rest != 0 && rest.ilog2() >= divisor.ilog2() {
            rest ^= divisor << (rest.ilog2() - divisor.ilog2());
        }
        rest
    }

    fn irreducible(polynomial: u32) -> bool {
        (2..1 << (polynomial.ilog2() / 2 + 1)).all(|divisor| remainder(polynomial, divisor) != 0)
    }

    #[test]
    fn the_polynomials_are_those_of_the_contract() {
        for (degree, polynomials) in (3..).zip(POLYNOMIALS) {
            assert!(polynomials.iter().all(|polynomial| polynomial.ilog2() == degree && polynomial & 1 == 1));
            if degree >= 5 {
                let below = |table: u32, polynomial: u32| polynomial < (8 - table) << degree >> 2;
                assert!((0..).zip(polynomials).all(|(table, polynomial)| below(table, polynomial)));
                assert!(polynomials.is_sorted_by(|a, b| a > b) && polynomials.into_iter().all(irreducible));
            }
        }
    }

    fn rows(kinds: KeyKinds, kind: Option<u64>, low: u64, high: Option<[u64; 3]>) -> [u64; 4] {
        let config = ContextLookupConfig { entries: 256, kinds, ram_latency: 2 };
        let key = Key::<Model> {
            kind: kind.map(|kind| Bits::lit(kinds.stored_code_width(), kind)),
            low: Bits::lit(config.low_word().bits(), low),
            high: high.map(|words| words.map(|word| Bits::lit(WORD, word))),
        };
        RowHash::new(config).rows(key).map(Bits::value)
    }

    #[test]
    fn the_examples_of_the_contract() {
        let [qp, pdc, pair] = [[122, 56, 80, 118], [121, 99, 92, 86], [9, 54, 28, 79]];
        let (qp_key, pdc_key) = (0x000A_0102, 0x1ABCD);
        let (low, high) = (0xFE, [0xFD00_0000_0000_0000, 1, 0xFD00_0000_0000_0000]);
        let none = Some([0; 3]);
        let kinds = |rocev2, uet, elab| KeyKinds { rocev2, uet, elab };
        assert_eq!(rows(kinds(true, false, false), None, qp_key, None), qp);
        assert_eq!(rows(kinds(false, true, false), None, pdc_key, None), pdc);
        assert_eq!(rows(kinds(false, false, true), None, low, Some(high)), pair);
        assert_eq!(rows(kinds(true, true, false), Some(0), qp_key, None), qp);
        assert_eq!(rows(kinds(true, true, false), Some(1), pdc_key, None), pdc);
        assert_eq!(rows(kinds(false, true, true), Some(0), pdc_key, none), pdc);
        assert_eq!(rows(kinds(false, true, true), Some(1), low, Some(high)), pair);
        assert_eq!(rows(kinds(true, false, true), Some(0), qp_key, none), qp);
        assert_eq!(rows(kinds(true, false, true), Some(1), low, Some(high)), pair);
        for (kind, low, high, expected) in [(0, qp_key, none, qp), (1, pdc_key, none, pdc), (2, low, Some(high), pair)]
        {
            assert_eq!(rows(kinds(true, true, true), Some(kind), low, high), expected);
        }
    }
}
