// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vector file: how cases are written down, read back and checked.

mod case;
mod error;
mod field;
mod file;

pub use case::{Case, Expect, Outcome, Reason, Verdict};
pub use error::VectorError;
pub use field::Field;
pub use file::{Generator, Group, Note, Provenance, SCHEMA_NAME, SCHEMA_VERSION, SchemaId, VectorFile};
