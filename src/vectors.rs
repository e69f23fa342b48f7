// SPDX-License-Identifier: MIT OR Apache-2.0
//! The golden vectors of a configured stage, which the oracle makes when they are needed.

use crate::config::Config;
use crate::failure::{Failure, Outcome};
use crate::stages::{Judge, StageName, TimedJudge};
use golden_vectors::{TimedGroup, Vectors};
use std::sync::OnceLock;

/// The committed vectors of a stage, which are read from the archive once, when they are first needed.
pub fn committed(stage: StageName) -> Outcome<&'static [Vectors]> {
    static FILES: [OnceLock<Vec<Vectors>>; StageName::ALL.len()] = [const { OnceLock::new() }; StageName::ALL.len()];
    let place = StageName::ALL.iter().position(|one| *one == stage).map(|at| &FILES[at]);
    let place = place.ok_or_else(|| Failure::defect("a stage that is not in the list of all"))?;
    match place.get() {
        Some(files) => Ok(files),
        None => {
            let files = Vectors::embedded_stage(&stage.name()).map_err(Failure::defect)?;
            Ok(place.get_or_init(|| files))
        }
    }
}

/// The vectors of a stage for the protocols and the size of the configuration; empty if the stage has none. The builder
/// has those of the parser, whose frames it builds again, and its own.
pub fn of(stage: StageName, config: &Config) -> Outcome<Vec<Vectors>> {
    Ok(match &stage.spec().judge {
        Judge::Nothing => Vec::new(),
        Judge::Frames(judge) => (judge.made)(config)?.into_iter().map(Vectors::Frames).collect(),
        Judge::Timed(judge) => timed(stage, judge, config)?.into_iter().collect(),
    })
}

/// The committed vectors for this size, if the stage has the default settings after reset; otherwise random traffic with
/// the outputs that the oracle expects. A stage may have a file for each way in which it is built; vectors of one way say the same of the stage, by the names of their
/// numbers.
fn timed(stage: StageName, judge: &TimedJudge, config: &Config) -> Outcome<Option<Vectors>> {
    let size = (judge.size)(config);
    let of_stage = committed(stage)?.iter().filter_map(|vectors| match vectors {
        Vectors::Timed(file) => Some(file),
        Vectors::Frames(_) => None,
    });
    let is_of_way = |group: &TimedGroup| group.configuration.keys().eq(size.keys());
    let Some(file) = of_stage.max_by_key(|file| file.groups.iter().any(is_of_way)) else { return Ok(None) };
    let is_for_it = |group: &&TimedGroup| stage.has_default_settings(config) && group.configuration == size;
    let mut groups: Vec<_> = file.groups.iter().filter(is_for_it).cloned().collect();
    if groups.is_empty() {
        groups = (judge.load)(config);
    }
    if groups.is_empty() {
        return Ok(None);
    }
    Ok(Some(Vectors::Timed(file.with(groups))))
}
