// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command `mpnic prototype`: all results and files for one configuration, in one directory.

mod capture;
mod text;

use super::budget::stages as budget_text;
use super::conform::{self, Own, Report};
use super::{json, print, rtl};
use crate::cli;
use crate::config::Config;
use crate::failure::{Failure, Outcome};
use crate::output::Files;
use crate::report;
use crate::stages::StageName;
use crate::summary::{Replayed, Stage, Summary};
use rayon::prelude::*;

pub fn run(args: &cli::Prototype, config: &Config) -> Outcome {
    let (summary, files) = prototype(&StageName::chosen(&args.stage, config), config)?;
    files.write(&args.out, args.force)?;
    print(&if args.json { json(&summary)? } else { text::all(&summary, config, &args.out.display().to_string()) })?;
    if summary.passed { Ok(()) } else { Err(Failure::Check) }
}

/// Makes the results of some stages, and the files of the directory, including [`report::FILE`].
pub fn prototype(stages: &[StageName], config: &Config) -> Outcome<(Summary, Files)> {
    let own = conform::own(stages, config)?;
    let (parts, suites) = rayon::join(
        || stages.par_iter().map(|stage| part(*stage, &own, config)).collect::<Vec<_>>(),
        || conform::of_stages(&own, stages, config),
    );
    let mut files = Files::of(config);
    let (mut measured, mut replay) = (Vec::new(), None);
    for part in parts {
        let (of_stage, stage, replayed) = part?;
        files.join(of_stage);
        measured.push(stage);
        replay = replay.or(replayed);
    }
    let suites = suites?;
    let summary = Summary::of(config, measured, Report::of(suites), replay);
    let budgets: Vec<_> = summary.stages.iter().map(|stage| &stage.budget).collect();
    files.add("nic.toml", config.print());
    files.add("conform.json", json(&summary.conform)?);
    files.add("budget.json", json(&budgets)?);
    files.add("budget.txt", budget_text(&budgets, &summary.whole, config));
    files.add("summary.json", json(&summary)?);
    // Both files list all files, including themselves.
    files.add("README.md", "");
    files.add(report::FILE, "");
    let names: Vec<_> = files.listed().map(str::to_owned).collect();
    files.add("README.md", text::readme(&summary, config, &names));
    files.add(report::FILE, report::page(&summary, &config.print(), &names));
    Ok((summary, files))
}

/// The output of one stage: its files, its cost, and the capture if it reads frames.
fn part(stage: StageName, own: &Own, config: &Config) -> Outcome<(Files, Stage, Option<Replayed>)> {
    let vectors = own.iter().find(|(name, _)| *name == stage).map_or(&[][..], |(_, vectors)| vectors);
    let mut files = Files::of(config);
    let added = rtl::add(&mut files, "rtl/", (stage, &stage.module(config)), vectors, config)?;
    let measured = Stage::of(stage, added.testbench, config)?;
    let replay = match stage {
        StageName::HeaderParser => Some(capture::replay(&mut files, config)?),
        _ => None,
    };
    Ok((files, measured, replay))
}
