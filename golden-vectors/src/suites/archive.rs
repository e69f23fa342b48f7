// SPDX-License-Identifier: MIT OR Apache-2.0
//! The archive of vectors: a ZIP file with one member for each file, each compressed (zstd) by itself, so that one is read
//! without the others. The member `MANIFEST.json` lists all others with their lengths and SHA-256 sums.

use super::files::{MANIFEST, Made, Manifest, sum};
use crate::schema::VectorError;
use std::collections::BTreeSet;
use std::io::{Cursor, Read, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// How much time the compression of an archive may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Little.
    Fast,
    /// As much as it needs to be small: the committed archive is a part of the program.
    Small,
}

impl Effort {
    /// The level of zstd.
    const fn level(self) -> i64 {
        match self {
            Effort::Fast => 3,
            Effort::Small => 19,
        }
    }
}

/// An archive of vectors.
#[derive(Clone, Debug)]
pub struct Archive<'a> {
    name: String,
    zip: ZipArchive<Cursor<&'a [u8]>>,
    manifest: Manifest,
}

impl Archive<'static> {
    /// The committed archive, which is part of this crate.
    ///
    /// # Errors
    /// The archive is broken.
    pub fn embedded() -> Result<Self, VectorError> {
        // A `static`, because every use of a constant has bytes of its own.
        static BYTES: &[u8] = include_bytes!("../../vectors.zip");
        Self::open("vectors.zip", BYTES)
    }
}

impl<'a> Archive<'a> {
    /// Whether these are the bytes of an archive, whole or not, and not those of a file of vectors.
    #[must_use]
    pub fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(b"PK")
    }

    /// Opens an archive; `name` is its name in errors. Files are read from it when they are asked for.
    ///
    /// # Errors
    /// The archive is cut, or its members are not those of its manifest.
    pub fn open(name: &str, bytes: &'a [u8]) -> Result<Self, VectorError> {
        let broken = |what: String| VectorError::Archive { archive: name.to_owned(), what };
        let mut zip = ZipArchive::new(Cursor::new(bytes)).map_err(|error| broken(error.to_string()))?;
        let text = contents(&mut zip, MANIFEST).map_err(&broken)?;
        let manifest: Manifest = serde_json::from_slice(&text).map_err(|e| broken(format!("{MANIFEST}: {e}")))?;
        let listed: BTreeSet<_> = manifest.files.iter().map(|entry| entry.name.as_str()).chain([MANIFEST]).collect();
        let members: BTreeSet<_> = zip.file_names().map(|name| name.unwrap_or_default()).collect();
        if !members.iter().map(AsRef::as_ref).eq(listed) {
            return Err(broken(format!("its members are not those that {MANIFEST} lists")));
        }
        drop(members);
        Ok(Self { name: name.to_owned(), zip, manifest })
    }

    /// The error that something is wrong with it.
    pub(super) fn broken(&self, what: String) -> VectorError {
        VectorError::Archive { archive: self.name.clone(), what }
    }

    /// The names of the files that the manifest lists, in its order, with their lengths in bytes.
    pub fn files(&self) -> impl Iterator<Item = (&str, usize)> {
        self.manifest.files.iter().map(|entry| (entry.name.as_str(), entry.bytes))
    }

    /// The names of all files, the manifest last.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.files().map(|(name, _)| name).chain([MANIFEST])
    }

    /// The bytes of a file or of the manifest; `None` if there is none of this name.
    ///
    /// # Errors
    /// The file is not what the manifest says.
    pub fn read(&mut self, file: &str) -> Result<Option<Vec<u8>>, VectorError> {
        let entry = self.manifest.files.iter().find(|entry| entry.name == file);
        if entry.is_none() && file != MANIFEST {
            return Ok(None);
        }
        match contents(&mut self.zip, file) {
            Err(what) => Err(self.broken(what)),
            Ok(bytes) if entry.is_none_or(|entry| entry.bytes == bytes.len() && entry.sha256 == sum(&bytes)) => {
                Ok(Some(bytes))
            }
            Ok(_) => Err(self.broken(format!("{file} has not the SHA-256 sum of {MANIFEST}"))),
        }
    }

    /// The text of a file; `None` if there is none of this name.
    ///
    /// # Errors
    /// The file is not what the manifest says, or is no text.
    pub fn text(&mut self, file: &str) -> Result<Option<String>, VectorError> {
        let text = self.read(file)?.map(String::from_utf8).transpose();
        text.map_err(|error| self.broken(format!("{file} is no text: {error}")))
    }
}

/// The bytes of a member, whose length and CRC-32 `zip` compares.
fn contents(zip: &mut ZipArchive<Cursor<&[u8]>>, file: &str) -> Result<Vec<u8>, String> {
    let mut member = zip.by_name(file).map_err(|error| format!("{file}: {error}"))?;
    let mut bytes = Vec::new();
    member.read_to_end(&mut bytes).map_err(|error| format!("{file}: {error}"))?;
    Ok(bytes)
}

/// The archive of these files, whose last is the manifest. The same files with the same effort give the same bytes.
///
/// # Errors
/// A file does not fit into a ZIP file.
pub fn archive_of(files: &[Made], effort: Effort) -> Result<Vec<u8>, VectorError> {
    let broken = |error: String| VectorError::Archive { archive: "the new archive".to_owned(), what: error };
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Zstd)
        .compression_level(Some(effort.level()))
        .last_modified_time(zip::DateTime::default());
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for file in files {
        zip.start_file(&file.name, options).map_err(|error| broken(error.to_string()))?;
        zip.write_all(&file.bytes).map_err(|error| broken(error.to_string()))?;
    }
    Ok(zip.finish().map_err(|error| broken(error.to_string()))?.into_inner())
}
