// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vector files: how cases are written down, read back and checked. [`VectorFile`] holds frames, [`TimedFile`]
//! events with cycles; [`Vectors`] is either.

pub(crate) mod bytes;
mod case;
mod error;
mod field;
mod file;
mod head;
pub mod timed;
mod vectors;

pub use case::{Case, Expect, Outcome, Reason, Verdict};
pub use error::VectorError;
pub use field::Field;
pub use file::{Group, SCHEMA_NAME, SCHEMA_VERSION, VectorFile};
pub use head::{Generator, Note, Provenance, SchemaId};
pub use timed::{TimedCase, TimedExpect, TimedFile, TimedGroup};
pub use vectors::Vectors;
