// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stages that carry frames.

mod builder_vectors;
mod frame_gate;
mod header_builder;
mod header_parser;
mod hostile;
mod icrc;
mod side_band;
mod trimmed;
mod unknown;
