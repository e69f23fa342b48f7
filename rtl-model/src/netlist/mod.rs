// SPDX-License-Identifier: MIT OR Apache-2.0
//! The reading of a stage as hardware.
//!
//! [`elaborate`] runs a stage's constructor, `outputs`, `clock` and `reset` once with nets for values and returns the
//! [`circuit::Circuit`] they describe, pruned and checked, or everything that is wrong with it ([`Report`]).

mod build;
mod checks;
pub mod circuit;
mod fold;
mod logic;
mod measure;
mod problem;
mod prune;
mod state;

pub use build::elaborate;
pub use logic::{ChildNet, LineNet, MemoryNet, Net, RegisterNet, Unstored, VariableNet};
pub use measure::{Measure, MemoryMeasure};
pub use problem::{Problem, Report, Title};

/// The reading in which a signal is a net of the module being elaborated.
#[derive(Clone, Copy, Debug)]
pub struct Netlist;
