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
    /// The packets in the window of a context.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub packets: Option<PacketBudget>,
}

/// The state of a packet, with its part of what its context has once.
#[derive(Debug, Serialize)]
pub struct PacketBudget {
    /// Number of packets in the window of a context.
    pub window: u64,
    /// Number of bits stored per packet.
    pub bits: f64,
}

const MEGABYTE_BITS: f64 = (1 << 23) as f64;

impl ContextBudget {
    /// Computes it from the memories of a stage.
    pub fn of(contexts: Contexts, config: &Config, total: &Total) -> Self {
        let count = contexts.count(config);
        let each = |bits: u64| bits as f64 / count.max(1) as f64;
        let (bits, allocated_bits) = (each(total.memory_bits), each(total.allocated_bits));
        let packet = |window: u64| PacketBudget { window, bits: bits / window.max(1) as f64 };
        ContextBudget {
            name: contexts.name,
            count,
            bits,
            allocated_bits,
            per_megabyte: if allocated_bits > 0.0 { MEGABYTE_BITS / allocated_bits } else { 0.0 },
            packets: contexts.packets(config).map(packet),
        }
    }
}
