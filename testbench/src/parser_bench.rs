// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames through the header parser, whatever runs it.

use crate::random::Random;
use crate::stream::{Channel, Frame, Item, Streams, beats, frames};
use crate::{Dut, Error};
use std::collections::BTreeMap;

/// Cycles without any transfer after which a device counts as stuck.
const PATIENCE: u64 = 10_000;

/// What the parser says of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Bit 0 of the verdict.
    pub drop: bool,
    /// Why: the code of the contract, 0 for none.
    pub reason: u8,
    /// The header record: all fields by name.
    pub record: Record,
    /// The frame as it came out.
    pub bytes: Vec<u8>,
}

/// A header record: all fields by name, whether or not the frame has them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record(BTreeMap<String, u128>);

impl Record {
    /// The field; `None` if the hardware has none of that name.
    pub fn field(&self, name: &str) -> Option<u128> {
        self.0.get(name).copied()
    }

    /// The field, 0 if there is none.
    pub fn get(&self, name: &str) -> u128 {
        self.field(name).unwrap_or(0)
    }

    fn of_item(channel: &Channel, item: &Item) -> Result<Self, Error> {
        let mut fields = BTreeMap::new();
        for (name, width) in channel.fields() {
            if width > 128 {
                return Err(Error::Protocol(format!("record field `{name}` has {width} bits, at most 128 are known")));
            }
            let (_, range) = channel.field(name)?;
            let value = item[range].iter().rev().fold(0u128, |value, &limb| value << 64 | limb as u128);
            fields.insert(name.to_owned(), value);
        }
        Ok(Record(fields))
    }
}

/// How frames are sent.
#[derive(Clone, Copy, Debug)]
pub struct Traffic {
    /// The probability of a pause in every cycle of every stream.
    pub stall: f64,
    /// Of the pauses.
    pub seed: u64,
}

impl Default for Traffic {
    fn default() -> Self {
        Traffic { stall: 0.0, seed: 1 }
    }
}

/// Sends all frames (`user` bit 0: the MAC found it bad) and waits for what comes of them, in their order. A frame
/// without bytes does not exist on the wire and is an error.
pub fn parse(dut: &mut dyn Dut, input: &[Frame], traffic: Traffic) -> Result<Vec<Outcome>, Error> {
    let ports = dut.ports().clone();
    let mut streams = Streams::new(&ports, Random::new(traffic.seed))
        .source("s_axis", |s| s.pause(traffic.stall))?
        .sink("m_axis", |s| s.pause(traffic.stall))?
        .sink("m_record", |s| s.pause(traffic.stall))?;
    let source = streams.source_mut("s_axis")?;
    let mut sent = 0;
    for (index, frame) in input.iter().enumerate() {
        let items = beats(source.channel(), frame)?;
        if items.is_empty() {
            return Err(Error::Protocol(format!("frame {index} is empty")));
        }
        sent += items.len() as u64;
        source.send(items);
    }
    let all = input.len() as u64;
    streams.run(dut, PATIENCE, |s| {
        let (_, sinks) = s.parts();
        sinks[0].taken() >= sent && sinks[1].taken() >= all
    })?;
    // Whatever else comes would be too much.
    let end = streams.cycle() + 64;
    streams.run(dut, PATIENCE, |s| s.cycle() >= end)?;
    outcomes(&mut streams, input.len())
}

fn outcomes(streams: &mut Streams, count: usize) -> Result<Vec<Outcome>, Error> {
    let sink = streams.sink_mut("m_axis")?;
    let output = frames(sink.channel(), sink.items())?;
    let sink = streams.sink_mut("m_record")?;
    let channel = sink.channel();
    let records = sink.items().iter().map(|item| Record::of_item(channel, item)).collect::<Result<Vec<_>, _>>()?;
    if output.len() != count || records.len() != count {
        let what = format!("{count} frames went in, {} and {} records came out", output.len(), records.len());
        return Err(Error::Protocol(what));
    }
    let outcome = |(frame, record): (Frame, Record)| Outcome {
        drop: frame.user & 1 == 1,
        reason: (frame.user >> 1 & 0xf) as u8,
        record,
        bytes: frame.bytes,
    };
    Ok(output.into_iter().zip(records).map(outcome).collect())
}
