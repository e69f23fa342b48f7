// SPDX-License-Identifier: MIT OR Apache-2.0
//! The options as the table `[protocols]` of a configuration file says them.

use super::{MpehIndicator, Options, Strictness};
use std::collections::BTreeMap;
use std::str::FromStr;

/// What is wrong with a table of options.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigurationError {
    /// There is no such key.
    #[error("{0} is not an option of the protocols")]
    Key(String),
    /// The key has no such value.
    #[error("{key} = {value:?}: {allowed}")]
    Value {
        /// The key.
        key: String,
        /// Its value.
        value: String,
        /// What it may be.
        allowed: &'static str,
    },
}

impl Options {
    /// The options that a table says; what it does not name has its default.
    ///
    /// # Errors
    /// A key is unknown, or has a value that it cannot have.
    pub fn of_configuration(table: &BTreeMap<String, String>) -> Result<Self, ConfigurationError> {
        let mut options = Self::default();
        for (key, value) in table {
            options.set(key, value)?;
        }
        Ok(options)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), ConfigurationError> {
        let refuse = |allowed| ConfigurationError::Value { key: key.to_owned(), value: value.to_owned(), allowed };
        let switch = || one_of(value, [("on", true), ("off", false)]).ok_or_else(|| refuse("on or off"));
        let port = || number(value).ok_or_else(|| refuse("a number from 0 to 65535"));
        let protocol = || number(value).ok_or_else(|| refuse("a number from 0 to 255"));
        let dscp = || number(value).filter(|dscp| *dscp < 64).ok_or_else(|| refuse("a number from 0 to 63"));
        match key {
            "rocev2" => self.rocev2 = switch()?,
            "uet" => self.uet = switch()?,
            "elab" => self.elab = switch()?,
            "rocev2_port" => self.rocev2_port = port()?,
            "uet_port" => self.uet_port = port()?,
            "elab_port" => self.elab_port = port()?,
            "uet_protocol" => self.uet_protocol = protocol()?,
            "elab_inner" => self.tunnelled = protocol()?,
            "uet_crc" => self.uet_crc = switch()?,
            "trimming" => self.trimming = switch()?,
            "trimmed_dscp" => self.trimmed_dscp = dscp()?,
            "trimmed_last_hop_dscp" => self.trimmed_last_hop_dscp = dscp()?,
            "mpeh" => {
                let marks = [("bit", MpehIndicator::Bit), ("opcode", MpehIndicator::OpCode)];
                self.mpeh = one_of(value, marks).ok_or_else(|| refuse("bit or opcode"))?;
            }
            "reserved" => {
                let levels =
                    [("ignore", Strictness::Ignore), ("count", Strictness::Count), ("refuse", Strictness::Refuse)];
                self.reserved = one_of(value, levels).ok_or_else(|| refuse("ignore, count or refuse"))?;
            }
            _ => return Err(ConfigurationError::Key(key.to_owned())),
        }
        Ok(())
    }
}

fn one_of<T: Copy, const N: usize>(value: &str, names: [(&str, T); N]) -> Option<T> {
    names.iter().find(|(name, _)| *name == value).map(|&(_, meaning)| meaning)
}

/// Decimal digits and nothing else.
fn number<T: FromStr>(value: &str) -> Option<T> {
    value.bytes().all(|byte| byte.is_ascii_digit()).then(|| value.parse().ok()).flatten()
}
