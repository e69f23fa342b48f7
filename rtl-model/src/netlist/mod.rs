// SPDX-License-Identifier: MIT OR Apache-2.0
//! The interpretation of a stage as hardware.
//!
//! [`elaborate`] runs a stage's constructor, `outputs` and `clock` once with nets for values. It returns the
//! [`circuit::Circuit`] that they describe, pruned and checked, or a [`Report`] of all problems.

pub mod branches;
mod builder;
mod checks;
mod child;
pub mod circuit;
mod elaborate;
mod fold;
mod graph;
pub mod interfaces;
mod live;
mod logic;
mod measure;
mod memory;
mod names;
mod naming;
mod net;
mod problem;
mod prune;
mod session;
mod shift;
mod simplify;
mod state;
mod uses;

pub use child::ChildNet;
pub use elaborate::elaborate;
pub use fold::fold;
pub use graph::Graph;
pub use live::{Extent, Live};
pub use measure::{Measure, MemoryMeasure};
pub use memory::MemoryNet;
pub use names::{is_identifier, is_verilog_word};
pub use net::{Net, Netlist};
pub use problem::{Problem, Report, Title};
pub use simplify::{Expand, simplify};
pub use state::{LineNet, RegisterNet, VariableNet};
