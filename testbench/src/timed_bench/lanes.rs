// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the streams of a group lie among the ports of a device.

use crate::random::Random;
use crate::{Error, Port, Ports};
use golden_vectors::schema::timed::Streams;

/// Most bits of a column.
const WIDEST: u32 = 64;

/// A stream: `NAME_valid`, or `NAME_tvalid`, and a port for each column. Behind `NAME_tvalid` are beats and records, whose
/// columns may be the lowest bits of wider ports. So may a column of as many bits as a column can have.
pub struct Lane {
    pub name: String,
    pub valid: Port,
    pub columns: Vec<(String, Port)>,
}

/// The streams of a direction.
pub fn all(streams: &Streams, ports: &[Port]) -> Result<Vec<Lane>, Error> {
    let find = |name: String| ports.iter().find(|port| port.name == name).cloned().ok_or(Error::NoPort(name));
    let lane = |(name, columns): (&String, &Vec<_>)| {
        let beats = find(format!("{name}_tvalid")).ok();
        let column = |column: &golden_vectors::schema::timed::Column| {
            let port = find(format!("{name}_{}", column.name))?;
            let lowest = beats.is_some() || column.width == WIDEST;
            match port.width == column.width || lowest && port.width > column.width {
                true => Ok((column.name.clone(), port)),
                false => Err(Error::Protocol(format!("{} has {} bits, not {}", port.name, port.width, column.width))),
            }
        };
        let columns = columns.iter().map(column).collect::<Result<_, _>>()?;
        let valid = match &beats {
            Some(valid) => valid.clone(),
            None => find(format!("{name}_valid"))?,
        };
        Ok(Lane { name: name.clone(), valid, columns })
    };
    streams.iter().map(lane).collect()
}

/// An input outside the streams.
pub fn input<'a>(ports: &'a Ports, name: &str) -> Result<&'a Port, Error> {
    ports.input(name).ok_or_else(|| Error::NoPort(name.to_owned()))
}

/// An output outside the streams.
pub fn output<'a>(ports: &'a Ports, name: &str) -> Result<&'a Port, Error> {
    ports.output(name).ok_or_else(|| Error::NoPort(name.to_owned()))
}

impl Lane {
    /// The names of the columns.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(name, _)| name.as_str())
    }

    /// What is valid in this cycle.
    pub fn read(&self, cycle: u64, outputs: &[u64]) -> Option<Vec<u64>> {
        let values = self.columns.iter().map(|(_, port)| outputs[port.offset]);
        (outputs[self.valid.offset] == 1).then(|| [cycle].into_iter().chain(values).collect())
    }

    /// These values are valid.
    pub fn write(&self, values: &[u64], row: &mut [u64]) {
        row[self.valid.offset] = 1;
        for ((_, port), &value) in self.columns.iter().zip(values) {
            row[port.offset] = value;
        }
    }

    /// Any values, valid or not.
    pub fn randomize_idle(&self, valid: bool, row: &mut [u64], random: &mut Random) {
        row[self.valid.offset] = valid as u64;
        for (_, port) in &self.columns {
            row[port.offset] = random.bits() & port.mask(0);
        }
    }
}
