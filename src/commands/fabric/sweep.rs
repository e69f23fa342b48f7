// SPDX-License-Identifier: MIT OR Apache-2.0
//! `mpnic fabric sweep`: the runs of an experiment, each with a file of its own, so that those that have ended need not run again.
//!
//! A sweep is a directory: `experiment.toml` is what runs, `tasks/N.json` the run with number N. A file is written under another
//! name and then renamed, so that it is whole.

use super::{Source, collect, pool, set, slurm};
use crate::cli;
use crate::failure::{Failure, Outcome};
use crate::progress::Progress;
use ::fabric::experiment::{Experiment, Run};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// The file of the experiment.
pub const EXPERIMENT: &str = "experiment.toml";

/// The file that says where the files are that the experiment names.
pub const FOLDER: &str = "folder";

/// A run that has ended.
#[derive(Serialize, Deserialize)]
pub struct Task {
    /// The version that has run it.
    pub version: String,
    /// What has come of it.
    pub run: Run,
}

pub fn run(args: &cli::FabricSweep) -> Outcome {
    let source = Source::find(&args.experiment)?;
    let experiment = source.read(&set(&args.set, args.seeds))?;
    let tasks = experiment.tasks();
    if let Some(number) = args.task {
        if number >= tasks.len() {
            let help = format!("they are numbered from 0 to {}", tasks.len() - 1);
            return Err(Failure::with_help(format!("there is no task {number}"), help));
        }
        begin(&args.out, &source.folder, &experiment)?;
        return one(&args.out, &experiment, number);
    }
    begin(&args.out, &source.folder, &experiment)?;
    if args.slurm {
        return slurm::submit(args, tasks.len());
    }
    let left: Vec<_> = (0..tasks.len()).filter(|&number| read(&args.out, number).is_none()).collect();
    if left.len() < tasks.len() {
        eprintln!("mpnic: {} of {} runs have ended before", tasks.len() - left.len(), tasks.len());
    }
    let progress = Progress::new("runs", left.len());
    let each = |&number: &usize| {
        let written = one(&args.out, &experiment, number);
        progress.add(1);
        written
    };
    pool(args.jobs)?.install(|| left.par_iter().map(each).collect::<Outcome<Vec<()>>>())?;
    drop(progress);
    collect::collect(&args.out, false)
}

/// The directory, with the experiment. It may be there already, with the same one.
fn begin(out: &Path, folder: &Path, experiment: &Experiment) -> Outcome {
    let path = out.join(EXPERIMENT);
    match fs::read_to_string(&path) {
        Ok(text) if text == experiment.text => Ok(()),
        Ok(_) => {
            let help = "name another directory, or remove it";
            Err(Failure::with_help(format!("{} is another sweep", out.display()), help))
        }
        Err(_) if out.read_dir().is_ok_and(|mut entries| entries.next().is_some()) => {
            let help = "name a directory that is empty, or does not exist";
            Err(Failure::with_help(format!("{} holds something else than a sweep", out.display()), help))
        }
        Err(_) => {
            let tasks = out.join("tasks");
            fs::create_dir_all(&tasks).map_err(Failure::file(&tasks))?;
            let folder = std::path::absolute(folder).map_err(Failure::file(folder))?;
            write(&out.join(FOLDER), folder.display().to_string().as_bytes())?;
            // The last one: with it the directory is a sweep.
            write(&path, experiment.text.as_bytes())
        }
    }
}

/// Writes a file so that it is whole or not there.
pub fn write(path: &Path, bytes: &[u8]) -> Outcome {
    let folder = path.parent().unwrap_or(Path::new("."));
    let file = tempfile::NamedTempFile::new_in(folder).map_err(Failure::file(folder))?;
    fs::write(file.path(), bytes).map_err(Failure::file(path))?;
    file.persist(path).map_err(|error| Failure::file(path)(error.error))?;
    Ok(())
}

fn place(out: &Path, number: usize) -> PathBuf {
    out.join("tasks").join(format!("{number}.json"))
}

/// A run that has ended with this version.
pub fn read(out: &Path, number: usize) -> Option<Run> {
    let text = fs::read(place(out, number)).ok()?;
    let task: Task = serde_json::from_slice(&text).ok()?;
    (task.version == env!("CARGO_PKG_VERSION")).then_some(task.run)
}

/// Runs one of the tasks.
fn one(out: &Path, experiment: &Experiment, number: usize) -> Outcome {
    let (case, seed) = experiment.tasks()[number];
    let run = ::fabric::experiment::run(&experiment.cases[case], seed);
    let task = Task { version: env!("CARGO_PKG_VERSION").to_owned(), run };
    write(&place(out, number), &serde_json::to_vec(&task).map_err(Failure::defect)?)
}
