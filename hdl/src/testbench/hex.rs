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

/// Bits in words, lowest first, and their number.
#[derive(Default)]
pub struct Bits {
    words: Vec<u64>,
    width: u32,
}

impl Bits {
    /// Appends a value above the bits so far.
    pub fn push(&mut self, value: &[u64], width: u32) {
        for at in (0..width).step_by(64) {
            let count = (width - at).min(64);
            let limb = value.get((at / 64) as usize).copied().unwrap_or(0) & (u64::MAX >> (64 - count));
            let used = self.width % 64;
            match self.words.last_mut().filter(|_| used != 0) {
                Some(last) => {
                    *last |= limb << used;
                    if used + count > 64 {
                        self.words.push(limb >> (64 - used));
                    }
                }
                None => self.words.push(limb),
            }
            self.width += count;
        }
    }

    /// Writes them, the highest first.
    pub fn write_hex(&self, text: &mut String) {
        let digit = |i: u32| (self.words[(i / 16) as usize] >> (4 * (i % 16)) & 15) as u32;
        text.extend((0..self.width.div_ceil(4)).rev().filter_map(|i| char::from_digit(digit(i), 16)));
    }
}

/// A value as a Verilog literal.
pub fn literal(value: &[u64], width: u32) -> String {
    let mut bits = Bits::default();
    bits.push(value, width);
    let mut text = format!("{width}'h");
    bits.write_hex(&mut text);
    text
}

fn count(stream: &Stream, item: usize, found: usize) -> Result<(), TestbenchError> {
    let expected = stream.fields().len();
    if found == expected {
        Ok(())
    } else {
        Err(TestbenchError::FieldCount { stream: stream.name().to_owned(), item, found, expected })
    }
}

/// One line per item.
pub fn items<'a>(stream: &Stream, items: impl Iterator<Item = &'a Item>) -> Result<String, TestbenchError> {
    let mut text = String::new();
    for (i, item) in items.enumerate() {
        count(stream, i, item.fields.len())?;
        let mut bits = Bits::default();
        for (field, value) in stream.fields().iter().zip(&item.fields).rev() {
            fits(&field.port, i, value, field.width)?;
            bits.push(value, field.width);
        }
        if stream.fields().is_empty() {
            bits.push(&[0], 1);
        }
        bits.write_hex(&mut text);
        text.push('\n');
    }
    Ok(text)
}

/// One line per item: mask above value.
pub fn expected<'a>(stream: &Stream, items: impl Iterator<Item = &'a Expected>) -> Result<String, TestbenchError> {
    let mut text = String::new();
    for (i, item) in items.enumerate() {
        count(stream, i, item.fields.len())?;
        let mut bits = Bits::default();
        for (field, (value, _)) in stream.fields().iter().zip(&item.fields).rev() {
            fits(&field.port, i, value, field.width)?;
            bits.push(value, field.width);
        }
        if stream.fields().is_empty() {
            bits.push(&[0], 1);
        }
        for (field, (_, mask)) in stream.fields().iter().zip(&item.fields).rev() {
            fits(&field.port, i, mask, field.width)?;
            bits.push(mask, field.width);
        }
        if stream.fields().is_empty() {
            bits.push(&[0], 1);
        }
        bits.write_hex(&mut text);
        text.push('\n');
    }
    Ok(text)
}
