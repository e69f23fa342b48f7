// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the target chooses, and what each alternative costs.

use super::Size;
use crate::config::Config;
use crate::failure::Outcome;
use crate::stages::StageName;
use serde::Serialize;

/// One alternative, elaborated.
#[derive(Debug, Serialize)]
pub struct Choice {
    /// Key of the configuration.
    pub key: &'static str,
    /// Its value.
    pub value: u64,
    /// Whether this is what the target takes.
    pub chosen: bool,
    /// Flip-flops, those of memories included.
    pub flip_flops: u64,
    /// Operators on the longest path.
    pub logic_levels: u32,
    /// Clocks through the stage: the first of its latencies.
    pub latency: u64,
    /// The same at the target's clock, in nanoseconds.
    pub latency_ns: f64,
    /// Memory bits.
    pub memory_bits: u64,
    /// Block memories.
    pub blocks: u64,
}

/// The alternatives of a stage.
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
    [1, 2, 3].into_iter().map(one).collect()
}
