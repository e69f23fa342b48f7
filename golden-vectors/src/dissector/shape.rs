// SPDX-License-Identifier: MIT OR Apache-2.0
//! A header of `wire` as the script sees it: which bytes each field is cut from, and with which mask.

use crate::headers::codec::is_reserved;
use crate::headers::{Layout, Number};

/// One header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// Its key in the script's table of headers.
    pub name: &'static str,
    /// What the names of its fields begin with: the object of `replay --json`.
    pub object: &'static str,
    /// The fields, from the first on the wire to the last.
    pub fields: Vec<Field>,
}

/// One field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    /// Its name in the object.
    pub name: &'static str,
    /// Width in bits.
    pub width: u32,
    /// Whether it is in two's complement.
    pub signed: bool,
    /// Whether it ought to be 0.
    pub reserved: bool,
    /// Its first bit, counted from the front of the header.
    pub bit: u32,
}

impl Shape {
    /// The header `H`.
    pub fn of<H: Layout>(name: &'static str, object: &'static str) -> Self {
        let zeros = vec![0; H::LEN];
        let numbers = H::read(&zeros).map(|header| header.numbers()).unwrap_or_default();
        let signed = numbers.iter().map(|number| matches!(number, Number::Signed(_)));
        Self::new(
            name,
            object,
            H::fields().into_iter().zip(signed).map(|((name, width), signed)| (name, width, signed)),
        )
    }

    /// A header that `wire` leaves opaque: names and widths.
    pub fn plain(name: &'static str, object: &'static str, fields: &[(&'static str, u32)]) -> Self {
        Self::new(name, object, fields.iter().map(|&(name, width)| (name, width, false)))
    }

    fn new(name: &'static str, object: &'static str, fields: impl Iterator<Item = (&'static str, u32, bool)>) -> Self {
        let mut bit = 0;
        let fields = fields.map(|(name, width, signed)| {
            let field = Field { name, width, signed, reserved: is_reserved(object, name), bit };
            bit += width;
            field
        });
        Self { name, object, fields: fields.collect() }
    }

    /// Length in bytes.
    pub fn bytes(&self) -> u32 {
        self.fields.iter().map(|field| field.width).sum::<u32>() / 8
    }
}

impl Field {
    /// The first of the bytes that it lies in.
    pub fn at(&self) -> u32 {
        self.bit / 8
    }

    /// The number of the bytes that it lies in.
    pub fn len(&self) -> u32 {
        (self.bit + self.width).div_ceil(8) - self.at()
    }

    /// Its first bit, counted from the front of those bytes.
    pub fn shift(&self) -> u32 {
        self.bit - self.at() * 8
    }

    /// Its bits in those bytes; `None` if it is all of them.
    pub fn mask(&self) -> Option<u64> {
        let below = self.len() * 8 - self.shift() - self.width;
        (self.width < self.len() * 8).then(|| ((1 << self.width) - 1) << below)
    }
}
