// SPDX-License-Identifier: MIT OR Apache-2.0
//! The golden vectors of a stage as it is configured, which the oracle makes when they are wanted.

use crate::config::Config;
use crate::config::table;
use crate::failure::{Failure, Outcome};
use crate::stages::{self, StageName};
use golden_vectors::generate::{
    elab_feedback_load, elab_scheduler_load, entropy_selector_load, frame_gate_load, header_builder_of,
    header_parser_for, icrc_at, icrc_insert_at, path_scheduler_load,
};
use golden_vectors::oracle::elab_feedback::Shape as ElabFeedbackShape;
use golden_vectors::oracle::elab_scheduler::Shape as ElabSchedulerShape;
use golden_vectors::oracle::entropy_selector::Shape as SelectorShape;
use golden_vectors::oracle::frame_gate::Shape as FrameGateShape;
use golden_vectors::oracle::path_scheduler::Shape as SchedulerShape;
use golden_vectors::{TimedGroup, Vectors};
use pipeline::elab::ElabSizes;
use pipeline::entropy_selector::EntropySelectorConfig;
use pipeline::frame_gate::{DropMode, FrameGateConfig};
use pipeline::path_scheduler::PathSchedulerConfig;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The size of a stage with timed vectors, as these name it.
pub type Size = BTreeMap<String, u64>;

/// The committed vectors, which are read once: before threads ask for them, or each may read them.
pub fn committed() -> Outcome<&'static [Vectors]> {
    static FILES: OnceLock<Vec<Vectors>> = OnceLock::new();
    match FILES.get() {
        Some(files) => Ok(files),
        None => {
            let files = Vectors::embedded()?;
            Ok(FILES.get_or_init(|| files))
        }
    }
}

/// The vectors of a stage with the protocols and the size of the configuration; none of a stage that has none at all. The
/// builder has those of the parser, which it builds again, and its own.
pub fn of(stage: StageName, config: &Config) -> Outcome<Vec<Vectors>> {
    let port = config.protocols.rocev2_port;
    let parser = || header_parser_for(&table::of(&config.protocols)).map_err(Failure::message);
    let files = match stage {
        StageName::HeaderParser => vec![parser()?],
        StageName::HeaderBuilder => {
            vec![parser()?, header_builder_of(&table::of_builder(config)).map_err(Failure::message)?]
        }
        StageName::Icrc => vec![icrc_at(port)],
        StageName::IcrcInsert => vec![icrc_insert_at(port)],
        _ => return Ok(timed(stage, config)?.into_iter().collect()),
    };
    Ok(files.into_iter().map(Vectors::Frames).collect())
}

/// Those that are committed for this size, else traffic of which the oracle says what must come.
fn timed(stage: StageName, config: &Config) -> Outcome<Option<Vectors>> {
    let Some(size) = size(stage, config) else { return Ok(None) };
    let name = stage.name();
    let of_stage = committed()?.iter().find_map(|vectors| match vectors {
        Vectors::Timed(file) if file.stage == name => Some(file),
        _ => None,
    });
    let Some(file) = of_stage else { return Ok(None) };
    let mut groups: Vec<_> = file.groups.iter().filter(|group| group.configuration == size).cloned().collect();
    if groups.is_empty() {
        groups = load(stage, config);
    }
    Ok(Some(Vectors::Timed(file.with(groups))))
}

/// The size of a stage with timed vectors in the configuration.
pub fn size(stage: StageName, config: &Config) -> Option<Size> {
    match stage {
        StageName::EntropySelector => Some(selector(config).configuration()),
        StageName::PathScheduler => Some(scheduler(config).configuration()),
        StageName::ElabScheduler => Some(elab_scheduler(config).configuration()),
        StageName::ElabFeedback => Some(elab_feedback(config).configuration()),
        StageName::FrameGate => Some(frame_gate(config).configuration()),
        _ => None,
    }
}

fn load(stage: StageName, config: &Config) -> Vec<TimedGroup> {
    match stage {
        StageName::EntropySelector => entropy_selector_load(selector(config)),
        StageName::PathScheduler => path_scheduler_load(scheduler(config)),
        StageName::ElabScheduler => elab_scheduler_load(elab_scheduler(config)),
        StageName::ElabFeedback => elab_feedback_load(elab_feedback(config)),
        StageName::FrameGate => frame_gate_load(frame_gate(config)),
        _ => Vec::new(),
    }
}

fn selector(config: &Config) -> SelectorShape {
    let EntropySelectorConfig { cccs, evs, ram_latency, modes, ports } = stages::entropy_selector(config);
    SelectorShape::new(cccs, evs).ram_latency(ram_latency.into()).modes(modes.mask()).ports(ports)
}

fn scheduler(config: &Config) -> SchedulerShape {
    let PathSchedulerConfig { qps, paths, ram_latency } = stages::path_scheduler(config);
    SchedulerShape::new(qps, paths).ram_latency(ram_latency.into())
}

fn elab_scheduler(config: &Config) -> ElabSchedulerShape {
    let ElabSizes { pairs, vps, unit, ram_latency } = stages::elab(config);
    ElabSchedulerShape::new(pairs, vps, unit).ram_latency(ram_latency.into())
}

fn elab_feedback(config: &Config) -> ElabFeedbackShape {
    let ElabSizes { pairs, vps, unit, ram_latency } = stages::elab(config);
    ElabFeedbackShape::new(pairs, vps, unit).ram_latency(ram_latency.into())
}

fn frame_gate(config: &Config) -> FrameGateShape {
    let FrameGateConfig { data_width, beats, frames, drop, records, ram_latency, .. } = stages::frame_gate(config);
    let mark = drop == DropMode::Mark;
    let sized = FrameGateShape::new(beats, frames, ram_latency.into());
    FrameGateShape { data_width: data_width.into(), mark, records, ..sized }
}
