// SPDX-License-Identifier: MIT OR Apache-2.0
//! The streams of a group and their ports on a device.

use crate::device::random::Random;
use crate::device::{Error, Port, Ports};
use golden_vectors::schema::timed::{Column, Streams};
use rtl_model::netlist::interfaces::{Direction, Interface};

/// The greatest width of a column, in bits.
const WIDEST: u32 = 64;
/// The field whose highest bits are the side band, which vectors do not contain.
const USER: &str = "tuser";

/// A stream of a group: an interface with a valid, and a field for each column.
pub struct Lane {
    pub name: String,
    pub valid: Port,
    /// The ready, which is a port of the other direction, if the interface has one.
    pub ready: Option<Port>,
    pub columns: Vec<(String, Port)>,
}

/// Finds the streams of a direction.
pub fn all(streams: &Streams, ports: &Ports, direction: Direction) -> Result<Vec<Lane>, Error> {
    let lane = |(name, columns): (&String, &Vec<Column>)| {
        let no_stream = || Error::NoStream(name.clone());
        let interface = ports.interface(name, direction).ok_or_else(no_stream)?;
        let valid = ports.port(interface.valid().ok_or_else(no_stream)?, direction)?.clone();
        let ready = interface.ready().map(|pin| ports.port(pin, direction.other())).transpose()?.cloned();
        let port = |column: &Column| Ok((column.name.clone(), port_of(column, interface, ports)?.clone()));
        let columns = columns.iter().map(port).collect::<Result<_, Error>>()?;
        Ok(Lane { name: name.clone(), valid, ready, columns })
    };
    streams.iter().map(lane).collect()
}

/// Finds the port of a column. It must have the width of the column; but a column may be the lowest bits of a port with
/// a side band, or of a port that is wider than any column.
fn port_of<'a>(column: &Column, interface: &Interface, ports: &'a Ports) -> Result<&'a Port, Error> {
    let Column { name, width } = column;
    let no_port = || Error::NoPort(format!("{}_{name}", interface.name));
    let port = ports.field(&interface.name, interface.direction, name).ok_or_else(no_port)?;
    let lowest = name == USER || *width == WIDEST;
    match port.width == *width || lowest && port.width > *width {
        true => Ok(port),
        false => Err(Error::Protocol(format!("{} has {} bits, not {width}", port.name, port.width))),
    }
}

/// Finds an input by name.
pub fn input<'a>(ports: &'a Ports, name: &str) -> Result<&'a Port, Error> {
    ports.input(name).ok_or_else(|| Error::NoPort(name.to_owned()))
}

/// Finds an output by name.
pub fn output<'a>(ports: &'a Ports, name: &str) -> Result<&'a Port, Error> {
    ports.output(name).ok_or_else(|| Error::NoPort(name.to_owned()))
}

impl Lane {
    /// The names of the columns.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(name, _)| name.as_str())
    }

    /// Returns the cycle and the values if the stream is valid in this cycle.
    pub fn read(&self, cycle: u64, outputs: &[u64]) -> Option<Vec<u64>> {
        let values = self.columns.iter().map(|(_, port)| outputs[port.offset]);
        (outputs[self.valid.offset] == 1).then(|| [cycle].into_iter().chain(values).collect())
    }

    /// Writes these values as valid.
    pub fn write(&self, values: &[u64], row: &mut [u64]) {
        row[self.valid.offset] = 1;
        for ((_, port), &value) in self.columns.iter().zip(values) {
            row[port.offset] = value;
        }
    }

    /// Writes random values, either valid or not.
    pub fn randomize_idle(&self, valid: bool, row: &mut [u64], random: &mut Random) {
        row[self.valid.offset] = valid as u64;
        for (_, port) in &self.columns {
            row[port.offset] = random.bits() & port.mask(0);
        }
    }
}
