// SPDX-License-Identifier: MIT OR Apache-2.0
//! A difference between two devices.

use std::path::PathBuf;

/// The first difference between two devices.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "cycle {cycle}: `{port}` is {} in the {} and {} in the {}{}",
    .values[0], .devices[0], .values[1], .devices[1], waveform(.vcd)
)]
pub struct Mismatch {
    /// The cycle of the difference, counted from power-up.
    pub cycle: u64,
    /// Name of the first output that differs.
    pub port: String,
    /// Names of the devices.
    pub devices: [&'static str; 2],
    /// Value of the output in each device, in Verilog notation.
    pub values: [Box<str>; 2],
    /// The waveform file of both devices, if one was written.
    pub vcd: Option<PathBuf>,
}

fn waveform(vcd: &Option<PathBuf>) -> String {
    vcd.as_ref().map_or_else(String::new, |path| format!(" (waveform of both: {})", path.display()))
}
