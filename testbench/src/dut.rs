// SPDX-License-Identifier: MIT OR Apache-2.0
//! The device under test: ports, and one clock at a time.

use crate::probe::Probe;
use crate::stimulus::{Digest, Stimulus};

/// A port, and where it lies among the limbs of its direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// As in the stage's `In` or `Out`.
    pub name: String,
    /// Width in bits.
    pub width: u32,
    /// Index of its lowest limb.
    pub offset: usize,
}

impl Port {
    /// Number of 64-bit limbs.
    pub fn limbs(&self) -> usize {
        self.width.div_ceil(64) as usize
    }

    /// Its limbs in a row of all ports of the direction.
    pub fn of<'a>(&self, row: &'a [u64]) -> &'a [u64] {
        &row[self.offset..self.offset + self.limbs()]
    }

    /// Its limbs in a row of all ports of the direction, to be written.
    pub fn of_mut<'a>(&self, row: &'a mut [u64]) -> &'a mut [u64] {
        &mut row[self.offset..self.offset + self.limbs()]
    }

    /// The bits of limb `index` that belong to the port.
    pub fn mask(&self, index: usize) -> u64 {
        let bits = self.width - 64 * index as u32;
        if bits >= 64 { !0 } else { (1 << bits) - 1 }
    }
}

/// All ports of a device but `clk` and `rst`. Every port takes `ceil(width / 64)` limbs, lowest first, in this order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ports {
    /// Driven by the test bench.
    pub inputs: Vec<Port>,
    /// Driven by the device.
    pub outputs: Vec<Port>,
}

impl Ports {
    /// From names and widths.
    pub fn new<'a>(
        inputs: impl IntoIterator<Item = (&'a str, u32)>,
        outputs: impl IntoIterator<Item = (&'a str, u32)>,
    ) -> Self {
        Ports { inputs: lay_out(inputs), outputs: lay_out(outputs) }
    }

    /// Of a module of a netlist.
    pub fn of_module(module: &rtl_model::netlist::circuit::Module) -> Self {
        Ports::new(
            module.inputs.iter().map(|p| (p.name.as_str(), p.width)),
            module.outputs.iter().map(|p| (p.name.as_str(), p.width)),
        )
    }

    /// Limbs of a row of inputs.
    pub fn input_limbs(&self) -> usize {
        total(self.inputs.iter())
    }

    /// Limbs of a row of outputs.
    pub fn output_limbs(&self) -> usize {
        total(self.outputs.iter())
    }

    /// The input called `name`.
    pub fn input(&self, name: &str) -> Option<&Port> {
        self.inputs.iter().find(|p| p.name == name)
    }

    /// The output called `name`.
    pub fn output(&self, name: &str) -> Option<&Port> {
        self.outputs.iter().find(|p| p.name == name)
    }
}

/// Signals side by side.
pub(crate) fn lay_out<'a>(ports: impl IntoIterator<Item = (&'a str, u32)>) -> Vec<Port> {
    let mut offset = 0;
    let place = |(name, width): (&str, u32)| {
        let port = Port { name: name.to_owned(), width, offset };
        offset += port.limbs();
        port
    };
    ports.into_iter().map(place).collect()
}

/// Limbs of signals that lie side by side.
pub(crate) fn total<'a>(mut ports: impl DoubleEndedIterator<Item = &'a Port>) -> usize {
    ports.next_back().map_or(0, |p| p.offset + p.limbs())
}

/// Something with a clock. Outputs depend on state alone, so that a cycle is: read the outputs, choose the inputs
/// (they may depend on the outputs), [`clock`](Dut::clock).
pub trait Dut {
    /// Its ports.
    fn ports(&self) -> &Ports;

    /// Writes the outputs of the current cycle, [`Ports::output_limbs`] limbs.
    fn outputs(&mut self, out: &mut [u64]);

    /// One rising edge with these inputs, [`Ports::input_limbs`] limbs. `reset` is the level of `rst` at the edge.
    fn clock(&mut self, reset: bool, input: &[u64]);

    /// Plays all rows; the digest covers the outputs of every cycle (see [`Stimulus::digest_every`]), before its edge.
    ///
    /// The loop is part of the trait so that a backend can run it without a call per cycle.
    fn run(&mut self, stimulus: &Stimulus) -> u64 {
        let mut out = vec![0; self.ports().output_limbs()];
        let mut digest = Digest::default();
        for (cycle, (reset, input)) in stimulus.rows().enumerate() {
            if (cycle as u64).is_multiple_of(stimulus.every()) {
                self.outputs(&mut out);
                digest.add(&out);
            }
            self.clock(reset, input);
        }
        digest.finish()
    }

    /// The registers inside; none unless the device was built to be watched.
    fn probes(&self) -> &[Probe] {
        &[]
    }

    /// Writes what they hold in the current cycle.
    fn probe(&mut self, _: &mut [u64]) {}

    /// The first thing that went wrong behind the trait's back (a simulator process that ended), if any.
    fn failure(&mut self) -> Option<crate::Error> {
        None
    }
}

impl Dut for Box<dyn Dut> {
    fn ports(&self) -> &Ports {
        (**self).ports()
    }

    fn outputs(&mut self, out: &mut [u64]) {
        (**self).outputs(out);
    }

    fn clock(&mut self, reset: bool, input: &[u64]) {
        (**self).clock(reset, input);
    }

    fn run(&mut self, stimulus: &Stimulus) -> u64 {
        (**self).run(stimulus)
    }

    fn probes(&self) -> &[Probe] {
        (**self).probes()
    }

    fn probe(&mut self, out: &mut [u64]) {
        (**self).probe(out);
    }

    fn failure(&mut self) -> Option<crate::Error> {
        (**self).failure()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_lie_side_by_side_in_whole_limbs() {
        let ports = Ports::new([("a", 1), ("b", 65), ("c", 64)], [("q", 128)]);
        let offsets: Vec<_> = ports.inputs.iter().map(|p| p.offset).collect();
        assert_eq!(offsets, [0, 1, 3]);
        assert_eq!((ports.input_limbs(), ports.output_limbs()), (4, 2));
        let b = ports.input("b").expect("b is an input");
        assert_eq!((b.mask(0), b.mask(1)), (!0, 1));
        assert_eq!(b.of(&[1, 2, 3, 4]), [2, 3]);
    }
}
