// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can be wrong with a vector file.

use std::path::PathBuf;

/// Why a vector file was not accepted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VectorError {
    /// The file could not be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// An archive of vectors that is not whole, or not as it was written.
    #[error("{archive}: this archive of vectors is cut or changed: {what}; fetch or make it again")]
    Archive {
        /// The archive.
        archive: String,
        /// What is wrong with it.
        what: String,
    },
    /// Not JSON, or JSON of another shape.
    #[error("{file}: {source}")]
    Json {
        /// The file.
        file: String,
        /// Where and what.
        source: serde_json::Error,
    },
    /// Another schema, or a major version this crate does not read.
    #[error("schema {name} {version} is not one this reader knows ({FRAMES}, {TIMED})", FRAMES = super::SCHEMA_NAME,
        TIMED = super::timed::SCHEMA_NAME)]
    Schema {
        /// Name found.
        name: String,
        /// Version found.
        version: String,
    },
    /// `numberOfTests` does not count the tests.
    #[error("numberOfTests says {stated}, but the groups hold {found}")]
    Count {
        /// What the file says.
        stated: usize,
        /// What it holds.
        found: usize,
    },
    /// Two tests have the same id.
    #[error("test id {0} is used twice")]
    DuplicateId(String),
    /// A test carries a flag that `notes` does not explain.
    #[error("test {id}: flag {flag} has no note")]
    UnexplainedFlag {
        /// The test.
        id: String,
        /// The flag.
        flag: String,
    },
    /// A test expects a field that is not in `fields`, or a value wider than it.
    #[error("test {id}: field {field} is unknown or its value too wide")]
    Field {
        /// The test.
        id: String,
        /// The field.
        field: String,
    },
    /// Result, verdict and reason of a test contradict each other.
    #[error("test {0}: result, verdict and reason do not fit together")]
    Contradiction(String),
    /// A test or a group names a port or stream that its group does not declare.
    #[error("{id}: there is no {port}")]
    Port {
        /// The test or the group.
        id: String,
        /// The name.
        port: String,
    },
    /// A row has not the columns of its stream, a value is too wide, or the cycle is not behind that of the row before
    /// or not within the test.
    #[error("test {id}: row {row} of {port} does not fit")]
    Row {
        /// The test.
        id: String,
        /// The port or stream.
        port: String,
        /// Which row, from 0.
        row: usize,
    },
    /// A port of a group has a width that no port has.
    #[error("group {group}: {port} has no width from 1 to 64")]
    Width {
        /// The group.
        group: String,
        /// The port.
        port: String,
    },
}
