// SPDX-License-Identifier: MIT OR Apache-2.0
//! Drives a receive path: frames, commands, and consumers that pause.

use rtl_model::netlist::interfaces::Direction;
use testbench::drive::Drive;
use testbench::random::Random;
use testbench::stream::{Frame, Streams, beats, frames};
use testbench::{Dut, Ports};

/// Clock cycles without any transfer after which nothing is under way.
const QUIET: u64 = 1500;

/// A command, by the names of its ports.
#[derive(Clone, Copy, Debug)]
pub struct Command {
    op: u64,
    connection: u64,
    key: u64,
    psn: u64,
}

impl Command {
    pub const fn open(connection: u64, key: u64, psn: u64) -> Self {
        Command { op: 1, connection, key, psn }
    }

    pub const fn close(connection: u64) -> Self {
        Command { op: 2, connection, key: 0, psn: 0 }
    }
}

/// The QP of the peer of a connection.
pub const fn peer(connection: u64) -> u64 {
    0x00AB_CD00 + connection
}

/// The response to a command.
#[derive(Clone, Copy, Debug)]
pub struct Response {
    pub done: bool,
    pub key_refused: bool,
}

/// A packet on the ports `delivery`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delivered {
    pub connection: u64,
    pub psn: u64,
    pub handle: u64,
}

/// What stands beside a header record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identified {
    pub in_sequence: bool,
    pub found: bool,
    pub connection: u64,
    pub handle: u64,
}

/// A device under traffic.
pub struct Run {
    ports: Ports,
    streams: Streams,
    outputs: Vec<u64>,
    inputs: Vec<u64>,
    quiet: u64,
    moved: u64,
}

impl Run {
    /// Resets the device and waits until its tables are swept.
    pub fn new(dut: &mut dyn Dut, random: Random) -> Self {
        let ports = dut.ports().clone();
        let streams = Streams::new(&ports, random).source("s_axis", |source| source.pause(0.1));
        let streams = streams.and_then(|streams| streams.source("command", |source| source));
        let streams = streams.and_then(|streams| streams.sink("m_axis", |sink| sink.pause(0.1)));
        let streams = streams.and_then(|streams| streams.sink("m_record", |sink| sink.pause(0.1)));
        let in_order = if ports.interface("m_delivery", Direction::Out).is_some() { "m_delivery" } else { "delivery" };
        let streams = streams.and_then(|streams| streams.sink(in_order, |sink| sink.pause(0.2)));
        let streams = streams.and_then(|streams| streams.sink("m_answer", |sink| sink.pause(0.1)));
        let streams = streams.expect("the streams are there");
        let (outputs, inputs) = (vec![0; ports.output_limbs()], vec![0; ports.input_limbs()]);
        dut.clock(true, &inputs);
        Run { ports, streams, outputs, inputs, quiet: 0, moved: 0 }
    }

    fn output(&self, name: &str) -> u64 {
        self.outputs[self.ports.output(name).expect("the port is there").offset]
    }

    fn clock(&mut self, dut: &mut dyn Dut) {
        dut.outputs(&mut self.outputs);
        self.streams.drive(&self.outputs, &mut self.inputs);
        // The defaults of the settings stay.
        for name in ["reorder_settings_valid", "ack_settings_valid"] {
            let valid = self.ports.input(name).expect("there are settings");
            self.inputs[valid.offset] = 0;
        }
        dut.clock(false, &self.inputs);
        self.streams.finish().expect("streams follow their rules");
        let (sources, sinks) = self.streams.parts();
        let taken = sources.iter().map(|source| source.taken()).chain(sinks.iter().map(|sink| sink.taken())).sum();
        let done = sources.iter().all(|source| source.is_done());
        self.quiet = if self.moved == taken && done { self.quiet + 1 } else { 0 };
        self.moved = taken;
    }

    /// Sends frames, each with the mark of the MAC.
    pub fn send(&mut self, sent: &[Frame]) {
        let source = self.streams.source_mut("s_axis").expect("frames go in");
        for frame in sent {
            let items = beats(source.channel(), frame).expect("it has bytes");
            source.send(items);
        }
    }

    /// Gives a command and waits for its response.
    pub fn command(&mut self, dut: &mut dyn Dut, command: Command) -> Response {
        let source = self.streams.source_mut("command").expect("commands go in");
        let channel = source.channel();
        let mut item = vec![0; channel.limbs()].into_boxed_slice();
        let Command { op, connection, key, psn } = command;
        for (name, value) in [("op", op), ("connection", connection), ("key", key), ("psn", psn)] {
            item[channel.field(name).expect("the field is there").1.start] = value;
        }
        // RoCEv2 alone has these; every second connection has multipath.
        for (name, value) in [("multipath", connection % 2), ("peer", peer(connection))] {
            if let Ok((_, at)) = channel.field(name) {
                item[at.start] = value;
            }
        }
        source.send([item]);
        for _ in 0..20_000 {
            self.clock(dut);
            if self.output("response_valid") == 1 {
                assert_eq!(self.output("response_op"), op);
                assert_eq!(self.output("response_connection"), connection);
                let flag = |name| self.output(name) == 1;
                return Response { done: flag("response_done"), key_refused: flag("response_key_refused") };
            }
        }
        panic!("{command:?}: no response");
    }

    /// Runs until everything sent has come through.
    pub fn until_idle(&mut self, dut: &mut dyn Dut) {
        self.quiet = 0;
        while self.quiet < QUIET {
            self.clock(dut);
            assert!(self.streams.cycle() < 4_000_000, "it never ends");
        }
        dut.outputs(&mut self.outputs);
    }

    /// The frames that have left.
    pub fn frames(&self) -> Vec<Frame> {
        let sink = &self.streams.parts().1[0];
        frames(sink.channel(), sink.items()).expect("they are lawful")
    }

    /// What stood beside their records.
    pub fn identified(&self) -> Vec<Identified> {
        let sink = &self.streams.parts().1[1];
        let place = |name| sink.channel().field(name).expect("the field is there").1.start;
        let (found, connection) = (place("found"), place("connection"));
        // Without numbers a record is that of a frame that is not in sequence.
        let named = (!self.holds_frames()).then(|| (place("in_sequence"), place("handle")));
        let of = |item: &[u64]| {
            let (in_sequence, handle) = named.map_or((0, 0), |(in_sequence, handle)| (item[in_sequence], item[handle]));
            Identified { in_sequence: in_sequence == 1, found: item[found] == 1, connection: item[connection], handle }
        };
        sink.items().iter().map(|item| of(item)).collect()
    }

    /// The frames themselves are delivered.
    pub fn holds_frames(&self) -> bool {
        self.ports.interface("m_delivery", Direction::Out).is_some()
    }

    /// The frames that have been delivered, each with its connection and its PSN, which stand beside all of its beats.
    pub fn delivered_frames(&self) -> Vec<(u64, u64, Vec<u8>)> {
        let sink = &self.streams.parts().1[2];
        let place = |name| sink.channel().field(name).expect("the field is there").1.start;
        let (connection, psn) = (place("delivery_connection"), place("delivery_psn"));
        let frames = frames(sink.channel(), sink.items()).expect("they are lawful");
        let mut beats = sink.items().iter();
        let of = |frame: Frame| {
            let count = frame.bytes.len().div_ceil(self.bus_bytes());
            let beside: Vec<_> = beats.by_ref().take(count).map(|beat| (beat[connection], beat[psn])).collect();
            assert!(beside.len() == count && beside.iter().all(|it| *it == beside[0]), "{beside:?}");
            (beside[0].0, beside[0].1, frame.bytes)
        };
        frames.into_iter().map(of).collect()
    }

    fn bus_bytes(&self) -> usize {
        self.ports.input("s_axis_tkeep").expect("frames go in").width as usize
    }

    /// The packets that have been delivered.
    pub fn delivered(&self) -> Vec<Delivered> {
        let sink = &self.streams.parts().1[2];
        let place = |name| sink.channel().field(name).expect("the field is there").1.start;
        let places = ["connection", "psn", "handle"].map(place);
        let of = |item: &[u64]| {
            let [connection, psn, handle] = places.map(|at| item[at]);
            Delivered { connection, psn, handle }
        };
        sink.items().iter().map(|item| of(item)).collect()
    }

    /// The frames that answer.
    pub fn answers(&self) -> Vec<Frame> {
        let sink = &self.streams.parts().1[3];
        frames(sink.channel(), sink.items()).expect("they are lawful")
    }

    /// A counter.
    pub fn count(&self, name: &str) -> u64 {
        assert!(self.ports.interface(name, Direction::Out).is_some() || self.ports.output(name).is_some(), "{name}");
        self.output(name)
    }
}
