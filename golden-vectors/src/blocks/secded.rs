// SPDX-License-Identifier: MIT OR Apache-2.0
//! The code of protected memories, from `docs/blocks.md` alone: which words are written, and what a decoder must say of a
//! word that is read.
//!
//! The decoder is a plain one: it flips every bit of the word and looks whether that makes a word that could have been
//! written.

/// What a word that has been read is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decoded {
    /// As it was written.
    Clean(u64),
    /// With one flipped bit, anywhere in the word: the data as they were written.
    Corrected(u64),
    /// With more: the data as they were read.
    Uncorrectable(u64),
}

/// The code for one number of data bits. A word has them in its low bits, and its check bits above.
#[derive(Clone, Debug)]
pub struct Secded {
    data_bits: u32,
    check_bits: u32,
    /// For each check bit, the data bits whose sum it is.
    sums: Vec<u64>,
}

impl Secded {
    /// The code for 1 to 64 data bits.
    pub fn new(data_bits: u32) -> Self {
        // 2^(r - 1) columns of r bits are odd, and r of them belong to the check bits.
        let check_bits = (3..=8).find(|r| (1_u32 << (r - 1)) >= data_bits + r).unwrap_or(8);
        let mut sums = vec![0_u64; check_bits as usize];
        let mut free: Vec<u32> =
            (1..1 << check_bits).filter(|c: &u32| c.count_ones() % 2 == 1 && !c.is_power_of_two()).collect();
        for bit in 0..data_bits {
            let ones = |column: u32| -> u32 {
                (0..check_bits).filter(|i| column >> i & 1 == 1).map(|i| sums[i as usize].count_ones()).sum()
            };
            let Some(&best) = free.iter().min_by_key(|&&column| (column.count_ones(), ones(column), column)) else {
                break;
            };
            free.retain(|&column| column != best);
            (0..check_bits).filter(|i| best >> i & 1 == 1).for_each(|i| sums[i as usize] |= 1 << bit);
        }
        Secded { data_bits, check_bits, sums }
    }

    /// Number of check bits.
    pub fn check_bits(&self) -> u32 {
        self.check_bits
    }

    /// The word for these data.
    pub fn word(&self, data: u64) -> u128 {
        let parity = |sum: &u64| u128::from((data & sum).count_ones() % 2);
        let check = self.sums.iter().rev().fold(0, |check, sum| check << 1 | parity(sum));
        check << self.data_bits | u128::from(data)
    }

    /// What a word is.
    pub fn decode(&self, word: u128) -> Decoded {
        let data = |word: u128| (word & ((1 << self.data_bits) - 1)) as u64;
        let written = |word: u128| self.word(data(word)) == word;
        if written(word) {
            return Decoded::Clean(data(word));
        }
        let mut near = (0..self.data_bits + self.check_bits).map(|bit| word ^ 1 << bit).filter(|word| written(*word));
        near.next().map_or(Decoded::Uncorrectable(data(word)), |word| Decoded::Corrected(data(word)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The property that the code is for, for every width: no two words are nearer than four bits.
    #[test]
    fn one_flipped_bit_is_corrected_and_two_are_detected() {
        let (mut singles, mut pairs) = (0_u64, 0_u64);
        for data_bits in 1..=64 {
            let code = Secded::new(data_bits);
            let data = 0x9E37_79B9_7F4A_7C15 >> (64 - data_bits);
            let (word, width) = (code.word(data), data_bits + code.check_bits());
            assert_eq!(code.decode(word), Decoded::Clean(data));
            for a in 0..width {
                assert_eq!(code.decode(word ^ 1 << a), Decoded::Corrected(data), "{data_bits}: bit {a}");
                singles += 1;
                for b in 0..a {
                    let decoded = code.decode(word ^ 1 << a ^ 1 << b);
                    assert!(matches!(decoded, Decoded::Uncorrectable(_)), "{data_bits}: bits {a} and {b}");
                    pairs += 1;
                }
            }
        }
        assert!(singles > 2400 && pairs > 50_000, "{singles} {pairs}");
    }
}
