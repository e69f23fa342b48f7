// SPDX-License-Identifier: MIT OR Apache-2.0
//! `make-vectors [--check] [--dir DIR]`: writes the files of vectors, or compares them with what would be written.

use golden_vectors::{Made, files};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "usage: make-vectors [--check] [--dir DIR]";

fn main() -> ExitCode {
    let mut check = false;
    let mut folder = default_folder();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--check" => check = true,
            "--dir" => match arguments.next() {
                Some(given) => folder = given.into(),
                None => return usage(),
            },
            _ => return usage(),
        }
    }
    match run(&folder, check) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("make-vectors: {error}");
            ExitCode::from(2)
        }
    }
}

fn usage() -> ExitCode {
    eprintln!("{USAGE}");
    ExitCode::from(2)
}

/// `vectors/` of this crate under `cargo run`, else as seen from the root of the workspace.
fn default_folder() -> PathBuf {
    let root = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| "golden-vectors".into(), PathBuf::from);
    root.join("vectors")
}

/// Writes or compares all files; false if one differs, or there is none.
fn run(folder: &Path, check: bool) -> Result<bool, Box<dyn Error>> {
    let files = files()?;
    let mut same = !files.is_empty();
    for Made { name, bytes } in files {
        let path = folder.join(&name);
        if !check {
            std::fs::create_dir_all(folder)?;
            std::fs::write(&path, &bytes)?;
            println!("{name}: {} bytes", bytes.len());
        } else if std::fs::read(&path).ok().as_ref() != Some(&bytes) {
            eprintln!("{name} differs from what the generator makes");
            same = false;
        }
    }
    Ok(same)
}
