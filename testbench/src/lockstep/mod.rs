// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lock-step: two devices get the same stimulus, and every output is compared in every cycle, starting at power-up.
//! [`readings`] compares all forms of a design.

pub mod readings;

use crate::device::Mismatch;
use crate::device::drive::Drive;
use crate::device::{Dut, Error, Port, Ports};
use crate::waveform::{Layout, Recording, write};
use std::fmt::Write;
use std::path::PathBuf;

/// The settings of a comparison.
#[derive(Clone, Debug)]
pub struct Lockstep {
    cycles: u64,
    window: usize,
    vcd: Option<PathBuf>,
    devices: [&'static str; 2],
}

impl Lockstep {
    /// Compares a model and its RTL for this number of cycles.
    pub fn new(cycles: u64) -> Self {
        Lockstep { cycles, window: 64, vcd: None, devices: ["model", "RTL"] }
    }

    /// Sets the names of the devices, for other pairs than model and RTL.
    pub fn devices(mut self, devices: [&'static str; 2]) -> Self {
        self.devices = devices;
        self
    }

    /// Sets the file for a waveform of both devices around a difference. Its scopes are `model` and `rtl`, or the names
    /// of the devices. It has registers if the devices were built with probes.
    pub fn vcd(mut self, path: impl Into<PathBuf>) -> Self {
        self.vcd = Some(path.into());
        self
    }

    /// Sets the number of cycles in the waveform before the difference; a quarter as many follow it.
    pub fn window(mut self, cycles: usize) -> Self {
        self.window = cycles;
        self
    }

    /// Runs both devices. `drive` sees the outputs of the first. Zero cycles are an error, because nothing would be
    /// compared.
    pub fn run(&self, model: &mut dyn Dut, rtl: &mut dyn Dut, drive: &mut dyn Drive) -> Result<(), Error> {
        if self.cycles == 0 {
            return Err(Error::Protocol("lock-step of 0 cycles compares nothing".to_owned()));
        }
        let ports = model.ports().clone();
        same_ports(&ports, rtl.ports())?;
        let layouts = [Layout::of(model), Layout::of(rtl)];
        let mut pair = Pair::new(self.window, ports, layouts);
        for cycle in 0..self.cycles {
            pair.outputs(model, rtl);
            if let Some(error) = model.failure().or_else(|| rtl.failure()) {
                return Err(error);
            }
            if pair.left == pair.right {
                pair.clock(model, rtl, drive);
                continue;
            }
            let mut mismatch = pair.difference(cycle, self.devices);
            if let Some(path) = &self.vcd {
                for _ in 0..=self.window / 4 {
                    pair.clock(model, rtl, drive);
                    pair.outputs(model, rtl);
                }
                let [a, b] = self.devices.map(str::to_lowercase);
                write(path, &[(&a, &pair.recordings[0]), (&b, &pair.recordings[1])])?;
                mismatch.vcd = Some(path.clone());
            }
            return Err(mismatch.into());
        }
        drive.finish()
    }
}

/// The inputs and outputs of both devices in the current cycle.
struct Pair {
    ports: Ports,
    left: Vec<u64>,
    right: Vec<u64>,
    input: Vec<u64>,
    recordings: [Recording; 2],
}

impl Pair {
    fn new(window: usize, ports: Ports, layouts: [Layout; 2]) -> Self {
        Pair {
            left: vec![0; ports.output_limbs()],
            right: vec![0; ports.output_limbs()],
            input: vec![0; ports.input_limbs()],
            recordings: layouts.map(|layout| Recording::last(window + window / 4, layout)),
            ports,
        }
    }

    fn outputs(&mut self, model: &mut dyn Dut, rtl: &mut dyn Dut) {
        model.outputs(&mut self.left);
        rtl.outputs(&mut self.right);
    }

    fn clock(&mut self, model: &mut dyn Dut, rtl: &mut dyn Dut, drive: &mut dyn Drive) {
        let reset = drive.drive(&self.left, &mut self.input);
        self.recordings[0].add(reset, &self.input, &self.left, model);
        self.recordings[1].add(reset, &self.input, &self.right, rtl);
        model.clock(reset, &self.input);
        rtl.clock(reset, &self.input);
    }

    fn difference(&self, cycle: u64, devices: [&'static str; 2]) -> Mismatch {
        let differs = |port: &&Port| port.of(&self.left) != port.of(&self.right);
        let port = self.ports.outputs.iter().find(differs).expect("some output differs");
        Mismatch {
            cycle,
            port: port.name.clone(),
            devices,
            values: [&self.left, &self.right].map(|row| hex(port, row).into()),
            vcd: None,
        }
    }
}

fn hex(port: &Port, row: &[u64]) -> String {
    let mut digits = String::new();
    for limb in port.of(row).iter().rev() {
        let _ = write!(digits, "{limb:016x}");
    }
    let shown = port.width.div_ceil(4) as usize;
    format!("{}'h{}", port.width, &digits[digits.len() - shown..])
}

fn same_ports(model: &Ports, rtl: &Ports) -> Result<(), Error> {
    if model == rtl {
        return Ok(());
    }
    Err(Error::Protocol(format!("the devices have different ports: {model:?} and {rtl:?}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::drive::RandomDrive;
    use crate::device::random::Random;

    /// Sums up its input; its output `late` is wrong from one cycle on.
    struct Sum(Ports, u64, u64);

    impl Dut for Sum {
        fn ports(&self) -> &Ports {
            &self.0
        }
        fn outputs(&mut self, out: &mut [u64]) {
            out[0] = self.1 & 0xffff;
            out[1] = (self.2 == 0) as u64;
        }
        fn clock(&mut self, reset: bool, input: &[u64]) {
            self.1 = if reset { 0 } else { self.1 + input[0] };
            self.2 = self.2.saturating_sub(1);
        }
    }

    fn sum(wrong_after: u64) -> Sum {
        Sum(Ports::new([("amount", 4)], [("sum", 16), ("late", 1)]), 0, wrong_after)
    }

    #[test]
    fn the_first_difference_is_named_and_both_waveforms_are_written() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let vcd = dir.path().join("both.vcd");
        let (mut a, mut b) = (sum(5000), sum(700));
        let mut drive = RandomDrive::new(a.ports(), Random::new(3));
        let result = Lockstep::new(10_000).vcd(&vcd).run(&mut a, &mut b, &mut drive);
        let Err(Error::Mismatch(found)) = result else { panic!("they differ: {result:?}") };
        assert_eq!((found.cycle, found.port.as_str()), (700, "late"));
        let text = found.to_string();
        assert!(text.starts_with("cycle 700: `late` is 1'h0 in the model and 1'h1 in the RTL (waveform"), "{text}");
        let text = std::fs::read_to_string(&vcd).expect("the waveform is there");
        assert!(text.contains("$scope module model $end") && text.contains("$scope module rtl $end"), "{text}");
        assert!(text.contains("#7000") && !text.contains("#6000\n"), "only the window is written:\n{text}");
    }

    #[test]
    fn equal_devices_pass() {
        let (mut a, mut b) = (sum(9), sum(9));
        let mut drive = RandomDrive::new(a.ports(), Random::new(3));
        Lockstep::new(1000).run(&mut a, &mut b, &mut drive).expect("they are equal");
    }

    #[test]
    fn different_ports_are_an_error() {
        let mut other = Sum(Ports::new([("amount", 5)], [("sum", 16), ("late", 1)]), 0, 9);
        let mut drive = RandomDrive::new(other.ports(), Random::new(3));
        assert!(Lockstep::new(1).run(&mut sum(9), &mut other, &mut drive).is_err());
    }
}
