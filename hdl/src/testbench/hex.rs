// SPDX-License-Identifier: MIT OR Apache-2.0
//! Items as lines for `$readmemh`, the first field in the highest bits.

use super::{Expected, Item, Stream, TestbenchError};

/// The value needs no more bits than `width`.
pub fn fits(port: &str, item: usize, value: &[u64], width: u32) -> Result<(), TestbenchError> {
    let needed = value.iter().rposition(|&limb| limb != 0).map_or(0, |i| 64 * (i as u64 + 1));
    let spare = value.iter().rfind(|&&limb| limb != 0).map_or(0, |limb| limb.leading_zeros() as u64);
    if needed - spare <= width as u64 {
        Ok(())
    } else {
        Err(TestbenchError::TooWide { port: port.to_owned(), item, width })
    }
}

/// Bits, lowest first.
#[derive(Default)]
pub struct Bits(Vec<bool>);

impl Bits {
    pub fn push(&mut self, value: &[u64], width: u32) {
        let bit = |i: u32| value.get((i / 64) as usize).is_some_and(|limb| limb >> (i % 64) & 1 == 1);
        self.0.extend((0..width).map(bit));
    }

    pub fn hex(&self) -> String {
        let digit = |bits: &[bool]| bits.iter().rev().fold(0, |value, &bit| value << 1 | bit as u32);
        self.0.chunks(4).rev().map(|bits| char::from_digit(digit(bits), 16).unwrap_or('0')).collect()
    }
}

/// A value as a Verilog literal.
pub fn literal(value: &[u64], width: u32) -> String {
    let mut bits = Bits::default();
    bits.push(value, width);
    format!("{width}'h{}", bits.hex())
}

fn count(stream: &Stream, item: usize, found: usize) -> Result<(), TestbenchError> {
    let expected = stream.fields.len();
    if found == expected {
        Ok(())
    } else {
        Err(TestbenchError::FieldCount { stream: stream.name.clone(), item, found, expected })
    }
}

/// One line an item.
pub fn items<'a>(stream: &Stream, items: impl Iterator<Item = &'a Item>) -> Result<String, TestbenchError> {
    let mut text = String::new();
    for (i, item) in items.enumerate() {
        count(stream, i, item.fields.len())?;
        let mut bits = Bits::default();
        for (field, value) in stream.fields.iter().zip(&item.fields).rev() {
            fits(&field.port, i, value, field.width)?;
            bits.push(value, field.width);
        }
        if stream.fields.is_empty() {
            bits.push(&[0], 1);
        }
        text.push_str(&bits.hex());
        text.push('\n');
    }
    Ok(text)
}

/// One line an item: mask above value.
pub fn expected<'a>(stream: &Stream, items: impl Iterator<Item = &'a Expected>) -> Result<String, TestbenchError> {
    let mut text = String::new();
    for (i, item) in items.enumerate() {
        count(stream, i, item.fields.len())?;
        let mut bits = Bits::default();
        for (field, (value, _)) in stream.fields.iter().zip(&item.fields).rev() {
            fits(&field.port, i, value, field.width)?;
            bits.push(value, field.width);
        }
        if stream.fields.is_empty() {
            bits.push(&[0], 1);
        }
        for (field, (_, mask)) in stream.fields.iter().zip(&item.fields).rev() {
            fits(&field.port, i, mask, field.width)?;
            bits.push(mask, field.width);
        }
        if stream.fields.is_empty() {
            bits.push(&[0], 1);
        }
        text.push_str(&bits.hex());
        text.push('\n');
    }
    Ok(text)
}
