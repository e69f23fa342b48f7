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
use crate::latency::Time;
use crate::output::Files;
use crate::report;
use crate::stages::StageName;
use crate::summary::{LeftOut, Part, Replayed, Stage, Summary};
use rayon::prelude::*;

pub fn run(args: &cli::Prototype, config: &Config) -> Outcome {
    Files::check(&args.out, args.force)?;
    let (summary, files) = prototype(&StageName::chosen(&args.stage, config)?, config)?;
    files.write(&args.out, args.force)?;
    print(&if args.json { json(&summary)? } else { text::all(&summary, config, &args.out.display().to_string()) })?;
    if summary.passed { Ok(()) } else { Err(Failure::Check) }
}

/// Makes the results of some stages, and the files of the directory, including [`report::FILE`].
pub fn prototype(stages: &[StageName], config: &Config) -> Outcome<(Summary, Files)> {
    let all = StageName::with_parts(stages, config);
    let own = conform::own(&all, config)?;
    let (made, suites) = rayon::join(
        || all.par_iter().map(|stage| one(*stage, &own, config)).collect::<Vec<_>>(),
        || conform::of_stages(&own, config),
    );
    let mut files = Files::of(config);
    let (mut parts, mut replay) = (Vec::new(), None);
    for made in made {
        let (of_stage, part, replayed) = made?;
        files.join(of_stage);
        parts.push(part);
        replay = replay.or(replayed);
    }
    // The cost of a part is in that of the stage that has it.
    let measured = stages.par_iter().map(|stage| Stage::of(*stage, &parts, config)).collect::<Vec<_>>();
    let measured = measured.into_iter().collect::<Outcome<Vec<_>>>()?;
    let suites = suites?;
    let mut summary = Summary::of(config, measured, Report::of(suites), replay);
    if stages == StageName::pipeline(config) {
        summary.left_out = StageName::left_out(config).map(LeftOut::from).collect();
    }
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

/// The files of one stage, and the capture if it reads frames.
fn one(stage: StageName, own: &Own, config: &Config) -> Outcome<(Files, Part, Option<Replayed>)> {
    let vectors = own.iter().find(|(name, _)| *name == stage).map_or(&[][..], |(_, vectors)| vectors);
    let mut files = Files::of(config);
    let rtl::Added { top, testbench, .. } =
        rtl::add(&mut files, "rtl/", (stage, &stage.module(config)), vectors, config)?;
    let replay = match stage {
        StageName::HeaderParser => Some(capture::replay(&mut files, config)?),
        _ => None,
    };
    // The latencies of a part stand with its drawing.
    let (wiring, latency) = match stage.has_parts() {
        true => (stage.wiring(&stage.circuit(config)?, config)?, stage.latency(config)?),
        false => (None, Vec::new()),
    };
    let latency = Time::all(&latency, config.target.clock_mhz);
    Ok((files, Part { stage: stage.name(), top, testbench, wiring, latency }, replay))
}
