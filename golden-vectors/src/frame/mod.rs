// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stages that carry frames: what `header_parser`, `header_builder`, `icrc` and `frame_gate` must do, and their
//! vectors. Suites of several of them are made of the frames in `samples`.

pub mod frame_gate;
pub mod header_builder;
pub mod header_parser;
pub mod icrc;
mod samples;
