// SPDX-License-Identifier: MIT OR Apache-2.0
//! The alternatives of a choice that the target makes, and the cost of each.

use super::Size;
use crate::config::Config;
use crate::failure::Outcome;
use crate::stages::StageName;
use serde::Serialize;

/// One alternative, for which the stage was elaborated.
#[derive(Debug, Serialize)]
pub struct Choice {
    /// The key of the configuration.
    pub key: &'static str,
    /// The value of the key.
    pub value: u64,
    /// Whether the target uses this alternative.
    pub chosen: bool,
    /// Number of flip-flops, including those of memories.
    pub flip_flops: u64,
    /// Operators on the longest path.
    pub logic_levels: u32,
    /// Latency of the stage in clock cycles: the first of its latencies.
    pub latency: u64,
    /// The same latency at the target's clock, in nanoseconds.
    pub latency_ns: f64,
    /// Number of memory bits.
    pub memory_bits: u64,
    /// Number of block memories.
    pub blocks: u64,
}

/// Elaborates the alternatives of a stage.
pub fn of(stage: StageName, config: &Config) -> Outcome<Vec<Choice>> {
    if !stage.has_ram_latency() {
        return Ok(Vec::new());
    }
    let chosen = u64::from(config.ram_latency());
    let one = |value| {
        let mut config = config.clone();
        config.target.ram_latency = Some(value);
        let total = Size::of(stage, &config)?.total;
        let latency = stage.latency(&config)?.first().map_or(0, |latency| latency.clocks);
        Ok(Choice {
            key: "target.ram_latency",
            value,
            chosen: value == chosen,
            flip_flops: total.flip_flops,
            logic_levels: total.logic_levels,
            latency,
            latency_ns: latency as f64 * 1e3 / config.target.clock_mhz,
            memory_bits: total.memory_bits,
            blocks: total.blocks,
        })
    };
    (config.least_ram_latency()..=3).map(one).collect()
}
