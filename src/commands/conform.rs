// SPDX-License-Identifier: MIT OR Apache-2.0
//! `mpnic conform`: the golden vectors on the model and on the Verilog.

use super::{json, print};
use crate::backend;
use crate::cli::{self, Backend, Backends};
use crate::config::Config;
use crate::failure::{Failure, Outcome};
use crate::progress::Progress;
use crate::stages::StageName;
use crate::{stages, trace};
use golden_vectors::{Case, VectorFile};
use rtl_model::Design;
use serde::Serialize;
use std::fmt::Write;
use testbench::conform::{self, CaseResult};
use testbench::parser_bench::Traffic;
use testbench::waveform::TraceFile;

/// What came of all suites.
#[derive(Debug, Serialize)]
pub struct Report {
    /// Version of this layout.
    pub version: u32,
    /// Vectors that passed, summed over the suites.
    pub passed: usize,
    /// Vectors that failed.
    pub failed: usize,
    /// One for each backend and file.
    pub suites: Vec<Suite>,
}

/// A vector file on a backend.
#[derive(Debug, Serialize)]
pub struct Suite {
    /// The stage.
    pub name: String,
    /// What ran it.
    pub backend: &'static str,
    /// Bits of a beat.
    pub data_width: u64,
    /// Vectors that passed.
    pub passed: usize,
    /// Vectors that failed.
    pub failed: usize,
    /// Why.
    pub failures: Vec<Problem>,
}

/// A vector that failed.
#[derive(Debug, Serialize)]
pub struct Problem {
    /// Its id.
    pub id: String,
    /// Each field that is not as expected.
    pub problems: Vec<String>,
}

/// Vectors between two steps of the progress bar.
const CHUNK: usize = 64;
/// Failures of a suite that are printed.
const SHOWN: usize = 20;

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
        Some("all") => vec![64, 128, 256, 512],
        Some(width) => vec![width.parse().unwrap_or(config.data_width)],
    };
    let files = match &args.vectors {
        Some(path) => vec![VectorFile::load(path)?],
        None => VectorFile::embedded()?,
    };
    let filter = args.filter.as_deref().unwrap_or_default();
    let chosen = |file: &VectorFile| file.cases().any(|case| case.id.contains(filter));
    let runs = files.iter().filter(|file| chosen(file)).count() * widths.len() * backends.len();
    if args.trace.is_some() && runs > 1 {
        let help = "choose one --backend and one --data-width, and with --filter the vectors of one stage";
        return Err(Failure::with_help(format!("--trace is the waveform of one run, and these are {runs}"), help));
    }
    let mut trace = trace::open(args.trace.as_deref())?;
    let mut suites = Vec::new();
    for file in &files {
        let cases: Vec<_> = file.cases().filter(|case| case.id.contains(filter)).collect();
        for &data_width in &widths {
            config.data_width = data_width;
            for &backend in backends {
                let trace = trace.take_if(|_| !cases.is_empty());
                suites.push(suite(&file.stage, &cases, backend, &config, trace)?);
            }
        }
    }
    let report = Report::of(suites);
    if report.passed + report.failed == 0 {
        return Err(Failure::message(format!("no vector has an id that contains `{filter}`")));
    }
    print(&if args.json { json(&report)? } else { report.text() })?;
    if report.failed == 0 { Ok(()) } else { Err(Failure::Check) }
}

/// Runs the embedded vectors of a stage, if there are any.
pub fn of_stage(stage: StageName, backend: Backend, config: &Config) -> Outcome<Option<Suite>> {
    let file = VectorFile::embedded_stage(&stage.name())?;
    file.map(|file| suite(&file.stage, &file.cases().collect::<Vec<_>>(), backend, config, None)).transpose()
}

/// Runs vectors on a backend.
pub fn suite(
    stage: &str,
    cases: &[&Case],
    backend: Backend,
    config: &Config,
    trace: Option<TraceFile>,
) -> Outcome<Suite> {
    if stage != "header_parser" {
        return Err(Failure::message(format!("the vectors are for the stage `{stage}`, which is not known")));
    }
    let progress = Progress::new(&format!("{stage}, {} bits, {}", config.data_width, backend.name()), cases.len());
    let design = stages::header_parser(config);
    let dut = backend::device(backend, &design, trace.is_some())?;
    let results: Vec<CaseResult> = trace::run(trace, &design.module_name(), dut, |dut| {
        let mut results = Vec::new();
        for (i, chunk) in cases.chunks(CHUNK).enumerate() {
            let traffic = Traffic {
                stall: config.conform.stall_percent as f64 / 100.0,
                seed: config.conform.seed.wrapping_add(i as u64),
            };
            results.extend(conform::run(dut, chunk.iter().copied(), traffic)?);
            progress.add(chunk.len());
        }
        Ok(results)
    })?;
    let failures: Vec<_> = results
        .into_iter()
        .filter(|result| !result.passed())
        .map(|result| Problem { id: result.id, problems: result.problems })
        .collect();
    Ok(Suite {
        name: stage.to_owned(),
        backend: backend.name(),
        data_width: config.data_width,
        passed: cases.len() - failures.len(),
        failed: failures.len(),
        failures,
    })
}

impl Report {
    /// Sums the suites up.
    pub fn of(suites: Vec<Suite>) -> Self {
        Report {
            version: 1,
            passed: suites.iter().map(|suite| suite.passed).sum(),
            failed: suites.iter().map(|suite| suite.failed).sum(),
            suites,
        }
    }

    /// The report for people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for suite in &self.suites {
            for failure in suite.failures.iter().take(SHOWN) {
                for problem in &failure.problems {
                    let problem = match problem.contains(", expected ") {
                        true => problem.replacen(": ", ": got ", 1),
                        false => problem.clone(),
                    };
                    let _ = writeln!(text, "FAIL {} ({}): {problem}", failure.id, suite.backend);
                }
            }
            if suite.failed > SHOWN {
                let _ = writeln!(text, "and {} more; --json has all", suite.failed - SHOWN);
            }
            let Suite { name, backend, data_width, passed, failed, .. } = suite;
            let _ = writeln!(text, "{name}, {data_width} bits, {backend}: {passed} passed, {failed} failed");
        }
        if self.suites.len() > 1 {
            let _ = writeln!(text, "{} passed, {} failed", self.passed, self.failed);
        }
        text
    }
}
