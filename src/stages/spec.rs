// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the tool knows of a stage.

use super::StageName;
use crate::config::recorded::Parameter;
use crate::config::{Config, Key, Value};
use crate::failure::Outcome;
use crate::latency::Latency;
use devices::AnyStage;
use golden_vectors::{Case, TimedGroup, VectorFile};
use hdl::Header;
use hdl::testbench::TestbenchFiles;
use pipeline::headers::protocols::Protocols;
use rtl_model::netlist::circuit::Circuit;
use std::collections::BTreeMap;
use testbench::conform::{self, CaseResult};
use testbench::parser_bench::Traffic;
use testbench::selfcheck::parser_testbench;
use testbench::{Dut, Error};

/// All that the tool knows of a stage.
pub struct StageSpec {
    /// As on the command line, in golden vectors and in the names of modules.
    pub name: &'static str,
    /// What it does, in one line.
    pub description: &'static str,
    /// Where a pipeline has it; some stages stand in none.
    pub place: Option<Place>,
    /// What passes through it.
    pub carries: Carries,
    /// It has a port with header records, so that the map of header fields is printed with it.
    pub header_records: bool,
    /// Sections of the configuration that its files quote; the section without a name is `""`.
    pub sections: &'static [&'static str],
    /// Keys that it reads alone of their sections; it reads all of the others.
    pub only: &'static [(&'static str, &'static str)],
    /// Whether it has memories that follow `target.ram_latency`.
    pub ram_latency: bool,
    /// What it keeps a row of state for, if it does.
    pub contexts: Option<Contexts>,
    /// The stage as a configuration wants it.
    pub design: fn(&Config) -> AnyStage,
    /// What judges it.
    pub judge: Judge,
    /// Clocks through it, counted on the model.
    pub latency: fn(&AnyStage) -> Outcome<Vec<Latency>>,
}

/// Where a pipeline has a stage.
pub struct Place {
    /// The part.
    pub part: Part,
    /// The protocols that ask for it; `None` if all do.
    pub wanted: Option<fn(&Protocols) -> bool>,
}

/// The parts of a pipeline, in the order in which they are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The way of a received frame.
    Receive,
    /// What chooses the paths of packets.
    Choose,
    /// The way of a frame to be sent.
    Send,
}

/// What passes through a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carries {
    /// Frames, in beats.
    Frames,
    /// Events, one a clock.
    Events,
}

/// The golden vectors that judge a stage.
pub enum Judge {
    /// None do.
    Nothing,
    /// Frames.
    Frames(FrameJudge),
    /// Events with their cycles.
    Timed(TimedJudge),
}

/// What came of vectors, each.
type Results = Result<Vec<CaseResult>, Error>;

/// Vectors that are frames.
pub struct FrameJudge {
    /// Those for the protocols of a configuration, which the oracle makes.
    pub made: fn(&Config) -> Outcome<Vec<VectorFile>>,
    /// The stage whose vectors it runs backwards, beside its own.
    pub backwards: Option<StageName>,
    /// Whether it can run a vector.
    pub takes: fn(&Case) -> bool,
    /// Runs vectors.
    pub run: fn(&mut dyn Dut, &[&Case], Traffic, &Config) -> Results,
    /// The testbench that plays vectors.
    pub testbench: fn(&Circuit, &Header, &[&Case], &Config) -> Result<TestbenchFiles, Error>,
}

impl FrameJudge {
    /// Of a stage that judges frames itself: a frame in, a frame and its verdict out.
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
    /// These numbers, of the stage as it is configured.
    pub size: fn(&Config) -> Size,
    /// Random traffic for the stage as it is configured, with what the oracle says must come of it.
    pub load: fn(&Config) -> Vec<TimedGroup>,
}

/// How a stage is built, as timed vectors name it.
pub type Size = BTreeMap<String, u64>;

/// What a stage keeps a row of state for, each.
#[derive(Clone, Copy, Debug)]
pub struct Contexts {
    /// What they are called.
    pub name: &'static str,
    /// The table of the key that is their number.
    pub section: &'static str,
    /// The key.
    pub key: &'static str,
}

impl Contexts {
    fn of_config(&self) -> Option<&'static Key> {
        Key::find(self.section, self.key)
    }

    /// How many there are.
    pub fn count(&self, config: &Config) -> u64 {
        match self.of_config().map(|key| (key.get)(config)) {
            Some(Value::Whole(count)) => count,
            _ => 0,
        }
    }

    /// Fewest and most that the configuration takes.
    pub fn limits(&self) -> (u64, u64) {
        self.of_config().and_then(|key| key.kind.limits()).unwrap_or((0, 0))
    }

    /// The configuration with another number of them.
    pub fn with(&self, config: &Config, count: u64) -> Config {
        let mut config = config.clone();
        if let Some(key) = self.of_config() {
            (key.set)(&mut config, Value::Whole(count));
        }
        config
    }
}
