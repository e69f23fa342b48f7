// SPDX-License-Identifier: MIT OR Apache-2.0
//! The language in which a stage is written once.

pub mod netlist;
pub mod ops;
pub mod words;
