// SPDX-License-Identifier: MIT OR Apache-2.0
//! The configurations that timed vectors ask for, as numbers by name. The allowed values of a number are those of the
//! corresponding key of the configuration.

use super::keys::list;
use super::{Config, Key, Kind, Value};
use crate::failure::{Failure, Outcome};
use std::collections::BTreeMap;

/// A number by which vectors say how a stage is built.
pub struct Parameter {
    name: &'static str,
    /// The default for files that do not have it.
    absent: Option<u64>,
    means: Means,
}

enum Means {
    /// The meaning of a number.
    Key(&'static str, &'static str),
    /// A number that is no key: the allowed values in words, and a function that sets the number if it is allowed.
    Other(fn() -> String, fn(&mut Config, u64) -> bool),
}

/// Clock cycles from address to row of the memories.
pub const RAM_LATENCY: Parameter = Parameter::key("target", "ram_latency");

impl Parameter {
    /// Makes a parameter of a key, by section and name. A word is recorded as its index among all words of the key.
    pub const fn key(section: &'static str, name: &'static str) -> Self {
        Parameter { name, absent: None, means: Means::Key(section, name) }
    }

    /// Makes a parameter that is no key.
    pub const fn other(name: &'static str, allowed: fn() -> String, set: fn(&mut Config, u64) -> bool) -> Self {
        Parameter { name, absent: None, means: Means::Other(allowed, set) }
    }

    /// Gives the parameter another name in the files.
    pub const fn called(self, name: &'static str) -> Self {
        Parameter { name, ..self }
    }

    /// Sets the default for files that do not have it.
    pub const fn or(self, number: u64) -> Self {
        Parameter { absent: Some(number), ..self }
    }

    /// Sets the number, or returns the allowed values.
    fn set(&self, config: &mut Config, number: u64) -> Result<(), String> {
        match self.means {
            Means::Key(section, name) => {
                let key = Key::find(section, name).ok_or_else(|| "no key".to_owned())?;
                let value = value(&key.kind, number).filter(|value| key.kind.allows(value));
                (key.set)(config, value.ok_or_else(|| allowed(&key.kind))?);
                Ok(())
            }
            Means::Other(allowed, set) => {
                if set(config, number) {
                    Ok(())
                } else {
                    Err(allowed())
                }
            }
        }
    }
}

/// The configuration that vectors for a stage ask for; all other keys have their defaults.
pub fn config(stage: &str, parameters: &[Parameter], recorded: &BTreeMap<String, u64>) -> Outcome<Config> {
    if let Some(name) = recorded.keys().find(|name| parameters.iter().all(|known| known.name != **name)) {
        return Err(Failure::message(format!(
            "the vectors for `{stage}` say what `{name}` is, which it does not have"
        )));
    }
    let mut config = Config::default();
    for parameter in parameters {
        let name = parameter.name;
        let number = recorded
            .get(name)
            .copied()
            .or(parameter.absent)
            .ok_or_else(|| Failure::message(format!("the vectors for `{stage}` do not say what `{name}` is")))?;
        parameter.set(&mut config, number).map_err(|allowed| {
            Failure::message(format!("the vectors for `{stage}` ask for `{name}` = {number}; it is {allowed}"))
        })?;
    }
    Ok(config)
}

fn value(kind: &Kind, number: u64) -> Option<Value> {
    match kind {
        Kind::Flag => (number < 2).then_some(Value::Flag(number == 1)),
        Kind::Word(all) => all.get(usize::try_from(number).ok()?).map(|word| Value::Text((*word).to_owned())),
        _ => Some(Value::Whole(number)),
    }
}

/// The allowed values in words. A file has a number where a configuration may leave the choice to the tool.
fn allowed(kind: &Kind) -> String {
    match kind {
        Kind::Flag => "0 or 1".to_owned(),
        Kind::Word(all) => list((0..all.len()).map(|number| number.to_string())),
        Kind::AutoOr(all) => Kind::OneOf(all).allowed(),
        Kind::AutoOrWhole(low, high) => Kind::Whole(*low, *high).allowed(),
        other => other.allowed(),
    }
}
