// SPDX-License-Identifier: MIT OR Apache-2.0
//! A stage on what is to run it.

use crate::cli::Backend;
use crate::config::Config;
use crate::failure::{Failure, Outcome};
use crate::stages;
use devices::AnyStage;
use pipeline::elab::ElabSizes;
use pipeline::elab_feedback::ElabFeedbackConfig;
use pipeline::elab_scheduler::ElabSchedulerConfig;
use pipeline::entropy_selector::{EntropySelectorConfig, Modes};
use pipeline::frame_gate::{DropMode, FrameGateConfig};
use pipeline::icrc::IcrcMode;
use pipeline::path_scheduler::PathSchedulerConfig;
use std::collections::BTreeMap;
use std::sync::Once;
use testbench::compiled::Compiled;
use testbench::icarus::IcarusDut;
use testbench::verilator::Verilator;
use testbench::{Dut, Error};

impl Backend {
    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Backend::Model => "model",
            Backend::Verilator => "verilator",
            Backend::Iverilog => "iverilog",
        }
    }
}

/// What a device is for.
#[derive(Clone, Copy, Debug)]
pub struct Use {
    /// About how many clocks it runs.
    pub clocks: u64,
    /// Whether its registers are to be seen, which is slower.
    pub watched: bool,
}

impl Use {
    /// To run frames of these lengths, a beat a clock.
    pub fn frames(lengths: impl Iterator<Item = usize>, data_width: u64) -> Self {
        Use { clocks: lengths.map(|length| 1 + 8 * length as u64 / data_width).sum(), watched: false }
    }
}

/// A stage at power-up.
pub fn device(backend: Backend, stage: impl Into<AnyStage>, to: Use) -> Outcome<Box<dyn Dut>> {
    let stage = stage.into();
    Ok(match (backend, to.watched) {
        (Backend::Model, false) => model(&stage, to.clocks)?,
        (Backend::Model, true) => stage.watched_reference()?,
        (Backend::Verilator, watched) => Box::new(Verilator::new().watch(watched).build(&stage.source()?)?),
        (Backend::Iverilog, false) => Box::new(IcarusDut::new(&stage.source()?)?),
        (Backend::Iverilog, true) => Box::new(IcarusDut::watched(&stage.source()?)?),
    })
}

/// The model compiled from the netlist, or the reference where there is no C compiler.
fn model(stage: &AnyStage, clocks: u64) -> Outcome<Box<dyn Dut>> {
    static ONCE: Once = Once::new();
    match Compiled::new().clocks(clocks).build(&stage.circuit()?) {
        Ok(model) => Ok(Box::new(model)),
        Err(Error::MissingTool { tool, .. }) => {
            ONCE.call_once(|| {
                eprintln!("no C compiler (`{tool}`, or set CC): the reference model runs, which is slower")
            });
            Ok(stage.reference()?)
        }
        Err(error) => Err(error.into()),
    }
}

/// A stage that frames pass through, by name: the name of its top module, and itself at power-up.
pub fn frames(backend: Backend, stage: &str, config: &Config, to: Use) -> Outcome<(String, Box<dyn Dut>)> {
    let design: AnyStage = match stage {
        "header_parser" => stages::header_parser(config).into(),
        "header_builder" => stages::header_builder(config).into(),
        "icrc" => stages::icrc(config, IcrcMode::Check).into(),
        "icrc_insert" => stages::icrc(config, IcrcMode::Insert).into(),
        _ => return Err(Failure::message(format!("the vectors are for the stage `{stage}`, which is not known"))),
    };
    Ok((design.module_name(), device(backend, design, to)?))
}

/// The stages with timed vectors that there is a design of.
pub const TIMED: &[&str] = &["entropy_selector", "path_scheduler", "elab_scheduler", "elab_feedback", "frame_gate"];

/// One of the stages of [`TIMED`], built as its vectors ask for: the name of its top module, and itself at power-up.
pub fn timed(
    backend: Backend,
    stage: &str,
    configuration: &BTreeMap<String, u64>,
    to: Use,
) -> Outcome<(String, Box<dyn Dut>)> {
    let value = |name: &str| {
        let value = configuration.get(name).copied();
        value.ok_or_else(|| Failure::message(format!("the vectors for `{stage}` do not say what `{name}` is")))
    };
    let latency = value("ram_latency")?;
    let ram_latency = u32::try_from(latency).ok().filter(|latency| (1..=3).contains(latency));
    let none =
        |size: String| Failure::message(format!("there is no `{stage}` of {size} in memories of latency {latency}"));
    let counts = 1..=4096;
    let paths = |paths: u64| (2..=64).contains(&paths) && paths.is_power_of_two();
    let design: AnyStage = match stage {
        "entropy_selector" => {
            let (cccs, evs, modes) = (value("cccs")?, value("evs")?, value("modes")?);
            // Files from before there were ports are of one.
            let ports = configuration.get("ports").copied().unwrap_or(1);
            let sized = counts.contains(&cccs) && (16..=1024).contains(&evs) && evs.is_power_of_two();
            let fits = ram_latency.zip(Modes::of_mask(modes)).filter(|_| sized && [1, 2, 4, 8].contains(&ports));
            let (ram_latency, modes) =
                fits.ok_or_else(|| none(format!("{cccs} CCCs of {evs} EVs with modes {modes:#b}, {ports} ports")))?;
            EntropySelectorConfig::new(cccs, evs).ram_latency(ram_latency).modes(modes).ports(ports).into()
        }
        "path_scheduler" => {
            let (qps, sub_paths) = (value("qps")?, value("paths")?);
            let fits = ram_latency.filter(|_| counts.contains(&qps) && paths(sub_paths));
            let ram_latency = fits.ok_or_else(|| none(format!("{qps} QPs of {sub_paths} sub-paths")))?;
            PathSchedulerConfig::new(qps, sub_paths).ram_latency(ram_latency).into()
        }
        "elab_scheduler" | "elab_feedback" => {
            let (pairs, vps, unit) = (value("pairs")?, value("vps")?, value("unit")?);
            let sized = counts.contains(&pairs) && paths(vps) && (8..=65_535).contains(&unit);
            let fits = ram_latency.filter(|_| sized);
            let ram_latency = fits.ok_or_else(|| none(format!("{pairs} pairs of {vps} VPs with unit {unit}")))?;
            let sizes = ElabSizes { ram_latency, ..ElabSizes::new(pairs, vps, unit) };
            if stage == "elab_scheduler" { ElabSchedulerConfig(sizes).into() } else { ElabFeedbackConfig(sizes).into() }
        }
        "frame_gate" => {
            let (data_width, beats, frames) = (value("data_width")?, value("beats")?, value("frames")?);
            let sizes = [beats, frames].iter().all(|size| (2..=1 << 20).contains(size) && size.is_power_of_two());
            let width = u32::try_from(data_width).ok().filter(|width| [64, 128, 256, 512, 1024].contains(width));
            let (ram_latency, data_width) = ram_latency
                .zip(width)
                .filter(|_| sizes)
                .ok_or_else(|| none(format!("{beats} beats of {data_width} bits and {frames} frames")))?;
            let drop = if value("mark")? == 0 { DropMode::Drop } else { DropMode::Mark };
            let records = value("records")? != 0;
            FrameGateConfig { beats, drop, records, ram_latency, ..FrameGateConfig::new(data_width, 0, frames) }.into()
        }
        _ => return Err(Failure::message(format!("the vectors are for the stage `{stage}`, which is not known"))),
    };
    Ok((design.module_name(), device(backend, design, to)?))
}
