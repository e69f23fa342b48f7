// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why a case exists.

/// Why a case exists: its flags, and the rows it is about.
#[derive(Clone, Copy, Debug)]
pub struct Aim<'a> {
    pub flags: &'a [&'a str],
    pub rows: &'a [&'a str],
}

/// A case about `rows`, with `flags`.
pub const fn aim<'a>(flags: &'a [&'a str], rows: &'a [&'a str]) -> Aim<'a> {
    Aim { flags, rows }
}
