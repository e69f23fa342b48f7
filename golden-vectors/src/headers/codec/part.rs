// SPDX-License-Identifier: MIT OR Apache-2.0
//! A header of a record as data. Bytes, JSON, flat names and the check of reserved bits are all read from the parts.

use crate::headers::{Header, Layout, Number};

/// One header: the object it belongs to, its fields, its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Name of the JSON object, and what flat names begin with. Headers may share one.
    pub object: &'static str,
    /// The fields, from the first on the wire to the last.
    pub fields: Vec<PartField>,
    /// The header on the wire.
    pub bytes: Vec<u8>,
}

/// A field of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartField {
    /// Its name in the JSON object.
    pub name: &'static str,
    /// Its width in bits.
    pub width: u32,
    /// What it holds.
    pub number: Number,
}

impl Part {
    /// `header` as a part of `object`.
    #[must_use]
    pub fn of<H: Layout>(object: &'static str, header: H) -> Self {
        let fields = H::fields()
            .into_iter()
            .zip(header.numbers())
            .map(|((name, width), number)| PartField { name, width, number })
            .collect();
        let mut bytes = Vec::new();
        header.write(&mut bytes);
        Self { object, fields, bytes }
    }
}

/// Reads a header and moves behind it.
pub(super) fn take<H: Header>(bytes: &mut &[u8]) -> Option<H> {
    let header = H::read(bytes)?;
    *bytes = bytes.get(H::LEN..)?;
    Some(header)
}
