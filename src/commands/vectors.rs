// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command `mpnic vectors`: the files of the embedded archive.

use super::{json, print, print_bytes, table};
use crate::cli;
use crate::config::Config;
use crate::failure::{Failure, Outcome};
use crate::output::Files;
use golden_vectors::Archive;
use serde::Serialize;

/// A file of the archive.
#[derive(Serialize)]
struct Listed<'a> {
    name: &'a str,
    bytes: usize,
}

pub fn run(args: &cli::Vectors, config: &Config) -> Outcome {
    let mut archive = Archive::embedded().map_err(Failure::defect)?;
    match (&args.file, &args.out) {
        (Some(name), _) => {
            let bytes = archive.read(name).map_err(Failure::defect)?;
            let missing = || Failure::with_help(format!("there is no file `{name}`"), "mpnic vectors lists them");
            print_bytes(&bytes.ok_or_else(missing)?)
        }
        (None, Some(out)) => {
            Files::check(out, args.force)?;
            let names: Vec<_> = archive.names().map(str::to_owned).collect();
            let mut files = Files::of(config);
            for name in names {
                if let Some(bytes) = archive.read(&name).map_err(Failure::defect)? {
                    files.add(name, bytes);
                }
            }
            files.write(out, args.force)?;
            print(&format!("{}: {} files\n", out.display(), files.listed().count()))
        }
        (None, None) => {
            let files: Vec<_> = archive.files().map(|(name, bytes)| Listed { name, bytes }).collect();
            print(&if args.json { json(&files)? } else { text(&files) })
        }
    }
}

fn text(files: &[Listed]) -> String {
    table::right(vec!["file", "bytes"], files.iter().map(|file| vec![file.name.to_owned(), file.bytes.to_string()]))
}
