// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stages. Each is registered once: a file here with its `StageSpec`, and a line in the list below.

mod ack_generator;
mod blocks;
mod ccc_table;
mod context_lookup;
mod credit_pacer;
mod elab;
mod elab_host;
mod entropy_selector;
mod frame_gate;
mod header_builder;
mod header_parser;
mod icrc;
mod inside;
mod keys;
mod lia_router;
mod mark_monitor;
mod netlist;
mod nic;
mod packet_tracker;
mod path_scheduler;
mod presence;
mod reorder;
mod request_check;
mod rx;
mod settings;
mod spec;
mod tally;
#[cfg(test)]
mod tests;
mod tx;
mod unused;

pub use netlist::{family, origin, verilog};
pub(crate) use settings::{check_settings, reset};
pub use spec::Contexts;
pub(crate) use spec::{FrameJudge, Judge, Size, TimedJudge};
pub(crate) use unused::{check_sizes, warnings};

use crate::config::Config;
use crate::failure::{Failure, Outcome};
use golden_vectors::Vectors;
use spec::StageSpec;
use std::borrow::Cow;

macro_rules! stages {
    ($($name:ident: $spec:path,)*) => {
        /// A stage.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum StageName {
            $(#[doc = concat!("`", stringify!($spec), "`")] $name,)*
        }

        impl StageName {
            /// All stages.
            pub const ALL: &'static [Self] = &[$(StageName::$name,)*];

            /// The specification of the stage.
            pub(crate) fn spec(self) -> &'static StageSpec {
                match self {
                    $(StageName::$name => &$spec,)*
                }
            }
        }
    };
}

// The order is that of the command line. Stages of one part of the pipeline are in the order in which frames pass them.
stages! {
    HeaderParser: header_parser::HEADER_PARSER,
    HeaderParserCore: header_parser::HEADER_PARSER_CORE,
    HeaderBuilder: header_builder::HEADER_BUILDER,
    Icrc: icrc::ICRC,
    FrameGate: frame_gate::FRAME_GATE,
    ContextLookup: context_lookup::CONTEXT_LOOKUP,
    Reorder: reorder::REORDER,
    RequestCheck: request_check::REQUEST_CHECK,
    Rx: rx::RX,
    AckGenerator: ack_generator::ACK_GENERATOR,
    IcrcInsert: icrc::ICRC_INSERT,
    EntropySelector: entropy_selector::ENTROPY_SELECTOR,
    PathScheduler: path_scheduler::PATH_SCHEDULER,
    CccTable: ccc_table::CCC_TABLE,
    PacketTracker: packet_tracker::PACKET_TRACKER,
    CreditPacer: credit_pacer::CREDIT_PACER,
    LiaRouter: lia_router::LIA_ROUTER,
    Tx: tx::TX,
    Nic: nic::NIC,
    ElabScheduler: elab::ELAB_SCHEDULER,
    ElabFeedback: elab::ELAB_FEEDBACK,
    ElabHost: elab_host::ELAB_HOST,
    MarkMonitor: mark_monitor::MARK_MONITOR,
    Tally: tally::TALLY,
    Fifo: blocks::FIFO,
    SkidBuffer: blocks::SKID_BUFFER,
    Arbiter: blocks::ARBITER,
}

impl StageName {
    /// The name on the command line and in golden vectors.
    pub fn name(self) -> String {
        self.spec().name.to_owned()
    }

    /// A description of its function in one line.
    pub fn description(self) -> &'static str {
        self.spec().description
    }

    /// Finds the stage with this name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|stage| stage.spec().name == name)
    }

    /// The stages of the configured pipeline: the path of received frames, then that of frames to be sent, each with
    /// the stages of its protocols. What a stage has an instance of is listed only if a protocol needs it by itself.
    pub fn pipeline(config: &Config) -> Vec<Self> {
        let part = |stage: &Self| stage.spec().place.as_ref().map(|place| place.part);
        // A switch only routes.
        let is_of = |stage: &&Self| config.lia_router.present == (**stage == StageName::LiaRouter);
        let wanted = Self::ALL.iter().filter(is_of).filter(|stage| stage.is_wanted(config));
        let mut stages: Vec<_> = wanted.copied().collect();
        let held: Vec<_> = stages.iter().flat_map(|stage| stage.holds(config)).copied().collect();
        let is_beside = |stage: &Self| stage.spec().place.as_ref().is_some_and(|place| place.is_beside(config));
        stages.retain(|stage| !held.contains(stage) || is_beside(stage));
        // The sort is stable: within a part, the order is that of the list.
        stages.sort_by_key(part);
        stages
    }

    /// Whether it has a place in the configured pipeline.
    pub(crate) fn is_wanted(self, config: &Config) -> bool {
        self.spec().place.as_ref().is_some_and(|place| place.is_wanted(config))
    }

    fn holds(self, config: &Config) -> &'static [Self] {
        let holds = self.spec().place.as_ref().and_then(|place| place.holds);
        holds.map_or(&[], |holds| holds(config))
    }

    /// The stages of which it has an instance in this configuration.
    pub fn parts(self, config: &Config) -> Vec<Self> {
        let has = |stage: &&Self| stage.spec().place.is_none() || stage.is_wanted(config);
        self.holds(config).iter().filter(has).copied().collect()
    }

    /// Stages, each behind those of which it has an instance, and those of which these have one: what is judged and has a testbench of its own.
    pub(crate) fn with_parts(stages: &[Self], config: &Config) -> Vec<Self> {
        let mut all = Vec::new();
        stages.iter().for_each(|stage| stage.add_with_parts(stages, config, &mut all));
        all
    }

    fn add_with_parts(self, stages: &[Self], config: &Config, all: &mut Vec<Self>) {
        for part in self.parts(config).into_iter().filter(|part| !stages.contains(part)) {
            part.add_with_parts(stages, config, all);
        }
        // Two stages may have an instance of the same.
        if !all.contains(&self) {
            all.push(self);
        }
    }

    /// The configuration as it is for this stage: a transmit path of RoCEv2 has no congestion windows, a NIC is of one protocol, whatever else there is.
    pub(crate) fn own_config(self, config: &Config) -> Cow<'_, Config> {
        match self {
            StageName::Nic => Cow::Owned(nic::of_one_protocol(config)),
            StageName::Tx => Cow::Owned(tx::own_config(config)),
            _ => Cow::Borrowed(config),
        }
    }

    /// It consists of other stages.
    pub(crate) fn has_parts(self) -> bool {
        self.spec().place.as_ref().is_some_and(|place| place.holds.is_some())
    }

    /// The stages that this pipeline does not have, where that is to be said, and what they need.
    pub(crate) fn left_out(config: &Config) -> impl Iterator<Item = (Self, &'static str)> {
        let absent = Self::ALL.iter().filter(|stage| !stage.is_wanted(config));
        absent.filter_map(|stage| Some((*stage, stage.spec().place.as_ref()?.needs?)))
    }

    /// Whether the configuration has such a stage, whatever it has in its pipeline.
    fn check(self, config: &Config) -> Outcome {
        match self {
            StageName::Nic => nic::check(config),
            StageName::Rx | StageName::Tx => nic::has_protocol(self, config),
            _ => Ok(()),
        }
    }

    /// The stages that the command line names, or else the whole pipeline.
    pub(crate) fn chosen(given: &[Self], config: &Config) -> Outcome<Vec<Self>> {
        given.iter().try_for_each(|stage| stage.check(config))?;
        // A stage that is named twice is meant once.
        let first = |(at, stage): &(usize, &Self)| !given[..*at].contains(stage);
        let named = || given.iter().enumerate().filter(first).map(|(_, stage)| *stage).collect();
        Ok(if given.is_empty() { Self::pipeline(config) } else { named() })
    }

    /// The stages that the command line names, or else those of the whole pipeline with their parts. With the names of
    /// their modules: `name`, which is allowed for one stage only, or the default.
    pub(crate) fn named(given: &[Self], name: Option<&str>, config: &Config) -> Outcome<Vec<(Self, String)>> {
        let mut chosen = Self::chosen(given, config)?;
        if given.is_empty() {
            chosen = Self::with_parts(&chosen, config);
        }
        if name.is_some() && chosen.len() > 1 {
            return Err(Failure::with_help("--name is for one stage", "target.prefix is for all: PREFIX_STAGE"));
        }
        let module = |stage: Self| (stage, name.map_or_else(|| stage.module(config), str::to_owned));
        Ok(chosen.into_iter().map(module).collect())
    }

    /// The stage that vectors are for, if it has vectors of this kind.
    pub(crate) fn of_vectors(vectors: &Vectors) -> Outcome<Self> {
        let stage = Self::find(vectors.stage()).ok_or_else(|| {
            Failure::message(format!("the vectors are for the stage `{}`, which is not known", vectors.stage()))
        })?;
        match (vectors, &stage.spec().judge) {
            (Vectors::Frames(_), Judge::Frames(_)) | (Vectors::Timed(_), Judge::Timed(_)) => Ok(stage),
            _ => Err(Failure::message(format!("no vectors of this kind judge the stage `{}`", vectors.stage()))),
        }
    }
}

/// Converts a number whose range the configuration has checked.
fn narrow(x: u64) -> u32 {
    u32::try_from(x).unwrap_or(u32::MAX)
}
