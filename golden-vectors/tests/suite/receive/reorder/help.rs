// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run of the oracle, cycle by cycle.

use golden_vectors::receive::reorder::oracle::{
    Answer, Arrival, Command, Counters, Delivery, Inputs, Oracle, Outputs, Pace, Report, Response, Settings, Shape, op,
};

/// Four connections of 64 PSNs with four sub-paths, latency 2: the sweep ends with cycle 29.
pub const SHAPE: Shape = Shape::new(4, 64);
/// A tolerance that is never exceeded.
pub const NEVER: Settings = Settings { span: 63, time: (1 << 20) - 1 };

pub struct Bench {
    pub oracle: Oracle,
    pub inputs: Inputs,
    pub answers: Vec<(u64, Answer)>,
    /// Packets that were transferred.
    pub delivered: Vec<(u64, Delivery)>,
    /// Events that were taken.
    pub events: Vec<(u64, Report)>,
    pub responses: Vec<(u64, Response)>,
    /// Cycles in which `arrival_ready` was 0.
    pub unready: Vec<u64>,
}

impl Bench {
    pub fn from_reset(shape: Shape) -> Self {
        let (oracle, inputs) = (Oracle::new(shape, Pace::LATE), Inputs::idle(None));
        let (answers, delivered, events, responses, unready) = Default::default();
        Bench { oracle, inputs, answers, delivered, events, responses, unready }
    }

    /// Behind the sweep. No gap is reported.
    pub fn new(shape: Shape) -> Self {
        let mut bench = Self::from_reset(shape);
        bench.set(Settings { span: shape.window - 1, ..NEVER });
        bench.idle(shape.sweep() - 1);
        bench
    }

    /// Connection 0 is open.
    pub fn opened(shape: Shape, psn: u64) -> Self {
        let mut bench = Self::new(shape);
        bench.command(op::OPEN, 0, 0, psn);
        bench
    }

    pub fn step(&mut self) -> Outputs {
        let cycle = self.oracle.cycle();
        let out = self.oracle.step(&self.inputs);
        self.answers.extend(out.answer.map(|answer| (cycle, answer)));
        self.delivered.extend(out.delivery.filter(|_| self.inputs.delivery_ready).map(|packet| (cycle, packet)));
        self.events.extend(out.event.filter(|_| self.inputs.event_ready).map(|event| (cycle, event)));
        self.responses.extend(out.response.map(|response| (cycle, response)));
        if !out.arrival_ready {
            self.unready.push(cycle);
        }
        self.inputs.next();
        self.inputs.settings = None;
        out
    }

    pub fn idle(&mut self, cycles: u64) {
        for _ in 0..cycles {
            self.step();
        }
    }

    /// An arrival in the next cycle. It must be accepted.
    pub fn arrive(&mut self, arrival: Arrival) -> u64 {
        let cycle = self.oracle.cycle();
        self.inputs.arrival = Some(arrival);
        assert!(self.step().arrival_ready, "cycle {cycle}");
        cycle
    }

    pub fn send(&mut self, connection: u64, psn: u64) -> u64 {
        self.arrive(packet(connection, psn))
    }

    pub fn send_all(&mut self, connection: u64, psns: impl IntoIterator<Item = u64>) {
        for psn in psns {
            self.send(connection, psn);
        }
    }

    /// A command in the next cycle, and its response. Returns its cycle.
    pub fn command(&mut self, op: u64, connection: u64, path: u64, psn: u64) -> u64 {
        self.offer(Command { op, connection, path, psn, ..Command::default() })
    }

    fn offer(&mut self, command: Command) -> u64 {
        let cycle = self.oracle.cycle();
        self.inputs.command = Some(command);
        assert!(self.step().command_ready, "cycle {cycle}");
        let before = self.responses.len();
        while self.responses.len() == before {
            self.step();
        }
        cycle
    }

    /// *Change* to this tolerance, or back to that of the settings.
    pub fn change(&mut self, connection: u64, tolerance: Option<Settings>) {
        let Settings { span, time } = tolerance.unwrap_or_default();
        let own_tolerance = tolerance.is_some().into();
        self.offer(Command { op: op::CHANGE, connection, own_tolerance, span, time, ..Command::default() });
    }

    pub fn set(&mut self, settings: Settings) {
        self.inputs.settings = Some(settings);
        self.step();
    }

    /// The answer to the arrival of a cycle.
    pub fn answer(&mut self, cycle: u64) -> Answer {
        while self.oracle.cycle() <= cycle + 15 {
            self.step();
        }
        self.answers.iter().find(|(at, _)| *at == cycle + 14).expect("R4").1
    }

    /// The last response.
    pub fn response(&self) -> Response {
        self.responses.last().expect("R17").1
    }

    /// The PSNs that were delivered.
    pub fn psns(&self) -> Vec<u64> {
        self.delivered.iter().map(|(_, packet)| packet.psn).collect()
    }

    pub fn counters(&self) -> Counters {
        self.oracle.outputs().counters
    }
}

/// A packet whose handle is made of its connection and its PSN.
pub fn packet(connection: u64, psn: u64) -> Arrival {
    let handle = (connection * 1000 + psn) & 0xFFFF;
    Arrival { connection, found: true, psn, path: psn % 4, flags: 0, length: 100, handle }
}
