// SPDX-License-Identifier: MIT OR Apache-2.0
//! Verilog with the ports of its top module: the input of the RTL backends.

use crate::device::probe::probes;
use crate::device::{Error, Ports, Probe};
use hdl::VerilogRegister;
use rtl_model::netlist::circuit::Circuit;
use rtl_model::{Design, elaborate};
use std::path::Path;

/// A design as Verilog text.
#[derive(Clone, Debug)]
pub struct Source {
    /// Name of the top module.
    pub top: String,
    /// File names and texts.
    pub files: Vec<(String, String)>,
    /// Ports of the top module, without `clk` and `rst`.
    pub ports: Ports,
    /// The registers that a backend with probes shows.
    pub registers: Vec<VerilogRegister>,
}

impl Source {
    /// Elaborates and prints a design.
    pub fn of_design<D: Design>(design: &D) -> Result<Self, Error> {
        let circuit = elaborate(design).map_err(|report| Error::Design(report.to_string()))?;
        Source::of_circuit(&circuit)
    }

    /// Prints a netlist.
    pub fn of_circuit(circuit: &Circuit) -> Result<Self, Error> {
        let tool = concat!("mpnic ", env!("CARGO_PKG_VERSION")).to_owned();
        let header = hdl::Header { tool, config_hash: "none".into(), ..Default::default() };
        let files = hdl::print(circuit, &header).map_err(|error| Error::Design(error.to_string()))?;
        let top = circuit.top();
        Ok(Source {
            top: top.name.clone(),
            files: files.into_iter().map(|file| (file.name, file.text)).collect(),
            ports: Ports::of_module(top),
            registers: hdl::registers(circuit),
        })
    }

    /// The registers as probes, under their names in the stage.
    pub fn probes(&self) -> Vec<Probe> {
        probes(self.registers.iter().map(|register| (&*register.scope, &*register.name, register.width)))
    }

    /// Writes the files into a directory and returns their names.
    pub fn write_to(&self, dir: &Path) -> Result<Vec<String>, Error> {
        for (name, text) in &self.files {
            let path = dir.join(name);
            std::fs::write(&path, text).map_err(Error::file(path))?;
        }
        Ok(self.files.iter().map(|(name, _)| name.clone()).collect())
    }
}
