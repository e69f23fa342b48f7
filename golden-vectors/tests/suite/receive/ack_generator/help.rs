// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run of the oracle, cycle by cycle.

use golden_vectors::receive::ack_generator::oracle::{
    Ack, Arrival, Command, Counters, Inputs, Oracle, Outcome, Outputs, Protocol, Report, Response, Settings, Shape, op,
};

/// Nothing expires, and no number of packets is urgent. `time` of cycle *t* is floor(*t* / 2).
const ROCE_SETTINGS: Settings =
    Settings { tick: 32_768, count: 200, count_multipath: 200, time: 0, ..Settings::reset(Protocol::Roce, 64) };
const UET_SETTINGS: Settings =
    Settings { tick: 32_768, trigger: 65_535, time: 0, ..Settings::reset(Protocol::Uet, 64) };

/// Four connections, windows of 64 PSNs, room for 4 replies, latency 2: the sweep ends with cycle 17.
pub const ROCE: Shape = Shape::new(Protocol::Roce, 4, 64).replies(4).reset(ROCE_SETTINGS);
pub const UET: Shape = Shape::new(Protocol::Uet, 4, 64).replies(4).reset(UET_SETTINGS);

pub struct Bench {
    pub oracle: Oracle,
    pub inputs: Inputs,
    pub settings: Settings,
    /// What was transferred, with its cycle.
    pub acks: Vec<(u64, Ack)>,
    pub responses: Vec<(u64, Response)>,
}

impl Bench {
    pub fn from_reset(shape: Shape) -> Self {
        let (oracle, inputs) = (Oracle::new(shape), Inputs::idle(None));
        Bench { oracle, inputs, settings: shape.reset, acks: Vec::new(), responses: Vec::new() }
    }

    /// Behind the sweep.
    pub fn new(shape: Shape) -> Self {
        let mut bench = Self::from_reset(shape);
        bench.idle(shape.connections + shape.ram_latency + 12);
        bench
    }

    /// Connections 0 and 1 are open with this PSN; for UET, the first packet has been acknowledged.
    pub fn opened(shape: Shape, psn: u64, multipath: bool) -> Self {
        let mut bench = Self::new(shape);
        for connection in [0, 1] {
            bench.open(connection, psn, multipath);
            if shape.is_uet() {
                // Again, so that nothing but *first* changes.
                bench.arrive(Arrival { outcome: Outcome::Below, ..packet(connection, psn, psn) });
            }
        }
        bench.quiet();
        bench.acks.clear();
        bench
    }

    pub fn step(&mut self) -> Outputs {
        let cycle = self.oracle.cycle();
        let out = self.oracle.step(&self.inputs);
        self.acks.extend(out.ack.filter(|_| self.inputs.ack_ready).map(|ack| (cycle, ack)));
        self.responses.extend(out.response.map(|response| (cycle, response)));
        self.inputs.next();
        self.inputs.settings = None;
        out
    }

    pub fn idle(&mut self, cycles: u64) {
        for _ in 0..cycles {
            self.step();
        }
    }

    /// Up to this cycle.
    pub fn until(&mut self, cycle: u64) {
        self.idle(cycle - self.oracle.cycle());
    }

    /// Until nothing is under way.
    pub fn quiet(&mut self) {
        self.idle(1);
        while !self.oracle.is_idle() {
            self.step();
        }
    }

    /// An arrival in the next cycle, which is returned.
    pub fn arrive(&mut self, arrival: Arrival) -> u64 {
        let cycle = self.oracle.cycle();
        self.inputs.arrival = Some(arrival);
        self.step();
        cycle
    }

    /// A packet in order that is not urgent; the connection expects the one after it.
    pub fn send(&mut self, connection: u64, psn: u64) -> u64 {
        self.arrive(packet(connection, psn, psn + 1))
    }

    /// The same, and it asks for an ACK.
    pub fn urgent(&mut self, connection: u64, psn: u64) -> u64 {
        self.arrive(Arrival { ack_request: true, ..packet(connection, psn, psn + 1) })
    }

    /// An event in the next cycle. It must be accepted.
    pub fn report(&mut self, connection: u64, first: u64, last: u64) -> u64 {
        let cycle = self.oracle.cycle();
        self.inputs.report = Some(Report { connection, first, last, repeated: false });
        assert!(self.step().event_ready, "cycle {cycle}");
        cycle
    }

    /// A command in the next cycle, and its response.
    pub fn command(&mut self, op: u64, connection: u64, psn: u64, multipath: bool) -> Response {
        self.issue(Command { op, connection, psn, multipath, ..Command::default() })
    }

    /// The same with all fields.
    pub fn issue(&mut self, command: Command) -> Response {
        let before = self.responses.len();
        self.inputs.command = Some(command);
        assert!(self.step().command_ready, "cycle {}", self.oracle.cycle());
        while self.responses.len() == before {
            self.step();
        }
        self.responses[before].1
    }

    pub fn open(&mut self, connection: u64, psn: u64, multipath: bool) {
        assert!(self.command(op::OPEN, connection, psn, multipath).done);
    }

    /// An ACK of connection 1 is on the stalled ports. What was counted until then is in the counters.
    pub fn block(&mut self) {
        self.inputs.ack_ready = false;
        self.arrive(Arrival { outcome: Outcome::Below, ..packet(1, 0, 1000) });
        self.idle(60);
        assert!(self.oracle.outputs().ack.is_some());
    }

    /// The output goes on. What comes out, without what was on the ports.
    pub fn release(&mut self) -> Vec<Ack> {
        self.inputs.ack_ready = true;
        let before = self.acks.len() + 1;
        self.quiet();
        self.acks[before..].iter().map(|&(_, ack)| ack).collect()
    }

    pub fn set(&mut self, change: impl Fn(Settings) -> Settings) {
        self.settings = change(self.settings);
        self.inputs.settings = Some(self.settings);
        self.step();
    }

    /// What is sent from here until nothing is under way.
    pub fn sent(&mut self) -> Vec<Ack> {
        let before = self.acks.len();
        self.quiet();
        self.acks[before..].iter().map(|&(_, ack)| ack).collect()
    }

    pub fn counters(&self) -> Counters {
        self.oracle.outputs().counters
    }
}

/// A packet in order, of 1000 bytes, with this expected PSN after it.
pub fn packet(connection: u64, psn: u64, expected: u64) -> Arrival {
    let highest = expected.wrapping_sub(1) & 0xFF_FFFF;
    Arrival { connection, psn, expected, highest, length: 1000, ..Arrival::default() }
}

/// A packet with this outcome; 100 is expected.
pub fn other(outcome: Outcome, psn: u64) -> Arrival {
    Arrival { outcome, ..packet(0, psn, 100) }
}
