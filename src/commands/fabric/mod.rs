// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command `mpnic fabric`: experiments in a network of NICs.

mod collect;
mod list;
mod report;
mod run;
mod show;
mod slurm;
mod sweep;

use crate::cli;
use crate::failure::{Failure, Mistake, Outcome, Place};
use ::fabric::experiment::{Experiment, Problem};
use ::fabric::library;
use std::path::{Path, PathBuf};

/// Runs a command of the group.
pub fn run(args: &cli::Fabric) -> Outcome {
    match &args.command {
        cli::FabricCommand::List(args) => list::run(args),
        cli::FabricCommand::Run(args) => run::run(args),
        cli::FabricCommand::Sweep(args) => sweep::run(args),
        cli::FabricCommand::Collect(args) => collect::run(args),
        cli::FabricCommand::Report(args) => report::run(args),
    }
}

/// An experiment as it was named: what it is called in messages, its text, and where other files are looked for.
struct Source {
    name: String,
    text: String,
    folder: PathBuf,
}

impl Source {
    /// One that comes with the program, or a file.
    fn find(named: &Path) -> Outcome<Self> {
        let known = named.to_str().and_then(|name| Some((name, library::text(name)?)));
        if let Some((name, text)) = known {
            return Ok(Source { name: format!("{name}.toml"), text: text.to_owned(), folder: PathBuf::from(".") });
        }
        let text = crate::files::read_text(named).map_err(|error| {
            let help =
                "mpnic fabric list names the experiments that come with it; a file of yours is named by its path";
            Failure::with_help(format!("{}: {error}", named.display()), help)
        })?;
        // Of a bare name it is empty.
        let folder = named.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new(".")).to_owned();
        Ok(Source { name: named.display().to_string(), text, folder })
    }

    /// Reads it, with values for keys.
    fn read(&self, set: &[String]) -> Outcome<Experiment> {
        Experiment::read(&self.text, set, &self.folder).map_err(|problem| self.mistake(problem))
    }

    /// What is wrong, with the line.
    fn mistake(&self, problem: Problem) -> Failure {
        let Problem { message, span, help } = problem;
        let place = span.map(|span| {
            let end = span.end.min(self.text.len());
            let span = span.start.min(end)..end;
            Place { name: self.name.clone(), text: self.text.clone(), span, label: "here".to_owned() }
        });
        let message = if place.is_some() { message } else { format!("{}: {message}", self.name) };
        Failure::Usage(Box::new(Mistake { message, place, help: Some(help) }))
    }
}

/// Values for keys, and those of options that are keys too.
fn set(given: &[String], seeds: Option<u64>) -> Vec<String> {
    given.iter().cloned().chain(seeds.map(|seeds| format!("experiment.seeds={seeds}"))).collect()
}

/// Threads for runs: as many as asked for, or one a core.
fn pool(jobs: Option<usize>) -> Outcome<rayon::ThreadPool> {
    rayon::ThreadPoolBuilder::new().num_threads(jobs.unwrap_or(0)).build().map_err(Failure::message)
}
