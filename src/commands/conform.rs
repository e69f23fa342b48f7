// SPDX-License-Identifier: MIT OR Apache-2.0
//! `mpnic conform`: the golden vectors on the model and on the Verilog.

mod report;
mod run;

pub use report::Report;
#[cfg(test)]
pub use report::{Problem, Suite};

use super::{json, print};
use crate::backend;
use crate::cli::{self, Backend, Backends};
use crate::config::{Config, table};
use crate::failure::{Failure, Outcome};
use crate::stages::StageName;
use crate::trace;
use golden_vectors::Vectors;
use golden_vectors::generate::header_builder_of;
use golden_vectors::oracle::frame::judged;
use run::Run;

/// Runs the command.
pub fn run(args: &cli::Conform, config: &Config) -> Outcome {
    let mut config = config.clone();
    config.conform.stall_percent = args.stall.unwrap_or(config.conform.stall_percent);
    config.conform.seed = args.seed.unwrap_or(config.conform.seed);
    let backends: &[Backend] = match args.backend {
        Backends::Model => &[Backend::Model],
        Backends::Verilator => &[Backend::Verilator],
        Backends::Iverilog => &[Backend::Iverilog],
        Backends::All => &[Backend::Model, Backend::Verilator, Backend::Iverilog],
    };
    let widths = match args.data_width.as_deref() {
        None => vec![config.data_width],
        Some("all") => vec![64, 128, 256, 512, 1024],
        Some(width) => vec![width.parse().unwrap_or(config.data_width)],
    };
    let files = match &args.vectors {
        Some(path) => vec![Vectors::load(path)?],
        None => embedded(&config)?,
    };
    let filter = args.filter.as_deref().unwrap_or_default();
    let runs = files.iter().flat_map(|file| Run::all(file, &widths, |stage, id| chosen(filter, stage, id)));
    let runs: Vec<_> = runs.flat_map(|run| backends.iter().map(move |&backend| (run.clone(), backend))).collect();
    if args.trace.is_some() && runs.len() > 1 {
        let message = format!("--trace is the waveform of one run, and these are {}", runs.len());
        let help = "choose one --backend and one --data-width, and with --filter STAGE/TEXT vectors of one stage";
        return Err(Failure::with_help(message, help));
    }
    let mut trace = trace::open(args.trace.as_deref())?;
    let suites = runs.iter().map(|(run, backend)| run.on(*backend, &config, trace.take()));
    let report = Report::of(suites.collect::<Outcome<_>>()?);
    if report.passed + report.failed == 0 {
        return Err(Failure::message(format!("no vector has an id that contains `{filter}`")));
    }
    print(&if args.json { json(&report)? } else { report.text() })?;
    if report.failed == 0 { Ok(()) } else { Err(Failure::Check) }
}

/// By a part of the id, by the stage, or by both: `STAGE/TEXT`.
fn chosen(filter: &str, stage: &str, id: &str) -> bool {
    let behind = filter.strip_prefix(stage).and_then(|rest| rest.strip_prefix('/'));
    filter == stage || id.contains(filter) || behind.is_some_and(|text| id.contains(text))
}

/// The embedded vectors of the stages that there is a design of; those of parser and builder also for what the configuration
/// itself chooses.
fn embedded(config: &Config) -> Outcome<Vec<Vectors>> {
    let (own, builder) = (table::of(&config.protocols), table::of_builder(config));
    let mut files = Vec::new();
    for file in Vectors::embedded()? {
        match file {
            Vectors::Frames(file) if file.stage == StageName::HeaderParser.name() && !own.is_empty() => {
                let judged = judged(&file, &own).map_err(Failure::message)?;
                files.extend([Vectors::Frames(file), Vectors::Frames(judged)]);
            }
            Vectors::Frames(file) if file.stage == StageName::HeaderBuilder.name() && !builder.is_empty() => {
                let made = header_builder_of(&builder).map_err(Failure::message)?;
                files.extend([Vectors::Frames(file), Vectors::Frames(made)]);
            }
            Vectors::Timed(file) if !backend::TIMED.contains(&file.stage.as_str()) => {}
            file => files.push(file),
        }
    }
    Ok(files)
}

/// Runs the embedded vectors of some stages as the configuration has them, of each stage for which there are any.
pub fn of_stages(stages: &[StageName], backend: Backend, config: &Config) -> Outcome<Vec<report::Suite>> {
    let (files, mut suites) = (embedded(config)?, Vec::new());
    for &stage in stages {
        let name = stage.name();
        for file in &files {
            for run in Run::all(file, &[config.data_width], |of, _| of == name) {
                if run.is_for(stage, config)? {
                    suites.push(run.on(backend, config, None)?);
                }
            }
        }
    }
    Ok(suites)
}
