// SPDX-License-Identifier: MIT OR Apache-2.0
//! `mpnic fabric list`: the experiments that come with the program.

use super::Source;
use crate::cli;
use crate::commands::{json, print, table};
use crate::failure::Outcome;
use ::fabric::library::EXPERIMENTS;
use serde::Serialize;
use std::path::Path;

/// An experiment.
#[derive(Serialize)]
struct Listed {
    name: String,
    title: String,
    source: String,
    cases: Vec<String>,
    seeds: u64,
}

pub fn run(args: &cli::FabricList) -> Outcome {
    if let Some(name) = &args.name {
        return print(&Source::find(Path::new(name))?.text);
    }
    let mut all = Vec::new();
    for (name, _) in EXPERIMENTS {
        let experiment = Source::find(Path::new(name))?.read(&[])?;
        let about = &experiment.about;
        all.push(Listed {
            name: name.to_owned(),
            title: about.title.clone(),
            source: about.source.clone(),
            cases: experiment.cases.iter().map(|plan| plan.name.clone()).collect(),
            seeds: *about.seeds.get_ref(),
        });
    }
    if args.json {
        return print(&json(&all)?);
    }
    let row = |listed: &Listed| {
        let cases = listed.cases.join("; ");
        // More than can be read; they are in the JSON.
        let cases = if cases.len() > 80 { format!("{} cases", listed.cases.len()) } else { cases };
        vec![listed.name.clone(), cases, listed.title.clone()]
    };
    print(&table::left(vec!["name", "cases", "what it shows"], all.iter().map(row)))
}
