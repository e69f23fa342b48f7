// SPDX-License-Identifier: MIT OR Apache-2.0
//! `mpnic conform`: the golden vectors on the model and on the Verilog.

mod report;
mod run;

#[cfg(test)]
pub use report::Problem;
pub use report::{Counts, Report, Suite};

use super::{json, print};
use crate::backend;
use crate::cli::{self, Backend, Backends};
use crate::config::Config;
use crate::failure::{Failure, Outcome};
use crate::stages::StageName;
use crate::trace;
use crate::vectors;
use golden_vectors::Vectors;
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
    let filter = args.filter.as_deref().unwrap_or_default();
    let chosen = |stage: &str, id: &str| chosen(filter, stage, id);
    let stages = StageName::pipeline(&config);
    let (own, files) = match &args.vectors {
        Some(path) => (Vec::new(), vec![Vectors::load(path)?]),
        None => (own(&stages, &config)?, embedded()?),
    };
    let mut runs = Vec::new();
    for (stage, vectors) in &own {
        let of_stage = as_configured(stage, vectors, &widths, &config, chosen);
        if filter.is_empty() {
            judged(stage, of_stage.len())?;
        }
        runs.extend(of_stage);
    }
    for mut run in files.iter().flat_map(|file| Run::all(file, &widths, chosen)) {
        run.as_configured = run.is_of(&stages, &config)?;
        // What is as configured has been run already.
        if own.is_empty() || !run.as_configured {
            runs.push(run);
        }
    }
    // A waveform is of one run: of a vector that runs in several configurations, of that at hand.
    if args.trace.is_some() && runs.iter().any(|run| run.as_configured) {
        runs.retain(|run| run.as_configured);
    }
    let runs: Vec<_> =
        runs.into_iter().flat_map(|run| backends.iter().map(move |&backend| (run.clone(), backend))).collect();
    if args.trace.is_some() && runs.len() > 1 {
        let message = format!("--trace is the waveform of one run, and these are {}", runs.len());
        let help = "choose one --backend and one --data-width, and with --filter STAGE/TEXT vectors of one stage";
        return Err(Failure::with_help(message, help));
    }
    let mut trace = trace::open(args.trace.as_deref())?;
    let suites = runs.iter().map(|(run, backend)| run.on(*backend, &config, trace.take()));
    let report = Report::of(suites.collect::<Outcome<_>>()?);
    match report.passed + report.failed {
        0 if filter.is_empty() => return Err(Failure::message("there are no vectors")),
        0 => return Err(Failure::message(format!("no vector has an id that contains `{filter}`"))),
        _ => {}
    }
    print(&if args.json { json(&report)? } else { report.text() })?;
    if report.failed == 0 { Ok(()) } else { Err(Failure::Check) }
}

/// By a part of the id, by the stage, or by both: `STAGE/TEXT`.
fn chosen(filter: &str, stage: &str, id: &str) -> bool {
    let behind = filter.strip_prefix(stage).and_then(|rest| rest.strip_prefix('/'));
    filter == stage || id.contains(filter) || behind.is_some_and(|text| id.contains(text))
}

/// The vectors of these stages as they are configured, for those that have any.
fn own(stages: &[StageName], config: &Config) -> Outcome<Vec<(String, Vec<Vectors>)>> {
    let own = stages.iter().map(|stage| Ok((stage.name(), vectors::of(*stage, config)?)));
    let own = own.collect::<Outcome<Vec<_>>>()?;
    Ok(own.into_iter().filter(|(_, files)| !files.is_empty()).collect())
}

/// The runs of such vectors.
fn as_configured<'a>(
    stage: &'a str,
    files: &'a [Vectors],
    widths: &[u64],
    config: &Config,
    chosen: impl Fn(&str, &str) -> bool,
) -> Vec<Run<'a>> {
    let runs = files.iter().flat_map(|file| Run::of(stage, file, widths, config.udp_checksum, &chosen));
    let mut runs: Vec<_> = runs.collect();
    runs.iter_mut().for_each(|run| run.as_configured = true);
    runs
}

/// Nothing compared is no success.
fn judged(stage: &str, vectors: usize) -> Outcome {
    match vectors {
        0 => Err(Failure::message(format!("there is no golden vector for `{stage}` as it is configured"))),
        _ => Ok(()),
    }
}

/// The embedded vectors of the stages that there is a design of.
fn embedded() -> Outcome<Vec<Vectors>> {
    let mut files = Vectors::embedded()?;
    files.retain(|file| matches!(file, Vectors::Frames(_)) || backend::TIMED.contains(&file.stage()));
    Ok(files)
}

/// Runs the vectors of some stages as they are configured, and behind them those embedded ones that are for other sizes.
pub fn of_stages(stages: &[StageName], backend: Backend, config: &Config) -> Outcome<Vec<Suite>> {
    let mut suites = Vec::new();
    let embedded = embedded()?;
    for (stage, vectors) in &own(stages, config)? {
        let before = suites.len();
        for run in as_configured(stage, vectors, &[config.data_width], config, |_, _| true) {
            suites.push(run.on(backend, config, None)?);
        }
        judged(stage, Counts::of(&suites[before..]).all())?;
        let others = embedded.iter().filter(|file| matches!(file, Vectors::Timed(_)) && file.stage() == stage);
        for run in others.flat_map(|file| Run::all(file, &[config.data_width], |_, _| true)) {
            if !run.is_of(stages, config)? {
                suites.push(run.on(backend, config, None)?);
            }
        }
    }
    Ok(suites)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every stage of every kind of pipeline has vectors as it is configured; one without is an error that names it.
    #[test]
    fn no_stage_passes_without_a_vector() {
        let mut config = Config::default();
        config.protocols.uet_port = 5000;
        config.protocols.rocev2_port = 0;
        let stages = StageName::pipeline(&config);
        let mut own = own(&stages, &config).expect("they are made");
        assert_eq!(own.len(), stages.len());
        for (stage, vectors) in &mut own {
            let runs = as_configured(stage, vectors, &[64], &config, |_, _| true);
            let own = runs.iter().all(|run| run.is_of(&stages, &config).expect("a table"));
            assert!(own && runs.len() == vectors.len(), "{stage}");
        }
        assert_eq!(judged("icrc", 1).ok(), Some(()));
        let Err(Failure::Usage(said)) = judged("icrc", 0) else { panic!("nothing passes") };
        assert_eq!(said.to_string(), "there is no golden vector for `icrc` as it is configured");
    }
}
