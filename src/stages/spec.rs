// SPDX-License-Identifier: MIT OR Apache-2.0
//! The specification of a stage: all properties by which stages differ for the tool.

use super::StageName;
use crate::config::recorded::Parameter;
use crate::config::{Config, Key, Kind, Value};
use crate::failure::Outcome;
use crate::latency::Latency;
use crate::settings::Rule;
use devices::AnyStage;
use golden_vectors::{Case, TimedGroup, VectorFile};
use hdl::Header;
use hdl::testbench::TestbenchFiles;
use rtl_model::netlist::circuit::Circuit;
use std::collections::BTreeMap;
use testbench::benches::parser_bench::Traffic;
use testbench::conform::selfcheck::parser_testbench;
use testbench::conform::{self, CaseResult};
use testbench::{Dut, Error};

/// The specification of a stage.
pub struct StageSpec {
    /// The name on the command line, in golden vectors and in module names.
    pub name: &'static str,
    /// A description of its function in one line.
    pub description: &'static str,
    /// Its place in a pipeline; `None` for a stage that is in none.
    pub place: Option<Place>,
    /// Whether frames or events pass through it.
    pub carries: Carries,
    /// It has a port with header records, so that the map of header fields is printed with it.
    pub header_records: bool,
    /// Sections of the configuration that its files list in their headers; `""` is the top level.
    pub sections: &'static [&'static str],
    /// Keys that are the only ones of their sections that the stage reads. It reads all keys of other sections.
    pub only: &'static [(&'static str, &'static str)],
    /// Keys of its sections that it does not read.
    pub except: &'static [(&'static str, &'static str)],
    /// Whether it has memories whose latency is `target.ram_latency`.
    pub ram_latency: bool,
    /// How its settings get their reset values, in the order of the ports.
    pub settings: &'static [Rule],
    /// The contexts for which it has a row of state, if there are any.
    pub contexts: Option<Contexts>,
    /// Makes the stage for a configuration.
    pub design: fn(&Config) -> AnyStage,
    /// The golden vectors of the stage.
    pub judge: Judge,
    /// Measures its latencies on the model.
    pub latency: fn(&AnyStage) -> Outcome<Vec<Latency>>,
}

/// The place of a stage in a pipeline.
pub struct Place {
    /// The part of the pipeline.
    pub part: Part,
    /// Whether the configuration needs it; `None` if it is always there.
    pub wanted: Option<fn(&Config) -> bool>,
    /// The stages of which it has an instance; `None` if it has none.
    pub holds: Option<fn(&Config) -> &'static [StageName]>,
    /// Whether it is needed by itself, beside the stages that have an instance of it; `None` if it never is.
    pub beside: Option<fn(&Config) -> bool>,
    /// What is missing where the configuration does not need it, if that is to be said.
    pub needs: Option<&'static str>,
}

impl Place {
    /// A stage that a configuration needs under this condition; others may have an instance of it.
    pub const fn of(part: Part, wanted: fn(&Config) -> bool) -> Self {
        Place { part, wanted: Some(wanted), holds: None, beside: None, needs: None }
    }

    /// A stage that every configuration needs; others may have an instance of it.
    pub const fn always(part: Part) -> Self {
        Place { part, wanted: None, holds: None, beside: None, needs: None }
    }

    /// Whether a pipeline of this configuration has the stage.
    pub fn is_wanted(&self, config: &Config) -> bool {
        self.wanted.is_none_or(|by| by(config))
    }

    /// Whether it is listed although another stage has an instance of it.
    pub fn is_beside(&self, config: &Config) -> bool {
        self.beside.is_some_and(|by| by(config))
    }
}

/// The parts of a pipeline, in the order in which they are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The path of a received frame and that of a frame to be sent.
    Both,
    /// The path of a received frame.
    Receive,
    /// The choice of paths for packets.
    Choose,
    /// The path of a frame to be sent.
    Send,
}

/// What passes through a stage.
#[derive(Clone, Copy)]
pub enum Carries {
    /// Frames in beats.
    Frames,
    /// Events, one per clock cycle.
    Events,
    /// Operations that can take several clock cycles, as its page says.
    Operations,
    /// Packets, each in so many clock cycles.
    Packets(fn(&Config) -> u64),
    /// Frames in beats one way, packets as above the other way.
    FramesAndPackets(fn(&Config) -> u64),
}

/// The golden vectors of a stage.
pub enum Judge {
    /// There are none.
    Nothing,
    /// Vectors that are frames.
    Frames(FrameJudge),
    /// Vectors that are events with their cycles.
    Timed(TimedJudge),
}

/// The results of the vectors.
type Results = Result<Vec<CaseResult>, Error>;

/// Vectors that are frames.
pub struct FrameJudge {
    /// Makes the vectors for the protocols of a configuration with the oracle.
    pub made: fn(&Config) -> Outcome<Vec<VectorFile>>,
    /// The stage whose vectors it runs in the reverse direction, in addition to its own.
    pub backwards: Option<StageName>,
    /// Whether it can run a vector.
    pub takes: fn(&Case) -> bool,
    /// Runs vectors on a device.
    pub run: fn(&mut dyn Dut, &[&Case], Traffic, &Config) -> Results,
    /// Makes the testbench that plays vectors.
    pub testbench: fn(&Circuit, &Header, &[&Case], &Config) -> Result<TestbenchFiles, Error>,
}

impl FrameJudge {
    /// For a stage that judges frames itself: a frame goes in, the frame and its verdict come out.
    pub const fn of_verdicts(made: fn(&Config) -> Outcome<Vec<VectorFile>>) -> Self {
        FrameJudge {
            made,
            backwards: None,
            takes: |_| true,
            run: |dut, cases, traffic, _| conform::run(dut, cases.iter().copied(), traffic),
            testbench: |circuit, header, cases, _| parser_testbench(circuit, header, cases.iter().copied()),
        }
    }
}

/// Vectors that are events with their cycles.
pub struct TimedJudge {
    /// The numbers by which vectors say how the stage is built.
    pub parameters: &'static [Parameter],
    /// Returns these numbers for a configuration.
    pub size: fn(&Config) -> Size,
    /// Makes random traffic for a configuration, with the outputs that the oracle expects.
    pub load: fn(&Config) -> Vec<TimedGroup>,
}

/// The numbers by which timed vectors say how a stage is built.
pub type Size = BTreeMap<String, u64>;

/// The contexts for which a stage has rows of state.
#[derive(Clone, Copy, Debug)]
pub struct Contexts {
    /// The name of the contexts, for example `QPs`.
    pub name: &'static str,
    /// The section of the key that sets their number.
    pub section: &'static str,
    /// The name of that key.
    pub key: &'static str,
    /// The key of the same section that sets how many packets each has rows for.
    pub window: Option<&'static str>,
}

impl Contexts {
    fn of_config(&self) -> Option<&'static Key> {
        Key::find(self.section, self.key)
    }

    /// The number of contexts.
    pub fn count(&self, config: &Config) -> u64 {
        self.number_of(self.key, config).unwrap_or(0)
    }

    /// The number of packets for which each has rows.
    pub fn packets(&self, config: &Config) -> Option<u64> {
        self.number_of(self.window?, config)
    }

    fn number_of(&self, key: &str, config: &Config) -> Option<u64> {
        match (Key::find(self.section, key)?.get)(config) {
            Value::Whole(number) => Some(number),
            _ => None,
        }
    }

    /// The smallest and the greatest number that the configuration allows.
    pub fn limits(&self) -> (u64, u64) {
        self.of_config().and_then(|key| key.kind.limits()).unwrap_or((0, 0))
    }

    /// Number `place` of those that the configuration allows, from the smallest.
    pub fn number(&self, place: u64) -> u64 {
        match self.of_config().map(|key| &key.kind) {
            Some(Kind::OneOf(numbers)) => numbers[place as usize],
            _ => self.limits().0 + place,
        }
    }

    /// How many numbers the configuration allows.
    pub fn numbers(&self) -> u64 {
        match self.of_config().map(|key| &key.kind) {
            Some(Kind::OneOf(numbers)) => numbers.len() as u64,
            _ => self.limits().1 + 1 - self.limits().0,
        }
    }

    /// The configuration with another number of contexts.
    pub fn with(&self, config: &Config, count: u64) -> Config {
        let mut config = config.clone();
        if let Some(key) = self.of_config() {
            (key.set)(&mut config, Value::Whole(count));
        }
        config
    }
}
