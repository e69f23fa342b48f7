// SPDX-License-Identifier: MIT OR Apache-2.0
//! A configured stage: its netlist, Verilog, testbench and latency.

use super::{Judge, StageName};
use crate::config::{Config, Key, Reorder, Value};
use crate::device::Device;
use crate::failure::{Failure, Outcome};
use crate::latency::Latency;
use devices::AnyStage;
use golden_vectors::Vectors;
use hdl::package::Family;
use hdl::testbench::TestbenchFiles;
use hdl::{Header, VerilogFile};
use rtl_model::netlist::circuit::Circuit;
use testbench::conform::selfcheck::timed_testbench;

/// Cells that hold the frames of a measurement.
const FEW_CELLS: u64 = 256;

impl StageName {
    /// The stage for a configuration.
    pub fn of(self, config: &Config) -> AnyStage {
        (self.spec().design)(config)
    }

    /// The name of its module. It is the same in every configuration, so that an instance of the module remains valid
    /// when a key changes.
    pub fn module(self, config: &Config) -> String {
        format!("{}_{}", config.target.prefix, self.spec().name)
    }

    /// The netlist of the stage for the configured device.
    pub fn circuit(self, config: &Config) -> Outcome<Circuit> {
        self.circuit_called(&self.module(config), config)
    }

    /// The netlist with the module name `name`.
    pub fn circuit_called(self, name: &str, config: &Config) -> Outcome<Circuit> {
        let mut circuit = self.of(config).circuit()?;
        circuit.rename(name);
        if let Some(block_bits) = Device::find(&config.target.device).and_then(|device| device.sliced) {
            circuit.slice_memories(block_bits);
        }
        if config.target.ultra_ram_bits > 0 {
            circuit.use_large_blocks(config.target.ultra_ram_bits);
        }
        Ok(circuit)
    }

    /// The header of each of its files.
    pub fn header(self, config: &Config) -> Header {
        let (origin, config) = (origin(config), &*self.own_config(config));
        let setting = |key: &Key| {
            let value = match key.name {
                // The value that "auto" stands for.
                "ram_latency" => Value::Whole(config.ram_latency().into()),
                _ => (key.get)(config),
            };
            format!("{} = {value}", key.full_name())
        };
        Header { settings: self.keys().map(setting).collect(), ..origin }
    }

    /// The self-checking testbench with the golden vectors `files` of the configured stage, if there are any.
    pub(crate) fn testbench(
        self,
        circuit: &Circuit,
        files: &[Vectors],
        config: &Config,
    ) -> Outcome<Option<TestbenchFiles>> {
        let header = self.header(config);
        Ok(match (&self.spec().judge, files) {
            (Judge::Timed(_), [Vectors::Timed(file)]) => Some(timed_testbench(circuit, &header, &file.groups)?),
            (Judge::Frames(judge), [_, ..]) => {
                let frames = files.iter().filter_map(|file| match file {
                    Vectors::Frames(file) => Some(file),
                    Vectors::Timed(_) => None,
                });
                let cases: Vec<_> = frames.flat_map(|file| file.grouped_cases().map(|(_, case)| case)).collect();
                Some((judge.testbench)(circuit, &header, &cases, config)?)
            }
            _ => None,
        })
    }

    /// The latencies of the stage, counted on the model.
    pub fn latency(self, config: &Config) -> Outcome<Vec<Latency>> {
        (self.spec().latency)(&self.smallest(config)).map_err(Failure::ours)
    }

    /// The stage with as few contexts as it can have, and few cells: their numbers affect only the sweep after reset, not
    /// the latencies.
    pub(super) fn smallest(self, config: &Config) -> AnyStage {
        let smallest = self.contexts().map(|contexts| contexts.with(config, contexts.limits().0));
        let mut smallest = smallest.unwrap_or_else(|| config.clone());
        let Reorder { cells, quota, reserve, .. } = &mut smallest.reorder;
        *cells = FEW_CELLS.min(*cells);
        for some in [quota, reserve] {
            *some = some.map(|some| some.min(*cells));
        }
        self.of(&smallest)
    }
}

/// The header of files for all stages: tool and configuration.
pub fn origin(config: &Config) -> Header {
    Header {
        tool: concat!("mpnic ", env!("CARGO_PKG_VERSION")).to_owned(),
        config_hash: config.hash(),
        settings: Vec::new(),
    }
}

/// Prints the Verilog of a netlist, children before parents.
pub fn verilog(circuit: &Circuit, header: &Header) -> Outcome<Vec<VerilogFile>> {
    hdl::print(circuit, header).map_err(Failure::defect)
}

/// The family of the configured device for synthesis.
pub fn family(config: &Config) -> Family {
    Device::find(&config.target.device).map_or(Family::UltraScalePlus, |device| device.family)
}
