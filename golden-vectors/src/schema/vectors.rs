// SPDX-License-Identifier: MIT OR Apache-2.0
//! A vector file of either kind.

use super::{VectorError, VectorFile, head, timed, timed::TimedFile};
use serde::Deserialize;
use std::path::Path;

/// A vector file of either kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Vectors {
    /// Frames.
    Frames(VectorFile),
    /// Events with cycles.
    Timed(TimedFile),
}

/// As much as is needed to tell them apart.
#[derive(Deserialize)]
struct Head {
    schema: super::SchemaId,
}

impl Vectors {
    /// Reads and checks a file.
    ///
    /// # Errors
    /// The file cannot be read, or is not a consistent vector file of a kind that this crate knows.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, VectorError> {
        let path = path.as_ref();
        Self::from_json(&path.display().to_string(), &head::read(path)?)
    }

    /// Reads and checks a file's text; `file` is its name in errors.
    ///
    /// # Errors
    /// The text is not a consistent vector file of a kind that this crate knows.
    pub fn from_json(file: &str, text: &str) -> Result<Self, VectorError> {
        let head: Head =
            serde_json::from_str(text).map_err(|source| VectorError::Json { file: file.to_owned(), source })?;
        match head.schema.name.as_str() {
            timed::SCHEMA_NAME => TimedFile::from_json(file, text).map(Self::Timed),
            _ => VectorFile::from_json(file, text).map(Self::Frames),
        }
    }

    /// The stage that the vectors are for.
    #[must_use]
    pub fn stage(&self) -> &str {
        match self {
            Self::Frames(file) => &file.stage,
            Self::Timed(file) => &file.stage,
        }
    }
}
