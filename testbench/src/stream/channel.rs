// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of one stream.

use crate::{Error, Port, Ports};

/// A stream of a device: `PREFIX_tvalid`, `PREFIX_tready`, and a payload of all other `PREFIX_*` ports.
#[derive(Clone, Debug)]
pub struct Channel {
    prefix: String,
    valid: Port,
    ready: Port,
    fields: Vec<(Port, usize)>,
    limbs: usize,
}

/// The payload of one transfer: the limbs of all fields of the channel, side by side.
pub type Item = Box<[u64]>;

impl Channel {
    /// A stream into the device.
    pub fn input(ports: &Ports, prefix: &str) -> Result<Self, Error> {
        Channel::find(prefix, &ports.inputs, &ports.outputs)
    }

    /// A stream out of the device.
    pub fn output(ports: &Ports, prefix: &str) -> Result<Self, Error> {
        Channel::find(prefix, &ports.outputs, &ports.inputs)
    }

    fn find(prefix: &str, forward: &[Port], backward: &[Port]) -> Result<Self, Error> {
        let named = |ports: &[Port], name: &str| {
            let name = format!("{prefix}_{name}");
            ports.iter().find(|p| p.name == name).cloned().ok_or(Error::NoPort(name))
        };
        let (valid, ready) = (named(forward, "tvalid")?, named(backward, "tready")?);
        let mut limbs = 0;
        let mut place = |port: &Port| {
            let at = limbs;
            limbs += port.limbs();
            (port.clone(), at)
        };
        let start = format!("{prefix}_");
        let payload = forward.iter().filter(|p| p.name.starts_with(&start) && p.name != valid.name);
        let fields = payload.map(&mut place).collect();
        Ok(Channel { prefix: prefix.into(), valid, ready, fields, limbs })
    }

    /// Name of the stream.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Limbs of an [`Item`].
    pub fn limbs(&self) -> usize {
        self.limbs
    }

    /// Names (without the prefix) and widths of the payload.
    pub fn fields(&self) -> impl Iterator<Item = (&str, u32)> {
        self.fields.iter().map(|(port, _)| (&port.name[self.prefix.len() + 1..], port.width))
    }

    /// Width of a field and its place in an item.
    pub fn field(&self, name: &str) -> Result<(u32, std::ops::Range<usize>), Error> {
        let named = |(port, _): &&(Port, usize)| port.name[self.prefix.len() + 1..] == *name;
        let found = self.fields.iter().find(named).map(|(port, at)| (port.width, *at..at + port.limbs()));
        found.ok_or_else(|| Error::NoPort(format!("{}_{name}", self.prefix)))
    }

    /// All ports of the stream.
    pub fn ports(&self) -> impl Iterator<Item = &Port> {
        [&self.valid, &self.ready].into_iter().chain(self.fields.iter().map(|(port, _)| port))
    }

    /// `tvalid` in a row of the direction of the stream.
    pub fn valid(&self, row: &[u64]) -> bool {
        row[self.valid.offset] != 0
    }

    /// `tready` in a row of the other direction.
    pub fn ready(&self, row: &[u64]) -> bool {
        row[self.ready.offset] != 0
    }

    /// Writes `tvalid`.
    pub fn set_valid(&self, row: &mut [u64], on: bool) {
        row[self.valid.offset] = on as u64;
    }

    /// Writes `tready`.
    pub fn set_ready(&self, row: &mut [u64], on: bool) {
        row[self.ready.offset] = on as u64;
    }

    /// The ports of the payload.
    pub fn payload(&self) -> impl Iterator<Item = &Port> {
        self.fields.iter().map(|(port, _)| port)
    }

    /// The payload in a row.
    pub fn get(&self, row: &[u64]) -> Item {
        self.fields.iter().flat_map(|(port, _)| port.of(row).iter().copied()).collect()
    }

    /// Writes the payload.
    pub fn set(&self, row: &mut [u64], item: &[u64]) {
        for (port, at) in &self.fields {
            port.of_mut(row).copy_from_slice(&item[*at..at + port.limbs()]);
        }
    }

    /// The first field in which two items differ.
    pub fn difference(&self, a: &[u64], b: &[u64]) -> Option<&str> {
        let differs = |(port, at): &&(Port, usize)| a[*at..at + port.limbs()] != b[*at..at + port.limbs()];
        self.fields.iter().find(differs).map(|(port, _)| port.name.as_str())
    }
}
