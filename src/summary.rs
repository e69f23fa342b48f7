// SPDX-License-Identifier: MIT OR Apache-2.0
//! The contents of `summary.json`: the results of all stages, their sum, and the overall result.

use crate::budget::{Budget, Whole};
use crate::commands::conform::Report;
use crate::config::Config;
use crate::device::Device;
use crate::failure::Outcome;
use crate::interfaces::Interface;
use crate::latency::Time;
use crate::settings::Setting;
use crate::stages::StageName;
use crate::wiring::Wiring;
use rtl_model::netlist::circuit::{Circuit, Origin};
use serde::Serialize;
use std::collections::BTreeSet;

/// All results. Its JSON form is an interface: fields may be added; `version` changes if a field changes.
#[derive(Debug, Serialize)]
pub struct Summary {
    /// The version of this layout.
    pub version: u32,
    /// The tool that made it.
    pub tool: &'static str,
    /// The hash of the configuration.
    pub config: String,
    /// Whether the tests passed, and the stages fit and keep up.
    pub passed: bool,
    /// Whether every vector passed and every frame of the capture was read as it was encoded.
    pub conforms: bool,
    /// The sum of the stages and the overall result.
    #[serde(flatten)]
    pub whole: Whole,
    /// The target of the results.
    pub target: Target,
    /// The results of the stages.
    pub stages: Vec<Stage>,
    /// The stages that the protocols do not need, where that is to be said.
    pub left_out: Vec<LeftOut>,
    /// All memories of all stages.
    pub memories: Vec<Structure>,
    /// The results of the golden vectors.
    pub conform: Report,
    /// The results of the capture, if a stage reads frames.
    pub replay: Option<Replayed>,
}

/// A stage that the pipeline does not have.
#[derive(Debug, Serialize)]
pub struct LeftOut {
    /// The name of the stage.
    pub stage: String,
    /// What the configuration does not have and the stage needs.
    pub needs: &'static str,
}

impl From<(StageName, &'static str)> for LeftOut {
    fn from((stage, needs): (StageName, &'static str)) -> Self {
        LeftOut { stage: stage.name(), needs }
    }
}

/// A stage with its module and testbench, of which another one has an instance, or an instance of one that has it.
#[derive(Clone, Debug, Serialize)]
pub struct Part {
    /// The name of the stage.
    pub stage: String,
    /// The name of its module, as it is alone.
    pub top: String,
    /// Whether there is a testbench.
    pub testbench: bool,
    /// The streams between the stages of which it consists; absent if it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wiring: Option<Wiring>,
    /// Its latencies.
    pub latency: Vec<Time>,
}

/// The part of the configuration that the results are compared with.
#[derive(Debug, Serialize)]
pub struct Target {
    /// The name of the device.
    pub device: &'static str,
    /// The kind of its block memories.
    pub block: &'static str,
    /// The kind of its distributed memory.
    pub distributed: &'static str,
    /// Number of bits per beat.
    pub data_width: u64,
    /// The clock, in MHz.
    pub clock_mhz: f64,
    /// The line rate, in Gb/s.
    pub link_gbps: f64,
    /// Number of pipelines that share the link.
    pub pipelines: u64,
}

/// The results of a stage.
#[derive(Debug, Serialize)]
pub struct Stage {
    /// The name of the stage.
    pub stage: String,
    /// The name of its top module.
    pub top: String,
    /// Whether the Verilog comes with a self-checking testbench.
    pub testbench: bool,
    /// The stages of which it has an instance, and those of which these have one.
    pub parts: Vec<Part>,
    /// The streams between these stages; absent if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wiring: Option<Wiring>,
    /// The interfaces of the stage.
    pub interfaces: Vec<Interface>,
    /// Its latencies, in clock cycles and in time at the target's clock.
    pub latency: Vec<Time>,
    /// The names of its nets.
    pub names: Names,
    /// Its settings after reset.
    pub settings: Vec<Setting>,
    /// The cost of the stage.
    pub budget: Budget,
}

/// The number of nets of a circuit, and where their names come from.
#[derive(Debug, Serialize)]
pub struct Names {
    /// Number of all nets.
    pub nets: usize,
    /// Number of nets that are named after their readers, because the source has no name for them.
    pub made: usize,
}

impl Names {
    /// Counts the nets of a circuit.
    fn of(circuit: &Circuit) -> Self {
        let origins = hdl::name_origins(circuit);
        Names { nets: origins.values().sum(), made: origins.get(&Origin::Made).copied().unwrap_or(0) }
    }
}

/// A memory of one pipeline, and the share of the device that all pipelines take.
#[derive(Debug, Serialize)]
pub struct Structure {
    /// The name of the stage.
    pub stage: String,
    /// The name of the module.
    pub module: String,
    /// The name of the memory.
    pub name: String,
    /// Number of copies in a pipeline.
    pub copies: u64,
    /// Number of rows of one copy.
    pub rows: u64,
    /// Number of bits per row.
    pub width: u32,
    /// Number of bits that all copies store.
    pub bits: u64,
    /// Number of bits of the primitives of all copies.
    pub allocated_bits: u64,
    /// Share of these bits that store rows, in per cent; copies of a row count once.
    pub efficiency_percent: f64,
    /// The primitive that it is made of; `flip-flops` if those are cheaper.
    pub primitive: &'static str,
    /// Number of primitives of all copies.
    pub primitives: u64,
    /// Number of block memories of all copies.
    pub blocks: u64,
    /// The share of the device's block memories, of all pipelines.
    pub blocks_percent: f64,
}

/// The capture, compared with what its encoder wrote.
#[derive(Debug, Serialize)]
pub struct Replayed {
    /// The name of the capture.
    pub capture: &'static str,
    /// What its frames of RoCEv2 are read as: `rocev2`, or `udp` if the pipeline does not have that protocol.
    pub transport: &'static str,
    /// Number of its frames.
    pub frames: usize,
    /// Number of frames that were read as they were encoded.
    pub agree: usize,
    /// The frames that were not.
    pub differences: Vec<String>,
}

impl Replayed {
    /// Whether there were frames, and all were read as they were encoded.
    fn is_good(&self) -> bool {
        self.frames > 0 && self.agree == self.frames
    }
}

impl Stage {
    /// Measures a stage. `made` are the stages that have been made, with its parts.
    pub fn of(stage: StageName, made: &[Part], config: &Config) -> Outcome<Self> {
        let budget = Budget::of(stage, config)?;
        let circuit = stage.circuit(config)?;
        let parts = StageName::with_parts(&[stage], config).into_iter().filter(|part| *part != stage);
        let find = |name: String| made.iter().find(|part| part.stage == name);
        Ok(Stage {
            stage: stage.name(),
            top: budget.top.clone(),
            testbench: made.iter().any(|part| part.stage == stage.name() && part.testbench),
            // What a configuration does not need may have other protocols than its stages.
            parts: parts.filter(|_| stage.is_wanted(config)).filter_map(|part| find(part.name())).cloned().collect(),
            wiring: stage.wiring(&circuit, config)?,
            interfaces: Interface::all(circuit.top()),
            latency: Time::all(&budget.latency, config.target.clock_mhz),
            names: Names::of(&circuit),
            settings: stage.settings(config),
            budget,
        })
    }
}

impl Summary {
    /// There are golden vectors of this stage.
    pub fn is_judged(&self, stage: &str) -> bool {
        self.conform.suites.iter().any(|suite| suite.name == stage)
    }

    /// The stages without golden vectors. One that consists of stages is judged by theirs, so it may be some of these.
    pub fn unjudged(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for Stage { stage, parts, .. } in self.stages.iter().filter(|stage| !self.is_judged(&stage.stage)) {
            let of_parts = parts.iter().filter(|part| part.wiring.is_none() && !self.is_judged(&part.stage));
            match parts.is_empty() {
                true => names.push(stage),
                false => names.extend(of_parts.map(|part| part.stage.as_str())),
            }
        }
        let mut seen = BTreeSet::new();
        names.retain(|name| seen.insert(*name));
        names
    }

    /// Sums up the stages and computes the overall result.
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
            left_out: Vec::new(),
            conform,
            replay,
        }
    }
}

fn structures(stage: &Stage, pipelines: u64) -> Vec<Structure> {
    let mut all = Vec::new();
    for module in &stage.budget.modules {
        let copies = module.instances;
        all.extend(module.memories.iter().map(|memory| {
            let blocks = memory.taken.times(copies).blocks();
            let of_all = memory.taken.times(copies * pipelines).blocks();
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
                blocks_percent: 100.0 * of_all as f64 / stage.budget.device.blocks.max(1) as f64,
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

    /// The default configuration and all that are shipped.
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
            // A switch has one stage.
            let least = if name == "dragonfly-switch" { 500 } else { 1000 };
            assert!(nets > least && 100 * made <= 8 * nets, "{name}: {made} of {nets} nets");
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
