// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a case is for: this is stated with each case and written to the vector file.

/// What a case is for: its flags, and the rows of contracts and requirements that it tests.
#[derive(Clone, Copy, Debug)]
pub struct Aim<'a> {
    pub flags: &'a [&'a str],
    pub rows: &'a [&'a str],
}

/// Makes the aim of a case with `flags` that tests `rows`.
pub const fn aim<'a>(flags: &'a [&'a str], rows: &'a [&'a str]) -> Aim<'a> {
    Aim { flags, rows }
}
