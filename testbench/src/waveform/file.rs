// SPDX-License-Identifier: MIT OR Apache-2.0
//! A waveform file that is complete or absent.

use super::{Format, Layout, Recording, Writer, write_to};
use crate::device::Error;
use crate::files::WholeFile;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

/// A waveform file that can be written.
#[derive(Debug)]
pub struct TraceFile {
    path: PathBuf,
    format: Format,
    file: WholeFile,
}

impl TraceFile {
    /// Opens the place of the file. Whatever would prevent that it is written there is an error now, not after the run.
    pub fn create(path: &Path, format: Format) -> Result<Self, Error> {
        let file = WholeFile::create(path).map_err(Error::file(path))?;
        Ok(TraceFile { path: path.to_owned(), format, file })
    }

    /// The final path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Begins the waveform of one device.
    pub(super) fn writer(&self, name: &str, layout: &Layout) -> io::Result<Writer<BufWriter<File>>> {
        Writer::new(BufWriter::new(self.file.open()?), self.format, &[(name, layout)])
    }

    /// Puts the complete file in its place.
    pub(super) fn keep(self) -> Result<(), Error> {
        self.file.keep().map_err(Error::file(self.path))
    }
}

/// Writes recordings of the same cycles, each in its own scope. The extension of the name sets the format, which is VCD
/// if there is none.
pub fn write(path: &Path, scopes: &[(&str, &Recording)]) -> Result<(), Error> {
    let file = TraceFile::create(path, Format::of(path).unwrap_or(Format::Vcd))?;
    let to = file.file.open().map_err(Error::file(path))?;
    write_to(BufWriter::new(to), file.format, scopes).map_err(Error::file(path))?;
    file.keep()
}
