// SPDX-License-Identifier: MIT OR Apache-2.0
//! One run: vectors of one stage in one configuration.

use super::report::{Setting, Suite, parameters};
use crate::backend::{self, Use};
use crate::cli::Backend;
use crate::config::table::{self, Table};
use crate::config::{Config, recorded};
use crate::failure::Outcome;
use crate::progress::Progress;
use crate::stages::{FrameJudge, Judge, Size, StageName, TimedJudge};
use crate::trace;
use golden_vectors::{Case, TimedCase, TimedFile, TimedGroup, VectorFile, Vectors};
use pipeline::frame::header_builder::UdpChecksum;
use std::collections::BTreeMap;
use testbench::benches::parser_bench::Traffic;
use testbench::conform::timed_bench;
use testbench::waveform::TraceFile;

/// Number of vectors between two steps of the progress bar.
const CHUNK: usize = 64;

/// Vectors of one stage in one configuration.
#[derive(Clone)]
pub struct Run<'a> {
    /// The stage.
    pub stage: StageName,
    /// Whether the stage is built as configured.
    pub as_configured: bool,
    what: What<'a>,
}

#[derive(Clone)]
enum What<'a> {
    /// Vectors that are frames.
    Frames(&'static FrameJudge, Frames<'a>),
    /// Vectors that are events, for one configuration of the stage.
    Timed(&'static TimedJudge, Vec<Chosen<'a>>),
}

/// A configuration with this width of the bus and these protocols.
#[derive(Clone)]
struct Frames<'a> {
    configuration: &'a Table,
    cases: Vec<&'a Case>,
    data_width: u64,
    /// The UDP checksum of built frames, for vectors that run in the reverse direction and do not define it.
    backwards: Option<UdpChecksum>,
}

impl Frames<'_> {
    /// The configuration that the vectors ask for; all other keys have their defaults.
    fn asked(&self) -> Outcome<Config> {
        let mut asked = table::config(self.configuration)?;
        let checksum = &mut asked.header_builder.udp_checksum;
        *checksum = self.backwards.unwrap_or(*checksum);
        Ok(asked)
    }
}

impl<'a> Run<'a> {
    /// The runs of a file's selected vectors, by stage and id. The builder runs the vectors of the parser with recorded
    /// checksums, because the vectors have UDP checksums of all kinds.
    pub fn all(vectors: &'a Vectors, widths: &[u64], chosen: impl Fn(&str, &str) -> bool) -> Outcome<Vec<Self>> {
        let own = StageName::of_vectors(vectors)?;
        let backwards = StageName::ALL.iter().filter(|stage| match &stage.spec().judge {
            Judge::Frames(judge) => judge.backwards == Some(own),
            _ => false,
        });
        let stages = std::iter::once(&own).chain(backwards);
        Ok(stages.flat_map(|stage| Self::of(*stage, vectors, widths, UdpChecksum::Recorded, &chosen)).collect())
    }

    /// The runs of a file's selected vectors on one stage.
    pub fn of(
        stage: StageName,
        vectors: &'a Vectors,
        widths: &[u64],
        udp_checksum: UdpChecksum,
        chosen: impl Fn(&str, &str) -> bool,
    ) -> Vec<Self> {
        let name = stage.name();
        let whats = match (vectors, &stage.spec().judge) {
            (Vectors::Frames(file), Judge::Frames(judge)) => {
                let backwards = (file.stage != name).then_some(udp_checksum);
                let runs = frames(file, widths, backwards, |case| chosen(&name, &case.id) && (judge.takes)(case));
                runs.into_iter().map(|frames| What::Frames(judge, frames)).collect()
            }
            (Vectors::Timed(file), Judge::Timed(judge)) => {
                timed(file, |id| chosen(&name, id)).map(|groups| What::Timed(judge, groups)).collect()
            }
            _ => Vec::new(),
        };
        whats.into_iter().map(|what| Run { stage, as_configured: false, what }).collect()
    }

    /// Whether the stage is one of these and built as configured, also with the settings after reset of committed vectors.
    pub fn is_of(&self, stages: &[StageName], config: &Config) -> Outcome<bool> {
        if !stages.contains(&self.stage) {
            return Ok(false);
        }
        Ok(match &self.what {
            What::Frames(_, frames) => self.stage.is_as_in(&frames.asked()?, config),
            What::Timed(judge, groups) => {
                self.stage.has_default_settings(config) && size(groups) == (judge.size)(config)
            }
        })
    }

    /// Runs the vectors.
    pub fn on(&self, backend: Backend, config: &Config, trace: Option<TraceFile>) -> Outcome<Suite> {
        let suite = match &self.what {
            What::Frames(judge, frames) => {
                let Config { protocols, header_builder, .. } = frames.asked()?;
                let config = Config { data_width: frames.data_width, header_builder, protocols, ..config.clone() };
                let suite = run_frames(self.stage, judge, &frames.cases, backend, &config, trace)?;
                let setting = |(name, word): (&String, &String)| (name.clone(), word.as_str().into());
                let mut configuration: BTreeMap<_, _> = frames.configuration.iter().map(setting).collect();
                if frames.backwards == Some(UdpChecksum::Recorded) {
                    configuration.insert("udp_checksum".to_owned(), "recorded".into());
                }
                Suite { configuration, ..suite }
            }
            What::Timed(judge, groups) => {
                // Committed vectors are for the default settings after reset.
                let settings = if self.as_configured { config } else { &Config::default() };
                run_timed(self.stage, judge, groups, settings, backend, trace)?
            }
        };
        Ok(Suite { as_configured: self.as_configured, ..suite })
    }
}

/// The tests of a group.
type Chosen<'a> = (&'a TimedGroup, Vec<&'a TimedCase>);

/// The configuration of groups that all ask for the same.
fn size(groups: &[Chosen]) -> Size {
    groups.first().map_or_else(Size::new, |(group, _)| group.configuration.clone())
}

/// The selected cases, once for each width of the bus and configuration.
fn frames<'a>(
    file: &'a VectorFile,
    widths: &[u64],
    backwards: Option<UdpChecksum>,
    chosen: impl Fn(&Case) -> bool,
) -> Vec<Frames<'a>> {
    let mut lists: BTreeMap<&Table, Vec<&Case>> = BTreeMap::new();
    for (group, case) in file.grouped_cases().filter(|(_, case)| chosen(case)) {
        lists.entry(&group.configuration).or_default().push(case);
    }
    let runs = lists.into_iter().flat_map(|(configuration, cases)| {
        let run = move |&data_width| Frames { configuration, cases: cases.clone(), data_width, backwards };
        widths.iter().map(run)
    });
    runs.collect()
}

/// The groups of a timed file with the selected tests, once for each configuration of the stage.
fn timed<'a>(file: &'a TimedFile, chosen: impl Fn(&str) -> bool) -> impl Iterator<Item = Vec<Chosen<'a>>> {
    let mut lists: BTreeMap<&Size, Vec<Chosen>> = BTreeMap::new();
    for group in &file.groups {
        let tests: Vec<_> = group.tests.iter().filter(|test| chosen(&test.id)).collect();
        if !tests.is_empty() {
            lists.entry(&group.configuration).or_default().push((group, tests));
        }
    }
    lists.into_values()
}

fn run_frames(
    stage: StageName,
    judge: &FrameJudge,
    cases: &[&Case],
    backend: Backend,
    config: &Config,
    trace: Option<TraceFile>,
) -> Outcome<Suite> {
    let name = stage.name();
    let progress = Progress::new(&format!("{name}, {} bits, {}", config.data_width, backend.name()), cases.len());
    let lengths = cases.iter().map(|case| case.frame.len());
    let to = Use { watched: trace.is_some(), ..Use::frames(lengths, config.data_width) };
    let design = stage.of(config);
    let dut = backend::device(backend, &design, to)?;
    let results = trace::run(trace, &design.module_name(), dut, |dut| {
        let mut results = Vec::new();
        for (i, chunk) in cases.chunks(CHUNK).enumerate() {
            let traffic = Traffic {
                stall: config.conform.stall_percent as f64 / 100.0,
                seed: config.conform.seed.wrapping_add(i as u64),
            };
            results.extend((judge.run)(dut, chunk, traffic, config)?);
            progress.add(chunk.len());
        }
        Ok(results)
    })?;
    Ok(Suite { data_width: Some(config.data_width), ..Suite::of(&name, backend, results) })
}

fn run_timed(
    stage: StageName,
    judge: &TimedJudge,
    groups: &[Chosen],
    config: &Config,
    backend: Backend,
    trace: Option<TraceFile>,
) -> Outcome<Suite> {
    let (name, size) = (stage.name(), size(groups));
    let count = groups.iter().map(|(_, tests)| tests.len()).sum();
    let progress = Progress::new(&format!("{name}, {}, {}", parameters(&size), backend.name()), count);
    let clocks = groups.iter().flat_map(|(_, tests)| tests).map(|test| test.cycles).sum();
    let design = stage.of(&recorded::config(&name, judge.parameters, &size)?.with_settings_of(config));
    let dut = backend::device(backend, &design, Use { clocks, watched: trace.is_some() })?;
    let results = trace::run(trace, &design.module_name(), dut, |dut| {
        let mut results = Vec::new();
        for (group, tests) in groups {
            for case in tests {
                results.push(timed_bench::run(dut, group, case)?);
            }
            progress.add(tests.len());
        }
        Ok(results)
    })?;
    let configuration = size.into_iter().map(|(name, value)| (name, Setting::Number(value))).collect();
    Ok(Suite { configuration, ..Suite::of(&name, backend, results) })
}
