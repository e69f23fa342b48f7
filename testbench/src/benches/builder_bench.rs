// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sends header records and payloads through the header builder, on any backend.

use crate::benches::parser_bench::Traffic;
use crate::device::random::Random;
use crate::device::{Dut, Error, Ports};
use crate::streams::record::{ANY, expected_ports};
use crate::streams::side_band::{self, Carrier};
use crate::streams::{Channel, Feed, Frame, Item, Streams, beats, frames};
use golden_vectors::headers::codec::Record;
use golden_vectors::{Case, Field};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Cycles without any transfer after which a device counts as stuck.
const PATIENCE: u64 = 10_000;

/// The inputs from which the builder makes one frame.
#[derive(Clone, Debug, Default)]
pub struct Building {
    /// The ports of the record by name: values, and which of their bits are defined. Bits that are not defined are
    /// random.
    pub ports: BTreeMap<String, Field>,
    /// The bytes after the headers, and whether their source found the frame bad (`user` bit 0). If empty, nothing
    /// follows the headers.
    pub rest: Frame,
}

impl Building {
    /// Makes the inputs from a record, the number of bytes of its payload, and the bytes after the headers: payload,
    /// ICRC, trailer.
    pub fn of(record: &Record, payload: usize, rest: Vec<u8>) -> Self {
        let mut fields = record.fields();
        if record.transport_name() != "none" {
            fields.insert("payload_length".to_owned(), Field::exact(payload as u128));
        }
        Self::of_fields(&fields, rest)
    }

    /// Makes the inputs from the fields of a record by name, and the bytes after the headers.
    pub fn of_fields(fields: &BTreeMap<String, Field>, rest: Vec<u8>) -> Self {
        let names = header_words().map(|(name, i)| format!("{name}_{i}")).chain(FLAGS.map(str::to_owned));
        let mut expected = expected_ports(fields);
        let of_port = |port: String| {
            let field = expected.remove(&port).unwrap_or(ANY);
            (port, field)
        };
        let mut ports: BTreeMap<_, _> = names.map(of_port).collect();
        // The version is not a field: a parser has already checked it, but a builder needs it.
        let version = match fields.get("l3").map(|field| field.value) {
            Some(1) => Some(4),
            Some(2) => Some(6),
            _ => None,
        };
        if let (Some(version), Some(word)) = (version, ports.get_mut("ip_0")) {
            (word.value, word.mask) = (word.value | version << 28, word.mask | 0xF << 28);
        }
        ports.insert("entropy_target".to_owned(), Field::exact(0));
        Building { ports, rest: Frame { bytes: rest, user: 0 } }
    }

    /// Number of defined bits of the headers. If it is the length of the headers, all of them are defined.
    pub fn header_bits(&self) -> u32 {
        let port = |name: &str| self.ports.get(name).copied().unwrap_or(ANY);
        let count = port("transport_words").value;
        // The type may be read from a word that is not removed as a header.
        let words = header_words().filter(|&(name, i)| name != "header" || (i as u128) < count);
        words.map(|(name, i)| port(&format!("{name}_{i}")).mask.count_ones()).sum()
    }

    /// Makes the inputs from a vector of the builder: the ports of its record, and the frame on `s_axis`.
    pub fn of_case(case: &Case) -> Self {
        Building { ports: case.record.clone(), rest: Frame { bytes: case.frame.clone(), user: case.bad_frame.into() } }
    }

    /// Makes the inputs from a record of a header parser.
    pub fn of_parsed(record: &crate::streams::record::Record, rest: Vec<u8>) -> Self {
        let ports = record.ports().map(|(name, value)| (name.to_owned(), Field::exact(value)));
        let kept = ("entropy_target".to_owned(), Field::exact(0));
        Building { ports: ports.chain([kept]).collect(), rest: Frame { bytes: rest, user: 0 } }
    }

    /// Sets the entropy and its target: see [`pipeline::frame::header_builder::entropy_target`].
    pub fn entropy(mut self, entropy: u64, into: u64) -> Self {
        self.ports.insert("entropy".to_owned(), Field::exact(entropy.into()));
        self.ports.insert("entropy_target".to_owned(), Field::exact(into.into()));
        self
    }

    /// Marks the frame as bad by its source.
    pub fn bad(mut self) -> Self {
        self.rest.user = 1;
        self
    }

    /// Makes the transfer on the record's stream. Bits that are not defined, including the side band, are random.
    pub(crate) fn item(&self, channel: &Channel, random: &mut Random) -> Item {
        let mut item = Vec::with_capacity(channel.limbs());
        for (port, width) in channel.fields() {
            let field = self.ports.get(port).copied().unwrap_or(ANY);
            if port == "has_payload" {
                item.push(u64::from(!self.rest.bytes.is_empty()));
                continue;
            }
            for at in (0..width).step_by(64) {
                let part = |bits: u128| bits.checked_shr(at).unwrap_or(0) as u64;
                let value = part(field.value & field.mask) | random.bits() & !part(field.mask);
                item.push(value & (u64::MAX >> (64 - (width - at).min(64))));
            }
        }
        item.into()
    }
}

/// Ports besides the header words: which headers there are, and the length of the packet.
const FLAGS: [&str; 8] =
    ["vlan_count", "l3", "transport", "uet_native", "has_mpeh", "ip_slack", "payload_length", "transport_words"];

/// The ports that hold the words of headers.
fn header_words() -> impl Iterator<Item = (&'static str, usize)> {
    let words = [("ethernet", 6), ("ip", 10), ("udp", 2), ("mpeh", 2), ("header", 11)];
    words.into_iter().flat_map(|(name, count)| (0..count).map(move |i| (name, i)))
}

/// An output of the builder.
#[derive(Clone, Debug)]
pub struct Built {
    /// The frame as it came out.
    pub frame: Frame,
    /// The first beat whose side band differs from that of the record.
    pub stray: Option<String>,
}

/// Sends all inputs and waits for the frames, in their order. A frame with another side band than its record is an
/// error.
pub fn build(dut: &mut dyn Dut, input: &[Building], traffic: Traffic) -> Result<Vec<Frame>, Error> {
    let frame = |(index, Built { frame, stray }): (usize, Built)| match stray {
        Some(what) => Err(Error::Protocol(format!("frame {index}, {what}"))),
        None => Ok(frame),
    };
    build_all(dut, input, traffic)?.into_iter().enumerate().map(frame).collect()
}

/// Sends all inputs and waits for the frames. Returns also the differences of the side band.
pub fn build_all(dut: &mut dyn Dut, input: &[Building], traffic: Traffic) -> Result<Vec<Built>, Error> {
    let ports = dut.ports().clone();
    let mut streams = Streams::new(&ports, Random::new(traffic.seed))
        .source("s_record", |s| s.pause(traffic.stall))?
        .source("s_axis", |s| s.pause(traffic.stall))?
        .sink("m_axis", |s| s.pause(traffic.stall))?;
    let mut random = Random::new(traffic.seed);
    let records = streams.source_mut("s_record")?;
    let items: Vec<_> = input.iter().map(|building| building.item(records.channel(), &mut random)).collect();
    let side_band = side_band::of_ports(&ports);
    let carrier = Carrier::of(records.channel(), side_band)?;
    let along: Vec<_> = items.iter().map(|item| carrier.get(item)).collect();
    records.send(items);
    let rests = streams.source_mut("s_axis")?;
    for building in input {
        let items = beats(rests.channel(), &building.rest)?;
        rests.send(items);
    }
    let last = streams.sink_mut("m_axis")?.channel().field("tlast")?.1.start;
    let (mut seen, mut ended) = (0, 0);
    streams.run(dut, PATIENCE, |s| {
        let items = s.parts().1[0].items();
        ended += items[seen..].iter().filter(|item| item[last] != 0).count();
        seen = items.len();
        ended >= input.len()
    })?;
    // Waits for surplus outputs.
    let end = streams.cycle() + 64;
    streams.run(dut, PATIENCE, |s| s.cycle() >= end)?;
    let sink = streams.sink_mut("m_axis")?;
    let output = frames(sink.channel(), sink.items())?;
    let of_beat = |frame: usize, _| along.get(frame).cloned();
    let strays = side_band::strays(sink.channel(), side_band, sink.items(), of_beat)?;
    if output.len() != input.len() {
        return Err(Error::Protocol(format!("{} records went in, {} frames came out", input.len(), output.len())));
    }
    Ok(output.into_iter().zip(strays).map(|(frame, stray)| Built { frame, stray }).collect())
}

/// The streams of a header builder, which repeat the same records and payloads. `stall` is the probability of a pause
/// on every stream, `reset` that of a reset in a cycle.
pub fn builder_streams(
    ports: &Ports,
    input: Vec<Building>,
    stall: f64,
    reset: f64,
    seed: u64,
) -> Result<Streams, Error> {
    let input: Rc<[Building]> = input.into();
    let (records, rests) = (input.clone(), input);
    let mut turn = (0..records.len()).cycle();
    let record: Feed =
        Box::new(move |channel, random| turn.next().map(|at| records[at].item(channel, random)).into_iter().collect());
    let mut turn = (0..rests.len()).cycle();
    let rest: Feed = Box::new(move |channel, _| {
        let next = turn.by_ref().take(rests.len()).find(|&at| !rests[at].rest.bytes.is_empty());
        next.and_then(|at| beats(channel, &rests[at].rest).ok()).unwrap_or_default()
    });
    let streams = Streams::new(ports, Random::new(seed))
        .source("s_record", |s| s.pause(stall).feed(record))?
        .source("s_axis", |s| s.pause(stall).feed(rest))?
        .sink("m_axis", |s| s.pause(stall).discard())?;
    Ok(streams.reset(reset))
}
