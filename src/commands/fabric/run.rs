// SPDX-License-Identifier: MIT OR Apache-2.0
//! `mpnic fabric run`: all cases and seeds of an experiment.

use super::{Source, pool, set, show};
use crate::cli;
use crate::commands::{json, print};
use crate::failure::{Failure, Outcome};
use crate::output::Files;
use crate::progress::Progress;
use ::fabric::experiment::{Experiment, Run};
use ::fabric::result::{Report, flows_csv, series_csv, traces_csv};
use rayon::prelude::*;

pub fn run(args: &cli::FabricRun) -> Outcome {
    let experiment = Source::find(&args.experiment)?.read(&set(&args.set, args.seeds))?;
    if let Some(out) = &args.out {
        Files::check(out, args.force)?;
    }
    let runs = runs(&experiment, args.jobs)?;
    let report = Report::of(&experiment, &runs, env!("CARGO_PKG_VERSION"));
    if let Some(out) = &args.out {
        files(&experiment, &report, &runs)?.write(out, args.force)?;
    }
    print(&if args.json { json(&report)? } else { show::text(&report) })?;
    if report.is_good() { Ok(()) } else { Err(Failure::Check) }
}

/// All runs, in the order of cases and seeds.
fn runs(experiment: &Experiment, jobs: Option<usize>) -> Outcome<Vec<Run>> {
    let tasks = experiment.tasks();
    let progress = Progress::new("runs", tasks.len());
    let one = |&(case, seed): &(usize, u64)| {
        let run = ::fabric::experiment::run(&experiment.cases[case], seed);
        progress.add(1);
        run
    };
    Ok(pool(jobs)?.install(|| tasks.par_iter().map(one).collect()))
}

/// The files of a result.
pub fn files(experiment: &Experiment, report: &Report, runs: &[Run]) -> Outcome<Files> {
    let origin = format!("# {} {}, experiment {}", env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"), report.name);
    let mut files = Files::of_origin(origin);
    files.add("experiment.toml", experiment.text.as_bytes());
    files.add("result.json", json(report)?);
    if !report.is_dragonfly() {
        files.add("flows.csv", flows_csv(runs));
    }
    if runs.iter().any(|run| !run.series.is_empty()) {
        files.add("series.csv", series_csv(runs));
    }
    if runs.iter().any(|run| !run.samples.is_empty()) {
        files.add("traces.csv", traces_csv(experiment, runs));
    }
    Ok(files)
}
