// SPDX-License-Identifier: MIT OR Apache-2.0
//! A file of tests and what it says of itself.

use super::{Case, Outcome, Reason, VectorError, Verdict};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Name of the schema; a change that old readers would misread gets a new one.
pub const SCHEMA_NAME: &str = "mpnic-vectors-v1";
/// Version of the schema.
pub const SCHEMA_VERSION: &str = "1.0.0";

/// The committed files: name and text.
const COMMITTED: [(&str, &str); 1] = [("header_parser.json", include_str!("../../vectors/header_parser.json"))];

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
    /// Width in bits of every field that `expect` may name.
    pub fields: BTreeMap<String, u32>,
    /// The tests.
    pub groups: Vec<Group>,
}

/// Name and version of the schema.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SchemaId {
    /// Name, which is also the name of the schema file.
    pub name: String,
    /// Semantic version.
    pub version: String,
}

/// What made the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Generator {
    /// Program.
    pub name: String,
    /// Version of the program.
    pub version: String,
    /// Its source of random numbers.
    pub prng: String,
    /// The seed of that.
    pub seed: String,
}

/// What the expectations rest on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// Where the expectations come from, and what else agrees with it.
    pub oracle: String,
    /// The contract; `R` rows are the rows of its table.
    pub contract: String,
    /// The requirement rows of the YD/T draft that the stage covers.
    pub rows: Vec<String>,
}

/// The meaning of a flag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Note {
    /// The kind of fault that such cases find.
    pub bug_type: String,
    /// What they are.
    pub description: String,
    /// Reports of such faults elsewhere.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<String>,
}

/// Tests with a common subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// Name, the first part of the tests' ids.
    pub name: String,
    /// The subject.
    pub comment: String,
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
        let text =
            std::fs::read_to_string(path).map_err(|source| VectorError::Read { path: path.to_owned(), source })?;
        Self::from_json(&path.display().to_string(), &text)
    }

    /// The committed files, which are part of this crate.
    ///
    /// # Errors
    /// A committed file is broken.
    pub fn embedded() -> Result<Vec<Self>, VectorError> {
        COMMITTED.iter().map(|(name, text)| Self::from_json(name, text)).collect()
    }

    /// The committed file of one stage; `None` if there is none.
    ///
    /// # Errors
    /// A committed file is broken.
    pub fn embedded_stage(stage: &str) -> Result<Option<Self>, VectorError> {
        Ok(Self::embedded()?.into_iter().find(|file| file.stage == stage))
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

    /// All tests in the order of the file.
    pub fn cases(&self) -> impl Iterator<Item = &Case> {
        self.groups.iter().flat_map(|group| &group.tests)
    }

    /// Checks what the types do not express.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self) -> Result<(), VectorError> {
        if self.schema.name != SCHEMA_NAME || !self.schema.version.starts_with("1.") {
            let SchemaId { name, version } = self.schema.clone();
            return Err(VectorError::Schema { name, version });
        }
        let found = self.cases().count();
        if found != self.number_of_tests {
            return Err(VectorError::Count { stated: self.number_of_tests, found });
        }
        let mut ids = BTreeSet::new();
        for case in self.cases() {
            if !ids.insert(&case.id) {
                return Err(VectorError::DuplicateId(case.id.clone()));
            }
            self.check_case(case)?;
        }
        Ok(())
    }

    fn check_case(&self, case: &Case) -> Result<(), VectorError> {
        let id = || case.id.clone();
        if let Some(flag) = case.flags.iter().find(|flag| !self.notes.contains_key(*flag)) {
            return Err(VectorError::UnexplainedFlag { id: id(), flag: flag.clone() });
        }
        let expect = &case.expect;
        let fits = match case.result {
            Outcome::Valid => expect.verdict == Verdict::Ok && expect.reason.is_none(),
            Outcome::Invalid => {
                expect.verdict == Verdict::Drop
                    && expect.reason.is_some_and(|reason| reason != Reason::None)
                    && expect.fields.is_empty()
            }
        };
        if !fits {
            return Err(VectorError::Contradiction(id()));
        }
        for (name, field) in &expect.fields {
            let fits = self.fields.get(name).is_some_and(|&width| field.value.checked_shr(width).unwrap_or(0) == 0);
            if !fits {
                return Err(VectorError::Field { id: id(), field: name.clone() });
            }
        }
        Ok(())
    }
}
