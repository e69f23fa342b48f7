// SPDX-License-Identifier: MIT OR Apache-2.0
//! The interpretation of a stage as hardware.
//!
//! [`elaborate`] runs a stage's constructor, `outputs` and `clock` once with nets for values. It returns the
//! [`circuit::Circuit`] that they describe, pruned and checked, or a [`Report`] of all problems.

mod build;
mod checks;
mod child;
pub mod circuit;
mod fold;
pub mod interfaces;
mod logic;
mod measure;
mod memory;
mod names;
mod naming;
mod net;
mod problem;
mod prune;
mod shift;
mod state;

pub use build::elaborate;
pub use child::ChildNet;
pub(crate) use logic::{enter_call, leave_call};
pub use measure::{Measure, MemoryMeasure};
pub use memory::MemoryNet;
pub use names::{is_identifier, is_verilog_word};
pub use net::Net;
pub use problem::{Problem, Report, Title};
pub use state::{LineNet, RegisterNet, VariableNet};

/// The interpretation in which a signal is a net of the module being elaborated.
#[derive(Clone, Copy, Debug)]
pub struct Netlist;
