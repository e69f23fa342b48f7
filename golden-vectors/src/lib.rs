// SPDX-License-Identifier: MIT OR Apache-2.0
//! Wire formats, untimed oracles and golden vectors.
//!
//! The oracle says what a stage must do, from the stage's contract alone; the vectors are its answers for frames chosen to
//! find faults. Nothing here is shared with the model or the Verilog that they judge.
//!
//! The folders are those of the crate `pipeline`: [`blocks`], [`headers`], [`frame`], [`receive`], [`transmit`], [`elab`]
//! and [`examples`], with a module for each stage. [`schema`] is the format of the files, `collect` puts cases into groups
//! and asks the oracles, and `suites` is the list of all files. [`dissector`] makes a dissector for Wireshark of the
//! headers.
//!
//! ```
//! use golden_vectors::{VectorFile, Verdict};
//!
//! let file = VectorFile::embedded_stage("header_parser")?.expect("the file is part of the crate");
//! for case in file.cases() {
//!     let passed = case.expect.verdict == Verdict::Ok;
//!     assert_eq!(passed, case.expect.reason.is_none(), "{}", case.id);
//! }
//! # Ok::<(), golden_vectors::VectorError>(())
//! ```

pub mod blocks;
mod collect;
pub mod dissector;
pub mod elab;
pub mod examples;
pub mod frame;
pub mod headers;
pub mod receive;
pub mod rng;
pub mod routing;
pub mod schema;
mod suites;
pub mod transmit;

pub use schema::{Case, Expect, Field, Group, Outcome, Reason, VectorError, VectorFile, Verdict};
pub use schema::{TimedCase, TimedExpect, TimedFile, TimedGroup, Vectors};
pub use suites::{Archive, Effort, Made, archive_of, files};
