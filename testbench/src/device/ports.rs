// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ports and other signals, their places in a row of limbs, and the interfaces that ports form.

use crate::device::Error;
use rtl_model::join;
use rtl_model::netlist::circuit::Module;
use rtl_model::netlist::interfaces::{Direction, Handshake, Interface, Pin};
use rtl_model::role::Role;

/// A port, and its place among the limbs of its direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Its name in the stage's `In` or `Out`.
    pub name: String,
    /// Width in bits.
    pub width: u32,
    /// Index of its lowest limb in the row of its direction.
    pub offset: usize,
    /// Its role in its interface; [`Role::Payload`] for a port that is in none.
    pub role: Role,
}

impl Port {
    /// Number of 64-bit limbs.
    pub fn limbs(&self) -> usize {
        self.width.div_ceil(64) as usize
    }

    /// Its limbs in a row of all ports of its direction.
    pub fn of<'a>(&self, row: &'a [u64]) -> &'a [u64] {
        &row[self.offset..self.offset + self.limbs()]
    }

    /// Its limbs in a row of all ports of its direction, for writing.
    pub fn of_mut<'a>(&self, row: &'a mut [u64]) -> &'a mut [u64] {
        &mut row[self.offset..self.offset + self.limbs()]
    }

    /// The bits of limb `index` that belong to the port.
    pub fn mask(&self, index: usize) -> u64 {
        let bits = self.width - 64 * index as u32;
        if bits >= 64 { !0 } else { (1 << bits) - 1 }
    }
}

/// All ports of a device except `clk` and `rst`. Every port takes `ceil(width / 64)` limbs, lowest first, in this
/// order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ports {
    /// Inputs, which the test bench drives.
    pub inputs: Vec<Port>,
    /// Outputs, which the device drives.
    pub outputs: Vec<Port>,
    /// The interfaces that the ports form.
    pub interfaces: Vec<Interface>,
}

impl Ports {
    /// Makes ports without interfaces from names and widths.
    pub fn new<'a>(
        inputs: impl IntoIterator<Item = (&'a str, u32)>,
        outputs: impl IntoIterator<Item = (&'a str, u32)>,
    ) -> Self {
        Ports { inputs: lay_out(inputs), outputs: lay_out(outputs), interfaces: Vec::new() }
    }

    /// The ports of a module of a netlist.
    pub fn of_module(module: &Module) -> Self {
        let ports = Ports::new(
            module.inputs.iter().map(|p| (p.name.as_str(), p.width)),
            module.outputs.iter().map(|p| (p.name.as_str(), p.width)),
        );
        ports.with_roles(module.interfaces())
    }

    /// The ports of a device that is no module: those of the interfaces, one interface after the other.
    pub fn of_interfaces(interfaces: Vec<Interface>) -> Self {
        let of = |wanted| {
            let pins = interfaces.iter().flat_map(Interface::pins).filter(move |(_, direction)| *direction == wanted);
            pins.map(|(pin, _)| (pin.port.as_str(), pin.width))
        };
        Ports::new(of(Direction::In), of(Direction::Out)).with_roles(interfaces)
    }

    /// Adds the interfaces and sets the roles of their ports.
    fn with_roles(mut self, interfaces: Vec<Interface>) -> Self {
        for interface in &interfaces {
            let (to, back) = (interface.direction, interface.direction.other());
            for (pin, direction, role) in [(interface.valid(), to, Role::Valid), (interface.ready(), back, Role::Ready)]
            {
                let ports = match direction {
                    Direction::In => &mut self.inputs,
                    Direction::Out => &mut self.outputs,
                };
                let is_pin = |port: &&mut Port| pin.is_some_and(|pin| pin.port == port.name);
                ports.iter_mut().filter(is_pin).for_each(|port| port.role = role);
            }
        }
        self.interfaces = interfaces;
        self
    }

    /// Finds the interface called `name` whose payload goes in this direction.
    pub fn interface(&self, name: &str, direction: Direction) -> Option<&Interface> {
        self.interfaces.iter().find(|interface| interface.name == name && interface.direction == direction)
    }

    /// Finds a field of the payload of an interface, by its name within the interface.
    pub fn field(&self, interface: &str, direction: Direction, name: &str) -> Option<&Port> {
        let field = self.interface(interface, direction)?.fields.iter().find(|field| field.name == name)?;
        self.port(field, direction).ok()
    }

    /// Finds the port of a pin, in the direction of the pin.
    pub fn port(&self, pin: &Pin, direction: Direction) -> Result<&Port, Error> {
        let port = match direction {
            Direction::In => self.input(&pin.port),
            Direction::Out => self.output(&pin.port),
        };
        port.ok_or_else(|| Error::NoPort(pin.port.clone()))
    }

    /// Number of limbs of a row of inputs.
    pub fn input_limbs(&self) -> usize {
        total(self.inputs.iter())
    }

    /// Number of limbs of a row of outputs.
    pub fn output_limbs(&self) -> usize {
        total(self.outputs.iter())
    }

    /// Finds the input called `name`.
    pub fn input(&self, name: &str) -> Option<&Port> {
        self.inputs.iter().find(|p| p.name == name)
    }

    /// Finds the output called `name`.
    pub fn output(&self, name: &str) -> Option<&Port> {
        self.outputs.iter().find(|p| p.name == name)
    }
}

/// Declares an interface of a device that is written by hand. Its ports are `NAME_SIGNAL`, or `NAME` for a field
/// without a name. The handshake is `[]`, `[valid]` or `[valid, ready]`.
pub fn interface<'a>(
    name: &str,
    direction: Direction,
    handshake: &[&str],
    fields: impl IntoIterator<Item = (&'a str, u32)>,
) -> Interface {
    let pin = |signal: &str, width| Pin {
        port: join(name, signal),
        name: signal.to_owned(),
        width,
        doc: String::new(),
        continues: false,
    };
    let handshake = match *handshake {
        [] => Handshake::None,
        [valid] => Handshake::Valid { valid: pin(valid, 1) },
        [valid, ready, ..] => Handshake::ValidReady { valid: pin(valid, 1), ready: pin(ready, 1) },
    };
    let fields = fields.into_iter().map(|(field, width)| pin(field, width)).collect();
    Interface { name: name.to_owned(), doc: String::new(), direction, handshake, fields }
}

/// Lays out signals side by side.
pub(crate) fn lay_out<'a>(ports: impl IntoIterator<Item = (&'a str, u32)>) -> Vec<Port> {
    let mut offset = 0;
    let place = |(name, width): (&str, u32)| {
        let port = Port { name: name.to_owned(), width, offset, role: Role::Payload };
        offset += port.limbs();
        port
    };
    ports.into_iter().map(place).collect()
}

/// Number of limbs of signals that are side by side.
pub(crate) fn total<'a>(mut ports: impl DoubleEndedIterator<Item = &'a Port>) -> usize {
    ports.next_back().map_or(0, |p| p.offset + p.limbs())
}
