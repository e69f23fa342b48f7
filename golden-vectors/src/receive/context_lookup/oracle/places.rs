// SPDX-License-Identifier: MIT OR Apache-2.0
//! In which rows a key can be.

use super::Key;

/// Number of sub-tables.
pub const SUB_TABLES: usize = 4;

/// The row of a key in each sub-table.
pub type Rows = [usize; SUB_TABLES];

/// The polynomials *p* of the contract, for 8 rows, 16, and so on.
const POLYNOMIALS: [Rows; 11] = [
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

/// The number of the highest bit of the kind, and one.
const TERMS: usize = 256 + 2;

/// The remainders of all powers of *x* that a key can have. The remainder of a sum is the sum of the remainders.
#[derive(Clone, Debug)]
pub struct Places {
    polynomials: Rows,
    powers: Vec<Rows>,
}

impl Places {
    /// For sub-tables of so many rows, a power of two from 8 to 8192.
    #[must_use]
    pub fn new(rows: u64) -> Self {
        let polynomials = POLYNOMIALS[rows.ilog2() as usize - 3];
        let times_x = |power: &Rows| {
            let mut next = power.map(|remainder| remainder << 1);
            for (remainder, polynomial) in next.iter_mut().zip(polynomials) {
                if *remainder >= rows as usize {
                    *remainder ^= polynomial;
                }
            }
            Some(next)
        };
        let powers = std::iter::successors(Some([1; SUB_TABLES]), times_x).take(TERMS).collect();
        Places { polynomials, powers }
    }

    /// *h* of each sub-table.
    #[must_use]
    pub fn of(&self, key: Key) -> Rows {
        let mut rows = [0; SUB_TABLES];
        let words = (0..).zip(key.words).chain([(4, key.kind)]);
        for (word, mut bits) in words {
            while bits != 0 {
                let power = self.powers[64 * word + bits.trailing_zeros() as usize];
                bits &= bits - 1;
                rows.iter_mut().zip(power).for_each(|(row, remainder)| *row ^= remainder);
            }
        }
        rows
    }

    /// The polynomials, each as a number.
    #[must_use]
    pub const fn polynomials(&self) -> Rows {
        self.polynomials
    }
}
