// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ports and other signals, and where they lie in a row of limbs.

use rtl_model::netlist::circuit::Module;
use rtl_model::role::Role;

/// A port, and where it lies among the limbs of its direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// As in the stage's `In` or `Out`.
    pub name: String,
    /// Width in bits.
    pub width: u32,
    /// Index of its lowest limb.
    pub offset: usize,
    /// What it does in its interface. Of ports that are given by their names alone it is not known, and [`Role::Payload`].
    pub role: Role,
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
    pub fn of_module(module: &Module) -> Self {
        let mut ports = Ports::new(
            module.inputs.iter().map(|p| (p.name.as_str(), p.width)),
            module.outputs.iter().map(|p| (p.name.as_str(), p.width)),
        );
        ports.inputs.iter_mut().zip(&module.inputs).for_each(|(port, of)| port.role = of.place.role);
        ports.outputs.iter_mut().zip(&module.outputs).for_each(|(port, of)| port.role = of.place.role);
        ports
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
        let port = Port { name: name.to_owned(), width, offset, role: Role::Payload };
        offset += port.limbs();
        port
    };
    ports.into_iter().map(place).collect()
}

/// Limbs of signals that lie side by side.
pub(crate) fn total<'a>(mut ports: impl DoubleEndedIterator<Item = &'a Port>) -> usize {
    ports.next_back().map_or(0, |p| p.offset + p.limbs())
}
