// SPDX-License-Identifier: MIT OR Apache-2.0
//! A stage on what is to run it.

use crate::cli::Backend;
use crate::failure::Outcome;
use rtl_model::Design;
use testbench::Dut;
use testbench::icarus::IcarusDut;
use testbench::model::{model_of, watched_model_of};
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

/// A stage at power-up; `watched` if its registers are to be seen, which is slower.
pub fn device<D: Design + 'static>(backend: Backend, design: &D, watched: bool) -> Outcome<Box<dyn Dut>> {
    let source = || Source::of_design(design);
    Ok(match (backend, watched) {
        (Backend::Model, false) => model_of(design)?,
        (Backend::Model, true) => watched_model_of(design)?,
        (Backend::Verilator, watched) => Box::new(Verilator::new().watch(watched).build(&source()?)?),
        (Backend::Iverilog, false) => Box::new(IcarusDut::new(&source()?)?),
        (Backend::Iverilog, true) => Box::new(IcarusDut::watched(&source()?)?),
    })
}
