// SPDX-License-Identifier: MIT OR Apache-2.0
//! What all vector files say of themselves, and the checks that they have in common.

use super::VectorError;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

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
    /// The contract, with the table of the rows.
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

/// The text of a file.
pub(super) fn read(path: &Path) -> Result<String, VectorError> {
    std::fs::read_to_string(path).map_err(|source| VectorError::Read { path: path.to_owned(), source })
}

/// The file has the schema `name` in the major version that this crate reads.
pub(super) fn check_schema(schema: &SchemaId, name: &str, version: &str) -> Result<(), VectorError> {
    let major = |version: &str| version.split('.').next().map(str::to_owned);
    if schema.name != name || major(&schema.version) != major(version) {
        let SchemaId { name, version } = schema.clone();
        return Err(VectorError::Schema { name, version });
    }
    Ok(())
}

/// The tests, given as id and flags, are as many as stated, have different ids, and their flags are explained.
pub(super) fn check_tests<'a>(
    tests: impl Iterator<Item = (&'a str, &'a [String])>,
    stated: usize,
    notes: &BTreeMap<String, Note>,
) -> Result<(), VectorError> {
    let mut ids = BTreeSet::new();
    let mut found = 0;
    for (id, flags) in tests {
        found += 1;
        if !ids.insert(id) {
            return Err(VectorError::DuplicateId(id.to_owned()));
        }
        if let Some(flag) = flags.iter().find(|flag| !notes.contains_key(*flag)) {
            return Err(VectorError::UnexplainedFlag { id: id.to_owned(), flag: flag.clone() });
        }
    }
    if found != stated {
        return Err(VectorError::Count { stated, found });
    }
    Ok(())
}
