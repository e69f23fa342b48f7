// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions that are data: constants by an index ([`Table`]), and exclusive ors of chosen bits ([`Linear`]).
//!
//! Both are computed once, in plain Rust, when a stage is built. The models look their values up; the Verilog has a
//! function for each, and the hardware is a tree of multiplexers or of exclusive ors.

use crate::ops::clog2;

/// A constant for every value of an index.
///
/// ```
/// use rtl_model::Table;
///
/// let squares = Table::new(8, (0..5).map(|x| x * x));
/// assert_eq!((squares.index_width(), squares.at(3), squares.at(6)), (3, 9, 0));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    name: Option<String>,
    width: u32,
    values: Vec<u64>,
}

impl Table {
    /// Values of `width` bits (at most 64), cut to that width. After the last value come zeros, up to a power of two.
    pub fn new(width: u32, values: impl IntoIterator<Item = u64>) -> Self {
        let width = width.clamp(1, 64);
        let mut values: Vec<_> = values.into_iter().map(|value| value & (!0 >> (64 - width))).collect();
        values.resize(values.len().next_power_of_two().max(2), 0);
        Table { name: None, width, values }
    }

    /// Gives its function a name.
    pub fn named(mut self, name: &str) -> Self {
        self.name = Some(name.to_owned());
        self
    }

    /// Its name, if it has one.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Bits of a value.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Bits of the index.
    pub fn index_width(&self) -> u32 {
        clog2(self.values.len() as u64)
    }

    /// The values, as many as indices.
    pub fn values(&self) -> &[u64] {
        &self.values
    }

    /// The value at an index; 0 beyond the last.
    pub fn at(&self, index: u64) -> u64 {
        self.values.get(index as usize).copied().unwrap_or(0)
    }
}

/// A linear map over GF(2) from at most 64 bits to 32: the image of a sum (an exclusive or) is the sum of the images.
///
/// ```
/// use rtl_model::Linear;
///
/// let reversed = Linear::new(&[0b100, 0b010, 0b001]);
/// assert_eq!(reversed.of(0b110), 0b011);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linear {
    name: Option<String>,
    columns: Vec<u32>,
    /// Images of the values of each byte.
    bytes: Vec<[u32; 256]>,
}

impl Linear {
    /// The map with `columns[i]` as the image of bit `i`; columns beyond 64 are ignored.
    pub fn new(columns: &[u32]) -> Self {
        let columns: Vec<_> = columns.iter().copied().take(64).collect();
        let image = |columns: &[u32], value: usize| {
            let chosen = columns.iter().enumerate().filter(|(i, _)| value >> i & 1 == 1);
            chosen.fold(0, |sum, (_, column)| sum ^ column)
        };
        let bytes = columns.chunks(8).map(|byte| std::array::from_fn(|value| image(byte, value))).collect();
        Linear { name: None, columns, bytes }
    }

    /// Gives its function a name.
    pub fn named(mut self, name: &str) -> Self {
        self.name = Some(name.to_owned());
        self
    }

    /// Its name, if it has one.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// For each byte of the operand, the lowest first, the image of each of its values.
    pub fn bytes(&self) -> &[[u32; 256]] {
        &self.bytes
    }

    /// Bits that go in.
    pub fn width(&self) -> u32 {
        self.columns.len() as u32
    }

    /// The bits that output bit `row` is the exclusive or of.
    pub fn row(&self, row: u32) -> u64 {
        let bit = |(i, column): (usize, &u32)| u64::from(column >> row & 1) << i;
        self.columns.iter().enumerate().map(bit).fold(0, |all, bit| all | bit)
    }

    /// The image of a value.
    pub fn of(&self, value: u64) -> u32 {
        let mut rest = value;
        self.bytes.iter().fold(0, |sum, byte| {
            let image = byte[(rest & 0xFF) as usize];
            rest >>= 8;
            sum ^ image
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_and_bytes_say_the_same(columns in proptest::collection::vec(any::<u32>(), 1..65), value: u64) {
            let map = Linear::new(&columns);
            let value = value & (!0 >> (64 - columns.len()));
            let by_rows = (0..32).fold(0, |image, row| image | ((map.row(row) & value).count_ones() & 1) << row);
            prop_assert_eq!(map.of(value), by_rows);
        }
    }
}
