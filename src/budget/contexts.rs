// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the state of one context takes, and how many there are in a megabyte.

use super::Total;
use crate::config::Config;
use crate::stages::Contexts;
use serde::Serialize;

/// State of a context, in all memories of the stage together.
#[derive(Debug, Serialize)]
pub struct ContextBudget {
    /// What they are called.
    pub name: &'static str,
    /// How many there are.
    pub count: u64,
    /// Bits stored for each.
    pub bits: f64,
    /// Bits allocated for each.
    pub allocated_bits: f64,
    /// How many there are in 2^20 bytes of allocated memory; 0 where there is no memory.
    pub per_megabyte: f64,
}

const MEGABYTE_BITS: f64 = (1 << 23) as f64;

impl ContextBudget {
    /// Of the memories of a stage.
    pub fn of(contexts: Contexts, config: &Config, total: &Total) -> Self {
        let count = contexts.count(config);
        let each = |bits: u64| bits as f64 / count.max(1) as f64;
        let allocated_bits = each(total.allocated_bits);
        ContextBudget {
            name: contexts.name,
            count,
            bits: each(total.memory_bits),
            allocated_bits,
            per_megabyte: if allocated_bits > 0.0 { MEGABYTE_BITS / allocated_bits } else { 0.0 },
        }
    }
}
