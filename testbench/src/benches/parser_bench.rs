// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sends frames through the header parser, or through another stage that frames pass through, on any backend.

use crate::device::random::Random;
use crate::device::{Dut, Error, Ports};
use crate::streams::record::{Reader, Record};
use crate::streams::side_band::{self, Carrier, SideBandStimulus};
use crate::streams::{Frame, Streams, beats, frames};
use pipeline::headers::side_band::SideBand;
use rtl_model::netlist::interfaces::Direction;

/// Cycles without any transfer after which a device counts as stuck.
const PATIENCE: u64 = 10_000;

/// The output of the stage for one frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The verdict, bit 0: the frame is to be dropped.
    pub drop: bool,
    /// The reason, as a code of the contract; 0 for none.
    pub reason: u8,
    /// The header record with all fields by name; empty if the stage has no records.
    pub record: Record,
    /// The frame as it came out.
    pub bytes: Vec<u8>,
    /// The first difference between the side band at the input and at the output, if there is one.
    pub stray: Option<String>,
}

/// How the frames are sent.
#[derive(Clone, Copy, Debug)]
pub struct Traffic {
    /// The probability of a pause in every cycle of every stream.
    pub stall: f64,
    /// The seed of the pauses.
    pub seed: u64,
}

impl Default for Traffic {
    fn default() -> Self {
        Traffic { stall: 0.0, seed: 1 }
    }
}

/// Is combined with every seed, so that the side band has its own random numbers.
pub(crate) const SIDE_BAND: u64 = 0x51DE;

/// Sends all frames (`user` bit 0: the MAC marked it as bad) and waits for their outputs, in their order. A frame
/// without bytes does not exist on the wire and is an error. A stage without `m_record` gives no records. The side band
/// is random.
pub fn parse(dut: &mut dyn Dut, input: &[Frame], traffic: Traffic) -> Result<Vec<Outcome>, Error> {
    parse_with_side_band(dut, input, |_| None, traffic)
}

/// Sends all frames as [`parse`] does, with the side band that `given` returns for a frame by its index: one entry per
/// beat, repeated if the frame has more beats.
pub fn parse_with_side_band(
    dut: &mut dyn Dut,
    input: &[Frame],
    given: impl Fn(usize) -> Option<Vec<SideBandStimulus>>,
    traffic: Traffic,
) -> Result<Vec<Outcome>, Error> {
    let ports = dut.ports().clone();
    let mut streams = Streams::new(&ports, Random::new(traffic.seed))
        .source("s_axis", |s| s.pause(traffic.stall))?
        .sink("m_axis", |s| s.pause(traffic.stall))?;
    let records = has_records(&ports);
    if records {
        streams = streams.sink("m_record", |s| s.pause(traffic.stall))?;
    }
    let source = streams.source_mut("s_axis")?;
    let side_band = side_band::of_ports(&ports);
    let carrier = Carrier::of(source.channel(), side_band)?;
    let mut random = Random::new(traffic.seed ^ SIDE_BAND);
    let (mut sent, mut along) = (0, Vec::with_capacity(input.len()));
    for (index, frame) in input.iter().enumerate() {
        let mut items = beats(source.channel(), frame)?;
        if items.is_empty() {
            return Err(Error::Protocol(format!("frame {index} is empty")));
        }
        sent += items.len() as u64;
        let drawn = side_band::draw(side_band, items.len(), &mut random);
        let beats = match given(index) {
            Some(given) => given.into_iter().cycle().take(items.len()).collect(),
            None => drawn,
        };
        items.iter_mut().zip(&beats).for_each(|(item, along)| carrier.put(item, along));
        along.push(beats);
        source.send(items);
    }
    let all = input.len() as u64;
    streams.run(dut, PATIENCE, |s| {
        let (_, sinks) = s.parts();
        sinks[0].taken() >= sent && sinks.get(1).is_none_or(|records| records.taken() >= all)
    })?;
    // Waits for surplus outputs.
    let end = streams.cycle() + 64;
    streams.run(dut, PATIENCE, |s| s.cycle() >= end)?;
    outcomes(&mut streams, &along, records, side_band)
}

/// Whether the device has a header record for every frame.
pub fn has_records(ports: &Ports) -> bool {
    ports.interface("m_record", Direction::Out).is_some()
}

/// Collects the outputs. `along` is the side band of each beat of each frame.
fn outcomes(
    streams: &mut Streams,
    along: &[Vec<SideBandStimulus>],
    with_records: bool,
    side_band: SideBand,
) -> Result<Vec<Outcome>, Error> {
    let count = along.len();
    let sink = streams.sink_mut("m_axis")?;
    let output = frames(sink.channel(), sink.items())?;
    let of_beat = |frame: usize, beat: usize| along.get(frame)?.get(beat).cloned();
    let mut strays = side_band::strays(sink.channel(), side_band, sink.items(), of_beat)?;
    let records = match with_records {
        true => {
            let sink = streams.sink_mut("m_record")?;
            let channel = sink.channel();
            let carrier = Carrier::of(channel, side_band)?;
            for ((stray, item), along) in strays.iter_mut().zip(sink.items()).zip(along) {
                let first = along.first().and_then(|along| side_band::difference(along, &carrier.get(item)));
                *stray = stray.take().or(first.map(|what| format!("m_record_{what}")));
            }
            let mut reader = Reader::new(channel);
            sink.items().iter().map(|item| reader.read(item)).collect()
        }
        false => vec![Record::default(); output.len()],
    };
    if output.len() != count || records.len() != count {
        let what = format!("{count} frames went in, {} and {} records came out", output.len(), records.len());
        return Err(Error::Protocol(what));
    }
    let outcome = |((frame, record), stray): ((Frame, Record), Option<String>)| Outcome {
        drop: frame.user & 1 == 1,
        reason: (frame.user >> 1 & 0xf) as u8,
        record,
        bytes: frame.bytes,
        stray,
    };
    Ok(output.into_iter().zip(records).zip(strays).map(outcome).collect())
}
