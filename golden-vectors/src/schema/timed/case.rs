// SPDX-License-Identifier: MIT OR Apache-2.0
//! One test: what happens from reset on, and what must come of it.

use crate::schema::Outcome;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A cycle, then a value for each column of the stream. The cycles count from the first one after reset.
pub type Row = Vec<u64>;

/// First cycle, last cycle, and the value of a port in all cycles from the first to the last.
pub type Span = [u64; 3];

/// One test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimedCase {
    /// Stable name, unique in the file, never used again for other events.
    pub id: String,
    /// Why the case exists.
    pub comment: String,
    /// What is special about it; the file's notes explain each.
    pub flags: Vec<String>,
    /// Rows it is about: `S9` is row 9 of the stage's contract, `O1` one of a mode, `U13` a requirement row.
    pub rows: Vec<String>,
    /// Whether some of it must be refused.
    pub result: Outcome,
    /// How many cycles are to be run after reset.
    pub cycles: u64,
    /// New values of the group's settings, each as the cycle from which it stands, and the value.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, Vec<(u64, u64)>>,
    /// What is valid on each input stream, at most one row a cycle. Where the stream has a `ready`, it must be 1.
    pub inputs: BTreeMap<String, Vec<Row>>,
    /// Rows without cycles that are valid on a stream, in turns, whenever its `ready` is 0: nothing may come of them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub unready: BTreeMap<String, Vec<Row>>,
    /// What must come out.
    pub expect: TimedExpect,
}

/// What must come out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimedExpect {
    /// Every row of each output stream, and no other.
    pub outputs: BTreeMap<String, Vec<Row>>,
    /// Other outputs in the cycles in which the contract says what they are.
    pub levels: BTreeMap<String, Vec<Span>>,
    /// Counters behind the last cycle.
    pub counters: BTreeMap<String, u64>,
}
