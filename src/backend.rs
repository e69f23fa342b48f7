// SPDX-License-Identifier: MIT OR Apache-2.0
//! A stage on a backend: the model, Verilator or Icarus.

use crate::cli::Backend;
use crate::failure::Outcome;
use devices::AnyStage;
use std::sync::Once;
use testbench::device::compiled::Compiled;
use testbench::device::icarus::IcarusDut;
use testbench::device::verilator::Verilator;
use testbench::{Dut, Error};

impl Backend {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Backend::Model => "model",
            Backend::Verilator => "verilator",
            Backend::Iverilog => "iverilog",
        }
    }
}

/// The purpose of a device.
#[derive(Clone, Copy, Debug)]
pub struct Use {
    /// The approximate number of clock cycles that it will run.
    pub clocks: u64,
    /// Whether its registers are visible, which makes it slower.
    pub watched: bool,
}

impl Use {
    /// A run of frames with these lengths, at one beat per clock cycle.
    pub fn frames(lengths: impl Iterator<Item = usize>, data_width: u64) -> Self {
        Use { clocks: lengths.map(|length| 1 + 8 * length as u64 / data_width).sum(), watched: false }
    }
}

/// Builds a stage at power-up.
pub fn device(backend: Backend, stage: &AnyStage, to: Use) -> Outcome<Box<dyn Dut>> {
    Ok(match (backend, to.watched) {
        (Backend::Model, false) => model(stage, to.clocks)?,
        (Backend::Model, true) => stage.watched_reference()?,
        (Backend::Verilator, watched) => {
            Box::new(Verilator::new().watch(watched).clocks(to.clocks).build(&stage.source()?)?)
        }
        (Backend::Iverilog, false) => Box::new(IcarusDut::new(&stage.source()?)?),
        (Backend::Iverilog, true) => Box::new(IcarusDut::watched(&stage.source()?)?),
    })
}

/// Builds the model from the netlist, or the reference if there is no C compiler.
fn model(stage: &AnyStage, clocks: u64) -> Outcome<Box<dyn Dut>> {
    static ONCE: Once = Once::new();
    match Compiled::new().clocks(clocks).build(&stage.circuit()?) {
        Ok(model) => Ok(Box::new(model)),
        Err(Error::MissingTool { tool, .. }) => {
            ONCE.call_once(|| {
                eprintln!("no C compiler (`{tool}`, or set CC): the reference model runs, which is slower")
            });
            Ok(stage.reference()?)
        }
        Err(error) => Err(error.into()),
    }
}
