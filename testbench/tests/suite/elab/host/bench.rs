// SPDX-License-Identifier: MIT OR Apache-2.0
//! Drives the ELAB layer of a host, one clock cycle at a time.

use super::wire::Packet;
use testbench::device::drive::Drive;
use testbench::device::random::Random;
use testbench::streams::{Channel, Frame, Item, Streams, beats, frames};
use testbench::{Dut, Ports};

const SOURCES: [&str; 5] = ["s_axis", "packet", "s_axis_packet", "command", "elab_scheduler_command"];
const SINKS: [&str; 3] = ["m_axis", "m_record", "m_axis_packet"];
const RECEIVED: usize = 0;
const RECORDS: usize = 1;
const SENT: usize = 2;
/// Settings stay as they are after reset.
const HELD: [&str; 2] = ["elab_scheduler_settings_valid", "elab_feedback_settings_valid"];
/// Clock cycles within which a command is done and the tables are swept.
const PATIENCE: u64 = 1 << 18;

/// The response to a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Response {
    pub done: bool,
    pub refused: bool,
    pub open: bool,
}

/// A host under traffic.
pub struct Host {
    dut: Box<dyn Dut>,
    ports: Ports,
    streams: Streams,
    outputs: Vec<u64>,
    inputs: Vec<u64>,
    beats: [Vec<Item>; 3],
    /// Frames that have been passed on, and what stood beside the record of each: whether it was found, and its pair.
    pub received: Vec<Frame>,
    pub found: Vec<(bool, u64)>,
    /// Frames that were sent, each with the clock cycle of its last beat.
    pub sent: Vec<(u64, Frame)>,
}

impl Host {
    /// Resets the device and waits until its tables are swept.
    pub fn new(mut dut: Box<dyn Dut>, seed: u64, pause: f64) -> Self {
        let ports = dut.ports().clone();
        let mut streams = Streams::new(&ports, Random::new(seed));
        for name in SOURCES {
            streams = streams.source(name, |source| source.pause(pause)).expect("the device has it");
        }
        for name in SINKS {
            streams = streams.sink(name, |sink| sink.pause(pause)).expect("the device has it");
        }
        let (outputs, inputs) = (vec![0; ports.output_limbs()], vec![0; ports.input_limbs()]);
        dut.clock(true, &inputs);
        let beats = [const { Vec::new() }; 3];
        let (received, found, sent) = (Vec::new(), Vec::new(), Vec::new());
        let mut host = Host { dut, ports, streams, outputs, inputs, beats, received, found, sent };
        host.swept();
        host
    }

    /// Resets the device and waits until its tables are swept.
    pub fn reset(&mut self) {
        self.dut.clock(true, &self.inputs);
        self.swept();
    }

    fn swept(&mut self) {
        self.until("busy");
        let end = self.cycle() + PATIENCE;
        while self.output("busy") == 1 {
            self.clock();
            assert!(self.cycle() < end, "the tables are never swept");
        }
    }

    /// An output in the last clock cycle.
    pub fn output(&self, name: &str) -> u64 {
        self.outputs[self.ports.output(name).expect("the device has it").offset]
    }

    /// The number of clock cycles since reset.
    pub fn cycle(&self) -> u64 {
        self.streams.cycle()
    }

    /// All that waits has been taken.
    pub fn is_done(&self) -> bool {
        self.streams.parts().0.iter().all(|source| source.is_done())
    }

    /// One clock cycle.
    pub fn clock(&mut self) {
        self.dut.outputs(&mut self.outputs);
        self.streams.drive(&self.outputs, &mut self.inputs);
        for name in HELD {
            self.inputs[self.ports.input(name).expect("the device has it").offset] = 0;
        }
        self.dut.clock(false, &self.inputs);
        self.streams.finish().expect("the handshakes are kept");
        let cycle = self.streams.cycle();
        for (which, name) in SINKS.into_iter().enumerate() {
            let sink = self.streams.sink_mut(name).expect("it is there");
            if sink.items().is_empty() {
                continue;
            }
            let items = sink.take();
            let channel = sink.channel();
            if which == RECORDS {
                let of = |item: &Item, name: &str| item[channel.field(name).expect("a record has it").1.start];
                self.found.extend(items.iter().map(|item| (of(item, "found") == 1, of(item, "pair"))));
                continue;
            }
            let ends = items.iter().any(|item| item[channel.field("tlast").expect("a stream").1.start] == 1);
            self.beats[which].extend(items);
            if ends {
                let whole = frames(channel, &self.beats[which]).expect("it is a frame");
                self.beats[which].clear();
                match which {
                    RECEIVED => self.received.extend(whole),
                    SENT => self.sent.extend(whole.into_iter().map(|frame| (cycle, frame))),
                    _ => unreachable!("these are all"),
                }
            }
        }
    }

    /// A frame comes from the network.
    pub fn comes(&mut self, bytes: Vec<u8>) {
        let source = self.streams.source_mut("s_axis").expect("it is there");
        let items = beats(source.channel(), &Frame { bytes, user: 0 }).expect("it has bytes");
        source.send(items);
    }

    /// A packet is to be sent.
    pub fn send(&mut self, packet: &Packet) {
        let fields = [("pair", packet.pair), ("dscp", packet.dscp), ("length", packet.bytes.len() as u64)];
        self.give("packet", &fields);
        let source = self.streams.source_mut("s_axis_packet").expect("it is there");
        let items = beats(source.channel(), &Frame { bytes: packet.bytes.clone(), user: 0 }).expect("they are beats");
        source.send(items);
    }

    /// Gives fields to a source; those that are not named are 0.
    fn give(&mut self, name: &str, fields: &[(&str, u64)]) {
        let source = self.streams.source_mut(name).expect("it is there");
        let of = |channel: &Channel| {
            let mut item = vec![0; channel.limbs()].into_boxed_slice();
            for (name, value) in fields {
                item[channel.field(name).expect("the stream has it").1.start] = *value;
            }
            item
        };
        let item = of(source.channel());
        source.send([item]);
    }

    /// Runs until this output is 1.
    fn until(&mut self, valid: &str) {
        let end = self.cycle() + PATIENCE;
        while self.cycle() < end {
            self.clock();
            if self.output(valid) == 1 {
                return;
            }
        }
        panic!("no `{valid}`");
    }

    /// Gives a command on a pair and waits for its response.
    pub fn command(&mut self, op: u64, pair: u64, more: &[(&str, u64)]) -> Response {
        let mut fields = vec![("op", op), ("pair", pair)];
        fields.extend(more);
        self.give("command", &fields);
        self.until("response_valid");
        assert_eq!((self.output("response_op"), self.output("response_pair")), (op, pair));
        Response {
            done: self.output("response_done") == 1,
            refused: self.output("response_addresses_refused") == 1,
            open: self.output("response_open") == 1,
        }
    }

    /// Gives a command on a VP and waits for its response: whether it was done, and the bandwidth of the VP.
    pub fn vp_command(&mut self, op: u64, pair: u64, sport: u64, bandwidth: u64) -> (bool, u64) {
        let fields = [("op", op), ("pair", pair), ("sport", sport), ("bandwidth", bandwidth)];
        self.give("elab_scheduler_command", &fields);
        self.until("elab_scheduler_response_valid");
        let done = self.output("elab_scheduler_response_done") == 1;
        (done, self.output("elab_scheduler_response_bandwidth"))
    }
}
