// SPDX-License-Identifier: MIT OR Apache-2.0
//! Wire formats, untimed oracles and golden vectors.
//!
//! The oracle says what a stage must do, from the stage's contract alone; the vectors are its answers for frames chosen to
//! find faults. Nothing here is shared with the model or the Verilog that they judge.
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

pub mod ack_generator;
pub mod arbiter;
pub mod ccc_table;
mod collect;
pub mod context_lookup;
pub mod credit_pacer;
pub mod dissector;
mod draw;
pub mod elab;
pub mod elab_feedback;
pub mod elab_scheduler;
pub mod entropy_selector;
pub mod fifo;
pub mod frame;
pub mod frame_gate;
pub mod header_builder;
pub mod header_parser;
pub mod icrc;
pub mod mark_monitor;
pub mod packet_tracker;
pub mod path_scheduler;
pub mod queue;
pub mod reorder;
pub mod rng;
mod samples;
pub mod schema;
pub mod secded;
pub mod skid_buffer;
mod suites;
pub mod wire;

pub use schema::{Case, Expect, Field, Group, Outcome, Reason, VectorError, VectorFile, Verdict};
pub use schema::{TimedCase, TimedExpect, TimedFile, TimedGroup, Vectors};
pub use suites::{Archive, Made, archive_of, files};
