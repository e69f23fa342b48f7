// SPDX-License-Identifier: MIT OR Apache-2.0
//! One run: vectors of one stage, as one thing that is built.

use super::report::{Setting, Suite, parameters};
use crate::backend;
use crate::cli::Backend;
use crate::config::Config;
use crate::config::table::{self, Table};
use crate::failure::Outcome;
use crate::progress::Progress;
use crate::stages::StageName;
use crate::trace;
use golden_vectors::{Case, TimedFile, TimedGroup, VectorFile, Vectors};
use pipeline::header_builder::UdpChecksum;
use std::collections::BTreeMap;
use testbench::conform;
use testbench::parser_bench::Traffic;
use testbench::timed_bench;
use testbench::waveform::TraceFile;

/// The stage that has vectors of its own, and that the vectors of the parser are for too.
const BUILDER: &str = "header_builder";

/// Vectors between two steps of the progress bar.
const CHUNK: usize = 64;

/// Vectors of one stage, as one thing that is built.
#[derive(Clone)]
pub enum Run<'a> {
    /// Frames, for a bus of so many bits and one choice of protocols.
    Frames { stage: &'a str, configuration: &'a Table, cases: Vec<&'a Case>, data_width: u64 },
    /// Events, for one configuration of the stage.
    Timed { stage: &'a str, groups: Vec<TimedGroup> },
}

impl<'a> Run<'a> {
    /// The runs of a file's chosen vectors, by stage and id. What the parser reads, the builder builds again.
    pub fn all(vectors: &'a Vectors, widths: &[u64], chosen: impl Fn(&str, &str) -> bool) -> Vec<Self> {
        match vectors {
            Vectors::Frames(file) => {
                let mut runs = frames(file, &file.stage, widths, |case| chosen(&file.stage, &case.id));
                if file.stage == StageName::HeaderParser.name() {
                    let built = |case: &Case| chosen(BUILDER, &case.id) && conform::builder::building(case).is_some();
                    runs.extend(frames(file, BUILDER, widths, built));
                }
                runs
            }
            Vectors::Timed(file) => timed(file, |id| chosen(&file.stage, id)),
        }
    }

    /// Whether it is for the stage as this configuration has it.
    pub fn is_for(&self, stage: StageName, config: &Config) -> Outcome<bool> {
        match self {
            Run::Frames { configuration, .. } if self.is_backwards() => {
                Ok(**configuration == table::of(&config.protocols))
            }
            Run::Frames { configuration, .. } => stage.is_as_in(configuration, config),
            Run::Timed { .. } => Ok(true),
        }
    }

    /// Vectors of the parser on the builder.
    fn is_backwards(&self) -> bool {
        match self {
            Run::Frames { stage, cases, .. } => {
                *stage == BUILDER && !cases.iter().any(|case| conform::builder::is_own(case))
            }
            Run::Timed { .. } => false,
        }
    }

    /// Runs it.
    pub fn on(&self, backend: Backend, config: &Config, trace: Option<TraceFile>) -> Outcome<Suite> {
        match self {
            Run::Frames { stage, configuration, cases, data_width } => {
                let Config { protocols, udp_checksum, .. } = table::config(configuration)?;
                // The vectors of the parser have checksums of all kinds in them, which a builder without would not build.
                let udp_checksum = if self.is_backwards() { UdpChecksum::Recorded } else { udp_checksum };
                let config = Config { data_width: *data_width, protocols, udp_checksum, ..config.clone() };
                let suite = run_frames(stage, cases, backend, &config, trace)?;
                let setting = |(name, word): (&String, &String)| (name.clone(), word.as_str().into());
                Ok(Suite { configuration: configuration.iter().map(setting).collect(), ..suite })
            }
            Run::Timed { stage, groups } => run_timed(stage, groups, backend, trace),
        }
    }
}

/// The chosen cases, in one run for each bus and configuration.
fn frames<'a>(file: &'a VectorFile, stage: &'a str, widths: &[u64], chosen: impl Fn(&Case) -> bool) -> Vec<Run<'a>> {
    let mut lists: BTreeMap<&Table, Vec<&Case>> = BTreeMap::new();
    for (group, case) in file.grouped_cases().filter(|(_, case)| chosen(case)) {
        lists.entry(&group.configuration).or_default().push(case);
    }
    let runs = lists.into_iter().flat_map(|(configuration, cases)| {
        let run = move |&data_width| Run::Frames { stage, configuration, cases: cases.clone(), data_width };
        widths.iter().map(run)
    });
    runs.collect()
}

/// The groups of a timed file with the chosen tests, in one run for each configuration of the stage.
fn timed(file: &TimedFile, chosen: impl Fn(&str) -> bool) -> Vec<Run<'_>> {
    let mut lists: BTreeMap<&BTreeMap<String, u64>, Vec<TimedGroup>> = BTreeMap::new();
    for group in &file.groups {
        let tests: Vec<_> = group.tests.iter().filter(|test| chosen(&test.id)).cloned().collect();
        if !tests.is_empty() {
            lists.entry(&group.configuration).or_default().push(TimedGroup { tests, ..group.clone() });
        }
    }
    lists.into_values().map(|groups| Run::Timed { stage: &file.stage, groups }).collect()
}

fn run_frames(
    stage: &str,
    cases: &[&Case],
    backend: Backend,
    config: &Config,
    trace: Option<TraceFile>,
) -> Outcome<Suite> {
    let progress = Progress::new(&format!("{stage}, {} bits, {}", config.data_width, backend.name()), cases.len());
    let (top, dut) = backend::frames(backend, stage, config, trace.is_some())?;
    let results = trace::run(trace, &top, dut, |dut| {
        let mut results = Vec::new();
        for (i, chunk) in cases.chunks(CHUNK).enumerate() {
            let traffic = Traffic {
                stall: config.conform.stall_percent as f64 / 100.0,
                seed: config.conform.seed.wrapping_add(i as u64),
            };
            let cases = chunk.iter().copied();
            results.extend(match stage {
                BUILDER => conform::builder::run(dut, cases, traffic)?,
                _ => conform::run(dut, cases, traffic)?,
            });
            progress.add(chunk.len());
        }
        Ok(results)
    })?;
    Ok(Suite { data_width: Some(config.data_width), ..Suite::of(stage, backend, results) })
}

fn run_timed(stage: &str, groups: &[TimedGroup], backend: Backend, trace: Option<TraceFile>) -> Outcome<Suite> {
    let configuration = groups.first().map_or_else(BTreeMap::new, |group| group.configuration.clone());
    let count = groups.iter().map(|group| group.tests.len()).sum();
    let progress = Progress::new(&format!("{stage}, {}, {}", parameters(&configuration), backend.name()), count);
    let (top, dut) = backend::timed(backend, stage, &configuration, trace.is_some())?;
    let results = trace::run(trace, &top, dut, |dut| {
        let mut results = Vec::new();
        for group in groups {
            for case in &group.tests {
                results.push(timed_bench::run(dut, group, case)?);
            }
            progress.add(group.tests.len());
        }
        Ok(results)
    })?;
    let configuration = configuration.into_iter().map(|(name, value)| (name, Setting::Number(value))).collect();
    Ok(Suite { configuration, ..Suite::of(stage, backend, results) })
}
