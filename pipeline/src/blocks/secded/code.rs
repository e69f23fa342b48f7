// SPDX-License-Identifier: MIT OR Apache-2.0
//! The code of a word: an extended Hamming code with columns of odd weight (M. Y. Hsiao, 1970).
//!
//! The parity-check matrix has a row per check bit and a column per bit of the word. The columns of the check bits have
//! weight 1, those of the data bits odd weights from 3 on, all of them different. The syndrome of one flipped bit is its
//! column, of odd weight; that of two flipped bits is the sum of two different columns, not 0 and of even weight. So two are
//! never taken for one.
//!
//! Columns of weight 3 are used before those of weight 5 and so on, and of the columns of a weight those that keep the
//! rows of the matrix about equally long, within two: that gives small and flat trees of exclusive ors. A word of 64 data bits has
//! 8 check bits, and 26 data bits in each row.

use rtl_model::{Bits, Linear, Logic, Table};

/// Most data bits of a word. With 64 a word has 72 bits, twice the width of a block RAM.
pub const WORD_WIDTH: u32 = 64;

/// Check bits of a word of this many data bits: the least that have enough columns of odd weight.
pub const fn check_bits(data_bits: u32) -> u32 {
    let mut check = 3;
    // Half of the columns have odd weight, and one per check bit has weight 1.
    while (1 << (check - 1)) - check < data_bits {
        check += 1;
    }
    check
}

/// The code of words of one width.
#[derive(Clone, Debug)]
pub struct Code {
    data_bits: u32,
    check_bits: u32,
    columns: Vec<u32>,
    check: Linear,
    /// By syndrome: the data bit that has flipped, if it is one.
    flipped: Table,
    /// By syndrome: bit 0 if one bit of the word has flipped, bit 1 if it is an error of more bits.
    kinds: Table,
}

impl Code {
    /// The code of words of 1 to 64 data bits.
    #[track_caller]
    pub fn new(data_bits: u32) -> Self {
        assert!((1..=WORD_WIDTH).contains(&data_bits), "a word has 1 to {WORD_WIDTH} data bits, not {data_bits}");
        let check_bits = check_bits(data_bits);
        let columns = columns(data_bits, check_bits);
        let syndromes = 0..1_u32 << check_bits;
        let bit_of = |syndrome: u32| columns.iter().position(|column| *column == syndrome);
        let kind = |syndrome: u32| match syndrome {
            0 => 0,
            _ if syndrome.is_power_of_two() || bit_of(syndrome).is_some() => 1,
            _ => 2,
        };
        let name = |what: &str| format!("{what}_{data_bits}");
        Code {
            data_bits,
            check_bits,
            check: Linear::new(&columns).named(&name("check_bits")),
            flipped: Table::new(data_bits, syndromes.clone().map(|s| bit_of(s).map_or(0, |bit| 1 << bit)))
                .named(&name("flipped")),
            kinds: Table::new(2, syndromes.map(kind)).named(&name("error_kind")),
            columns,
        }
    }

    /// Data bits of a word.
    pub fn data_bits(&self) -> u32 {
        self.data_bits
    }

    /// Check bits of a word.
    pub fn check_bits(&self) -> u32 {
        self.check_bits
    }

    /// Columns of the parity-check matrix for the data bits, the lowest first; bit `i` is that of row `i`. The column of
    /// check bit `i` has a 1 in row `i` alone.
    pub fn columns(&self) -> &[u32] {
        &self.columns
    }

    /// The check bits of these data.
    pub fn check<L: Logic>(&self, data: Bits<L>) -> Bits<L> {
        data.linear(&self.check).truncate(self.check_bits)
    }

    /// The syndrome of a word: 0 if no bit has flipped.
    pub fn syndrome<L: Logic>(&self, data: Bits<L>, check: Bits<L>) -> Bits<L> {
        self.check(data) ^ check
    }

    /// The data as they were written, if at most one bit has flipped.
    pub fn corrected<L: Logic>(&self, data: Bits<L>, syndrome: Bits<L>) -> Bits<L> {
        data ^ syndrome.look_up(&self.flipped)
    }

    /// Whether one bit has flipped, and whether it is an error that cannot be corrected. Of an odd number of flipped bits
    /// above one, some look like one.
    pub fn kind<L: Logic>(&self, syndrome: Bits<L>) -> (Bits<L>, Bits<L>) {
        let kind = syndrome.look_up(&self.kinds);
        (kind.bit(0), kind.bit(1))
    }
}

/// The columns of the data bits.
fn columns(data_bits: u32, check_bits: u32) -> Vec<u32> {
    let mut columns = Vec::new();
    let mut lengths = vec![0_u32; check_bits as usize];
    for weight in (3..=check_bits).step_by(2) {
        let mut left: Vec<u32> = (0..1 << check_bits).filter(|column: &u32| column.count_ones() == weight).collect();
        while !left.is_empty() && columns.len() < data_bits as usize {
            // The column whose rows are the shortest; of several the lowest.
            let load = |column: u32| -> u32 {
                lengths.iter().enumerate().filter(|(row, _)| column >> row & 1 == 1).map(|(_, length)| length).sum()
            };
            let next = (0..left.len()).min_by_key(|&i| (load(left[i]), left[i])).unwrap_or(0);
            let column = left.remove(next);
            lengths.iter_mut().enumerate().for_each(|(row, length)| *length += column >> row & 1);
            columns.push(column);
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_differ_have_odd_weight_and_fill_rows_within_two() {
        for data_bits in 1..=WORD_WIDTH {
            let code = Code::new(data_bits);
            let columns = code.columns();
            assert_eq!(columns.len(), data_bits as usize);
            let mut sorted = columns.to_vec();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), columns.len(), "{data_bits}: a column twice");
            assert!(columns.iter().all(|column| column.count_ones() % 2 == 1 && column.count_ones() >= 3));
            let row = |row: u32| columns.iter().filter(|column| *column >> row & 1 == 1).count();
            let rows: Vec<_> = (0..code.check_bits()).map(row).collect();
            let (least, most) = (rows.iter().min(), rows.iter().max());
            assert!(most.zip(least).is_some_and(|(most, least)| most - least <= 2), "{data_bits}: {rows:?}");
        }
    }

    #[test]
    fn check_bits_are_those_of_the_known_codes() {
        // Largest widths with 3 to 7 check bits, and (72,64).
        let widths = [(1, 3), (2, 4), (4, 4), (5, 5), (11, 5), (12, 6), (26, 6), (27, 7), (57, 7), (58, 8), (64, 8)];
        for (data_bits, check) in widths {
            assert_eq!(check_bits(data_bits), check, "{data_bits}");
        }
        let row = |row: u32| Code::new(64).columns().iter().filter(|column| *column >> row & 1 == 1).count();
        assert_eq!((0..8).map(row).collect::<Vec<_>>(), [26; 8]);
    }
}
