// SPDX-License-Identifier: MIT OR Apache-2.0
//! What tests of this crate share.

use golden_vectors::Field;
use golden_vectors::oracle::Record;

/// Bytes from hexadecimal digits, blanks between them ignored.
#[allow(dead_code)]
pub fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text
        .chars()
        .filter_map(|digit| digit.to_digit(16))
        .map(|digit| digit as u8)
        .collect();
    digits
        .chunks(2)
        .map(|pair| pair[0] << 4 | pair[1])
        .collect()
}

/// The fields of a record as a sorted list of names and values; an IPv4 address as it stands in its 128 bits.
#[allow(dead_code)]
pub fn fields(record: &Record) -> Vec<(String, u128)> {
    record
        .fields()
        .into_iter()
        .map(|(name, Field { value, .. })| (name, value))
        .collect()
}
