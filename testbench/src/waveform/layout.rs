// SPDX-License-Identifier: MIT OR Apache-2.0
//! The visible signals of a device and their places in a row of limbs.

use crate::device::ports::{lay_out, total};
use crate::device::{Dut, Port};
use std::collections::BTreeSet;

/// A port or a register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signal {
    /// Names of the instances around it, the outermost first; empty for the stage itself.
    pub scope: Vec<String>,
    /// Its name in the scope, its width, and its place in a row.
    pub port: Port,
}

impl Signal {
    /// The names of its instances and its own, separated by dots.
    pub fn path(&self) -> String {
        let parts: Vec<_> = self.scope.iter().chain([&self.port.name]).map(String::as_str).collect();
        parts.join(".")
    }
}

/// All signals of a device: `rst`, inputs, outputs, registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    signals: Vec<Signal>,
    limbs: usize,
}

impl Layout {
    /// The signals of a device. A register with the name of a port gets the suffix `_reg`, as in the Verilog; a
    /// register with the name of another register gets a number.
    pub fn of(dut: &dyn Dut) -> Self {
        let (ports, probes) = (dut.ports(), dut.probes());
        let outside = ports.inputs.iter().chain(&ports.outputs).map(|port| (&port.name, port.width));
        let mut names: Vec<(Vec<String>, String, u32)> = vec![(vec![], "rst".to_owned(), 1)];
        names.extend(outside.map(|(name, width)| (vec![], name.clone(), width)));
        let mut taken: BTreeSet<_> = names.iter().map(|(scope, name, _)| (scope.clone(), name.clone())).collect();
        taken.insert((vec![], "clk".to_owned()));
        let count = names.len();
        for probe in probes {
            let (scope, stem) = (&probe.scope, &probe.signal.name);
            let like_a_port = names[..count].iter().any(|(at, name, _)| at == scope && name == stem);
            let stem = if like_a_port { format!("{stem}_reg") } else { stem.clone() };
            let mut name = stem.clone();
            let mut number = 0;
            while !taken.insert((scope.clone(), name.clone())) {
                number += 1;
                name = format!("{stem}_{number}");
            }
            names.push((scope.clone(), name, probe.signal.width));
        }
        let ports = lay_out(names.iter().map(|(_, name, width)| (name.as_str(), *width)));
        let limbs = total(ports.iter());
        let signals = names.into_iter().zip(ports).map(|((scope, ..), port)| Signal { scope, port }).collect();
        Layout { signals, limbs }
    }

    /// The signals in the order of a row.
    pub fn signals(&self) -> &[Signal] {
        &self.signals
    }

    /// Number of limbs of a row.
    pub fn limbs(&self) -> usize {
        self.limbs
    }

    /// Finds the signal of this path: its name after the names of the instances and components around it, separated by
    /// dots. Outer names may be omitted if no other signal has a path with the same end.
    pub fn signal(&self, path: &str) -> Option<&Signal> {
        let ends_so = |signal: &&Signal| signal.path().strip_suffix(path).is_some_and(|ahead| ahead.ends_with('.'));
        self.signals.iter().find(|signal| signal.path() == path).or_else(|| {
            let mut found = self.signals.iter().filter(ends_so);
            found.next().filter(|_| found.next().is_none())
        })
    }

    /// Writes the row of a cycle. Only the registers are read from the device.
    pub fn fill(&self, row: &mut [u64], reset: bool, inputs: &[u64], outputs: &[u64], dut: &mut dyn Dut) {
        let (outside, inside) = row.split_at_mut(1 + inputs.len() + outputs.len());
        outside[0] = reset as u64;
        outside[1..=inputs.len()].copy_from_slice(inputs);
        outside[1 + inputs.len()..].copy_from_slice(outputs);
        if !inside.is_empty() {
            dut.probe(inside);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::probe::probes;
    use crate::device::{Ports, Probe};

    struct Named(Ports, Vec<Probe>);

    impl Dut for Named {
        fn ports(&self) -> &Ports {
            &self.0
        }
        fn outputs(&mut self, _: &mut [u64]) {}
        fn clock(&mut self, _: bool, _: &[u64]) {}
        fn probes(&self) -> &[Probe] {
            &self.1
        }
    }

    #[test]
    fn every_name_is_used_once() {
        let inside = ["u_a".to_owned()];
        let registers = [(&[][..], "q", 4), (&[], "x", 1), (&[], "x", 1), (&inside, "q", 65), (&[], "clk", 1)];
        let layout = Layout::of(&Named(Ports::new([("d", 4)], [("q", 70)]), probes(registers)));
        let paths: Vec<_> = layout.signals().iter().map(Signal::path).collect();
        assert_eq!(paths, ["rst", "d", "q", "q_reg", "x", "x_1", "u_a.q", "clk_1"]);
        assert_eq!((layout.limbs(), layout.signal("u_a.q").map(|signal| signal.port.offset)), (10, Some(7)));
    }
    #[test]
    fn the_end_of_a_path_is_enough_if_no_other_path_has_it() {
        let (left, right) = (["a".to_owned(), "left".to_owned()], ["a".to_owned(), "right".to_owned()]);
        let registers = [(&left[..], "one", 1), (&right[..], "one", 1), (&right[..], "two", 1)];
        let layout = Layout::of(&Named(Ports::new([("d", 4)], [("q", 70)]), probes(registers)));
        let found = |path: &str| layout.signal(path).map(Signal::path);
        assert_eq!(found("two").as_deref(), Some("a.right.two"));
        assert_eq!(found("left.one").as_deref(), Some("a.left.one"));
        assert_eq!((found("one"), found("wo"), found("three")), (None, None, None));
    }
}
