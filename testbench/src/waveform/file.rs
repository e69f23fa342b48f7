// SPDX-License-Identifier: MIT OR Apache-2.0
//! A waveform file that is complete or absent: it is written as a temporary file in the same directory and then
//! renamed.

use super::{Format, Layout, Recording, Writer, write_to};
use crate::device::Error;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A waveform file that can be written.
#[derive(Debug)]
pub struct TraceFile {
    path: PathBuf,
    format: Format,
    temporary: NamedTempFile,
}

impl TraceFile {
    /// Makes the temporary file. Whatever would prevent the renaming is an error now, not after the run.
    pub fn create(path: &Path, format: Format) -> Result<Self, Error> {
        if path.is_dir() {
            return Err(Error::file(path)(io::ErrorKind::IsADirectory.into()));
        }
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        builder.prefix(".mpnic-");
        // Temporary files are private, but this one is a result.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        // The message of `tempfile` would name the temporary path.
        std::fs::metadata(parent).map_err(Error::file(path))?;
        let temporary = builder.tempfile_in(parent).map_err(|error| Error::file(path)(error.kind().into()))?;
        Ok(TraceFile { path: path.to_owned(), format, temporary })
    }

    /// The final path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Begins the waveform of one device.
    pub(super) fn writer(&self, name: &str, layout: &Layout) -> io::Result<Writer<BufWriter<File>>> {
        Writer::new(BufWriter::new(self.temporary.reopen()?), self.format, &[(name, layout)])
    }

    /// Renames the complete file to its final name.
    pub(super) fn keep(self) -> Result<(), Error> {
        let path = self.path;
        self.temporary.persist(&path).map(drop).map_err(|error| Error::file(path)(error.error))
    }
}

/// Writes recordings of the same cycles, each in its own scope. The extension of the name sets the format, which is VCD
/// if there is none.
pub fn write(path: &Path, scopes: &[(&str, &Recording)]) -> Result<(), Error> {
    let file = TraceFile::create(path, Format::of(path).unwrap_or(Format::Vcd))?;
    let to = file.temporary.reopen().map_err(Error::file(path))?;
    write_to(BufWriter::new(to), file.format, scopes).map_err(Error::file(path))?;
    file.keep()
}
