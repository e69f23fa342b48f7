// SPDX-License-Identifier: MIT OR Apache-2.0
//! The golden vectors of a configured stage, which the oracle makes when they are needed.

use crate::config::Config;
use crate::failure::{Failure, Outcome};
use crate::stages::{Judge, StageName, TimedJudge};
use golden_vectors::{TimedGroup, Vectors};
use std::sync::OnceLock;

/// The committed vectors, which are read only once, before threads need them.
pub fn committed() -> Outcome<&'static [Vectors]> {
    static FILES: OnceLock<Vec<Vectors>> = OnceLock::new();
    match FILES.get() {
        Some(files) => Ok(files),
        None => {
            let files = Vectors::embedded().map_err(Failure::defect)?;
            Ok(FILES.get_or_init(|| files))
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
    let (name, size) = (stage.name(), (judge.size)(config));
    let of_stage = committed()?.iter().filter_map(|vectors| match vectors {
        Vectors::Timed(file) if file.stage == name => Some(file),
        _ => None,
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
