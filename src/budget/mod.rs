// SPDX-License-Identifier: MIT OR Apache-2.0
//! The cost of a design, computed from its netlist, and its throughput, compared with a device and a link.

mod choices;
mod clock;
mod contexts;
mod largest;
mod memory;
mod rate;
mod reorder;
mod whole;

pub use choices::Choice;
pub use clock::{Clock, Closes, Figure, Tables};
pub use contexts::ContextBudget;
pub use largest::Largest;
pub use memory::{MemoryBudget, Taken, percent};
pub use rate::{Events, LONGEST, Rate, RatePoint, SHORTEST};
pub use reorder::{ReorderBudget, Smallest};
pub use whole::{Together, Whole};

pub use crate::latency::Latency;
pub use crate::measured::{Measured, NetlistSize, Parameters, Relation};

use crate::config::Config;
use crate::device::{Device, Shift, URAM288};
use crate::failure::{Failure, Outcome};
use crate::measured;
use crate::stages::StageName;
use rtl_model::netlist::circuit::Circuit;
use serde::Serialize;

/// The budget of a design. Its JSON form is an interface: fields may be added; `version` changes if a field changes.
#[derive(Debug, Serialize)]
pub struct Budget {
    /// The version of this layout.
    pub version: u32,
    /// The hash of the configuration.
    pub config: String,
    /// The name of the stage.
    pub stage: String,
    /// The name of the top module.
    pub top: String,
    /// The keys of the configuration that affect the stage.
    pub parameters: Parameters,
    /// All modules, the top module last.
    pub modules: Vec<ModuleBudget>,
    /// The sum over all instances in one pipeline.
    pub total: Total,
    /// Latencies of the design, counted on the model.
    pub latency: Vec<Latency>,
    /// The frame rate; absent if the stage has no frames.
    pub rate: Option<Rate>,
    /// The rate of events, or of packets that take several clock cycles; absent if the stage takes frames.
    pub events: Option<Events>,
    /// The memory for the state of one context; absent if the stage has none.
    pub contexts: Option<ContextBudget>,
    /// What the link needs of the reorder SRAM; absent if the stage puts nothing in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reorder: Option<ReorderBudget>,
    /// The costs of the alternatives of each choice that the target makes; empty if there are none.
    pub choices: Vec<Choice>,
    /// The clock that it needs, and whether that closes.
    pub clock: Clock,
    /// The shares of the device.
    pub device: DeviceBudget,
    /// Whether it fits the device and keeps up with the link.
    pub fits: bool,
    /// What does not fit.
    pub problems: Vec<String>,
    /// Whether the device is too small for this stage alone.
    #[serde(skip)]
    pub too_big: bool,
}

/// One module without its children.
#[derive(Debug, Serialize)]
pub struct ModuleBudget {
    /// The name of the module.
    pub module: String,
    /// Number of instances.
    pub instances: u64,
    /// Number of flip-flops of one instance.
    pub register_bits: u64,
    /// Number of flip-flops of one instance after synthesis. Those of memories are included; chains that became shift
    /// registers are not.
    pub flip_flops: u64,
    /// Number of tables of one instance that are used as shift registers (SRL); absent if the device has none.
    pub shift_registers: Option<u64>,
    /// Number of memory bits of one instance.
    pub memory_bits: u64,
    /// Number of block memories of one instance.
    pub blocks: u64,
    /// Number of large blocks of one instance.
    pub ultra_blocks: u64,
    /// Number of bits of the primitives of its memories.
    pub allocated_bits: u64,
    /// Number of flip-flops of its memories, which `register_bits` does not include.
    pub memory_flip_flops: u64,
    /// Operators on its longest path.
    pub logic_levels: u32,
    /// The memories of the module.
    pub memories: Vec<MemoryBudget>,
    /// The parts of the device that one instance takes.
    #[serde(skip)]
    pub taken: Taken,
}

/// Sums over all instances, and the longest of their paths.
#[derive(Debug, Default, Serialize)]
pub struct Total {
    /// Number of flip-flops in the netlist, without those of memories.
    pub register_bits: u64,
    /// Number of flip-flops after synthesis. Those of memories are included; chains that became shift registers are
    /// not.
    pub flip_flops: u64,
    /// Number of tables that are used as shift registers (SRL); absent if the device has none.
    pub shift_registers: Option<u64>,
    /// Number of memory bits.
    pub memory_bits: u64,
    /// Number of block memories; two memories that each take half a block share one.
    pub blocks: u64,
    /// Number of large blocks.
    pub ultra_blocks: u64,
    /// Number of bits of the primitives of memories.
    pub allocated_bits: u64,
    /// Share of these bits that store rows, in per cent; copies of a row count once.
    pub efficiency_percent: f64,
    /// Number of flip-flops of memories: data registers outside of a block, and rows that are not in a primitive.
    pub memory_flip_flops: u64,
    /// Operators on the longest path.
    pub logic_levels: u32,
    /// The parts of the device for memories and shift registers.
    #[serde(skip)]
    pub taken: Taken,
}

/// The shares of a device.
#[derive(Debug, Serialize)]
pub struct DeviceBudget {
    /// The name of the device in the configuration.
    pub name: &'static str,
    /// The description of the device.
    pub title: &'static str,
    /// The name of its family for synthesis.
    pub family: &'static str,
    /// Number of flip-flops of the device.
    pub registers: u64,
    /// The kind of its block memories.
    pub block: &'static str,
    /// Number of its block memories.
    pub blocks: u64,
    /// Number of its look-up tables.
    pub luts: u64,
    /// The kind of its look-up tables.
    pub lut: &'static str,
    /// The kind of its distributed memory.
    pub distributed: &'static str,
    /// Number of units of its distributed memory.
    pub distributed_blocks: u64,
    /// Its large block memories.
    pub ultra_blocks: u64,
    /// The share of the flip-flops that all pipelines take after synthesis.
    pub registers_percent: f64,
    /// The share of the block memories that all pipelines take.
    pub blocks_percent: f64,
    /// The share of the distributed memory that all pipelines take.
    pub distributed_percent: f64,
    /// The share of the large blocks that all pipelines take.
    pub ultra_percent: f64,
}

impl Budget {
    /// Computes the budget of a stage.
    pub fn of(stage: StageName, config: &Config) -> Outcome<Self> {
        let has_reorder = matches!(stage, StageName::Reorder | StageName::Rx | StageName::Nic);
        let (built, reorder) = rayon::join(
            || choices::build(stage, config),
            || has_reorder.then(|| ReorderBudget::of(&stage.own_config(config))).transpose(),
        );
        let ((built, others), reorder) = (built?, reorder?);
        let choices = choices::of(&built, &others, config);
        let choices::Built { size, latency, .. } = built;
        let target = &config.target;
        let of_link = Rate::of(config.data_width, target);
        let parameters = measured::parameters(stage, config);
        let clock = Clock::of(measured::find(stage, size.device.family, &parameters)?, &of_link);
        let rate = stage.carries_frames().then_some(of_link);
        let mut problems = size.problems();
        let too_big = !problems.is_empty();
        let events = stage.clocks_of_event(config).map(|clocks| Events::of(target, clocks));
        problems.extend(rate.as_ref().and_then(too_slow));
        problems.extend(events.as_ref().and_then(Events::problem));
        problems.extend(clock.problem());
        problems.extend(reorder.iter().flat_map(ReorderBudget::problems));
        let contexts = stage.contexts().map(|contexts| ContextBudget::of(contexts, config, &size.total));
        Ok(Budget {
            version: 3,
            config: config.hash(),
            stage: stage.name(),
            top: size.top,
            parameters,
            modules: size.modules,
            total: size.total,
            latency,
            rate,
            events,
            contexts,
            reorder,
            choices,
            clock,
            device: size.device,
            fits: problems.is_empty(),
            problems,
            too_big,
        })
    }

    /// Whether its clock is enough for the link and is not known not to close, and it can hold what the link brings in the
    /// wrong order. The clock of a stage without frames is always enough.
    pub fn keeps_up(&self) -> bool {
        self.clock.closes != Closes::No
            && self.rate.as_ref().is_none_or(|rate| rate.clock_mhz >= rate.clock_needed_mhz)
            && self.events.as_ref().is_none_or(|events| events.problem().is_none())
            && self.reorder.as_ref().is_none_or(|reorder| reorder.problems().is_empty())
    }
}

/// The cost of a stage on a device.
#[derive(Debug)]
pub struct Size {
    /// The name of the top module.
    pub top: String,
    /// All modules, the top module last.
    pub modules: Vec<ModuleBudget>,
    /// The sum over all instances in one pipeline.
    pub total: Total,
    /// The device, with the shares that all pipelines take.
    pub device: DeviceBudget,
}

impl Size {
    /// Computes the cost of an elaborated stage.
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
            ultra_percent: device.ultra.as_ref().map_or(0.0, |ultra| share(taken.ultra, ultra.count)),
        };
        Ok(Size { top: circuit.top().name.clone(), modules, total, device })
    }

    /// Lists what does not fit.
    pub fn problems(&self) -> Vec<String> {
        let device = &self.device;
        let shares = [
            (device.registers_percent, "flip-flops"),
            (device.blocks_percent, device.block),
            (device.distributed_percent, device.distributed),
            (device.ultra_percent, URAM288.name),
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
    // Children come before parents.
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
            ultra_blocks: taken.ultra,
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
        ultra_blocks: taken.ultra,
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
