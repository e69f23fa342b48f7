// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of one stream.

use crate::device::{Error, Port, Ports};
use rtl_model::netlist::interfaces::{Direction, Handshake};

/// A stream of a device: an interface with valid and ready.
#[derive(Clone, Debug)]
pub struct Channel {
    name: String,
    valid: Port,
    ready: Port,
    fields: Vec<Field>,
    limbs: usize,
}

/// A signal of the payload.
#[derive(Clone, Debug)]
struct Field {
    /// Its name within the stream.
    name: String,
    port: Port,
    /// Its lowest limb in an item.
    at: usize,
}

impl Field {
    /// Its limbs in an item.
    fn limbs(&self) -> std::ops::Range<usize> {
        self.at..self.at + self.port.limbs()
    }
}

/// The payload of one transfer: the limbs of all fields of the channel, side by side.
pub type Item = Box<[u64]>;

impl Channel {
    /// A stream into the device.
    pub fn input(ports: &Ports, name: &str) -> Result<Self, Error> {
        Channel::find(ports, name, Direction::In)
    }

    /// A stream out of the device.
    pub fn output(ports: &Ports, name: &str) -> Result<Self, Error> {
        Channel::find(ports, name, Direction::Out)
    }

    fn find(ports: &Ports, name: &str, direction: Direction) -> Result<Self, Error> {
        let no_stream = || Error::NoStream(name.to_owned());
        let interface = ports.interface(name, direction).ok_or_else(no_stream)?;
        let Handshake::ValidReady { valid, ready } = &interface.handshake else { return Err(no_stream()) };
        let mut limbs = 0;
        let mut fields = Vec::with_capacity(interface.fields.len());
        for pin in &interface.fields {
            let port = ports.port(pin, direction)?.clone();
            let at = limbs;
            limbs += port.limbs();
            fields.push(Field { name: pin.name.clone(), port, at });
        }
        let (valid, ready) = (ports.port(valid, direction)?.clone(), ports.port(ready, direction.other())?.clone());
        Ok(Channel { name: name.to_owned(), valid, ready, fields, limbs })
    }

    /// Name of the stream.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Names of the valid and the ready.
    pub fn handshake(&self) -> [&str; 2] {
        [&self.valid.name, &self.ready.name]
    }

    /// Limbs of an [`Item`].
    pub fn limbs(&self) -> usize {
        self.limbs
    }

    /// Names within the stream and widths of the payload.
    pub fn fields(&self) -> impl Iterator<Item = (&str, u32)> {
        self.fields.iter().map(|field| (field.name.as_str(), field.port.width))
    }

    /// The width of a field and its place in an item.
    pub fn field(&self, name: &str) -> Result<(u32, std::ops::Range<usize>), Error> {
        let found = self.fields.iter().find(|field| field.name == name);
        let found = found.map(|field| (field.port.width, field.limbs()));
        found.ok_or_else(|| Error::NoPort(format!("{}_{name}", self.name)))
    }

    /// All ports of the stream.
    pub fn ports(&self) -> impl Iterator<Item = &Port> {
        [&self.valid, &self.ready].into_iter().chain(self.payload())
    }

    /// Reads the valid from a row of the direction of the stream.
    pub fn valid(&self, row: &[u64]) -> bool {
        row[self.valid.offset] != 0
    }

    /// Reads the ready from a row of the other direction.
    pub fn ready(&self, row: &[u64]) -> bool {
        row[self.ready.offset] != 0
    }

    /// Writes the valid.
    pub fn set_valid(&self, row: &mut [u64], on: bool) {
        row[self.valid.offset] = on as u64;
    }

    /// Writes the ready.
    pub fn set_ready(&self, row: &mut [u64], on: bool) {
        row[self.ready.offset] = on as u64;
    }

    /// The ports of the payload.
    pub fn payload(&self) -> impl Iterator<Item = &Port> {
        self.fields.iter().map(|field| &field.port)
    }

    /// Reads the payload from a row.
    pub fn get(&self, row: &[u64]) -> Item {
        self.payload().flat_map(|port| port.of(row).iter().copied()).collect()
    }

    /// Writes the payload to a row.
    pub fn set(&self, row: &mut [u64], item: &[u64]) {
        for field in &self.fields {
            field.port.of_mut(row).copy_from_slice(&item[field.limbs()]);
        }
    }

    /// The port of the first field in which two items differ.
    pub fn difference(&self, a: &[u64], b: &[u64]) -> Option<&str> {
        let field = self.fields.iter().find(|field| a[field.limbs()] != b[field.limbs()]);
        field.map(|field| field.port.name.as_str())
    }
}
