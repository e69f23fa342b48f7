// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of a device by their names, for traffic that is not fast. Each port has at most 64 bits.

use crate::device::Ports;
use crate::device::ports::Port;
use crate::device::random::Random;
use std::collections::HashMap;

/// Inputs and outputs by their names.
#[derive(Clone, Debug)]
pub struct Named {
    /// In the order of the input row.
    order: Vec<Port>,
    inputs: HashMap<String, Port>,
    outputs: HashMap<String, Port>,
}

impl Named {
    /// Those of a device.
    pub fn new(ports: &Ports) -> Self {
        let by_name = |ports: &[Port]| ports.iter().map(|port| (port.name.clone(), port.clone())).collect();
        let mut order = ports.inputs.clone();
        order.sort_by_key(|port| port.offset);
        Named { order, inputs: by_name(&ports.inputs), outputs: by_name(&ports.outputs) }
    }

    /// The value of an output.
    ///
    /// # Panics
    ///
    /// Panics if the device does not have it.
    pub fn get(&self, outputs: &[u64], name: &str) -> u64 {
        let port = self.outputs.get(name).unwrap_or_else(|| panic!("the device has no output {name}"));
        outputs[port.offset]
    }

    /// Whether an output is 1.
    pub fn is_one(&self, outputs: &[u64], name: &str) -> bool {
        self.get(outputs, name) == 1
    }

    /// The value of an input.
    ///
    /// # Panics
    ///
    /// Panics if the device does not have it.
    pub fn given(&self, input: &[u64], name: &str) -> u64 {
        let port = self.inputs.get(name).unwrap_or_else(|| panic!("the device has no input {name}"));
        input[port.offset]
    }

    /// Sets an input to the low bits of a value; one that the device does not have is left out.
    pub fn put(&self, input: &mut [u64], name: &str, value: u64) {
        if let Some(port) = self.inputs.get(name) {
            input[port.offset] = value & port.mask(0);
        }
    }

    /// Sets fields of an interface.
    pub fn put_all(&self, input: &mut [u64], interface: &str, fields: &[(&str, u64)]) {
        for (name, value) in fields {
            self.put(input, &format!("{interface}_{name}"), *value);
        }
    }

    /// Sets all inputs at random.
    pub fn randomize(&self, input: &mut [u64], random: &mut Random) {
        for port in &self.order {
            input[port.offset] = random.bits() & port.mask(0);
        }
    }
}
