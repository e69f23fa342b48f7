// SPDX-License-Identifier: MIT OR Apache-2.0
//! A file of timed tests and what it says of itself.

use super::{SCHEMA_NAME, SCHEMA_VERSION, TimedCase};
use crate::schema::head::{self, Generator, Note, Provenance, SchemaId};
use crate::schema::{VectorError, timed::check};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// The committed files: name and text.
const COMMITTED: [(&str, &str); 8] = [
    ("entropy_selector.json", include_str!("../../../vectors/entropy_selector.json")),
    ("path_scheduler.json", include_str!("../../../vectors/path_scheduler.json")),
    ("elab_scheduler.json", include_str!("../../../vectors/elab_scheduler.json")),
    ("elab_feedback.json", include_str!("../../../vectors/elab_feedback.json")),
    ("frame_gate.json", include_str!("../../../vectors/frame_gate.json")),
    ("fifo.json", include_str!("../../../vectors/fifo.json")),
    ("skid_buffer.json", include_str!("../../../vectors/skid_buffer.json")),
    ("arbiter.json", include_str!("../../../vectors/arbiter.json")),
];

/// A file of timed vectors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TimedFile {
    /// How the file is laid out.
    pub schema: SchemaId,
    /// The stage it tests.
    pub stage: String,
    /// What the stage does.
    pub algorithm: String,
    /// Licence of the file.
    pub license: String,
    /// What made the file.
    pub generator: Generator,
    /// What the expectations rest on.
    pub provenance: Provenance,
    /// How many tests the groups hold.
    pub number_of_tests: usize,
    /// The flags, explained.
    pub notes: BTreeMap<String, Note>,
    /// The tests.
    pub groups: Vec<TimedGroup>,
}

/// A column of a stream.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// The port without the name of the stream.
    pub name: String,
    /// Width in bits.
    pub width: u32,
}

/// Streams by name, with their columns in the order of the rows.
pub type Streams = BTreeMap<String, Vec<Column>>;

/// Tests with a common subject on one configuration of the stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimedGroup {
    /// Name, the first part of the tests' ids.
    pub name: String,
    /// The subject.
    pub comment: String,
    /// The parameters with which the stage is built.
    pub configuration: BTreeMap<String, u64>,
    /// Inputs that stand for long, and what they are until a test changes them.
    pub settings: BTreeMap<String, u64>,
    /// The input streams.
    pub inputs: Streams,
    /// The output streams.
    pub outputs: Streams,
    /// Width in bits of every port that belongs to no stream.
    pub widths: BTreeMap<String, u32>,
    /// The tests, each from reset on.
    pub tests: Vec<TimedCase>,
}

impl TimedFile {
    /// Reads and checks a file.
    ///
    /// # Errors
    /// The file cannot be read, or is not a consistent vector file.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, VectorError> {
        let path = path.as_ref();
        Self::from_json(&path.display().to_string(), &head::read(path)?)
    }

    /// The committed files, which are part of this crate.
    ///
    /// # Errors
    /// A committed file is broken.
    pub fn embedded() -> Result<Vec<Self>, VectorError> {
        COMMITTED.par_iter().map(|(name, text)| Self::from_json(name, text)).collect()
    }

    /// The committed file of one stage; `None` if there is none.
    ///
    /// # Errors
    /// A committed file is broken.
    pub fn embedded_stage(stage: &str) -> Result<Option<Self>, VectorError> {
        let file = COMMITTED.iter().find(|(name, _)| name.strip_suffix(".json") == Some(stage));
        file.map(|(name, text)| Self::from_json(name, text)).transpose()
    }

    /// Reads and checks a file's text; `file` is its name in errors.
    ///
    /// # Errors
    /// The text is not a consistent vector file.
    pub fn from_json(file: &str, text: &str) -> Result<Self, VectorError> {
        let parsed: Self =
            serde_json::from_str(text).map_err(|source| VectorError::Json { file: file.to_owned(), source })?;
        parsed.check()?;
        Ok(parsed)
    }

    /// The same with these groups.
    #[must_use]
    pub fn with(&self, groups: Vec<TimedGroup>) -> Self {
        Self {
            schema: self.schema.clone(),
            stage: self.stage.clone(),
            algorithm: self.algorithm.clone(),
            license: self.license.clone(),
            generator: self.generator.clone(),
            provenance: self.provenance.clone(),
            number_of_tests: groups.iter().map(|group| group.tests.len()).sum(),
            notes: self.notes.clone(),
            groups,
        }
    }

    /// All tests in the order of the file.
    pub fn cases(&self) -> impl Iterator<Item = &TimedCase> {
        self.groups.iter().flat_map(|group| &group.tests)
    }

    /// Checks what the types do not express.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self) -> Result<(), VectorError> {
        head::check_schema(&self.schema, SCHEMA_NAME, SCHEMA_VERSION)?;
        let tests = self.cases().map(|case| (case.id.as_str(), case.flags.as_slice()));
        head::check_tests(tests, self.number_of_tests, &self.notes)?;
        self.groups.iter().try_for_each(check::group)
    }
}
