// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cases made by hand, which try every row from both sides, and random traffic.
//!
//! A case begins behind a reset. It uses connections 0 and 1 and no others.

mod delivery;
mod errors;
mod length;
mod order;
mod runs;
mod size;

pub use super::random::random;

use super::oracle::Event;
use super::script::Script;

/// Events that belong together.
#[derive(Clone, Debug)]
pub struct Case {
    /// What is tried.
    pub name: String,
    /// The rows that it is for.
    pub rows: &'static [&'static str],
    /// The events from reset on.
    pub events: Vec<Event>,
}

impl Case {
    /// A case of the events of a script.
    fn new(name: impl Into<String>, rows: &'static [&'static str], script: Script) -> Self {
        Case { name: name.into(), rows, events: script.finish() }
    }
}

/// All cases for a window of so many packets.
#[must_use]
pub fn cases(window: u64) -> Vec<Case> {
    let all = [order::cases, size::cases, length::cases, runs::cases, errors::cases, delivery::cases];
    all.iter().flat_map(|cases| cases(window)).collect()
}
