// SPDX-License-Identifier: MIT OR Apache-2.0
//! The values of keys, and which of them are allowed.

use crate::device::{DEVICES, Device};
use serde::Serialize;
use std::fmt;

/// The values that a key may have.
pub enum Kind {
    /// One of these numbers.
    OneOf(&'static [u64]),
    /// A whole number in a range.
    Whole(u64, u64),
    /// A number in a range.
    Number(f64, f64),
    /// One of these numbers, or `"auto"`.
    AutoOr(&'static [u64]),
    /// A whole number in a range, or `"auto"`.
    AutoOrWhole(u64, u64),
    /// The name of a device.
    Device,
    /// True or false.
    Flag,
    /// One of these words.
    Word(&'static [&'static str]),
    /// The name of a module.
    Name,
}

/// A value of a key.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// A whole number.
    Whole(u64),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// True or false.
    Flag(bool),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Whole(x) => write!(f, "{x}"),
            Value::Number(x) => write!(f, "{x}"),
            Value::Text(x) => write!(f, "\"{x}\""),
            Value::Flag(x) => write!(f, "{x}"),
        }
    }
}

impl Kind {
    /// Describes the allowed values in words.
    pub fn allowed(&self) -> String {
        match self {
            Kind::OneOf(all) => list(all.iter().map(u64::to_string)),
            Kind::Whole(low, high) => format!("a whole number from {low} to {high}"),
            Kind::Number(low, high) => format!("a number from {low} to {high}"),
            Kind::AutoOr(all) => list(std::iter::once("\"auto\"".to_owned()).chain(all.iter().map(u64::to_string))),
            Kind::AutoOrWhole(low, high) => format!("\"auto\" or {}", Kind::Whole(*low, *high).allowed()),
            Kind::Device => list(DEVICES.iter().map(|device| format!("\"{}\"", device.name))),
            Kind::Flag => "true or false".to_owned(),
            Kind::Word(all) => list(all.iter().map(|word| format!("\"{word}\""))),
            Kind::Name => {
                format!("a name of Verilog of at most {} letters, no reserved word", hdl::MOST_LETTERS)
            }
        }
    }

    /// Whether a value is allowed.
    pub fn allows(&self, value: &Value) -> bool {
        match (self, value) {
            (Kind::OneOf(all), Value::Whole(x)) => all.contains(x),
            (Kind::Whole(low, high), Value::Whole(x)) => (low..=high).contains(&x),
            (Kind::Number(low, high), Value::Number(x)) => (low..=high).contains(&x),
            (Kind::AutoOr(all), Value::Whole(x)) => all.contains(x),
            (Kind::AutoOrWhole(low, high), Value::Whole(x)) => (low..=high).contains(&x),
            (Kind::AutoOr(_) | Kind::AutoOrWhole(..), Value::Text(x)) => x == "auto",
            (Kind::Device, Value::Text(x)) => Device::find(x).is_some(),
            (Kind::Flag, Value::Flag(_)) => true,
            (Kind::Word(all), Value::Text(x)) => all.contains(&x.as_str()),
            (Kind::Name, Value::Text(x)) => hdl::is_module_name(x),
            _ => false,
        }
    }

    /// The least and the greatest of the allowed whole numbers.
    pub fn limits(&self) -> Option<(u64, u64)> {
        match self {
            Kind::OneOf(all) | Kind::AutoOr(all) => Some((*all.iter().min()?, *all.iter().max()?)),
            Kind::Whole(low, high) | Kind::AutoOrWhole(low, high) => Some((*low, *high)),
            _ => None,
        }
    }
}

/// Joins the items as `a, b or c`.
pub(crate) fn list(items: impl Iterator<Item = String>) -> String {
    let items: Vec<_> = items.collect();
    match items.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => items.concat(),
    }
}
