// SPDX-License-Identifier: MIT OR Apache-2.0
//! An output file that is written as a whole or not at all: beside its place first, and renamed at the end.

use crate::failure::{Failure, Outcome};
use std::io::Write;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file that is not there yet.
pub struct WholeFile {
    path: PathBuf,
    temporary: NamedTempFile,
}

impl WholeFile {
    /// Opens the place of the file, so that one that cannot be written is an error before the run.
    pub fn create(path: &Path) -> Outcome<Self> {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if path.is_dir() {
            return Err(Failure::message(format!("{} is a directory", path.display())));
        }
        // The message of `tempfile` would name the temporary path.
        std::fs::metadata(parent).map_err(Failure::file(path))?;
        let mut beside = tempfile::Builder::new();
        beside.prefix(".mpnic-");
        // Temporary files are private, but this one is a result.
        #[cfg(unix)]
        beside.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let temporary = beside.tempfile_in(parent).map_err(|error| Failure::file(path)(error.kind().into()))?;
        Ok(WholeFile { path: path.to_owned(), temporary })
    }

    /// Writes the bytes and puts the file in its place.
    pub fn finish(self, bytes: &[u8]) -> Outcome {
        let WholeFile { path, mut temporary } = self;
        temporary.write_all(bytes).map_err(Failure::file(&path))?;
        temporary.persist(&path).map_err(|error| Failure::file(&path)(error.error))?;
        Ok(())
    }
}
