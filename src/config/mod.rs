// SPDX-License-Identifier: MIT OR Apache-2.0
//! The configuration: one TOML file in which every key has a default.
//!
//! `keys` defines each key once, in an entry: its comment, its type, its default and the allowed values. The structures, the
//! parser, the errors, the printed file and the hash are derived from the entries.

mod keys;
mod read;
mod ready;
pub(crate) mod recorded;
mod settings;
pub(crate) mod table;

pub use keys::*;
pub use ready::READY;

use crate::device::Device;
use crate::failure::{Failure, Outcome, Place};
use crate::files;
use pipeline::blocks::secded::Protection;
use pipeline::receive::ack_generator::AckProtocol;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::io::ErrorKind;
use std::path::Path;

impl Config {
    /// The protocol whose packets are put in order and answered: the only one of RoCEv2 and UET that the pipeline has, or
    /// else that of the key `ack_generator.protocol`.
    pub const fn ack_protocol(&self) -> AckProtocol {
        match (self.protocols.rocev2, self.protocols.uet) {
            (true, false) => AckProtocol::Roce,
            (false, true) => AckProtocol::Uet,
            _ => self.ack_generator.protocol,
        }
    }

    /// The protocol whose packets the transmit path sends: the only one of RoCEv2 and UET that the pipeline has, or else that
    /// of the key `tx.protocol`.
    pub const fn tx_protocol(&self) -> AckProtocol {
        match (self.protocols.rocev2, self.protocols.uet) {
            (true, false) => AckProtocol::Roce,
            (false, true) => AckProtocol::Uet,
            _ => self.tx.protocol,
        }
    }

    /// Reads the text of a configuration; `name` is the file name in errors.
    pub fn parse(name: &str, text: &str) -> Outcome<Self> {
        read::parse(name, text)
    }

    /// Loads the configuration of the command line: a file, a ready-made configuration by name, or the defaults.
    pub fn load(given: Option<&str>) -> Outcome<Self> {
        Self::load_source(given).map(|(config, _)| config)
    }

    /// The same with the text that it was read from.
    pub(crate) fn load_source(given: Option<&str>) -> Outcome<(Self, Source)> {
        let Some(given) = given else { return Ok((Config::default(), Source::default())) };
        let read = |name: &str, text: &str| {
            let source = Source { name: name.to_owned(), text: text.to_owned() };
            Self::parse(name, text).map(|config| (config, source))
        };
        if let Some((_, text)) = READY.iter().find(|(name, _)| *name == given) {
            return read(&format!("{given}.toml"), text);
        }
        let path = Path::new(given);
        match files::read_text(path) {
            Ok(text) => read(given, &text),
            Err(error) if error.kind() == ErrorKind::InvalidData => {
                let help = "a configuration is a TOML file, in UTF-8";
                Err(Failure::with_help(format!("{given} is not text in UTF-8"), help))
            }
            Err(error) => {
                let names: Vec<_> = READY.iter().map(|(name, _)| *name).collect();
                let help = format!("give the path of a TOML file, or one of {}", names.join(", "));
                Err(Failure::with_help(format!("cannot read the configuration {given}: {error}"), help))
            }
        }
    }

    /// The same with the settings after reset of another configuration, and with what they follow from.
    pub(crate) fn with_settings_of(mut self, other: &Config) -> Self {
        self.settings = other.settings.clone();
        self.reorder.sram_protection = other.reorder.sram_protection;
        (self.target.clock_mhz, self.target.link_gbps) = (other.target.clock_mhz, other.target.link_gbps);
        self
    }

    /// The least latency of block memories that the configuration allows: check bits take a clock cycle.
    pub fn least_ram_latency(&self) -> u64 {
        if self.reorder.sram_protection == Protection::None { 1 } else { 2 }
    }

    /// Clock cycles from address to data of the block memories.
    pub fn ram_latency(&self) -> u32 {
        let Target { device, clock_mhz, ram_latency, .. } = &self.target;
        let check_bits = self.least_ram_latency() as u32 - 1;
        let auto = || Device::find(device).map_or(2, |device| device.ram_latency(*clock_mhz)) + check_bits;
        ram_latency.and_then(|clocks| u32::try_from(clocks).ok()).unwrap_or_else(auto)
    }

    /// Prints the whole configuration as a commented file.
    pub fn print(&self) -> String {
        let mut text = String::from(
            "# mpnic: one configuration, one pipeline. Every key may be left out; it then has its default.\n",
        );
        let mut section = "";
        for key in Key::all() {
            if key.section != section {
                section = key.section;
                let _ = write!(text, "\n[{section}]");
            }
            let default = (key.get)(&Config::default());
            let _ = write!(
                text,
                "\n{}# {} (default {default})\n{} = {}\n",
                key.help.iter().map(|line| format!("# {line}\n")).collect::<String>(),
                key.kind.allowed(),
                key.name,
                (key.get)(self)
            );
        }
        text
    }

    /// A short SHA-256 of all keys that affect the Verilog and the budget; the settings of tests are not included.
    pub fn hash(&self) -> String {
        let mut sha = Sha256::new();
        for key in Key::all().filter(|key| key.section != "conform") {
            sha.update(format!("{}.{}={}\n", key.section, key.name, (key.get)(self)));
        }
        sha.finalize().iter().take(6).fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
    }
}

/// The text of a configuration, for errors that are found later.
#[derive(Default)]
pub(crate) struct Source {
    name: String,
    text: String,
}

impl Source {
    /// The place of the first of these keys that the file has, with a label.
    pub fn place<'a>(&self, keys: impl IntoIterator<Item = (&'a str, &'a str)>, label: String) -> Option<Place> {
        let span = keys.into_iter().find_map(|(section, name)| read::place_of(&self.text, section, name))?;
        Some(Place { name: self.name.clone(), text: self.text.clone(), span, label })
    }
}

/// A key with its value, as it is written in the file: `rtt_us = 12`.
pub(crate) fn shown(section: &str, name: &str, config: &Config) -> String {
    Key::find(section, name).map_or_else(String::new, |key| format!("{name} = {}", (key.get)(config)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_reads_back() {
        let mut config = Config { data_width: 64, ..Config::default() };
        config.target.device = "lfe5u-85f".to_owned();
        config.target.clock_mhz = 156.25;
        let text = config.print();
        assert_eq!(Config::parse("printed", &text).ok(), Some(config));
    }

    #[test]
    fn a_key_is_there_once_and_its_default_is_allowed() {
        for key in Key::all() {
            let same = Key::all().filter(|other| other.full_name() == key.full_name());
            assert_eq!(same.count(), 1, "{}", key.full_name());
            assert!(key.kind.allows(&(key.get)(&Config::default())), "{}", key.full_name());
            assert!(key.help.iter().all(|line| !line.is_empty() && line.trim() == *line), "{}", key.full_name());
        }
    }

    #[test]
    fn ready_made_configurations_read() {
        for (name, _) in READY {
            assert!(Config::load(Some(name)).is_ok(), "{name}");
        }
    }

    #[test]
    fn test_settings_do_not_change_the_hash() {
        let mut config = Config::default();
        let hash = config.hash();
        config.conform.seed = 9;
        assert_eq!(config.hash(), hash);
        config.data_width = 64;
        assert_ne!(config.hash(), hash);
    }
}
