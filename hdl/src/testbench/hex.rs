// SPDX-License-Identifier: MIT OR Apache-2.0
//! Items as lines for `$readmemh`, the first field in the highest bits.

use super::{Expected, Item, Stream, TestbenchError};

/// The value needs no more bits than `width`.
pub fn fits(port: &str, item: usize, value: &[u64], width: u32) -> Result<(), TestbenchError> {
    let spare = |i: usize| (64 * (i as u64 + 1)).saturating_sub(width as u64).min(64) as u32;
    // The bits of each limb that are above the width.
    let is_above = |(i, &limb): (usize, &u64)| match spare(i) {
        0 => false,
        spare => limb >> (64 - spare) != 0,
    };
    if !value.iter().enumerate().any(is_above) {
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
    /// Removes all bits, for the next line.
    pub fn clear(&mut self) {
        self.words.clear();
        self.width = 0;
    }

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
        let digits = self.width.div_ceil(4) as usize;
        for (i, word) in self.words.iter().enumerate().rev() {
            let all: [u8; 16] = std::array::from_fn(|at| b"0123456789abcdef"[(word >> (60 - 4 * at) & 15) as usize]);
            let shown = digits.saturating_sub(16 * i).min(16);
            text.extend(str::from_utf8(&all[16 - shown..]));
        }
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
