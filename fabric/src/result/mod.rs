// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the runs of an experiment have shown: figures with their intervals, against those that are known.

mod statistics;
mod verdict;

pub use statistics::{Interval, interval};
pub use verdict::{Check, check};

use crate::event::MICROSECOND;
use crate::experiment::{Experiment, Plan, Run, Series};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The name of the schema of `result.json`. A change that old readers would misread gets a new one.
pub const SCHEMA: &str = "mpnic-fabric-result-v1";

/// A run of a case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeedResult {
    /// The seed.
    pub seed: u64,
    /// When it ended.
    pub end_us: f64,
    /// Events.
    pub events: u64,
    /// Packets that hosts have sent, that have arrived, that were dropped, and that were still in the network.
    pub packets: [u64; 4],
    /// Figures by name.
    pub figures: BTreeMap<String, f64>,
    /// Counters by name.
    pub counters: BTreeMap<String, u64>,
    /// The time of each message from its start to the last ACK, in their order; none if it was not completed.
    pub completion_us: Vec<Option<f64>>,
    /// Latency over time, of a Dragonfly whose traffic changes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub series: Vec<Series>,
    /// What must not be.
    pub broken: Vec<String>,
}

/// A case over all seeds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CaseResult {
    /// What it is called.
    pub name: String,
    /// Each figure with its 95 % interval over the seeds.
    pub figures: BTreeMap<String, Interval>,
    /// The runs, in the order of their seeds.
    pub runs: Vec<SeedResult>,
}

/// An experiment with all that its runs have shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: String,
    /// The version of the program.
    pub version: String,
    /// What it is called.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// Where the expected figures are from.
    pub source: String,
    /// The first seed, and how many there are.
    pub seed: u64,
    /// How many.
    pub seeds: u64,
    /// The file, with all that was set in it.
    pub configuration: toml::Table,
    /// The cases.
    pub cases: Vec<CaseResult>,
    /// Figures that are known.
    pub checks: Vec<Check>,
}

impl Report {
    /// Of an experiment and its runs.
    #[must_use]
    pub fn of(experiment: &Experiment, runs: &[Run], version: &str) -> Self {
        let about = &experiment.about;
        let case = |name: &str| {
            let runs: Vec<_> = runs.iter().filter(|run| run.case == name).map(seed_result).collect();
            let figures = figures(&runs);
            CaseResult { name: name.to_owned(), figures, runs }
        };
        let cases: Vec<_> = experiment.cases.iter().map(|plan| case(&plan.name)).collect();
        let checks = experiment.expect.iter().filter_map(|expect| check(expect, &about.source, &cases)).collect();
        Report {
            schema: SCHEMA.to_owned(),
            version: version.to_owned(),
            name: about.name.clone(),
            title: about.title.clone(),
            source: about.source.clone(),
            seed: about.seed,
            seeds: *about.seeds.get_ref(),
            configuration: toml::from_str(&experiment.text).unwrap_or_default(),
            cases,
            checks,
        }
    }

    /// Whether the network is a Dragonfly: its times are in cycles.
    #[must_use]
    pub fn is_dragonfly(&self) -> bool {
        let kind = self.configuration.get("topology").and_then(|topology| topology.get("kind"));
        kind.and_then(toml::Value::as_str) == Some("dragonfly")
    }

    /// What must not be, with its case and seed.
    pub fn broken(&self) -> impl Iterator<Item = String> {
        let of_run = |name: &str, run: &SeedResult| {
            let place =
                if name.is_empty() { format!("seed {}", run.seed) } else { format!("{name}, seed {}", run.seed) };
            run.broken.iter().map(move |what| format!("{place}: {what}")).collect::<Vec<_>>()
        };
        self.cases.iter().flat_map(move |case| case.runs.iter().flat_map(move |run| of_run(&case.name, run)))
    }

    /// Whether nothing is broken, and every figure is where it is expected.
    #[must_use]
    pub fn is_good(&self) -> bool {
        self.broken().next().is_none() && self.checks.iter().all(|check| check.holds)
    }
}

fn seed_result(run: &Run) -> SeedResult {
    let took = |flow: &crate::experiment::FlowResult| Some((flow.completed? - flow.start) as f64 / MICROSECOND as f64);
    SeedResult {
        seed: run.seed,
        end_us: run.end as f64 / MICROSECOND as f64,
        events: run.events,
        packets: run.packets,
        figures: run.figures.clone(),
        counters: run.counters.clone(),
        completion_us: run.flows.iter().map(took).collect(),
        series: run.series.clone(),
        broken: run.broken.clone(),
    }
}

fn figures(runs: &[SeedResult]) -> BTreeMap<String, Interval> {
    let names = runs.first().map(|run| run.figures.keys()).into_iter().flatten();
    let of = |name: &String| {
        let values: Vec<_> = runs.iter().filter_map(|run| run.figures.get(name).copied()).collect();
        (name.clone(), interval(&values))
    };
    names.map(of).collect()
}

/// What was seen of links in all runs: data that waited, and the rate since the time before. Times are in microseconds.
#[must_use]
pub fn traces_csv(experiment: &Experiment, runs: &[Run]) -> String {
    let mut text = String::from("case,seed,time_us,link,queue_bytes,gbps\n");
    for run in runs {
        let plan = experiment.cases.iter().find(|plan| plan.name == run.case).and_then(Plan::events);
        let Some(plan) = plan else { continue };
        let mut before: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
        for sample in &run.samples {
            let (time, bytes) = before.insert(sample.link, (sample.time, sample.bytes)).unwrap_or((0, 0));
            // Bits of a picosecond are Tb/s.
            let passed = (sample.time - time).max(1) as f64;
            let rate = (sample.bytes - bytes) as f64 * 8000.0 / passed;
            let name = plan.topology.link_name(&plan.topology.wires[sample.link as usize]);
            let (case, seed, time) = (&run.case, run.seed, sample.time as f64 / MICROSECOND as f64);
            let _ = writeln!(text, "{case},{seed},{time},{name},{},{rate:.3}", sample.queue);
        }
    }
    text
}

/// All messages of all runs, one in a line. Times are in microseconds.
#[must_use]
pub fn flows_csv(runs: &[Run]) -> String {
    let mut text = String::from("case,seed,message,source,destination,bytes,start_us,delivered_us,completed_us\n");
    let us = |time: u64| format!("{}.{:06}", time / MICROSECOND, time % MICROSECOND);
    for run in runs {
        for (number, flow) in run.flows.iter().enumerate() {
            let time = |time: Option<u64>| time.map(us).unwrap_or_default();
            let (case, seed) = (&run.case, run.seed);
            let (start, delivered, completed) = (us(flow.start), time(flow.delivered), time(flow.completed));
            let _ = writeln!(
                text,
                "{case},{seed},{number},{},{},{},{start},{delivered},{completed}",
                flow.source, flow.destination, flow.bytes
            );
        }
    }
    text
}

/// Latency over time of all runs whose traffic changes. Times are in cycles.
#[must_use]
pub fn series_csv(runs: &[Run]) -> String {
    let mut text = String::from("case,seed,cycle,packets,mean_latency\n");
    for run in runs {
        for Series { cycle, packets, latency } in &run.series {
            let _ = writeln!(text, "{},{},{cycle},{packets},{latency:.3}", run.case, run.seed);
        }
    }
    text
}
