// SPDX-License-Identifier: MIT OR Apache-2.0
//! No output of a run is another file of it.

use crate::cli::{Cli, Command, Fabric, FabricCommand};
use crate::failure::{Failure, Outcome};
use crate::files::STDIN;
use std::path::{Path, PathBuf};

/// A file, and how the command line calls it.
type Named<'a> = (&'static str, Option<&'a Path>);

/// Checks that no output is an input, another output or `-`, and that standard input is read once. Only `mpnic rtl` writes
/// to standard output in place of files.
pub fn check(cli: &Cli) -> Outcome {
    let config = cli.config.as_deref().map(Path::new);
    let (mut inputs, outputs): (Vec<Named<'_>>, Vec<Named<'_>>) = match &cli.command {
        Some(Command::Replay(args)) => {
            let outputs = vec![
                ("--out", args.out.as_deref()),
                ("--delivered", args.delivered.as_deref()),
                ("--rebuild", args.rebuild.as_deref()),
                ("--trace", args.trace.as_deref()),
            ];
            (vec![("the capture", Some(&args.capture)), ("--connections", args.connections.as_deref())], outputs)
        }
        Some(Command::Conform(args)) => {
            (vec![("--vectors", args.vectors.as_deref())], vec![("--trace", args.trace.as_deref())])
        }
        Some(Command::Vectors(args)) => (Vec::new(), vec![("--out", args.out.as_deref())]),
        Some(Command::Link(args)) => (Vec::new(), vec![("--trace", args.trace.as_deref())]),
        Some(Command::Model(args)) => (Vec::new(), vec![("--out", Some(args.out.as_path()))]),
        Some(Command::Prototype(args)) => (Vec::new(), vec![("--out", Some(args.out.as_path()))]),
        Some(Command::Fabric(Fabric { command: FabricCommand::Run(args) })) => {
            (vec![("the experiment", file(&args.experiment))], vec![("--out", args.out.as_deref())])
        }
        Some(Command::Fabric(Fabric { command: FabricCommand::Sweep(args) })) => {
            (vec![("the experiment", file(&args.experiment))], vec![("--out", Some(args.out.as_path()))])
        }
        _ => (Vec::new(), Vec::new()),
    };
    if let Some((name, _)) = outputs.iter().find(|(_, path)| *path == Some(Path::new(STDIN))) {
        let help = format!("name a file or a directory; `{name} ./-` is one that is called so");
        return Err(Failure::with_help(format!("{name} -: this does not go to standard output"), help));
    }
    inputs.push(("--config", config));
    if inputs.iter().filter(|(_, path)| *path == Some(Path::new(STDIN))).count() > 1 {
        return Err(Failure::with_help("two inputs are standard input", "name a file for one of them"));
    }
    apart(&inputs, &outputs)
}

/// The file of an experiment that does not come with the program.
fn file(experiment: &Path) -> Option<&Path> {
    let known = experiment.to_str().and_then(fabric::library::text).is_some();
    (!known).then_some(experiment)
}

fn apart(inputs: &[Named<'_>], outputs: &[Named<'_>]) -> Outcome {
    let (inputs, outputs) = (places(inputs), places(outputs));
    for (number, (name, path, place)) in outputs.iter().enumerate() {
        let others = inputs.iter().chain(&outputs[..number]);
        if let Some((other, ..)) = others.into_iter().find(|(.., other)| other == place) {
            let message = format!("{name} {}: this file is also {other}", path.display());
            return Err(Failure::with_help(message, "name another file"));
        }
    }
    Ok(())
}

fn places<'a>(files: &[Named<'a>]) -> Vec<(&'static str, &'a Path, Place)> {
    files.iter().filter_map(|(name, path)| Some((*name, (*path)?, place((*path)?)?))).collect()
}

/// What makes two files one.
#[derive(Debug, PartialEq, Eq)]
enum Place {
    /// A file that is there: its file system and its number.
    #[cfg(unix)]
    Inode(u64, u64),
    /// Its path without links.
    Path(PathBuf),
}

/// The place of a regular file, or of one that is not there yet. What is written to a device is not lost.
fn place(path: &Path) -> Option<Place> {
    match std::fs::metadata(path) {
        Ok(data) if !data.is_file() => None,
        #[cfg(unix)]
        Ok(data) => {
            use std::os::unix::fs::MetadataExt;
            Some(Place::Inode(data.dev(), data.ino()))
        }
        #[cfg(not(unix))]
        Ok(_) => path.canonicalize().ok().map(Place::Path),
        Err(_) => {
            let path = std::path::absolute(path).ok()?;
            let parent = path.parent().and_then(|parent| parent.canonicalize().ok())?;
            Some(Place::Path(parent.join(path.file_name()?)))
        }
    }
}
