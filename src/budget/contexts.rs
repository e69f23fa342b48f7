// SPDX-License-Identifier: MIT OR Apache-2.0
//! The memory for the state of one context, and the number of contexts in a megabyte.

use super::Total;
use crate::config::Config;
use crate::stages::Contexts;
use serde::Serialize;

/// The state of a context in all memories of the stage.
#[derive(Debug, Serialize)]
pub struct ContextBudget {
    /// The name of the contexts, for example `QPs`.
    pub name: &'static str,
    /// The number of contexts.
    pub count: u64,
    /// Number of bits stored per context.
    pub bits: f64,
    /// Number of bits allocated per context.
    pub allocated_bits: f64,
    /// Number of contexts in 2^20 bytes of allocated memory; 0 if there is no memory.
    pub per_megabyte: f64,
}

const MEGABYTE_BITS: f64 = (1 << 23) as f64;

impl ContextBudget {
    /// Computes it from the memories of a stage.
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
