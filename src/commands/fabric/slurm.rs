// SPDX-License-Identifier: MIT OR Apache-2.0
//! A sweep as an array of jobs of Slurm: each task is one run of the same command.

use super::sweep;
use crate::cli;
use crate::commands::print;
use crate::failure::{Failure, Outcome};
use std::path::Path;
use std::process::Command;

/// A word of a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The script of an array of so many tasks.
fn script(args: &cli::FabricSweep, tasks: usize) -> Outcome<String> {
    let absolute = |path: &Path| std::path::absolute(path).map_err(Failure::file(path));
    let program = std::env::current_exe().map_err(Failure::message)?;
    let out = absolute(&args.out)?;
    let named = if args.experiment.is_file() { absolute(&args.experiment)? } else { args.experiment.clone() };
    let mut words = vec![program.display().to_string(), "fabric".to_owned(), "sweep".to_owned()];
    words.push(named.display().to_string());
    words.extend(["--out".to_owned(), out.display().to_string()]);
    for set in &args.set {
        words.extend(["--set".to_owned(), set.clone()]);
    }
    if let Some(seeds) = args.seeds {
        words.extend(["--seeds".to_owned(), seeds.to_string()]);
    }
    let command = words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
    let (log, last) = (out.join("tasks/%a.log"), tasks - 1);
    Ok(format!(
        "#!/bin/sh\n#SBATCH --job-name=mpnic-fabric\n#SBATCH --array=0-{last}\n#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=1\n\
         #SBATCH --output={}\nexec {command} --task \"$SLURM_ARRAY_TASK_ID\"\n",
        log.display()
    ))
}

/// Writes the script and submits it.
pub fn submit(args: &cli::FabricSweep, tasks: usize) -> Outcome {
    let path = args.out.join("sweep.sbatch");
    sweep::write(&path, script(args, tasks)?.as_bytes())?;
    let said = Command::new("sbatch").arg(&path).output().map_err(|error| {
        let help = format!("install Slurm (Debian: slurm-wlm), or submit {} elsewhere", path.display());
        Failure::with_help(format!("sbatch: {error}"), help)
    })?;
    if !said.status.success() {
        let why = String::from_utf8_lossy(&said.stderr);
        let help = format!("submit {} by hand", path.display());
        return Err(Failure::with_help(format!("sbatch: {}", why.trim()), help));
    }
    print(&String::from_utf8_lossy(&said.stdout))?;
    eprintln!("mpnic: {tasks} tasks; mpnic fabric collect {} says what has ended", args.out.display());
    Ok(())
}
