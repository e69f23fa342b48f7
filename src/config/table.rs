// SPDX-License-Identifier: MIT OR Apache-2.0
//! The table `[protocols]` in golden vectors: the keys that differ from the default, with words as values. In vectors
//! of the header builder it also has the keys of `[header_builder]`.

use super::Config;
use super::keys::{Key, Kind, Value};
use crate::failure::{Failure, Outcome};
use pipeline::headers::protocols::Protocols;
use std::collections::BTreeMap;

/// A pair of key and value.
pub type Table = BTreeMap<String, String>;

/// The keys that it may have.
pub fn keys() -> impl Iterator<Item = &'static Key> {
    Key::all().filter(|key| ["protocols", "header_builder"].contains(&key.section))
}

/// The keys that differ from the default.
pub fn of(protocols: &Protocols) -> Table {
    of_builder(&Config { protocols: *protocols, ..Config::default() })
}

/// The keys that differ from the default, for a header builder.
pub fn of_builder(config: &Config) -> Table {
    let changed = keys().filter(|key| (key.get)(config) != (key.get)(&Config::default()));
    let word = |value: Value| match value {
        Value::Flag(on) => if on { "on" } else { "off" }.to_owned(),
        Value::Text(word) => word,
        number => number.to_string(),
    };
    changed.map(|key| (key.name.to_owned(), word((key.get)(config)))).collect()
}

/// The configuration with the values of a table and defaults for all other keys.
pub fn config(table: &Table) -> Outcome<Config> {
    let mut config = Config::default();
    for (name, word) in table {
        let key = keys().find(|key| key.name == name);
        let key = key.ok_or_else(|| {
            Failure::message(format!("the vectors query for `{name}`, which is no key of [protocols]"))
        })?;
        let value = match (&key.kind, word.as_str()) {
            (Kind::Flag, "on") => Some(Value::Flag(true)),
            (Kind::Flag, "off") => Some(Value::Flag(false)),
            (Kind::Whole(..), number) => number.parse().ok().map(Value::Whole),
            (_, word) => Some(Value::Text(word.to_owned())),
        };
        match value.filter(|value| key.kind.allows(value)) {
            Some(value) => (key.set)(&mut config, value),
            None => {
                return Err(Failure::message(format!(
                    "the vectors query for `{name}` = {word}; it is {}",
                    key.kind.allowed()
                )));
            }
        }
    }
    Ok(config)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pipeline::frame::header_builder::UdpChecksum;
    use pipeline::headers::protocols::{MpehIndicator, Reserved};

    #[test]
    fn a_table_reads_back() {
        let protocols = Protocols {
            uet: false,
            elab_port: 7,
            mpeh: MpehIndicator::OpCode,
            reserved: Reserved::Count,
            ..Protocols::default()
        };
        let table = of(&protocols);
        let words: Vec<_> = table.iter().map(|(key, word)| format!("{key} {word}")).collect();
        assert_eq!(words, ["elab_port 7", "mpeh opcode", "reserved count", "uet off"]);
        assert_eq!(config(&table).map(|config| config.protocols).ok(), Some(protocols));
        assert_eq!(of(&Protocols::default()), Table::new());
    }

    #[test]
    fn the_table_of_a_builder_has_its_checksum() {
        let mut changed = Config::default();
        changed.header_builder.udp_checksum = UdpChecksum::Recorded;
        let table = of_builder(&changed);
        assert_eq!(table, [("udp_checksum".to_owned(), "recorded".to_owned())].into());
        assert_eq!(config(&table).map(|config| config.header_builder.udp_checksum).ok(), Some(UdpChecksum::Recorded));
        assert_eq!(of(&changed.protocols), Table::new());
    }

    #[test]
    fn what_is_no_key_or_value_is_refused() {
        let table = |key: &str, word: &str| [(key.to_owned(), word.to_owned())].into();
        for (key, word) in [("udp", "on"), ("uet", "yes"), ("uet_port", "65536"), ("mpeh", "byte")] {
            assert!(config(&table(key, word)).is_err(), "{key} {word}");
        }
    }
}
