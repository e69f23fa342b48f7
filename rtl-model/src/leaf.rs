// SPDX-License-Identifier: MIT OR Apache-2.0
//! The signals inside of records: their names, widths and places, as `derive(Bundle)` lists them.

/// Name and width of one signal inside a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeafSpec {
    /// Field names joined by `_`; empty for a plain signal without a name.
    pub name: String,
    /// Width of the leaf in bits.
    pub width: u32,
    /// It is a [`Wide`](crate::Wide).
    pub wide: bool,
    /// The field is marked `#[reset]`.
    pub reset: bool,
    /// The fields of records that contain it, from the outside in.
    pub path: Vec<Field>,
    /// The interface that it belongs to, and what it does there.
    pub place: Place,
}

/// A field of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name of the field; part of port and register names.
    pub name: &'static str,
    /// Its doc comment on one line, or empty.
    pub doc: &'static str,
}

impl LeafSpec {
    /// A signal outside of records.
    pub(crate) fn alone(name: &str, width: u32, wide: bool, reset: bool) -> Self {
        LeafSpec { name: name.into(), width, wide, reset, path: Vec::new(), place: Place::default() }
    }

    /// Number of 64-bit limbs that hold it.
    pub fn limbs(&self) -> usize {
        self.width.div_ceil(64) as usize
    }
}

/// What a signal does in its interface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// It is carried.
    #[default]
    Payload,
    /// It says that there is a transfer.
    Valid,
    /// It goes the other way and says that a transfer is taken.
    Ready,
}

/// Where a signal belongs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// What it does there.
    pub role: Role,
    /// The interface, called as its ports begin: a record with a handshake of its own, or what an attribute names. Without
    /// one the outermost field is the interface.
    pub interface: Option<String>,
    /// How many fields of the leaf's path lie inside of the interface. Not known of a signal that stands beside a record.
    pub inside: Option<usize>,
}

/// `prefix_name`, without a stray underscore.
pub fn join(prefix: &str, name: &str) -> String {
    match (prefix.is_empty(), name.is_empty()) {
        (true, _) => name.to_string(),
        (_, true) => prefix.to_string(),
        _ => format!("{prefix}_{name}"),
    }
}
