// SPDX-License-Identifier: MIT OR Apache-2.0
//! A design in a shared library as a device under test.

use super::Instance;
use crate::device::probe::{Probe, limbs};
use crate::device::stimulus::Stimulus;
use crate::device::{Dut, Error, Ports};
use std::path::Path;

/// A design in a shared library: the model in C, or RTL compiled by Verilator or CXXRTL.
pub struct NativeDut {
    ports: Ports,
    probes: Vec<Probe>,
    instance: Instance,
}

impl NativeDut {
    /// Loads the library and starts the design at power-up; `probes` are the registers that it shows.
    pub(crate) fn load(library: &Path, ports: Ports, probes: Vec<Probe>) -> Result<Self, Error> {
        let mut instance = Instance::load(library)?;
        match instance.missing() {
            Some(net) => Err(Error::Design(format!("the compiled simulation has no register `{net}`"))),
            None => Ok(NativeDut { ports, probes, instance }),
        }
    }
}

impl NativeDut {
    /// Flips a stored bit of a memory of the top module, called as in the Verilog. For simulations of Verilator that are built
    /// with probes.
    pub fn flip(&mut self, memory: &str, row: u64, bit: u32) -> Result<(), Error> {
        match self.instance.flip(memory, row, bit) {
            true => Ok(()),
            false => Err(Error::Design(format!("the compiled simulation has no bit {bit} of row {row} of `{memory}`"))),
        }
    }
}

impl Dut for NativeDut {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs(&mut self, out: &mut [u64]) {
        assert_eq!(out.len(), self.ports.output_limbs(), "a row of all outputs");
        self.instance.outputs(out);
    }

    fn clock(&mut self, reset: bool, input: &[u64]) {
        assert_eq!(input.len(), self.ports.input_limbs(), "a row of all inputs");
        self.instance.clock(reset, input);
    }

    fn run(&mut self, stimulus: &Stimulus) -> u64 {
        assert_eq!(stimulus.stride(), self.ports.input_limbs() + 1, "rows of all inputs");
        self.instance.run(stimulus.cycles() as u64, stimulus.every(), stimulus.data())
    }

    fn probes(&self) -> &[Probe] {
        &self.probes
    }

    fn probe(&mut self, out: &mut [u64]) {
        assert_eq!(out.len(), limbs(&self.probes), "a row of all probes");
        self.instance.probe(out);
    }
}
