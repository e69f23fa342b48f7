// SPDX-License-Identifier: MIT OR Apache-2.0
//! One run: vectors of one stage, as one thing that is built.

use super::report::{Setting, Suite, parameters};
use crate::backend::{self, Use};
use crate::cli::Backend;
use crate::config::Config;
use crate::config::table::{self, Table};
use crate::failure::Outcome;
use crate::progress::Progress;
use crate::stages::StageName;
use crate::trace;
use crate::vectors;
use golden_vectors::{Case, TimedCase, TimedFile, TimedGroup, VectorFile, Vectors};
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
pub struct Run<'a> {
    /// The stage.
    pub stage: String,
    /// Whether the stage is built as the configuration has it.
    pub as_configured: bool,
    what: What<'a>,
}

#[derive(Clone)]
enum What<'a> {
    /// Frames, for a bus of so many bits and one choice of protocols; of the parser on a builder with a UDP checksum of this
    /// kind, which its vectors do not say.
    Frames { configuration: &'a Table, cases: Vec<&'a Case>, data_width: u64, backwards: Option<UdpChecksum> },
    /// Events, for one configuration of the stage.
    Timed(Vec<Chosen<'a>>),
}

impl<'a> Run<'a> {
    /// The runs of a file's chosen vectors, by stage and id. What the parser reads, the builder builds again, as recorded: the
    /// vectors have UDP checksums of all kinds in them.
    pub fn all(vectors: &'a Vectors, widths: &[u64], chosen: impl Fn(&str, &str) -> bool) -> Vec<Self> {
        let stages = match vectors.stage() {
            "header_parser" => vec!["header_parser", BUILDER],
            stage => vec![stage],
        };
        let runs =
            stages.into_iter().flat_map(|stage| Self::of(stage, vectors, widths, UdpChecksum::Recorded, &chosen));
        runs.collect()
    }

    /// The runs of a file's chosen vectors on one stage.
    pub fn of(
        stage: &str,
        vectors: &'a Vectors,
        widths: &[u64],
        udp_checksum: UdpChecksum,
        chosen: impl Fn(&str, &str) -> bool,
    ) -> Vec<Self> {
        let whats = match vectors {
            Vectors::Frames(file) => {
                let can = |case: &Case| stage != BUILDER || conform::builder::building(case).is_some();
                let backwards = (stage == BUILDER && file.stage != BUILDER).then_some(udp_checksum);
                frames(file, widths, backwards, |case| chosen(stage, &case.id) && can(case))
            }
            Vectors::Timed(file) => timed(file, |id| chosen(stage, id)),
        };
        whats.into_iter().map(|what| Run { stage: stage.to_owned(), as_configured: false, what }).collect()
    }

    /// Whether the stage is one of these, and as the configuration has it.
    pub fn is_of(&self, stages: &[StageName], config: &Config) -> Outcome<bool> {
        let Some(stage) = stages.iter().find(|stage| stage.name() == self.stage) else { return Ok(false) };
        Ok(match &self.what {
            What::Frames { configuration, backwards: Some(udp_checksum), .. } => {
                *udp_checksum == config.udp_checksum && **configuration == table::of(&config.protocols)
            }
            What::Frames { configuration, .. } => stage.is_as_in(configuration, config)?,
            What::Timed(groups) => {
                groups.first().map(|(group, _)| &group.configuration) == vectors::size(*stage, config).as_ref()
            }
        })
    }

    /// Runs it.
    pub fn on(&self, backend: Backend, config: &Config, trace: Option<TraceFile>) -> Outcome<Suite> {
        let suite = match &self.what {
            What::Frames { configuration, cases, data_width, backwards } => {
                let Config { protocols, udp_checksum, .. } = table::config(configuration)?;
                let udp_checksum = backwards.unwrap_or(udp_checksum);
                let config = Config { data_width: *data_width, udp_checksum, protocols, ..config.clone() };
                let suite = run_frames(&self.stage, cases, backend, &config, trace)?;
                let setting = |(name, word): (&String, &String)| (name.clone(), word.as_str().into());
                let mut configuration: BTreeMap<_, _> = configuration.iter().map(setting).collect();
                if *backwards == Some(UdpChecksum::Recorded) {
                    configuration.insert("udp_checksum".to_owned(), "recorded".into());
                }
                Suite { configuration, ..suite }
            }
            What::Timed(groups) => run_timed(&self.stage, groups, backend, trace)?,
        };
        Ok(Suite { as_configured: self.as_configured, ..suite })
    }
}

/// Tests of a group.
type Chosen<'a> = (&'a TimedGroup, Vec<&'a TimedCase>);

/// The chosen cases, once for each bus and configuration.
fn frames<'a>(
    file: &'a VectorFile,
    widths: &[u64],
    backwards: Option<UdpChecksum>,
    chosen: impl Fn(&Case) -> bool,
) -> Vec<What<'a>> {
    let mut lists: BTreeMap<&Table, Vec<&Case>> = BTreeMap::new();
    for (group, case) in file.grouped_cases().filter(|(_, case)| chosen(case)) {
        lists.entry(&group.configuration).or_default().push(case);
    }
    let runs = lists.into_iter().flat_map(|(configuration, cases)| {
        let run = move |&data_width| What::Frames { configuration, cases: cases.clone(), data_width, backwards };
        widths.iter().map(run)
    });
    runs.collect()
}

/// The groups of a timed file with the chosen tests, once for each configuration of the stage.
fn timed<'a>(file: &'a TimedFile, chosen: impl Fn(&str) -> bool) -> Vec<What<'a>> {
    let mut lists: BTreeMap<&BTreeMap<String, u64>, Vec<Chosen>> = BTreeMap::new();
    for group in &file.groups {
        let tests: Vec<_> = group.tests.iter().filter(|test| chosen(&test.id)).collect();
        if !tests.is_empty() {
            lists.entry(&group.configuration).or_default().push((group, tests));
        }
    }
    lists.into_values().map(What::Timed).collect()
}

fn run_frames(
    stage: &str,
    cases: &[&Case],
    backend: Backend,
    config: &Config,
    trace: Option<TraceFile>,
) -> Outcome<Suite> {
    let progress = Progress::new(&format!("{stage}, {} bits, {}", config.data_width, backend.name()), cases.len());
    let lengths = cases.iter().map(|case| case.frame.len());
    let to = Use { watched: trace.is_some(), ..Use::frames(lengths, config.data_width) };
    let (top, dut) = backend::frames(backend, stage, config, to)?;
    let results = trace::run(trace, &top, dut, |dut| {
        let mut results = Vec::new();
        for (i, chunk) in cases.chunks(CHUNK).enumerate() {
            let traffic = Traffic {
                stall: config.conform.stall_percent as f64 / 100.0,
                seed: config.conform.seed.wrapping_add(i as u64),
            };
            let cases = chunk.iter().copied();
            results.extend(match stage {
                BUILDER => conform::builder::run(dut, cases, traffic, config.udp_checksum)?,
                _ => conform::run(dut, cases, traffic)?,
            });
            progress.add(chunk.len());
        }
        Ok(results)
    })?;
    Ok(Suite { data_width: Some(config.data_width), ..Suite::of(stage, backend, results) })
}

fn run_timed(stage: &str, groups: &[Chosen], backend: Backend, trace: Option<TraceFile>) -> Outcome<Suite> {
    let configuration = groups.first().map_or_else(BTreeMap::new, |(group, _)| group.configuration.clone());
    let count = groups.iter().map(|(_, tests)| tests.len()).sum();
    let progress = Progress::new(&format!("{stage}, {}, {}", parameters(&configuration), backend.name()), count);
    let clocks = groups.iter().flat_map(|(_, tests)| tests).map(|test| test.cycles).sum();
    let (top, dut) = backend::timed(backend, stage, &configuration, Use { clocks, watched: trace.is_some() })?;
    let results = trace::run(trace, &top, dut, |dut| {
        let mut results = Vec::new();
        for (group, tests) in groups {
            for case in tests {
                results.push(timed_bench::run(dut, group, case)?);
            }
            progress.add(tests.len());
        }
        Ok(results)
    })?;
    let configuration = configuration.into_iter().map(|(name, value)| (name, Setting::Number(value))).collect();
    Ok(Suite { configuration, ..Suite::of(stage, backend, results) })
}
