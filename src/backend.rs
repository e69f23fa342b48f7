// SPDX-License-Identifier: MIT OR Apache-2.0
//! The header parser on what is to run it.

use crate::cli::Backend;
use crate::config::Config;
use crate::failure::Outcome;
use crate::stages;
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

/// The parser at power-up.
pub fn parser(backend: Backend, config: &Config) -> Outcome<Box<dyn Dut>> {
    let design = stages::header_parser(config);
    Ok(match backend {
        Backend::Model => model_of(&design)?,
        Backend::Verilator => Box::new(Verilator::new().build(&Source::of_design(&design)?)?),
        Backend::Iverilog => Box::new(IcarusDut::new(&Source::of_design(&design)?)?),
    })
}
