// SPDX-License-Identifier: MIT OR Apache-2.0
//! The oracles and vectors of the stages that carry frames.

mod frame_gate;
mod header_builder;
mod header_parser;
mod icrc;
