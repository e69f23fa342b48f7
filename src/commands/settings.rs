// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command `mpnic settings`: what the configuration says of the settings of each stage, and what its registers hold
//! after reset.

use super::{json, print, table};
use crate::cli;
use crate::config::Config;
use crate::failure::{Failure, Outcome};
use crate::settings::{Setting, Space, spaces};
use crate::stages::StageName;
use serde::Serialize;
use std::fmt::Write;

/// The settings of a stage.
#[derive(Serialize)]
struct OfStage {
    stage: String,
    settings: Vec<Setting>,
    /// The EV space by rate, for the stage with EVs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    spaces: Vec<Space>,
}

pub fn run(args: &cli::Settings, config: &Config) -> Outcome {
    let mut stages: Vec<_> =
        StageName::chosen(&args.stage, config)?.into_iter().map(|stage| of(stage, config)).collect();
    stages.retain(|stage| !stage.settings.is_empty());
    if stages.is_empty() {
        let named = StageName::ALL.iter().filter(|stage| stage.has_settings(config));
        let names: Vec<_> = named.map(|stage| stage.name()).collect();
        return Err(Failure::with_help(
            "none of these stages has settings",
            format!("those of {} have", names.join(", ")),
        ));
    }
    print(&if args.json { json(&stages)? } else { text(&stages, config) })
}

fn of(stage: StageName, config: &Config) -> OfStage {
    let spaces = if stage == StageName::EntropySelector { spaces(config) } else { Vec::new() };
    OfStage { stage: stage.name(), settings: stage.settings(config), spaces }
}

fn text(stages: &[OfStage], config: &Config) -> String {
    let rows = stages.iter().flat_map(|stage| {
        stage.settings.iter().map(|setting| {
            let Setting { port, row, configured, value, unit, means, .. } = setting;
            let register = format!("{value} {unit}").trim_end().to_owned();
            vec![stage.stage.clone(), port.clone(), (*row).to_owned(), configured.clone(), register, means.clone()]
        })
    });
    let mut text = table::left(vec!["stage", "port", "row", "[settings]", "after reset", "that is"], rows);
    for space in stages.iter().flat_map(|stage| &stage.spaces) {
        let Space { gbps, evs, code, round_rtts, limited_by } = space;
        let short =
            if *limited_by == "evs" { "; entropy_selector.evs is too small for a round of one RTT" } else { "" };
        let short = if *round_rtts < 1.0 { short } else { "" };
        let _ = writeln!(
            text,
            "space    {evs} EVs (code {code}) for a CCC of {gbps} Gb/s with an RTT of {} us: a round of {round_rtts:.2} RTT{short}",
            config.settings.rtt_us
        );
    }
    text
}
