// SPDX-License-Identifier: MIT OR Apache-2.0
//! Drives a receive path (`rx`): frames and commands go in; frames, their records, deliveries and answers come out.

mod ends;
mod transfers;

pub use transfers::{Command, Delivered, Endpoints, Identified, Response, Undelivered};

use crate::benches::parser_bench::Traffic;
use crate::device::drive::Drive;
use crate::device::random::Random;
use crate::device::{Dut, Error, Ports};
use crate::streams::record::{Reader, Record};
use crate::streams::{Channel, Frame, Item, Sink, Streams, beats, frames};
use ends::Ends;
use rtl_model::netlist::interfaces::Direction;

/// The outputs that are taken, in the order of the sinks, if the device names the frames in order and if it delivers them.
const SINKS: &[&str] = &["m_axis", "m_record", "delivery", "m_answer", "undelivered"];
const SINKS_OF_FRAMES: &[&str] = &["m_axis", "m_record", "m_delivery", "m_answer"];
const FRAMES: usize = 0;
const RECORDS: usize = 1;
const DELIVERIES: usize = 2;
const ANSWERS: usize = 3;
const UNDELIVERED: usize = 4;
/// Levels that a driver holds at 0: the settings stay as they are after reset, and no sender is to slow down.
pub(crate) const HELD: [&str; 5] =
    ["reorder_settings_valid", "ack_generator_settings_valid", "answer_settings_valid", "pressure", "refusal_ready"];
/// Clock cycles within which a command is done and the tables are swept.
const PATIENCE: u64 = 1 << 22;

/// A receive path under traffic.
pub struct RxBench {
    ports: Ports,
    streams: Streams,
    outputs: Vec<u64>,
    inputs: Vec<u64>,
    /// Levels that are held, with their values.
    held: Vec<(usize, u64)>,
    /// Inputs of the next clock cycle alone, with their values.
    once: Vec<(usize, u64)>,
    /// Clock cycles without any transfer.
    quiet: u64,
    moved: u64,
    /// When packets were delivered.
    deliveries: Ends,
    /// When answers left.
    answers: Ends,
    /// When records left, and when frames were named that are never delivered.
    records: Ends,
    undelivered: Option<Ends>,
}

impl RxBench {
    /// Resets the device and waits until its tables are swept. `pause` gives the probability of a pause for each stream by its name.
    pub fn new(dut: &mut dyn Dut, seed: u64, pause: impl Fn(&str) -> f64) -> Result<Self, Error> {
        let ports = dut.ports().clone();
        let mut streams = Streams::new(&ports, Random::new(seed))
            .source("s_axis", |source| source.pause(pause("s_axis")))?
            .source("command", |source| source)?;
        for name in sinks(&ports) {
            streams = streams.sink(name, |sink| sink.pause(pause(name)))?;
        }
        let ends = |which: usize| Ends::of(streams.parts().1[which].channel());
        let (deliveries, answers, records) = (ends(DELIVERIES), ends(ANSWERS), ends(RECORDS));
        let undelivered = (!holds_frames(&ports)).then(|| ends(UNDELIVERED));
        let held = HELD.iter().filter_map(|name| ports.input(name)).map(|port| (port.offset, 0)).collect();
        let (outputs, inputs) = (vec![0; ports.output_limbs()], vec![0; ports.input_limbs()]);
        dut.clock(true, &inputs);
        let (once, quiet, moved) = (Vec::new(), 0, 0);
        let mut bench = RxBench {
            ports,
            streams,
            outputs,
            inputs,
            held,
            once,
            quiet,
            moved,
            deliveries,
            answers,
            records,
            undelivered,
        };
        for _ in 0..PATIENCE {
            bench.clock(dut)?;
            if bench.output("busy")? == 0 {
                return Ok(bench);
            }
        }
        Err(Error::Protocol("the tables are never swept".to_owned()))
    }

    /// A bench whose streams all pause in the same way.
    pub fn of_traffic(dut: &mut dyn Dut, traffic: Traffic) -> Result<Self, Error> {
        Self::new(dut, traffic.seed, |_| traffic.stall)
    }

    fn output(&self, name: &str) -> Result<u64, Error> {
        let port = self.ports.output(name).ok_or_else(|| Error::NoPort(name.to_owned()))?;
        Ok(self.outputs[port.offset])
    }

    fn clock(&mut self, dut: &mut dyn Dut) -> Result<(), Error> {
        dut.outputs(&mut self.outputs);
        if let Some(error) = dut.failure() {
            return Err(error);
        }
        self.streams.drive(&self.outputs, &mut self.inputs);
        for (at, value) in &self.held {
            self.inputs[*at] = *value;
        }
        for (at, value) in self.once.drain(..) {
            self.inputs[at] = value;
        }
        dut.clock(false, &self.inputs);
        self.streams.finish()?;
        let (sources, sinks) = self.streams.parts();
        self.deliveries.clock(&sinks[DELIVERIES], self.streams.cycle());
        self.answers.clock(&sinks[ANSWERS], self.streams.cycle());
        self.records.clock(&sinks[RECORDS], self.streams.cycle());
        if let Some(undelivered) = &mut self.undelivered {
            undelivered.clock(&sinks[UNDELIVERED], self.streams.cycle());
        }
        let taken = sources.iter().map(|source| source.taken()).chain(sinks.iter().map(Sink::taken)).sum();
        let done = sources.iter().all(|source| source.is_done());
        self.quiet = if self.moved == taken && done { self.quiet + 1 } else { 0 };
        self.moved = taken;
        Ok(())
    }

    /// Number of clock cycles since reset.
    pub fn cycle(&self) -> u64 {
        self.streams.cycle()
    }

    /// Sends frames, each with the mark of the MAC, after those that wait. A frame without bytes is an error.
    pub fn send(&mut self, sent: &[Frame]) -> Result<(), Error> {
        let source = self.streams.source_mut("s_axis")?;
        for frame in sent {
            let items = beats(source.channel(), frame)?;
            if items.is_empty() {
                return Err(Error::Protocol("a frame is empty".to_owned()));
            }
            source.send(items);
        }
        Ok(())
    }

    /// How likely an output is not taken, from now on.
    pub fn pause(&mut self, stream: &str, pause: f64) -> Result<(), Error> {
        self.streams.sink_mut(stream)?.set_pause(pause);
        Ok(())
    }

    /// Settings of `reorder` or `ack_generator` in one clock cycle. There must be a value for each that the device has.
    pub fn settings(&mut self, dut: &mut dyn Dut, stage: &str, values: &[(&str, u64)]) -> Result<(), Error> {
        let prefix = format!("{stage}_settings_");
        for port in &self.ports.inputs {
            if let Some(field) = port.name.strip_prefix(&prefix) {
                let of = values.iter().chain([&("valid", 1)]).find(|(name, _)| *name == field);
                let (_, value) = of.ok_or_else(|| Error::Protocol(format!("no value for {}", port.name)))?;
                self.once.push((port.offset, *value));
            }
        }
        if self.once.is_empty() {
            return Err(Error::NoPort(format!("{prefix}valid")));
        }
        self.clock(dut)
    }

    /// Holds an input at a level from now on.
    pub fn hold(&mut self, name: &str, value: u64) -> Result<(), Error> {
        let at = self.ports.input(name).ok_or_else(|| Error::NoPort(name.to_owned()))?.offset;
        self.held.retain(|(held, _)| *held != at);
        self.held.push((at, value));
        Ok(())
    }

    /// So many clock cycles.
    pub fn run(&mut self, dut: &mut dyn Dut, cycles: u64) -> Result<(), Error> {
        (0..cycles).try_for_each(|_| self.clock(dut))
    }

    /// Gives a command and waits for its response.
    pub fn command(&mut self, dut: &mut dyn Dut, command: Command) -> Result<Response, Error> {
        let source = self.streams.source_mut("command")?;
        let channel = source.channel();
        let mut item = vec![0; channel.limbs()].into_boxed_slice();
        let Command { op, connection, key, psn, bidirectional, multipath, peer, ends } = command;
        for (name, value) in [("op", op), ("connection", connection), ("key", key), ("psn", psn)] {
            item[channel.field(name)?.1.start] = value;
        }
        // Receivers of the one protocol have some of these.
        let some = [("bidirectional", bidirectional.into()), ("multipath", multipath.into()), ("peer", peer)];
        let some = some.map(|(name, value)| (name.to_owned(), value));
        for (name, value) in some.into_iter().chain(Endpoints::fields(ends)) {
            if let Ok((_, at)) = channel.field(&name) {
                item[at.start] = value;
            }
        }
        source.send([item]);
        let end = self.cycle() + PATIENCE;
        while self.cycle() < end {
            self.clock(dut)?;
            if self.output("response_valid")? == 1 {
                if (self.output("response_op")?, self.output("response_connection")?) != (op, connection) {
                    return Err(Error::Protocol(format!("another response than that to {command:?}")));
                }
                return Ok(Response {
                    done: self.output("response_done")? == 1,
                    key_refused: self.output("response_key_refused")? == 1,
                    expected: self.output("response_expected")?,
                    held: self.output("response_held")?,
                    reordered: self.output("response_reordered")?,
                    depth: self.output("response_depth")?,
                    owes: self.output("response_owes")? == 1,
                    refused: ["cause", "psn"]
                        .map(|field| self.output(&format!("response_refused_{field}")).unwrap_or(0))
                        .into(),
                });
            }
        }
        Err(Error::Protocol(format!("no response to {command:?}")))
    }

    /// Runs until the device has taken all frames.
    pub fn until_sent(&mut self, dut: &mut dyn Dut) -> Result<(), Error> {
        let (mut last, mut since) = (self.moved, self.cycle());
        while !self.streams.source_mut("s_axis")?.is_done() {
            self.clock(dut)?;
            if self.moved != last {
                (last, since) = (self.moved, self.cycle());
            } else if self.cycle() - since > PATIENCE {
                return Err(Error::Protocol(format!("cycle {}: frames are not taken", self.cycle())));
            }
        }
        Ok(())
    }

    /// Runs until everything sent has been taken and nothing has moved for `quiet` clock cycles.
    pub fn until_idle(&mut self, dut: &mut dyn Dut, quiet: u64) -> Result<(), Error> {
        self.until_sent(dut)?;
        self.quiet = 0;
        while self.quiet < quiet {
            self.clock(dut)?;
        }
        dut.outputs(&mut self.outputs);
        Ok(())
    }

    /// Forgets all that has left so far, for traffic without end. No frame may be on its way.
    pub fn forget(&mut self) -> Result<(), Error> {
        for name in sinks(&self.ports) {
            self.streams.sink_mut(name)?.take();
        }
        self.deliveries.forget();
        self.answers.forget();
        self.records.forget();
        self.undelivered.iter_mut().for_each(Ends::forget);
        Ok(())
    }

    fn sink(&self, which: usize) -> (&Channel, &[Item]) {
        let sink = &self.streams.parts().1[which];
        (sink.channel(), sink.items())
    }

    /// The frames that have left on `m_axis`.
    pub fn frames(&self) -> Result<Vec<Frame>, Error> {
        let (channel, items) = self.sink(FRAMES);
        frames(channel, items)
    }

    /// Their header records.
    pub fn records(&self) -> impl Iterator<Item = Record> {
        let (channel, items) = self.sink(RECORDS);
        let mut reader = Reader::new(channel);
        items.iter().map(move |item| reader.read(item))
    }

    /// The device delivers frames, so that there are records and frames on `m_axis` of those only that have no place in an order.
    pub fn holds_frames(&self) -> bool {
        holds_frames(&self.ports)
    }

    /// What stood beside their records.
    pub fn identified(&self) -> Result<Vec<Identified>, Error> {
        if self.holds_frames() {
            let fields = self.fields(RECORDS, ["found", "connection"])?;
            let of = |[found, connection]: [u64; 2]| Identified {
                in_sequence: false,
                found: found == 1,
                connection,
                handle: 0,
            };
            return Ok(fields.map(of).collect());
        }
        let fields = self.fields(RECORDS, ["in_sequence", "found", "connection", "handle"])?;
        let of = |[in_sequence, found, connection, handle]: [u64; 4]| Identified {
            in_sequence: in_sequence == 1,
            found: found == 1,
            connection,
            handle,
        };
        Ok(fields.map(of).collect())
    }

    /// The frames that have been delivered, each with its connection and its PSN, which stand beside all of its beats.
    pub fn delivered_frames(&self) -> Result<Vec<(u64, u64, Vec<u8>)>, Error> {
        let (channel, items) = self.sink(DELIVERIES);
        let beat_bytes = channel.field("tkeep")?.0 as usize;
        let mut beside = self.fields(DELIVERIES, ["delivery_connection", "delivery_psn"])?;
        let mut delivered = Vec::new();
        for frame in frames(channel, items)? {
            let beats: Vec<_> = beside.by_ref().take(frame.bytes.len().div_ceil(beat_bytes)).collect();
            let [connection, psn] = beats[0];
            if beats.iter().any(|beat| *beat != beats[0]) {
                return Err(Error::Protocol(format!("PSN {psn}: its beats are of different packets")));
            }
            delivered.push((connection, psn, frame.bytes));
        }
        Ok(delivered)
    }

    /// The clock cycles in which packets or frames have been delivered, those of their last beats.
    pub fn delivery_cycles(&self) -> &[u64] {
        &self.deliveries.cycles
    }

    /// The packets that have been delivered.
    pub fn delivered(&self) -> Result<Vec<Delivered>, Error> {
        let fields = self.fields(DELIVERIES, ["connection", "psn", "handle"])?;
        Ok(fields.map(|[connection, psn, handle]| Delivered { connection, psn, handle }).collect())
    }

    /// The frames that are never delivered.
    pub fn undelivered(&self) -> Result<Vec<Undelivered>, Error> {
        let fields = self.fields(UNDELIVERED, ["connection", "handle", "cause"])?;
        Ok(fields.map(|[connection, handle, cause]| Undelivered { connection, handle, cause }).collect())
    }

    /// The clock cycles in which they have been named, and those in which records have been taken.
    pub fn undelivered_cycles(&self) -> (&[u64], &[u64]) {
        (self.undelivered.as_ref().map_or(&[], |ends| &ends.cycles), &self.records.cycles)
    }

    /// Narrow fields of all transfers of an output.
    fn fields<const N: usize>(&self, which: usize, names: [&str; N]) -> Result<impl Iterator<Item = [u64; N]>, Error> {
        let (channel, items) = self.sink(which);
        let mut places = [0; N];
        for (place, name) in places.iter_mut().zip(names) {
            *place = channel.field(name)?.1.start;
        }
        Ok(items.iter().map(move |item| places.map(|at| item[at])))
    }

    /// The frames that answer, each with the clock cycle of its last beat.
    pub fn answers(&self) -> Result<Vec<(u64, Frame)>, Error> {
        let (channel, items) = self.sink(ANSWERS);
        Ok(self.answers.cycles.iter().copied().zip(frames(channel, items)?).collect())
    }

    /// A counter, if the device has it.
    pub fn count(&self, name: &str) -> Option<u64> {
        self.output(name).ok()
    }
}

/// The outputs that are taken.
fn sinks(ports: &Ports) -> &'static [&'static str] {
    if holds_frames(ports) { SINKS_OF_FRAMES } else { SINKS }
}

pub(crate) fn holds_frames(ports: &Ports) -> bool {
    ports.interface("m_delivery", Direction::Out).is_some()
}
