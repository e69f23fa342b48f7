// SPDX-License-Identifier: MIT OR Apache-2.0
//! Benches of stages that carry frames: [`parser_bench`], [`builder_bench`] and [`rx_bench`] send frames or records through
//! a device and collect what comes out. [`traffic`] makes endless frames for them, and [`replay`] prints a record as JSON.

pub mod builder_bench;
pub mod parser_bench;
pub mod replay;
pub mod rx_bench;
pub mod traffic;
