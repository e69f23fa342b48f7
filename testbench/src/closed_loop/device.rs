// SPDX-License-Identifier: MIT OR Apache-2.0
//! A device of a NIC with its inputs and outputs: reset, and commands before there is traffic.

use super::commands::Commands;
use crate::device::{Dut, Error, Port, Ports};
use std::collections::{BTreeMap, BTreeSet};

/// Clock cycles within which tables are swept and commands are done.
const PATIENCE: u64 = 1 << 20;

/// A device, with its rows.
pub struct Device {
    pub dut: Box<dyn Dut>,
    pub ports: Ports,
    pub outputs: Vec<u64>,
    pub inputs: Vec<u64>,
}

impl Device {
    /// Resets it, waits until its tables are swept, and writes these settings: inputs and their values.
    pub fn new(mut dut: Box<dyn Dut>, settings: &[(&str, u64)]) -> Result<Self, Error> {
        let ports = dut.ports().clone();
        let (mut outputs, inputs) = (vec![0; ports.output_limbs()], vec![0; ports.input_limbs()]);
        let busy = ports.output("busy").ok_or_else(|| Error::NoPort("busy".into()))?.offset;
        dut.clock(true, &inputs);
        for _ in 0..PATIENCE {
            dut.outputs(&mut outputs);
            if outputs[busy] == 0 {
                let mut device = Device { dut, ports, outputs, inputs };
                device.write(settings)?;
                return Ok(device);
            }
            dut.clock(false, &inputs);
        }
        Err(Error::Protocol("the tables are never swept".to_owned()))
    }

    /// Writes settings, in one clock cycle. They are in force one clock cycle later.
    fn write(&mut self, settings: &[(&str, u64)]) -> Result<(), Error> {
        let offset =
            |name: &str| self.ports.input(name).map(|port| port.offset).ok_or_else(|| Error::NoPort(name.into()));
        let mut valids = BTreeSet::new();
        for (name, value) in settings {
            let (stage, _) = name.split_once("settings_").ok_or_else(|| Error::NoPort((*name).into()))?;
            valids.insert(offset(&format!("{stage}settings_valid"))?);
            self.inputs[offset(name)?] = *value;
        }
        if valids.is_empty() {
            return Ok(());
        }
        valids.iter().for_each(|valid| self.inputs[*valid] = 1);
        self.clock();
        valids.iter().for_each(|valid| self.inputs[*valid] = 0);
        self.clock();
        Ok(())
    }

    /// Reads the outputs of this clock cycle.
    pub fn read(&mut self) {
        self.dut.outputs(&mut self.outputs);
    }

    /// The end of the clock cycle.
    pub fn clock(&mut self) {
        self.dut.clock(false, &self.inputs);
    }

    /// The value of an output.
    pub fn output(&self, name: &str) -> Option<u64> {
        self.ports.output(name).map(|port| self.outputs[port.offset])
    }

    /// The outputs whose names have this prefix, which is left out.
    pub fn outputs_of(&self, prefix: &str) -> BTreeMap<String, u64> {
        let named = |port: &Port| Some((port.name.strip_prefix(prefix)?.to_owned(), self.outputs[port.offset]));
        self.ports.outputs.iter().filter_map(named).collect()
    }

    /// Gives a command before there is traffic, and waits for the response: its fields.
    pub fn command(
        &mut self,
        commands: &mut Commands,
        fields: Vec<(&'static str, u64)>,
    ) -> Result<BTreeMap<String, u64>, Error> {
        commands.offer(fields.clone());
        for _ in 0..PATIENCE {
            self.read();
            commands.drive(&self.outputs, &mut self.inputs)?;
            self.clock();
            if !commands.state.is_empty() {
                return Ok(commands.state.clone());
            }
        }
        Err(Error::Protocol(format!("no response to {fields:?}")))
    }
}
