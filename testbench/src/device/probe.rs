// SPDX-License-Identifier: MIT OR Apache-2.0
//! Probes: registers inside a device, under their names in the stage.

use crate::device::Port;
use crate::device::ports::{lay_out, total};

/// A register inside a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Names of the instances around it, the outermost first; empty for the stage itself.
    pub scope: Vec<String>,
    /// Its name, its width, and its place among the limbs of all probes.
    pub signal: Port,
}

/// Lays out probes side by side from their scopes, names and widths.
pub fn probes<'a>(registers: impl IntoIterator<Item = (&'a [String], &'a str, u32)>) -> Vec<Probe> {
    let registers: Vec<_> = registers.into_iter().collect();
    let signals = lay_out(registers.iter().map(|&(_, name, width)| (name, width)));
    registers.iter().zip(signals).map(|(&(scope, ..), signal)| Probe { scope: scope.to_owned(), signal }).collect()
}

/// Number of limbs of a row of probes.
pub fn limbs(probes: &[Probe]) -> usize {
    total(probes.iter().map(|probe| &probe.signal))
}
