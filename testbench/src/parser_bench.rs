// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames through the header parser, or another stage that frames pass through, whatever runs it.

use crate::random::Random;
use crate::record::Record;
use crate::stream::{Frame, Streams, beats, frames};
use crate::{Dut, Error, Ports};

/// Cycles without any transfer after which a device counts as stuck.
const PATIENCE: u64 = 10_000;

/// What the stage says of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Bit 0 of the verdict.
    pub drop: bool,
    /// Why: the code of the contract, 0 for none.
    pub reason: u8,
    /// The header record: all fields by name; none if the stage has no records.
    pub record: Record,
    /// The frame as it came out.
    pub bytes: Vec<u8>,
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
/// without bytes does not exist on the wire and is an error. A stage without `m_record` gives no records.
pub fn parse(dut: &mut dyn Dut, input: &[Frame], traffic: Traffic) -> Result<Vec<Outcome>, Error> {
    let ports = dut.ports().clone();
    let mut streams = Streams::new(&ports, Random::new(traffic.seed))
        .source("s_axis", |s| s.pause(traffic.stall))?
        .sink("m_axis", |s| s.pause(traffic.stall))?;
    let records = has_records(&ports);
    if records {
        streams = streams.sink("m_record", |s| s.pause(traffic.stall))?;
    }
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
        sinks[0].taken() >= sent && sinks.get(1).is_none_or(|records| records.taken() >= all)
    })?;
    // Whatever else comes would be too much.
    let end = streams.cycle() + 64;
    streams.run(dut, PATIENCE, |s| s.cycle() >= end)?;
    outcomes(&mut streams, input.len(), records)
}

/// Whether there is a record for every frame.
pub fn has_records(ports: &Ports) -> bool {
    ports.output("m_record_tvalid").is_some()
}

fn outcomes(streams: &mut Streams, count: usize, with_records: bool) -> Result<Vec<Outcome>, Error> {
    let sink = streams.sink_mut("m_axis")?;
    let output = frames(sink.channel(), sink.items())?;
    let records = match with_records {
        true => {
            let sink = streams.sink_mut("m_record")?;
            let channel = sink.channel();
            sink.items().iter().map(|item| Record::of_item(channel, item)).collect()
        }
        false => vec![Record::default(); output.len()],
    };
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
