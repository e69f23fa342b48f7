// SPDX-License-Identifier: MIT OR Apache-2.0
//! A device of a NIC with its inputs and outputs: reset, and commands before there is traffic.

use crate::stream::Channel;
use crate::{Dut, Error, Ports};
use std::collections::BTreeMap;

/// Inputs that stay 0: the settings stay as they are after reset.
const HELD: [&str; 7] = [
    "reorder_settings_valid",
    "ack_generator_settings_valid",
    "pressure",
    "settings_valid",
    "packet_tracker_settings_valid",
    "ccc_table_settings_valid",
    "entropy_selector_settings_valid",
];
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
    /// Resets it, and waits until its tables are swept.
    pub fn new(mut dut: Box<dyn Dut>) -> Result<Self, Error> {
        let ports = dut.ports().clone();
        let (mut outputs, mut inputs) = (vec![0; ports.output_limbs()], vec![0; ports.input_limbs()]);
        for name in HELD {
            if let Some(port) = ports.input(name) {
                inputs[port.offset] = 0;
            }
        }
        let busy = ports.output("busy").ok_or_else(|| Error::NoPort("busy".into()))?.offset;
        dut.clock(true, &inputs);
        for _ in 0..PATIENCE {
            dut.outputs(&mut outputs);
            if outputs[busy] == 0 {
                return Ok(Device { dut, ports, outputs, inputs });
            }
            dut.clock(false, &inputs);
        }
        Err(Error::Protocol("the tables are never swept".to_owned()))
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

    /// The fields of the response that there is.
    pub fn response(&self) -> Option<BTreeMap<String, u64>> {
        let named = |port: &crate::Port| {
            let name = port.name.strip_prefix("response_")?;
            Some((name.to_owned(), self.outputs[port.offset]))
        };
        (self.output("response_valid") == Some(1)).then(|| self.ports.outputs.iter().filter_map(named).collect())
    }

    /// Gives a command before there is traffic, and waits for the response: its fields.
    pub fn command(&mut self, fields: &[(&str, u64)]) -> Result<BTreeMap<String, u64>, Error> {
        let channel = Channel::input(&self.ports, "command")?;
        let mut item = vec![0; channel.limbs()];
        for (name, value) in fields {
            item[channel.field(name)?.1.start] = *value;
        }
        let mut taken = false;
        for _ in 0..PATIENCE {
            self.read();
            if let Some(fields) = self.response() {
                // It is there for one clock cycle.
                self.clock();
                return Ok(fields);
            }
            channel.set(&mut self.inputs, &item);
            channel.set_valid(&mut self.inputs, !taken);
            taken |= channel.ready(&self.outputs);
            self.clock();
            channel.set_valid(&mut self.inputs, false);
        }
        Err(Error::Protocol(format!("no response to {fields:?}")))
    }
}
