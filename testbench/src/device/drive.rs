// SPDX-License-Identifier: MIT OR Apache-2.0
//! Drives choose the inputs of a device in every clock cycle.

use crate::device::random::Random;
use crate::device::stimulus::Stimulus;
use crate::device::{Dut, Error, Port, Ports};

/// Chooses the inputs of a device.
pub trait Drive {
    /// Writes the inputs of this cycle and may look at the outputs of the cycle. Returns true for a reset.
    fn drive(&mut self, outputs: &[u64], input: &mut [u64]) -> bool;

    /// Is called at the end of a run and returns an error that the drive has found.
    fn finish(&mut self) -> Result<(), Error> {
        Ok(())
    }
}

impl<D: Drive + ?Sized> Drive for Box<D> {
    fn drive(&mut self, outputs: &[u64], input: &mut [u64]) -> bool {
        (**self).drive(outputs, input)
    }

    fn finish(&mut self) -> Result<(), Error> {
        (**self).finish()
    }
}

/// Drives every port on its own, without regard to protocols. One-bit ports are 1 with a probability that changes from
/// phase to phase, so that a device becomes full and empty, and stalls and flows. Wider ports often get corner values.
/// Resets come now and then, starting in the first cycle.
#[derive(Clone, Debug)]
pub struct RandomDrive {
    ports: Vec<Port>,
    chances: Vec<Option<f64>>,
    phase: Vec<f64>,
    left: u64,
    reset: f64,
    random: Random,
}

impl RandomDrive {
    /// Makes a drive for all inputs of a device.
    pub fn new(ports: &Ports, random: Random) -> Self {
        let count = ports.inputs.len();
        RandomDrive {
            ports: ports.inputs.clone(),
            chances: vec![None; count],
            phase: vec![0.5; count],
            left: 0,
            reset: 0.002,
            random,
        }
    }

    /// Sets a fixed probability for a one-bit port.
    pub fn chance(mut self, port: &str, p: f64) -> Result<Self, Error> {
        let at = self.ports.iter().position(|x| x.name == port).ok_or_else(|| Error::NoPort(port.into()))?;
        self.chances[at] = Some(p);
        Ok(self)
    }

    /// Sets the probability of a reset in a cycle.
    pub fn reset(mut self, p: f64) -> Self {
        self.reset = p;
        self
    }
}

impl Drive for RandomDrive {
    fn drive(&mut self, _: &[u64], input: &mut [u64]) -> bool {
        if self.left == 0 {
            self.left = self.random.between(20, 400);
            for phase in &mut self.phase {
                *phase = [0.05, 0.5, 0.5, 0.95, 1.0][self.random.below(5) as usize];
            }
        }
        self.left -= 1;
        for (i, port) in self.ports.iter().enumerate() {
            match port.width {
                1 => {
                    let p = self.chances[i].unwrap_or(self.phase[i]);
                    input[port.offset] = self.random.chance(p) as u64;
                }
                _ => self.random.value(port, input),
            }
        }
        self.random.chance(self.reset)
    }
}

/// Runs a device under a drive and records the chosen inputs, so that they can be played on another device.
pub fn record(dut: &mut dyn Dut, drive: &mut dyn Drive, cycles: u64) -> Stimulus {
    let mut outputs = vec![0; dut.ports().output_limbs()];
    let mut input = vec![0; dut.ports().input_limbs()];
    let mut stimulus = Stimulus::new(input.len());
    for _ in 0..cycles {
        dut.outputs(&mut outputs);
        let reset = drive.drive(&outputs, &mut input);
        stimulus.push(reset, &input);
        dut.clock(reset, &input);
    }
    stimulus
}
