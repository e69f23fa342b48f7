// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a design costs, from its netlist, and what it carries, against a device and a link.

use crate::config::{Config, Target};
use crate::device::Device;
use crate::failure::{Failure, Outcome};
use crate::latency::Latency;
use crate::stages::StageName;
use rtl_model::netlist::circuit::Circuit;
use serde::Serialize;

/// The budget of a design. Its JSON form is an interface: fields may be added, `version` says when one has changed.
#[derive(Debug, Serialize)]
pub struct Budget {
    /// Version of this layout.
    pub version: u32,
    /// Hash of the configuration.
    pub config: String,
    /// Top module.
    pub top: String,
    /// Every module, the top last.
    pub modules: Vec<ModuleBudget>,
    /// All instances of one pipeline together.
    pub total: Total,
    /// Clocks through the design, counted on the model.
    pub latency: Vec<Latency>,
    /// What it carries; absent where the stage has no frames.
    pub rate: Option<Rate>,
    /// The device.
    pub device: DeviceBudget,
    /// Whether it fits the device and keeps up with the link.
    pub fits: bool,
    /// What does not fit.
    pub problems: Vec<String>,
}

/// One module without its children.
#[derive(Debug, Serialize)]
pub struct ModuleBudget {
    /// Its name.
    pub module: String,
    /// How often it is there.
    pub instances: u64,
    /// Flip-flops of one instance.
    pub register_bits: u64,
    /// Memory bits of one instance.
    pub memory_bits: u64,
    /// Block memories of one instance.
    pub blocks: u64,
    /// Operators on its longest path.
    pub logic_levels: u32,
    /// Its memories.
    pub memories: Vec<MemoryBudget>,
}

/// One memory.
#[derive(Debug, Serialize)]
pub struct MemoryBudget {
    /// Its name.
    pub name: String,
    /// Rows.
    pub rows: u64,
    /// Bits of a row.
    pub width: u32,
    /// Bits stored.
    pub bits: u64,
    /// Block memories.
    pub blocks: u64,
    /// Read ports.
    pub read_ports: usize,
    /// Clocks from address to data.
    pub latency: u32,
}

/// Sums over all instances, and the longest path of all.
#[derive(Debug, Default, Serialize)]
pub struct Total {
    /// Flip-flops.
    pub register_bits: u64,
    /// Memory bits.
    pub memory_bits: u64,
    /// Block memories.
    pub blocks: u64,
    /// Operators on the longest path.
    pub logic_levels: u32,
}

/// Frames per second, at the frame length that is worst for the bus.
#[derive(Debug, Serialize)]
pub struct Rate {
    /// Pipelines that share the link.
    pub pipelines: u64,
    /// Bits of a beat.
    pub data_width: u64,
    /// Clock.
    pub clock_mhz: f64,
    /// Line rate.
    pub link_gbps: f64,
    /// The length at which the pipelines come nearest to falling behind, or fall behind most; without FCS.
    pub worst_frame: u64,
    /// What the pipelines take of it, in millions a second.
    pub mframes: f64,
    /// What the link brings of it.
    pub link_mframes: f64,
    /// The clock at which they just keep up.
    pub clock_needed_mhz: f64,
}

/// The share of a device.
#[derive(Debug, Serialize)]
pub struct DeviceBudget {
    /// Its name in the configuration.
    pub name: &'static str,
    /// What it is.
    pub title: &'static str,
    /// Its flip-flops.
    pub registers: u64,
    /// Kind of its block memories.
    pub block: &'static str,
    /// Their number.
    pub blocks: u64,
    /// Share of the flip-flops that all pipelines take.
    pub registers_percent: f64,
    /// Share of the block memories that all pipelines take.
    pub blocks_percent: f64,
}

impl Budget {
    /// The budget of a stage.
    pub fn of(stage: StageName, config: &Config) -> Outcome<Self> {
        let circuit = stage.circuit(config)?;
        let target = &config.target;
        let device = Device::find(&target.device).ok_or_else(|| Failure::message("the device is unknown"))?;
        let modules = modules(&circuit, device);
        let total = total(&modules);
        let share = |used: u64, of: u64| 100.0 * (used * target.pipelines) as f64 / of.max(1) as f64;
        let device = DeviceBudget {
            name: device.name,
            title: device.title,
            registers: device.registers,
            block: device.block.name,
            blocks: device.blocks,
            registers_percent: share(total.register_bits, device.registers),
            blocks_percent: share(total.blocks, device.blocks),
        };
        let rate = stage.carries_frames().then(|| rate(config.data_width, target));
        let problems = problems(&device, rate.as_ref());
        Ok(Budget {
            version: 1,
            config: config.hash(),
            top: circuit.top().name.clone(),
            modules,
            total,
            latency: stage.latency(config)?,
            rate,
            device,
            fits: problems.is_empty(),
            problems,
        })
    }
}

fn modules(circuit: &Circuit, device: &Device) -> Vec<ModuleBudget> {
    let mut counts = vec![0_u64; circuit.modules.len()];
    if let Some(top) = counts.last_mut() {
        *top = 1;
    }
    // Children stand before parents.
    for i in (0..circuit.modules.len()).rev() {
        for instance in &circuit.modules[i].instances {
            if let Some(child) = circuit.modules.iter().position(|module| module.name == instance.module) {
                counts[child] += counts[i];
            }
        }
    }
    let one = |(module, instances): (&rtl_model::netlist::circuit::Module, u64)| {
        let measure = module.measure();
        let memories: Vec<_> = measure
            .memories
            .iter()
            .map(|memory| MemoryBudget {
                name: memory.name.clone(),
                rows: memory.depth,
                width: memory.width,
                bits: memory.bits(),
                blocks: device.block.count(memory),
                read_ports: memory.reads,
                latency: memory.latency,
            })
            .collect();
        ModuleBudget {
            module: measure.module,
            instances,
            register_bits: measure.register_bits,
            memory_bits: memories.iter().map(|memory| memory.bits).sum(),
            blocks: memories.iter().map(|memory| memory.blocks).sum(),
            logic_levels: measure.logic_depth,
            memories,
        }
    };
    circuit.modules.iter().zip(counts).map(one).collect()
}

fn total(modules: &[ModuleBudget]) -> Total {
    let sum = |of: fn(&ModuleBudget) -> u64| modules.iter().map(|module| module.instances * of(module)).sum();
    Total {
        register_bits: sum(|module| module.register_bits),
        memory_bits: sum(|module| module.memory_bits),
        blocks: sum(|module| module.blocks),
        logic_levels: modules.iter().map(|module| module.logic_levels).max().unwrap_or(0),
    }
}

/// Bytes on the wire besides the frame: preamble 8, FCS 4, gap 12.
const OVERHEAD: u64 = 24;

fn rate(data_width: u64, target: &Target) -> Rate {
    let beats = |frame: u64| frame.div_ceil(data_width / 8) as f64;
    let bits = |frame: u64| ((frame + OVERHEAD) * 8) as f64;
    // Clock, in MHz, at which one pipeline keeps up with its part of the link.
    let needed = |frame: u64| target.link_gbps * 1e3 / target.pipelines as f64 * beats(frame) / bits(frame);
    let worst_frame = (60..=9018).max_by(|&a, &b| needed(a).total_cmp(&needed(b)).then(b.cmp(&a))).unwrap_or(60);
    Rate {
        pipelines: target.pipelines,
        data_width,
        clock_mhz: target.clock_mhz,
        link_gbps: target.link_gbps,
        worst_frame,
        mframes: target.clock_mhz * target.pipelines as f64 / beats(worst_frame),
        link_mframes: target.link_gbps * 1e3 / bits(worst_frame),
        clock_needed_mhz: needed(worst_frame),
    }
}

fn problems(device: &DeviceBudget, rate: Option<&Rate>) -> Vec<String> {
    let mut problems = Vec::new();
    if device.registers_percent > 100.0 {
        problems.push(format!("{:.0} % of the flip-flops of {}", device.registers_percent, device.title));
    }
    if device.blocks_percent > 100.0 {
        problems.push(format!("{:.0} % of the {} of {}", device.blocks_percent, device.block, device.title));
    }
    if let Some(rate) = rate.filter(|rate| rate.clock_mhz < rate.clock_needed_mhz) {
        problems.push(format!(
            "frames of {} bytes at {} Gb/s need {:.1} MHz, not {} (or a wider bus, or more pipelines)",
            rate.worst_frame, rate.link_gbps, rate.clock_needed_mhz, rate.clock_mhz
        ));
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(data_width: u64, clock_mhz: f64, link_gbps: f64) -> Rate {
        let target = Target { device: String::new(), clock_mhz, link_gbps, pipelines: 1 };
        rate(data_width, &target)
    }

    #[test]
    fn one_byte_beyond_a_beat_is_the_worst_length() {
        let rate = at(512, 322.265625, 100.0);
        assert_eq!(rate.worst_frame, 65);
        assert!((rate.clock_needed_mhz - 280.9).abs() < 0.1, "{}", rate.clock_needed_mhz);
    }

    #[test]
    fn a_narrow_bus_is_worst_with_long_frames() {
        let rate = at(64, 156.25, 10.0);
        assert!(rate.worst_frame > 9000 && rate.clock_needed_mhz < 156.25, "{rate:?}");
    }
}
