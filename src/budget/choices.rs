// SPDX-License-Identifier: MIT OR Apache-2.0
//! The alternatives of a choice that the target makes, and the cost of each.

use super::Size;
use crate::config::Config;
use crate::failure::Outcome;
use crate::latency::Latency;
use crate::stages::StageName;
use rayon::prelude::*;
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

/// A stage with a RAM latency: the cost, and the latencies.
pub struct Built {
    ram_latency: u64,
    pub size: Size,
    pub latency: Vec<Latency>,
}

/// Elaborates the stage as the target wants it, which is the first result, and its alternatives, all at the same time.
pub fn build(stage: StageName, config: &Config) -> Outcome<(Built, Vec<Built>)> {
    let chosen = u64::from(config.ram_latency());
    let one = |ram_latency: u64| {
        let mut config = config.clone();
        config.target.ram_latency = Some(ram_latency);
        let (size, latency) = rayon::join(|| Size::of(stage, &config), || stage.latency(&config));
        Ok(Built { ram_latency, size: size?, latency: latency? })
    };
    let others = if stage.has_ram_latency() { config.least_ram_latency()..4 } else { 0..0 };
    let others: Vec<_> = others.filter(|value| *value != chosen).collect();
    let (built, others) =
        rayon::join(|| one(chosen), || others.into_par_iter().map(one).collect::<Vec<Outcome<Built>>>());
    Ok((built?, others.into_iter().collect::<Outcome<_>>()?))
}

/// The alternatives of a stage side by side, if it has any.
pub fn of(built: &Built, others: &[Built], config: &Config) -> Vec<Choice> {
    if others.is_empty() {
        return Vec::new();
    }
    let mut all: Vec<_> = others.iter().chain([built]).collect();
    all.sort_by_key(|built| built.ram_latency);
    let one = |Built { ram_latency, size, latency }: &Built| {
        let (total, latency) = (&size.total, latency.first().map_or(0, |latency| latency.clocks));
        Choice {
            key: "target.ram_latency",
            value: *ram_latency,
            chosen: *ram_latency == built.ram_latency,
            flip_flops: total.flip_flops,
            logic_levels: total.logic_levels,
            latency,
            latency_ns: latency as f64 * 1e3 / config.target.clock_mhz,
            memory_bits: total.memory_bits,
            blocks: total.blocks,
        }
    };
    all.into_iter().map(one).collect()
}
