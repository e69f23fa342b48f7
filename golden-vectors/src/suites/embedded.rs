// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vector files of archives: of the committed one, which is part of this crate, and of others.

use super::archive::Archive;
use super::list::{SUITES, Suite};
use crate::schema::{TimedFile, VectorError, VectorFile, Vectors};
use rayon::prelude::*;
use std::path::Path;

impl VectorFile {
    /// The committed files of frames.
    ///
    /// # Errors
    /// A committed file is broken.
    pub fn embedded() -> Result<Vec<Self>, VectorError> {
        SUITES.par_iter().filter(|suite| !suite.is_timed()).map(parsed_frames).collect()
    }

    /// The committed file of one stage; `None` if there is none with frames.
    ///
    /// # Errors
    /// A committed file is broken.
    pub fn embedded_stage(stage: &str) -> Result<Option<Self>, VectorError> {
        let suite = SUITES.iter().find(|suite| !suite.is_timed() && suite.stage == stage);
        suite.map(parsed_frames).transpose()
    }
}

impl TimedFile {
    /// The committed files of events with cycles.
    ///
    /// # Errors
    /// A committed file is broken.
    pub fn embedded() -> Result<Vec<Self>, VectorError> {
        SUITES.par_iter().filter(|suite| suite.is_timed()).map(parsed_timed).collect()
    }

    /// The committed file of one stage; `None` if there is none with cycles. Of two files it is the one called as the
    /// stage.
    ///
    /// # Errors
    /// A committed file is broken.
    pub fn embedded_stage(stage: &str) -> Result<Option<Self>, VectorError> {
        Self::embedded_file(stage)
    }

    /// The committed file of this name, without `.json`; `None` if there is none with cycles.
    ///
    /// # Errors
    /// A committed file is broken.
    pub fn embedded_file(file: &str) -> Result<Option<Self>, VectorError> {
        let suite = SUITES.iter().find(|suite| suite.is_timed() && suite.file == file);
        suite.map(parsed_timed).transpose()
    }
}

impl Vectors {
    /// The committed files of both kinds.
    ///
    /// # Errors
    /// A committed file is broken.
    pub fn embedded() -> Result<Vec<Self>, VectorError> {
        SUITES.par_iter().map(parsed).collect()
    }

    /// The committed files of one stage.
    ///
    /// # Errors
    /// A committed file is broken.
    pub fn embedded_stage(stage: &str) -> Result<Vec<Self>, VectorError> {
        SUITES.par_iter().filter(|suite| suite.stage == stage).map(parsed).collect()
    }

    /// Reads and checks a file of vectors, or all files of an archive.
    ///
    /// # Errors
    /// The file cannot be read, or is not consistent.
    pub fn load_all(path: impl AsRef<Path>) -> Result<Vec<Self>, VectorError> {
        let path = path.as_ref();
        let bytes = std::fs::read(path).map_err(|source| VectorError::Read { path: path.to_owned(), source })?;
        let name = path.display().to_string();
        match Archive::is_one(&bytes) {
            true => Self::of_archive(&Archive::open(&name, &bytes)?),
            false => Ok(vec![Self::load(path)?]),
        }
    }

    /// The files of an archive of vectors, in the order of its manifest.
    ///
    /// # Errors
    /// A file is broken.
    pub fn of_archive(archive: &Archive) -> Result<Vec<Self>, VectorError> {
        let names: Vec<_> = archive.files().map(|(name, _)| name).filter(|name| name.ends_with(".json")).collect();
        names.par_iter().map(|name| Self::from_json(name, &text(archive, name)?)).collect()
    }
}

fn parsed(suite: &Suite) -> Result<Vectors, VectorError> {
    match suite.is_timed() {
        true => parsed_timed(suite).map(Vectors::Timed),
        false => parsed_frames(suite).map(Vectors::Frames),
    }
}

fn parsed_frames(suite: &Suite) -> Result<VectorFile, VectorError> {
    let name = suite.file_name();
    VectorFile::from_json(&name, &text(&Archive::embedded()?, &name)?)
}

fn parsed_timed(suite: &Suite) -> Result<TimedFile, VectorError> {
    let name = suite.file_name();
    TimedFile::from_json(&name, &text(&Archive::embedded()?, &name)?)
}

/// The text of a file that must be there. A copy of the archive reads it, as several threads read at once.
fn text(archive: &Archive, name: &str) -> Result<String, VectorError> {
    archive.clone().text(name)?.ok_or_else(|| archive.broken(format!("it has no {name}")))
}
