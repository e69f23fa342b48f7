// SPDX-License-Identifier: MIT OR Apache-2.0
//! A stage on what is to run it.

use crate::cli::Backend;
use crate::config::Config;
use crate::failure::{Failure, Outcome};
use crate::stages;
use rtl_model::Design;
use std::collections::BTreeMap;
use testbench::Dut;
use testbench::icarus::IcarusDut;
use testbench::model::model_of;
use testbench::source::Source;
use testbench::verilator::Verilator;

impl Backend {
    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Backend::Model => "model",
            Backend::Verilator => "verilator",
            Backend::Iverilog => "iverilog",
        }
    }
}

/// The stages with timed vectors that there is a design of.
pub const TIMED: &[&str] = &[];

/// The parser at power-up.
pub fn parser(backend: Backend, config: &Config) -> Outcome<Box<dyn Dut>> {
    device(backend, &stages::header_parser(config))
}

/// One of the stages of [`TIMED`] at power-up, built as its vectors ask for.
pub fn timed(backend: Backend, stage: &str, configuration: &BTreeMap<String, u64>) -> Outcome<Box<dyn Dut>> {
    let _ = (backend, configuration);
    Err(Failure::message(format!("the vectors are for the stage `{stage}`, which is not known")))
}

/// A design at power-up.
fn device<D: Design + 'static>(backend: Backend, design: &D) -> Outcome<Box<dyn Dut>> {
    Ok(match backend {
        Backend::Model => model_of(design)?,
        Backend::Verilator => Box::new(Verilator::new().build(&Source::of_design(design)?)?),
        Backend::Iverilog => Box::new(IcarusDut::new(&Source::of_design(design)?)?),
    })
}
