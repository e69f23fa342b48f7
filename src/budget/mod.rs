// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a design costs, from its netlist, and what it carries, against a device and a link.

mod choices;
mod clock;
mod contexts;
mod largest;
mod memory;
mod rate;
mod whole;

pub use choices::Choice;
pub use clock::{Clock, Closes, Figure, Tables};
pub use contexts::ContextBudget;
pub use largest::Largest;
pub use memory::{MemoryBudget, Taken, percent};
pub use rate::{Events, LONGEST, Rate, RatePoint, SHORTEST};
pub use whole::{Together, Whole};

pub use crate::latency::Latency;
pub use crate::measured::{Measured, NetlistSize, Parameters, Relation};

use crate::config::Config;
use crate::device::{Device, Shift};
use crate::failure::{Failure, Outcome};
use crate::measured;
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
    /// The stage.
    pub stage: String,
    /// Top module.
    pub top: String,
    /// The keys of the configuration that make the stage what it is.
    pub parameters: Parameters,
    /// Every module, the top last.
    pub modules: Vec<ModuleBudget>,
    /// All instances of one pipeline together.
    pub total: Total,
    /// Clocks through the design, counted on the model.
    pub latency: Vec<Latency>,
    /// What it carries; absent where the stage has no frames.
    pub rate: Option<Rate>,
    /// The events it takes; absent where the stage has frames.
    pub events: Option<Events>,
    /// What the state of one context takes; absent where the stage has none.
    pub contexts: Option<ContextBudget>,
    /// What the choices that the target makes cost, and what else they could be; empty where there are none.
    pub choices: Vec<Choice>,
    /// The clock that it needs, and whether that closes.
    pub clock: Clock,
    /// The device.
    pub device: DeviceBudget,
    /// Whether it fits the device and keeps up with the link.
    pub fits: bool,
    /// What does not fit.
    pub problems: Vec<String>,
    /// Whether the device has too little for this stage alone.
    #[serde(skip)]
    pub too_big: bool,
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
    /// Flip-flops of one instance after synthesis, those of memories included: without the chains that became shift
    /// registers.
    pub flip_flops: u64,
    /// Tables that are shift registers (SRL), of one instance; absent where the device has none.
    pub shift_registers: Option<u64>,
    /// Memory bits of one instance.
    pub memory_bits: u64,
    /// Block memories of one instance.
    pub blocks: u64,
    /// Bits that its memories are made of.
    pub allocated_bits: u64,
    /// Flip-flops of its memories, beside `register_bits`.
    pub memory_flip_flops: u64,
    /// Operators on its longest path.
    pub logic_levels: u32,
    /// Its memories.
    pub memories: Vec<MemoryBudget>,
    /// The parts of the device that one instance takes.
    #[serde(skip)]
    pub taken: Taken,
}

/// Sums over all instances, and the longest path of all.
#[derive(Debug, Default, Serialize)]
pub struct Total {
    /// Flip-flops as the netlist has them, without those of memories.
    pub register_bits: u64,
    /// Flip-flops after synthesis, those of memories included: without the chains that became shift registers.
    pub flip_flops: u64,
    /// Tables that are shift registers (SRL); absent where the device has none.
    pub shift_registers: Option<u64>,
    /// Memory bits.
    pub memory_bits: u64,
    /// Block memories; of memories that take half a block, two share one.
    pub blocks: u64,
    /// Bits that memories are made of.
    pub allocated_bits: u64,
    /// Bits stored of these.
    pub efficiency_percent: f64,
    /// Flip-flops of memories: data registers that are not in a block, and rows that no primitive holds.
    pub memory_flip_flops: u64,
    /// Operators on the longest path.
    pub logic_levels: u32,
    /// What of the device memories and shift registers take.
    #[serde(skip)]
    pub taken: Taken,
}

/// The share of a device.
#[derive(Debug, Serialize)]
pub struct DeviceBudget {
    /// Its name in the configuration.
    pub name: &'static str,
    /// What it is.
    pub title: &'static str,
    /// What it and its like are called where they are synthesized.
    pub family: &'static str,
    /// Its flip-flops.
    pub registers: u64,
    /// Kind of its block memories.
    pub block: &'static str,
    /// Their number.
    pub blocks: u64,
    /// Look-up tables.
    pub luts: u64,
    /// What they are.
    pub lut: &'static str,
    /// Kind of its distributed memory.
    pub distributed: &'static str,
    /// Its number.
    pub distributed_blocks: u64,
    /// Large block memories.
    pub ultra_blocks: u64,
    /// Share of the flip-flops that all pipelines take, after synthesis.
    pub registers_percent: f64,
    /// Share of the block memories that all pipelines take.
    pub blocks_percent: f64,
    /// Share of the distributed memory that all pipelines take.
    pub distributed_percent: f64,
}

impl Budget {
    /// The budget of a stage.
    pub fn of(stage: StageName, config: &Config) -> Outcome<Self> {
        let size = Size::of(stage, config)?;
        let target = &config.target;
        let of_link = Rate::of(config.data_width, target);
        let parameters = measured::parameters(stage, config);
        let total = &size.total;
        let netlist = NetlistSize {
            register_bits: total.register_bits,
            memory_bits: total.memory_bits,
            logic_levels: total.logic_levels,
        };
        let clock = Clock::of(stage, size.device.family, &parameters, &netlist, &of_link)?;
        let rate = stage.carries_frames().then_some(of_link);
        let mut problems = size.problems();
        let too_big = !problems.is_empty();
        problems.extend(rate.as_ref().and_then(too_slow));
        problems.extend(clock.problem());
        let contexts = stage.contexts().map(|contexts| ContextBudget::of(contexts, config, &size.total));
        Ok(Budget {
            version: 3,
            config: config.hash(),
            stage: stage.name(),
            top: size.top,
            parameters,
            modules: size.modules,
            total: size.total,
            latency: stage.latency(config)?,
            rate,
            events: (!stage.carries_frames()).then(|| Events::of(target)),
            contexts,
            choices: choices::of(stage, config)?,
            clock,
            device: size.device,
            fits: problems.is_empty(),
            problems,
            too_big,
        })
    }

    /// Whether its clock is enough for the link, which it is without frames, and not known not to close.
    pub fn keeps_up(&self) -> bool {
        self.clock.closes != Closes::No && self.rate.as_ref().is_none_or(|rate| rate.clock_mhz >= rate.clock_needed_mhz)
    }
}

/// What a stage takes of a device.
#[derive(Debug)]
pub struct Size {
    /// Top module.
    pub top: String,
    /// Every module, the top last.
    pub modules: Vec<ModuleBudget>,
    /// All instances of one pipeline together.
    pub total: Total,
    /// The device, with the shares that all pipelines take.
    pub device: DeviceBudget,
}

impl Size {
    /// Of a stage, elaborated.
    pub fn of(stage: StageName, config: &Config) -> Outcome<Self> {
        let circuit = stage.circuit(config)?;
        let target = &config.target;
        let device = Device::find(&target.device).ok_or_else(|| Failure::message("the device is unknown"))?;
        let modules = modules(&circuit, device);
        let total = total(&modules);
        let share = |used: u64, of: u64| 100.0 * used as f64 / of.max(1) as f64;
        let taken = total.taken.times(target.pipelines);
        let flip_flops = total.flip_flops * target.pipelines;
        let device = DeviceBudget {
            name: device.name,
            title: device.title,
            family: device.family(),
            registers: device.registers,
            block: device.blocks.name,
            blocks: device.blocks.count,
            luts: device.luts,
            lut: device.lut,
            distributed: device.distributed.name,
            distributed_blocks: device.distributed.count,
            ultra_blocks: device.ultra.as_ref().map_or(0, |ultra| ultra.count),
            registers_percent: share(flip_flops, device.registers),
            blocks_percent: share(taken.blocks(), device.blocks.count),
            distributed_percent: share(taken.distributed, device.distributed.count),
        };
        Ok(Size { top: circuit.top().name.clone(), modules, total, device })
    }

    /// What does not fit.
    pub fn problems(&self) -> Vec<String> {
        let device = &self.device;
        let shares = [
            (device.registers_percent, "flip-flops"),
            (device.blocks_percent, device.block),
            (device.distributed_percent, device.distributed),
        ];
        let over = shares.into_iter().filter(|(percent, _)| *percent > 100.0);
        over.map(|(percent, what)| format!("{percent:.1} % of the {what} of {}", device.title)).collect()
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
        let memories: Vec<_> = measure.memories.iter().map(|memory| MemoryBudget::of(memory, device)).collect();
        let blocks: Taken = memories.iter().map(|memory| memory.taken).sum();
        let memory_flip_flops: u64 = memories.iter().map(|memory| memory.flip_flops).sum();
        let shift = device.shift(&measure.delays);
        let Shift { replaced, tables } = shift.unwrap_or_default();
        let taken = Taken { distributed: blocks.distributed + tables, ..blocks };
        ModuleBudget {
            module: measure.module,
            instances,
            register_bits: measure.register_bits,
            flip_flops: measure.register_bits - replaced + memory_flip_flops,
            shift_registers: shift.map(|shift| shift.tables),
            memory_bits: memories.iter().map(|memory| memory.bits).sum(),
            blocks: taken.blocks(),
            allocated_bits: memories.iter().map(|memory| memory.allocated_bits).sum(),
            memory_flip_flops,
            logic_levels: measure.logic_depth,
            memories,
            taken,
        }
    };
    circuit.modules.iter().zip(counts).map(one).collect()
}

fn total(modules: &[ModuleBudget]) -> Total {
    let sum = |of: fn(&ModuleBudget) -> u64| modules.iter().map(|module| module.instances * of(module)).sum();
    let taken: Taken = modules.iter().map(|module| module.taken.times(module.instances)).sum();
    let tables = |module: &ModuleBudget| module.shift_registers.map(|tables| module.instances * tables);
    let (memory_bits, allocated_bits) = (sum(|module| module.memory_bits), sum(|module| module.allocated_bits));
    Total {
        register_bits: sum(|module| module.register_bits),
        flip_flops: sum(|module| module.flip_flops),
        shift_registers: modules.iter().map(tables).sum(),
        memory_bits,
        blocks: taken.blocks(),
        allocated_bits,
        efficiency_percent: memory::percent(memory_bits, allocated_bits),
        memory_flip_flops: sum(|module| module.memory_flip_flops),
        logic_levels: modules.iter().map(|module| module.logic_levels).max().unwrap_or(0),
        taken,
    }
}

fn too_slow(rate: &Rate) -> Option<String> {
    (rate.clock_mhz < rate.clock_needed_mhz).then(|| {
        format!(
            "frames of {} bytes at {} Gb/s need {:.1} MHz, not {} (or a wider bus, or more pipelines)",
            rate.worst_frame, rate.link_gbps, rate.clock_needed_mhz, rate.clock_mhz
        )
    })
}
