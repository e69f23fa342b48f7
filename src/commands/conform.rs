// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command `mpnic conform`: runs the golden vectors on the model and on the Verilog.

mod filter;
mod report;
mod run;

#[cfg(test)]
pub use report::Problem;
pub use report::{Counts, Report, Suite};

use super::{json, print};
use crate::cli::{self, Backend, Backends};
use crate::config::Config;
use crate::failure::{Failure, Outcome};
use crate::stages::StageName;
use crate::trace;
use crate::vectors;
use filter::Filter;
use golden_vectors::Vectors;
use rayon::prelude::*;
use run::Run;

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
    let filter = Filter::new(&args.filter);
    let chosen = |stage: &str, id: &str| filter.selects(stage, id);
    let concerned = |stages: &[StageName]| -> Vec<StageName> {
        stages.iter().copied().filter(|stage| filter.concerns(*stage)).collect()
    };
    let stages = StageName::with_parts(&StageName::pipeline(&config), &config);
    let given = args.vectors.as_ref().map(Vectors::load_all).transpose()?;
    let (own, files): (_, Vec<&Vectors>) = match &given {
        Some(given) => (Vec::new(), given.iter().collect()),
        None => (own(&concerned(&stages), &config)?, committed(&concerned(StageName::ALL))?),
    };
    let mut runs = Vec::new();
    for (stage, vectors) in &own {
        let of_stage = as_configured(*stage, vectors, &widths, &config, chosen);
        if filter.is_all() {
            judged(*stage, of_stage.len())?;
        }
        runs.extend(of_stage);
    }
    for file in files {
        for mut run in Run::all(file, &widths, chosen)? {
            run.as_configured = run.is_of(&stages, &config)?;
            // Vectors for the configured stage have been run already.
            if own.is_empty() || !run.as_configured {
                runs.push(run);
            }
        }
    }
    // A waveform is of one run: for a vector that runs in several configurations, of the configured one.
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
    let suites = match (runs.as_slice(), trace::open(args.trace.as_deref())?) {
        ([(run, backend)], trace @ Some(_)) => vec![run.on(*backend, &config, trace)?],
        (runs, _) => all(runs, &config)?,
    };
    let report = Report::of(suites);
    match report.passed + report.failed {
        0 if filter.is_all() => return Err(Failure::message("there are no vectors")),
        0 => {
            return Err(Failure::message(format!(
                "no vector has an id that contains `{}`",
                args.filter.join("` or `")
            )));
        }
        _ => {}
    }
    print(&if args.json { json(&report)? } else { report.text() })?;
    if report.failed == 0 { Ok(()) } else { Err(Failure::Check) }
}

/// The vectors of the configured stages that have any.
pub type Own = Vec<(StageName, Vec<Vectors>)>;

/// Makes the vectors.
pub fn own(stages: &[StageName], config: &Config) -> Outcome<Own> {
    let own: Vec<_> = stages.par_iter().map(|stage| vectors::of(*stage, config)).collect();
    let own = own.into_iter().zip(stages).map(|(files, stage)| Ok((*stage, files?)));
    let own = own.collect::<Outcome<Vec<_>>>()?;
    Ok(own.into_iter().filter(|(_, files)| !files.is_empty()).collect())
}

/// The runs of such vectors.
fn as_configured<'a>(
    stage: StageName,
    files: &'a [Vectors],
    widths: &[u64],
    config: &Config,
    chosen: impl Fn(&str, &str) -> bool,
) -> Vec<Run<'a>> {
    let runs = files.iter().flat_map(|file| Run::of(stage, file, widths, config.header_builder.udp_checksum, &chosen));
    let mut runs: Vec<_> = runs.collect();
    runs.iter_mut().for_each(|run| run.as_configured = true);
    runs
}

/// It is an error if nothing is compared.
fn judged(stage: StageName, vectors: usize) -> Outcome {
    match vectors {
        0 => Err(Failure::message(format!("there is no golden vector for `{}` as it is configured", stage.name()))),
        _ => Ok(()),
    }
}

/// The committed vectors of stages, read on all cores.
fn committed(stages: &[StageName]) -> Outcome<Vec<&'static Vectors>> {
    let files: Vec<_> = stages.par_iter().map(|stage| vectors::committed(*stage)).collect();
    let files = files.into_iter().collect::<Outcome<Vec<_>>>()?;
    Ok(files.into_iter().flatten().collect())
}

/// Runs the vectors `own` of the configured stages on the model.
pub fn of_stages(own: &Own, config: &Config) -> Outcome<Vec<Suite>> {
    let mut runs = Vec::new();
    for (stage, vectors) in own {
        let of_stage = as_configured(*stage, vectors, &[config.data_width], config, |_, _| true);
        judged(*stage, of_stage.len())?;
        runs.extend(of_stage.into_iter().map(|run| (run, Backend::Model)));
    }
    all(&runs, config)
}

/// Runs them on all cores.
fn all(runs: &[(Run, Backend)], config: &Config) -> Outcome<Vec<Suite>> {
    let suites: Vec<_> = runs.par_iter().map(|(run, backend)| run.on(*backend, config, None)).collect();
    // Of several failures the first in order is reported.
    suites.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every stage of every kind of pipeline has vectors as it is configured; a stage without is an error that names
    /// it.
    #[test]
    fn no_stage_passes_without_a_vector() {
        let mut config = Config::default();
        config.protocols.uet_port = 5000;
        config.protocols.rocev2_port = 0;
        let stages = StageName::with_parts(&StageName::pipeline(&config), &config);
        let own = own(&stages, &config).expect("they are made");
        // The paths are judged by their parts, and the check of requests in lock-step with its oracle.
        let judged_itself = |stage: &&StageName| stage.parts(&config).is_empty() && **stage != StageName::RequestCheck;
        assert_eq!(own.len(), stages.iter().filter(judged_itself).count());
        assert_eq!(own.len() + 3, stages.len());
        for (stage, vectors) in &own {
            let runs = as_configured(*stage, vectors, &[64], &config, |_, _| true);
            let own = runs.iter().all(|run| run.is_of(&stages, &config).expect("a table"));
            assert!(own && runs.len() == vectors.len(), "{}", stage.name());
        }
        assert_eq!(judged(StageName::Icrc, 1).ok(), Some(()));
        let Err(Failure::Usage(said)) = judged(StageName::Icrc, 0) else { panic!("nothing passes") };
        assert_eq!(said.message, "there is no golden vector for `icrc` as it is configured");
    }
}
