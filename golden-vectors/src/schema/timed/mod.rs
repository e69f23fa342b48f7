// SPDX-License-Identifier: MIT OR Apache-2.0
//! Vectors of stages whose answers have a cycle: events go in, events come out, each in its cycle.
//!
//! A stream `NAME` is a port `NAME_valid`, or `NAME_tvalid`, and a port `NAME_COLUMN` for each of its columns; of a port
//! wider than the column that is the lowest bits, and the others are 0. An input stream that also has a port `NAME_ready`
//! is taken in the cycles in which that is 1.
//!
//! A frame is one row per beat on a stream with the column `tlast`. A field that stands beside such a stream, and is valid
//! with the last beat or with all, is a column with the whole name of its port: `arrival_psn` of `s_axis` is the port
//! `arrival_psn`.

mod case;
mod check;
mod file;

pub use case::{Row, Span, TimedCase, TimedExpect};
pub use file::{Column, Streams, TimedFile, TimedGroup};

/// Name of the schema; a change that old readers would misread gets a new one.
pub const SCHEMA_NAME: &str = "mpnic-timed-vectors-v1";
/// Version of the schema.
pub const SCHEMA_VERSION: &str = "1.2.0";
