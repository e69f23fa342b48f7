// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every key of the configuration, defined once; a file for the keys of sections that belong together.

/// Defines a key whose value is a field of the configuration.
macro_rules! key {
    ($section:literal, $name:literal, $help:literal, $kind:expr, $variant:ident, $($place:ident).+) => {
        Key {
            section: $section,
            name: $name,
            help: $help,
            kind: $kind,
            get: |config| Value::$variant(config.$($place).+.clone()),
            set: |config, value| {
                if let Value::$variant(x) = value {
                    config.$($place).+ = x;
                }
            },
        }
    };
}

mod ack_generator;
mod blocks;
mod ccc_table;
mod conform;
mod credit_pacer;
mod frames;
mod kind;
mod packet_tracker;
mod path_selection;
mod protocols;
mod receiver;
mod rx;
mod settings;
mod target;
mod tx;

use super::Config;
pub(crate) use kind::list;
pub use kind::{Kind, Value};

/// In the order in which they are printed; the keys of a section follow one another.
const SECTIONS: [&[Key]; 14] = [
    target::KEYS,
    protocols::KEYS,
    frames::KEYS,
    receiver::KEYS,
    ack_generator::KEYS,
    rx::KEYS,
    path_selection::KEYS,
    ccc_table::KEYS,
    packet_tracker::KEYS,
    credit_pacer::KEYS,
    tx::KEYS,
    settings::KEYS,
    blocks::KEYS,
    conform::KEYS,
];

/// A value that may be left to the configuration.
fn auto_or(value: Option<u64>) -> Value {
    value.map_or(Value::Text("auto".to_owned()), Value::Whole)
}

/// The same, read.
fn whole(value: &Value) -> Option<u64> {
    match value {
        Value::Whole(whole) => Some(*whole),
        _ => None,
    }
}

/// A key of the configuration.
pub struct Key {
    /// The table that contains it; empty at the top level.
    pub section: &'static str,
    /// The name of the key.
    pub name: &'static str,
    /// Its meaning, which is printed as the comment above the key.
    pub help: &'static str,
    /// The values that are allowed.
    pub kind: Kind,
    /// Reads its value.
    pub get: fn(&Config) -> Value,
    /// Writes its value, which must be of the right kind.
    pub set: fn(&mut Config, Value),
}

impl Key {
    /// All keys, in the order in which a configuration is printed.
    pub fn all() -> impl Iterator<Item = &'static Key> {
        SECTIONS.into_iter().flatten()
    }

    /// Finds a key by its section (`""` at the top level) and its name.
    pub fn find(section: &str, name: &str) -> Option<&'static Key> {
        Self::all().find(|key| key.section == section && key.name == name)
    }
}
