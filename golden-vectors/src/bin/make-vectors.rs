// SPDX-License-Identifier: MIT OR Apache-2.0
//! `make-vectors [--check] [--archive FILE]`: writes the archive of vectors, or compares its files with what would be written.

use golden_vectors::{Archive, Effort, Made, archive_of, files};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "usage: make-vectors [--check] [--archive FILE]";

fn main() -> ExitCode {
    let mut check = false;
    let mut archive = committed();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--check" => check = true,
            "--archive" => match arguments.next() {
                Some(given) => archive = given.into(),
                None => return usage(),
            },
            _ => return usage(),
        }
    }
    let done = if check { compare(&archive) } else { write(&archive).map(|()| true) };
    match done {
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

/// `vectors.zip` of this crate under `cargo run`, else as seen from the root of the workspace.
fn committed() -> PathBuf {
    let root = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| "golden-vectors".into(), PathBuf::from);
    root.join("vectors.zip")
}

/// Writes all files. An archive that has them already stays as it is, whatever version of zstd has compressed it.
fn write(archive: &Path) -> Result<(), Box<dyn Error>> {
    let files = files()?;
    let found = differences(archive, &files);
    if found.as_ref().is_ok_and(Vec::is_empty) {
        println!("{}: has these {} files already", archive.display(), files.len());
        return Ok(());
    }
    name(&found.unwrap_or_default());
    let effort = if archive == committed() { Effort::Small } else { Effort::Fast };
    let bytes = archive_of(&files, effort)?;
    let beside = archive.with_extension("new");
    std::fs::write(&beside, &bytes)?;
    std::fs::rename(&beside, archive)?;
    for Made { name, bytes } in &files {
        println!("{name}: {} bytes", bytes.len());
    }
    println!("{}: {} bytes", archive.display(), bytes.len());
    Ok(())
}

/// Compares all files; false if one differs.
fn compare(archive: &Path) -> Result<bool, Box<dyn Error>> {
    // What is none is refused before the files are made, which takes long.
    differences(archive, &[])?;
    let files = files()?;
    let found = differences(archive, &files)?;
    name(&found);
    println!("{}: {} files compared, {} differ", archive.display(), files.len(), found.len());
    Ok(found.is_empty() && !files.is_empty())
}

fn name(found: &[String]) {
    found.iter().for_each(|name| eprintln!("{name} differs from what the generator makes"));
}

/// The files that differ, are missing, or are not made.
fn differences(archive: &Path, files: &[Made]) -> Result<Vec<String>, Box<dyn Error>> {
    let bytes = std::fs::read(archive).map_err(|error| format!("{}: {error}", archive.display()))?;
    let mut archive = Archive::open(&archive.display().to_string(), &bytes)?;
    let mut found = Vec::new();
    for file in files {
        if archive.read(&file.name)?.as_ref() != Some(&file.bytes) {
            found.push(file.name.clone());
        }
    }
    let others = archive.files().map(|(name, _)| name).filter(|name| files.iter().all(|file| file.name != *name));
    found.extend(others.map(str::to_owned));
    Ok(found)
}
