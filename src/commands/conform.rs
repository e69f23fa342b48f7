// SPDX-License-Identifier: MIT OR Apache-2.0
//! `mpnic conform`: the golden vectors on the model and on the Verilog.

use super::{json, print};
use crate::backend;
use crate::cli::{self, Backend, Backends};
use crate::config::Config;
use crate::failure::{Failure, Outcome};
use crate::progress::Progress;
use golden_vectors::{Case, TimedFile, TimedGroup, Vectors};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use testbench::conform::{self, CaseResult};
use testbench::parser_bench::Traffic;
use testbench::timed_bench;

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
    /// Bits of a beat, if the stage has beats.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_width: Option<u64>,
    /// The parameters with which the stage was built, if the vectors ask for some.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub configuration: BTreeMap<String, u64>,
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
        Some(path) => vec![Vectors::load(path)?],
        None => {
            let known = |file: &Vectors| matches!(file, Vectors::Frames(_)) || backend::TIMED.contains(&file.stage());
            Vectors::embedded()?.into_iter().filter(known).collect()
        }
    };
    // The name of a stage stands for all its vectors.
    let filter = args.filter.as_deref().unwrap_or_default();
    let chosen = |stage: &str, id: &str| stage == filter || id.contains(filter);
    let mut suites = Vec::new();
    for file in &files {
        match file {
            Vectors::Frames(file) => {
                let cases: Vec<_> = file.cases().filter(|case| chosen(&file.stage, &case.id)).collect();
                for &data_width in widths.iter().filter(|_| !cases.is_empty()) {
                    config.data_width = data_width;
                    for &backend in backends {
                        suites.push(suite(&file.stage, &cases, backend, &config)?);
                    }
                }
            }
            Vectors::Timed(file) => {
                for groups in by_configuration(file, |id| chosen(&file.stage, id)) {
                    for &backend in backends {
                        suites.push(timed_suite(&file.stage, &groups, backend)?);
                    }
                }
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

/// Runs vectors on a backend.
pub fn suite(stage: &str, cases: &[&Case], backend: Backend, config: &Config) -> Outcome<Suite> {
    if stage != "header_parser" {
        return Err(Failure::message(format!("the vectors are for the stage `{stage}`, which is not known")));
    }
    let progress = Progress::new(&format!("{stage}, {} bits, {}", config.data_width, backend.name()), cases.len());
    let mut dut = backend::parser(backend, config)?;
    let mut results: Vec<CaseResult> = Vec::new();
    for (i, chunk) in cases.chunks(CHUNK).enumerate() {
        let traffic = Traffic {
            stall: config.conform.stall_percent as f64 / 100.0,
            seed: config.conform.seed.wrapping_add(i as u64),
        };
        results.extend(conform::run(&mut *dut, chunk.iter().copied(), traffic)?);
        progress.add(chunk.len());
    }
    Ok(Suite { data_width: Some(config.data_width), ..Suite::of(stage, backend, results) })
}

/// The groups of a timed file with the chosen tests, in one list for each configuration of the stage.
fn by_configuration(file: &TimedFile, chosen: impl Fn(&str) -> bool) -> Vec<Vec<TimedGroup>> {
    let mut lists: BTreeMap<&BTreeMap<String, u64>, Vec<TimedGroup>> = BTreeMap::new();
    for group in &file.groups {
        let tests: Vec<_> = group.tests.iter().filter(|test| chosen(&test.id)).cloned().collect();
        if !tests.is_empty() {
            lists.entry(&group.configuration).or_default().push(TimedGroup { tests, ..group.clone() });
        }
    }
    lists.into_values().collect()
}

/// Runs timed vectors for one configuration of the stage on a backend.
fn timed_suite(stage: &str, groups: &[TimedGroup], backend: Backend) -> Outcome<Suite> {
    let configuration = groups.first().map_or_else(BTreeMap::new, |group| group.configuration.clone());
    let count = groups.iter().map(|group| group.tests.len()).sum();
    let progress = Progress::new(&format!("{stage}, {}, {}", parameters(&configuration), backend.name()), count);
    let mut dut = backend::timed(backend, stage, &configuration)?;
    let mut results = Vec::new();
    for group in groups {
        for case in &group.tests {
            results.push(timed_bench::run(&mut *dut, group, case)?);
        }
        progress.add(group.tests.len());
    }
    Ok(Suite { configuration, ..Suite::of(stage, backend, results) })
}

/// `cccs 3, evs 16`.
fn parameters(configuration: &BTreeMap<String, u64>) -> String {
    let pairs: Vec<_> = configuration.iter().map(|(name, value)| format!("{name} {value}")).collect();
    pairs.join(", ")
}

impl Suite {
    /// Counts the results.
    fn of(stage: &str, backend: Backend, results: Vec<CaseResult>) -> Self {
        let all = results.len();
        let failures: Vec<_> = results
            .into_iter()
            .filter(|result| !result.passed())
            .map(|result| Problem { id: result.id, problems: result.problems })
            .collect();
        Suite {
            name: stage.to_owned(),
            backend: backend.name(),
            data_width: None,
            configuration: BTreeMap::new(),
            passed: all - failures.len(),
            failed: failures.len(),
            failures,
        }
    }
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
            let Suite { name, backend, passed, failed, .. } = suite;
            let built = match suite.data_width {
                Some(width) => format!("{width} bits"),
                None => parameters(&suite.configuration),
            };
            let _ = writeln!(text, "{name}, {built}, {backend}: {passed} passed, {failed} failed");
        }
        if self.suites.len() > 1 {
            let _ = writeln!(text, "{} passed, {} failed", self.passed, self.failed);
        }
        text
    }
}
