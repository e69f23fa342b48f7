// SPDX-License-Identifier: MIT OR Apache-2.0
//! A stage on what is to run it.

use crate::cli::Backend;
use crate::config::Config;
use crate::failure::{Failure, Outcome};
use crate::stages;
use pipeline::entropy_selector::{EntropySelectorConfig, Modes};
use pipeline::header_builder::{HeaderBuilderConfig, UdpChecksum};
use pipeline::icrc::IcrcMode;
use pipeline::path_scheduler::PathSchedulerConfig;
use rtl_model::Design;
use std::collections::BTreeMap;
use testbench::Dut;
use testbench::icarus::IcarusDut;
use testbench::model::{model_of, watched_model_of};
use testbench::source::Source;
use testbench::verilator::Verilator;

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

/// A stage at power-up; `watched` if its registers are to be seen, which is slower.
pub fn device<D: Design + 'static>(backend: Backend, design: &D, watched: bool) -> Outcome<Box<dyn Dut>> {
    let source = || Source::of_design(design);
    Ok(match (backend, watched) {
        (Backend::Model, false) => model_of(design)?,
        (Backend::Model, true) => watched_model_of(design)?,
        (Backend::Verilator, watched) => Box::new(Verilator::new().watch(watched).build(&source()?)?),
        (Backend::Iverilog, false) => Box::new(IcarusDut::new(&source()?)?),
        (Backend::Iverilog, true) => Box::new(IcarusDut::watched(&source()?)?),
    })
}

/// A stage that frames pass through, by name: the name of its top module, and itself at power-up.
pub fn frames(backend: Backend, stage: &str, config: &Config, watched: bool) -> Outcome<(String, Box<dyn Dut>)> {
    let icrc = |mode| {
        let design = stages::icrc(config, mode);
        Ok((design.module_name(), device(backend, &design, watched)?))
    };
    match stage {
        "header_parser" => {
            let design = stages::header_parser(config);
            Ok((design.module_name(), device(backend, &design, watched)?))
        }
        // The vectors have checksums of all kinds in them, which a builder without would not build again.
        "header_builder" => {
            let design = HeaderBuilderConfig { udp_checksum: UdpChecksum::Recorded, ..stages::header_builder(config) };
            Ok((design.module_name(), device(backend, &design, watched)?))
        }
        "icrc" => icrc(IcrcMode::Check),
        "icrc_insert" => icrc(IcrcMode::Insert),
        _ => Err(Failure::message(format!("the vectors are for the stage `{stage}`, which is not known"))),
    }
}

/// The stages with timed vectors that there is a design of.
pub const TIMED: &[&str] = &["entropy_selector", "path_scheduler"];

/// One of the stages of [`TIMED`], built as its vectors ask for: the name of its top module, and itself at power-up.
pub fn timed(
    backend: Backend,
    stage: &str,
    configuration: &BTreeMap<String, u64>,
    watched: bool,
) -> Outcome<(String, Box<dyn Dut>)> {
    let value = |name: &str| {
        let value = configuration.get(name).copied();
        value.ok_or_else(|| Failure::message(format!("the vectors for `{stage}` do not say what `{name}` is")))
    };
    match stage {
        "entropy_selector" => {
            let (cccs, evs, latency) = (value("cccs")?, value("evs")?, value("ram_latency")?);
            // Files from before there were ports are of one.
            let (modes, ports) = (value("modes")?, configuration.get("ports").copied().unwrap_or(1));
            let sized = (1..=4096).contains(&cccs) && (16..=1024).contains(&evs) && evs.is_power_of_two();
            let sized = sized && [1, 2, 4, 8].contains(&ports);
            let latency = u32::try_from(latency).ok().filter(|latency| sized && (1..=3).contains(latency));
            let (latency, modes) = latency.zip(Modes::of_mask(modes)).ok_or_else(|| {
                let latency = configuration["ram_latency"];
                let size = format!("{cccs} CCCs of {evs} EVs in memories of latency {latency}");
                let size = format!("{size}, modes {modes:#b}, ports {ports}");
                Failure::message(format!("there is no `{stage}` of {size}"))
            })?;
            let design = EntropySelectorConfig::new(cccs, evs).ram_latency(latency).modes(modes).ports(ports);
            Ok((design.module_name(), device(backend, &design, watched)?))
        }
        "path_scheduler" => {
            let (qps, paths, latency) = (value("qps")?, value("paths")?, value("ram_latency")?);
            let sized = (1..=4096).contains(&qps) && (2..=64).contains(&paths) && paths.is_power_of_two();
            let fits = u32::try_from(latency).ok().filter(|latency| sized && (1..=3).contains(latency));
            let fits = fits.ok_or_else(|| {
                let size = format!("{qps} QPs of {paths} sub-paths in memories of latency {latency}");
                Failure::message(format!("there is no `{stage}` of {size}"))
            })?;
            let design = PathSchedulerConfig::new(qps, paths).ram_latency(fits);
            Ok((design.module_name(), device(backend, &design, watched)?))
        }
        _ => Err(Failure::message(format!("the vectors are for the stage `{stage}`, which is not known"))),
    }
}
