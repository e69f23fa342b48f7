// SPDX-License-Identifier: MIT OR Apache-2.0
//! A stage of a shipped configuration on the model, with its ports by name.

use mpnic::config::Config;
use mpnic::stages::StageName;
use testbench::{Dut, Ports};

/// The stage after its sweep.
pub struct Device {
    dut: Box<dyn Dut>,
    ports: Ports,
    input: Vec<u64>,
    output: Vec<u64>,
    /// The current clock cycle; reset ends before cycle 0.
    pub cycle: u64,
}

impl Device {
    /// The stage of a configuration, after reset and sweep.
    pub fn new(stage: StageName, config: &Config) -> Self {
        let dut = stage.of(config).model().expect("a model");
        let ports = dut.ports().clone();
        let (input, output) = (vec![0; ports.input_limbs()], vec![0; ports.output_limbs()]);
        let mut device = Device { dut, ports, input, output, cycle: 0 };
        device.dut.clock(true, &device.input);
        device.dut.outputs(&mut device.output);
        for _ in 0..1_000_000 {
            if device.get("busy") == 0 {
                return device;
            }
            device.clock();
        }
        panic!("{} stays busy", stage.name());
    }

    /// An output of the current clock cycle.
    pub fn get(&self, port: &str) -> u64 {
        let port = self.ports.output(port).unwrap_or_else(|| panic!("no output {port}"));
        self.output[port.offset]
    }

    /// Sets an input for the current clock cycle.
    pub fn set(&mut self, port: &str, value: u64) {
        let port = self.ports.input(port).unwrap_or_else(|| panic!("no input {port}"));
        self.input[port.offset] = value;
    }

    /// The rising edge; after it all inputs are 0.
    pub fn clock(&mut self) {
        self.dut.clock(false, &self.input);
        self.input.fill(0);
        self.dut.outputs(&mut self.output);
        self.cycle += 1;
    }

    /// Transfers these fields on an interface, when it is ready if it has a ready.
    pub fn send(&mut self, interface: &str, fields: &[(&str, u64)]) {
        let ready = format!("{interface}_ready");
        while self.ports.output(&ready).is_some() && self.get(&ready) == 0 {
            self.clock();
        }
        self.set(&format!("{interface}_valid"), 1);
        for (name, value) in fields {
            self.set(&format!("{interface}_{name}"), *value);
        }
        self.clock();
    }

    /// Waits until the output interface is valid.
    pub fn wait(&mut self, interface: &str) {
        let valid = format!("{interface}_valid");
        for _ in 0..1000 {
            if self.get(&valid) == 1 {
                return;
            }
            self.clock();
        }
        panic!("{interface} does not come");
    }

    /// Has a command done.
    pub fn command(&mut self, fields: &[(&str, u64)]) {
        self.send("command", fields);
        self.wait("response");
        assert_eq!(self.get("response_done"), 1, "{fields:?}");
        self.clock();
    }

    /// Waits for so many clock cycles.
    pub fn idle(&mut self, cycles: u64) {
        (0..cycles).for_each(|_| self.clock());
    }
}

/// A configuration that is shipped.
pub fn shipped(name: &str) -> Config {
    Config::load(Some(name)).unwrap_or_else(|failure| panic!("{name}: {failure}"))
}
