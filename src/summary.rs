// SPDX-License-Identifier: MIT OR Apache-2.0
//! What `summary.json` holds: the results of all stages, their sum, and the verdict.

use crate::budget::{Budget, Whole};
use crate::commands::conform::Report;
use crate::config::Config;
use crate::device::Device;
use crate::failure::Outcome;
use crate::interfaces::Interface;
use crate::stages::StageName;
use rtl_model::netlist::circuit::{Circuit, Origin};
use serde::Serialize;

/// All results. Its JSON form is an interface: fields may be added, `version` says when one has changed.
#[derive(Debug, Serialize)]
pub struct Summary {
    /// Version of this layout.
    pub version: u32,
    /// What made it.
    pub tool: &'static str,
    /// Hash of the configuration.
    pub config: String,
    /// All of the three below.
    pub passed: bool,
    /// Every vector passed and every frame of the capture was read as it was encoded.
    pub conforms: bool,
    /// The sum of the stages and the verdict.
    #[serde(flatten)]
    pub whole: Whole,
    /// What it is made for.
    pub target: Target,
    /// The stages.
    pub stages: Vec<Stage>,
    /// Every memory of every stage.
    pub memories: Vec<Structure>,
    /// The golden vectors.
    pub conform: Report,
    /// The capture, if a stage reads frames.
    pub replay: Option<Replayed>,
}

/// The part of the configuration that the results are measured against.
#[derive(Debug, Serialize)]
pub struct Target {
    /// What the device is called.
    pub device: &'static str,
    /// Kind of its block memories.
    pub block: &'static str,
    /// Kind of its distributed memory.
    pub distributed: &'static str,
    /// Bits of a beat.
    pub data_width: u64,
    /// Clock.
    pub clock_mhz: f64,
    /// Line rate.
    pub link_gbps: f64,
    /// Pipelines that share the link.
    pub pipelines: u64,
}

/// A stage.
#[derive(Debug, Serialize)]
pub struct Stage {
    /// Its name.
    pub stage: String,
    /// Its top module.
    pub top: String,
    /// Whether the Verilog comes with a self-checking testbench.
    pub testbench: bool,
    /// What goes in and comes out.
    pub interfaces: Vec<Interface>,
    /// Clocks through it, and what they are at the clock of the target.
    pub latency: Vec<Time>,
    /// The names of its nets.
    pub names: Names,
    /// What it costs.
    pub budget: Budget,
}

/// How many nets a circuit has, and where their names come from.
#[derive(Debug, Serialize)]
pub struct Names {
    /// All of them.
    pub nets: usize,
    /// Those called after what reads them, as the source has no name for them.
    pub made: usize,
}

impl Names {
    /// Counts.
    fn of(circuit: &Circuit) -> Self {
        let origins = hdl::name_origins(circuit);
        Names { nets: origins.values().sum(), made: origins.get(&Origin::Made).copied().unwrap_or(0) }
    }
}

/// A latency in clocks and in time.
#[derive(Debug, Serialize)]
pub struct Time {
    /// Where it goes in.
    pub from: String,
    /// Where it comes out.
    pub to: String,
    /// Clocks.
    pub clocks: u64,
    /// Nanoseconds.
    pub ns: f64,
}

/// A memory and its share of the device.
#[derive(Debug, Serialize)]
pub struct Structure {
    /// Stage.
    pub stage: String,
    /// Module.
    pub module: String,
    /// Its name.
    pub name: String,
    /// How often it is there, over all pipelines.
    pub copies: u64,
    /// Rows of one copy.
    pub rows: u64,
    /// Bits of a row.
    pub width: u32,
    /// Bits that all copies store.
    pub bits: u64,
    /// Bits that all copies are made of.
    pub allocated_bits: u64,
    /// Bits stored of these.
    pub efficiency_percent: f64,
    /// What they are made of; `flip-flops` where those are cheaper.
    pub primitive: &'static str,
    /// How many of all copies.
    pub primitives: u64,
    /// Block memories of all copies.
    pub blocks: u64,
    /// Share of the device's block memories.
    pub blocks_percent: f64,
}

/// The capture, against what its encoder put in.
#[derive(Debug, Serialize)]
pub struct Replayed {
    /// Its name.
    pub capture: &'static str,
    /// Frames in it.
    pub frames: usize,
    /// Frames that were read as they were encoded.
    pub agree: usize,
    /// What was not.
    pub differences: Vec<String>,
}

impl Replayed {
    /// There were frames, and all were read as they were encoded.
    fn is_good(&self) -> bool {
        self.frames > 0 && self.agree == self.frames
    }
}

impl Stage {
    /// Measures a stage.
    pub fn of(stage: StageName, testbench: bool, config: &Config) -> Outcome<Self> {
        let budget = Budget::of(stage, config)?;
        let (target, circuit) = (&config.target, stage.circuit(config)?);
        let time = |latency: &crate::latency::Latency| Time {
            from: latency.from.clone(),
            to: latency.to.clone(),
            clocks: latency.clocks,
            ns: latency.clocks as f64 * 1e3 / target.clock_mhz,
        };
        Ok(Stage {
            stage: stage.name(),
            top: budget.top.clone(),
            testbench,
            interfaces: Interface::all(circuit.top()),
            latency: budget.latency.iter().map(time).collect(),
            names: Names::of(&circuit),
            budget,
        })
    }
}

impl Summary {
    /// Stages that no golden vector judges.
    pub fn unjudged(&self) -> Vec<&str> {
        let judged = |stage: &&Stage| self.conform.suites.iter().any(|suite| suite.name == stage.stage);
        self.stages.iter().filter(|stage| !judged(stage)).map(|stage| stage.stage.as_str()).collect()
    }

    /// Sums the stages up and judges.
    pub fn of(config: &Config, stages: Vec<Stage>, conform: Report, replay: Option<Replayed>) -> Self {
        let target = &config.target;
        let device = Device::find(&target.device);
        let budgets: Vec<_> = stages.iter().map(|stage| &stage.budget).collect();
        let whole = Whole::of(&budgets, config);
        let conforms = conform.failed == 0 && replay.as_ref().is_none_or(Replayed::is_good);
        Summary {
            version: 3,
            tool: concat!("mpnic ", env!("CARGO_PKG_VERSION")),
            config: config.hash(),
            passed: conforms && whole.passed(),
            conforms,
            whole,
            target: Target {
                device: device.map_or("", |device| device.title),
                block: device.map_or("", |device| device.blocks.name),
                distributed: device.map_or("", |device| device.distributed.name),
                data_width: config.data_width,
                clock_mhz: target.clock_mhz,
                link_gbps: target.link_gbps,
                pipelines: target.pipelines,
            },
            memories: stages.iter().flat_map(|stage| structures(stage, target.pipelines)).collect(),
            stages,
            conform,
            replay,
        }
    }
}

fn structures(stage: &Stage, pipelines: u64) -> Vec<Structure> {
    let mut all = Vec::new();
    for module in &stage.budget.modules {
        let copies = module.instances * pipelines;
        all.extend(module.memories.iter().map(|memory| {
            let blocks = memory.taken.times(copies).blocks();
            Structure {
                stage: stage.stage.clone(),
                module: module.module.clone(),
                name: memory.name.clone(),
                copies,
                rows: memory.rows,
                width: memory.width,
                bits: memory.bits * copies,
                allocated_bits: memory.allocated_bits * copies,
                efficiency_percent: memory.efficiency_percent,
                primitive: memory.primitive,
                primitives: memory.primitives * copies,
                blocks,
                blocks_percent: 100.0 * blocks as f64 / stage.budget.device.blocks.max(1) as f64,
            }
        }));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::READY;
    use crate::stages::verilog;
    use hdl::Header;

    /// The default, and all that are shipped.
    fn configurations() -> Vec<(&'static str, Config)> {
        let shipped = READY.iter().map(|(name, _)| (*name, Config::load(Some(name)).expect("it is shipped")));
        std::iter::once(("default", Config::default())).chain(shipped).collect()
    }

    #[test]
    fn nearly_all_nets_have_names_of_the_source() {
        for (name, config) in configurations() {
            let circuits = StageName::pipeline(&config).into_iter().map(|stage| stage.circuit(&config));
            let names = circuits.map(|circuit| Names::of(&circuit.expect("it elaborates")));
            let (nets, made) = names.fold((0, 0), |(nets, made), names| (nets + names.nets, made + names.made));
            assert!(nets > 1000 && 100 * made <= 8 * nets, "{name}: {made} of {nets} nets");
        }
    }

    #[test]
    fn no_block_is_longer_than_a_reader_takes_in() {
        for (name, config) in configurations() {
            for stage in StageName::pipeline(&config) {
                let circuit = stage.circuit(&config).expect("it elaborates");
                for file in verilog(&circuit, &Header::default()).expect("it prints") {
                    let blocks = file.text.split("\nalways @").skip(1);
                    let lines = blocks.map(|block| block.lines().take_while(|line| *line != "end").count());
                    let longest = lines.max().unwrap_or(0);
                    assert!((10..300).contains(&longest), "{name} {}: {longest} lines", file.name);
                }
            }
        }
    }
}
