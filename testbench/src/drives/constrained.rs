// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random events with few different values, so that they meet on the same rows, with the values that matter.

use crate::device::drive::Drive;
use crate::device::random::Random;
use crate::device::{Error, Port, Ports};
use rtl_model::role::Role;

/// How the values of a port are chosen.
#[derive(Clone, Debug)]
enum Choice {
    /// Any bits.
    Any,
    /// The port is a valid: it is 1 with the probability of the phase.
    Valid(f64),
    /// A value of the phase, which has some of the palette.
    OneOf { all: Vec<u64>, phase: Vec<u64> },
    /// One value of the palette during the whole phase.
    Held { all: Vec<u64>, phase: u64 },
}

/// Every valid is 1 with a probability. Every other port has values of its palette, if it has one; which of them are
/// used changes from phase to phase. Now and then an event has any values. Resets come now and then, starting in the
/// first cycle.
#[derive(Clone, Debug)]
pub struct ConstrainedDrive {
    ports: Vec<(Port, Choice)>,
    left: u64,
    first: bool,
    reset: f64,
    random: Random,
}

impl ConstrainedDrive {
    /// Makes a drive for all inputs of a device.
    pub fn new(ports: &Ports, random: Random) -> Self {
        let choice = |port: &Port| if port.role == Role::Valid { Choice::Valid(0.0) } else { Choice::Any };
        let ports = ports.inputs.iter().map(|port| (port.clone(), choice(port))).collect();
        ConstrainedDrive { ports, left: 0, first: true, reset: 0.000_02, random }
    }

    fn with(mut self, port: &str, choice: Choice) -> Result<Self, Error> {
        let (_, chosen) = self
            .ports
            .iter_mut()
            .find(|(known, _)| known.name == port)
            .ok_or_else(|| Error::NoPort(port.to_owned()))?;
        *chosen = choice;
        Ok(self)
    }

    /// Gives a port these values (at least one).
    pub fn value_set(self, port: &str, values: impl IntoIterator<Item = u64>) -> Result<Self, Error> {
        self.with(port, Choice::OneOf { all: values.into_iter().collect(), phase: vec![0] })
    }

    /// Gives a port one of these values (at least one) per phase.
    pub fn held(self, port: &str, values: impl IntoIterator<Item = u64>) -> Result<Self, Error> {
        self.with(port, Choice::Held { all: values.into_iter().collect(), phase: 0 })
    }

    /// Sets the probability of a reset in a cycle.
    pub fn reset(mut self, p: f64) -> Self {
        self.reset = p;
        self
    }

    fn next_phase(&mut self) {
        let random = &mut self.random;
        let mut pick = |values: &[u64]| values[random.below(values.len() as u64) as usize];
        for (_, choice) in &mut self.ports {
            match choice {
                Choice::Any => {}
                Choice::Valid(chance) => *chance = pick(&[0, 5, 50, 90, 100, 100]) as f64 / 100.0,
                Choice::OneOf { all, phase } => {
                    let count = pick(&[1, 2, 3, all.len() as u64]);
                    *phase = (0..count).map(|_| pick(all)).collect();
                    if count == all.len() as u64 {
                        phase.clone_from(all);
                    }
                }
                Choice::Held { all, phase } => *phase = pick(all),
            }
        }
        self.left = random.between(40, 900);
    }
}

impl Drive for ConstrainedDrive {
    fn drive(&mut self, _: &[u64], input: &mut [u64]) -> bool {
        if self.left == 0 {
            self.next_phase();
        }
        self.left -= 1;
        let illegal = self.random.chance(0.01);
        for (port, choice) in &self.ports {
            let value = match choice {
                Choice::Valid(chance) => u64::from(self.random.chance(*chance)),
                Choice::Held { phase, .. } => *phase,
                Choice::OneOf { phase, .. } if !illegal => phase[self.random.below(phase.len() as u64) as usize],
                Choice::OneOf { .. } | Choice::Any => self.random.bits(),
            };
            input[port.offset] = value & port.mask(0);
        }
        std::mem::take(&mut self.first) || self.random.chance(self.reset)
    }
}
