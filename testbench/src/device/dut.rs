// SPDX-License-Identifier: MIT OR Apache-2.0
//! The device under test, which runs one clock cycle at a time.

use crate::device::ports::Ports;
use crate::device::probe::Probe;
use crate::device::stimulus::{Digest, Stimulus};

/// A device with a clock. Its outputs depend on state alone, so a cycle is: read the outputs, choose the inputs (they
/// may depend on the outputs), call [`clock`](Dut::clock).
pub trait Dut {
    /// The ports of the device.
    fn ports(&self) -> &Ports;

    /// Writes the outputs of the current cycle, [`Ports::output_limbs`] limbs.
    fn outputs(&mut self, out: &mut [u64]);

    /// Makes one rising edge with these inputs, [`Ports::input_limbs`] limbs. `reset` is the level of `rst` at the
    /// edge.
    fn clock(&mut self, reset: bool, input: &[u64]);

    /// Plays all rows and returns the digest, which covers the outputs of every cycle before its edge (see
    /// [`Stimulus::digest_every`]).
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

    /// The registers that are visible; none unless the device was built with probes.
    fn probes(&self) -> &[Probe] {
        &[]
    }

    /// Writes the values of the registers in the current cycle.
    fn probe(&mut self, _: &mut [u64]) {}

    /// The first error that no method could return, for example a simulator process that ended.
    fn failure(&mut self) -> Option<crate::device::Error> {
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

    fn failure(&mut self) -> Option<crate::device::Error> {
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
