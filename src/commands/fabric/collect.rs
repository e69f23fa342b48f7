// SPDX-License-Identifier: MIT OR Apache-2.0
//! `mpnic fabric collect`: what has ended of a sweep, and what is missing.

use super::{Source, run as single, show, sweep};
use crate::cli;
use crate::commands::{json, print};
use crate::failure::{Failure, Outcome};
use ::fabric::result::Report;
use std::path::Path;

/// Most runs that are named.
const MOST: usize = 10;

pub fn run(args: &cli::FabricCollect) -> Outcome {
    collect(&args.directory, args.json)
}

/// Writes `result.json` and `flows.csv` of the runs that have ended.
pub fn collect(directory: &Path, as_json: bool) -> Outcome {
    let path = directory.join(sweep::EXPERIMENT);
    if !path.is_file() {
        let help = "name the --out of mpnic fabric sweep";
        return Err(Failure::with_help(format!("{} is no sweep", directory.display()), help));
    }
    let folder = std::fs::read_to_string(directory.join(sweep::FOLDER)).unwrap_or_default();
    let experiment = Source { folder: folder.into(), ..Source::find(&path)? }.read(&[])?;
    let (mut runs, mut missing) = (Vec::new(), Vec::new());
    for (number, (case, seed)) in experiment.tasks().into_iter().enumerate() {
        match sweep::read(directory, number) {
            Some(run) => runs.push(run),
            None => missing.push(format!("{number} ({}, seed {seed})", experiment.cases[case].name)),
        }
    }
    let report = Report::of(&experiment, &runs, env!("CARGO_PKG_VERSION"));
    let files = single::files(&experiment, &report, &runs)?;
    for name in files.names().filter(|name| *name != sweep::EXPERIMENT) {
        sweep::write(&directory.join(name), files.get(name).unwrap_or_default())?;
    }
    print(&if as_json { json(&report)? } else { show::text(&report) })?;
    if !missing.is_empty() {
        let named = missing[..missing.len().min(MOST)].join(", ");
        let more = if missing.len() > MOST { format!(" and {} more", missing.len() - MOST) } else { String::new() };
        eprintln!("mpnic: {} runs are missing: {named}{more}", missing.len());
        return Err(Failure::Check);
    }
    if report.is_good() { Ok(()) } else { Err(Failure::Check) }
}
