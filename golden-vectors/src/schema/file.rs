// SPDX-License-Identifier: MIT OR Apache-2.0
//! A file of tests and what it says of itself.

use super::head::{self, Generator, Note, Provenance, SchemaId};
use super::{Case, Outcome, Reason, VectorError, Verdict};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// Name of the schema; a change that old readers would misread gets a new one.
pub const SCHEMA_NAME: &str = "mpnic-vectors-v2";
/// Version of the schema.
pub const SCHEMA_VERSION: &str = "2.1.0";

/// A file of vectors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VectorFile {
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
    /// Width in bits of every field that `expect` or a record may name.
    pub fields: BTreeMap<String, u32>,
    /// The tests.
    pub groups: Vec<Group>,
}

/// Tests with a common subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// Name, the first part of the tests' ids.
    pub name: String,
    /// The subject.
    pub comment: String,
    /// How the stage is configured for these tests, as in the table of the configuration file; what is not named has its
    /// default.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub configuration: BTreeMap<String, String>,
    /// The tests, in the order in which they are to be run.
    pub tests: Vec<Case>,
}

impl VectorFile {
    /// Reads and checks a file.
    ///
    /// # Errors
    /// The file cannot be read, or is not a consistent vector file.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, VectorError> {
        let path = path.as_ref();
        let text = head::read(path)?;
        Self::from_json(&path.display().to_string(), &text)
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

    /// The tests for a stage as it is by default, in the order of the file.
    pub fn cases(&self) -> impl Iterator<Item = &Case> {
        self.groups.iter().filter(|group| group.configuration.is_empty()).flat_map(|group| &group.tests)
    }

    /// All tests in the order of the file, each with its group, whose configuration it is for.
    pub fn grouped_cases(&self) -> impl Iterator<Item = (&Group, &Case)> {
        self.groups.iter().flat_map(|group| group.tests.iter().map(move |case| (group, case)))
    }

    /// Checks what the types do not express.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self) -> Result<(), VectorError> {
        head::check_schema(&self.schema, SCHEMA_NAME, SCHEMA_VERSION)?;
        let tests = self.grouped_cases().map(|(_, case)| (case.id.as_str(), case.flags.as_slice()));
        head::check_tests(tests, self.number_of_tests, &self.notes)?;
        self.grouped_cases().try_for_each(|(_, case)| self.check_case(case))
    }

    fn check_case(&self, case: &Case) -> Result<(), VectorError> {
        let id = || case.id.clone();
        let expect = &case.expect;
        let fits = match case.result {
            Outcome::Valid => {
                expect.verdict == Verdict::Ok && expect.reason.is_none_or(|reason| reason == Reason::Trimmed)
            }
            Outcome::Invalid => {
                expect.verdict == Verdict::Drop
                    && expect.reason.is_some_and(|reason| ![Reason::None, Reason::Trimmed].contains(&reason))
                    && expect.fields.is_empty()
            }
        };
        if !fits {
            return Err(VectorError::Contradiction(id()));
        }
        for (name, field) in expect.fields.iter().chain(&case.record) {
            let fits = self.fields.get(name).is_some_and(|&width| field.value.checked_shr(width).unwrap_or(0) == 0);
            if !fits {
                return Err(VectorError::Field { id: id(), field: name.clone() });
            }
        }
        Ok(())
    }
}
