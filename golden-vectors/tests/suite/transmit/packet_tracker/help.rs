// SPDX-License-Identifier: MIT OR Apache-2.0
//! Drives the oracle, and keeps what it puts out with the cycles.

use golden_vectors::transmit::packet_tracker::oracle::{
    Ack, Command, Event, Inputs, Oracle, Outcome, Response, Send, Sent, Settings, Shape, ack, op, send,
};

pub const SIZE: u64 = 4160;

/// A run from behind the sweep. Outputs are taken at once.
pub struct Run {
    pub oracle: Oracle,
    shape: Shape,
    pub events: Vec<(u64, Event)>,
    pub outcomes: Vec<(u64, Outcome)>,
    pub sent: Vec<(u64, Sent)>,
    pub responses: Vec<(u64, Response)>,
    pub failures: Vec<(u64, u64)>,
}

impl Run {
    pub fn new(shape: Shape) -> Self {
        let oracle = Oracle::new(shape);
        let (events, outcomes, sent) = (Vec::new(), Vec::new(), Vec::new());
        let mut run = Run { oracle, shape, events, outcomes, sent, responses: Vec::new(), failures: Vec::new() };
        run.until(shape.sweep());
        run
    }

    pub fn step(&mut self, inputs: &Inputs) {
        let cycle = self.oracle.cycle();
        let out = self.oracle.step(inputs);
        self.events.extend(out.event.map(|event| (cycle, event)));
        self.outcomes.extend(out.outcome.map(|outcome| (cycle, outcome)));
        self.sent.extend(out.sent.map(|sent| (cycle, sent)));
        self.responses.extend(out.response.map(|response| (cycle, response)));
        self.failures.extend(out.failure.map(|failure| (cycle, failure.pdc)));
    }

    pub fn idle(&mut self, cycles: u64) {
        (0..cycles).for_each(|_| self.step(&Inputs::idle(None)));
    }

    pub fn until(&mut self, cycle: u64) {
        self.idle(cycle - self.oracle.cycle());
    }

    /// Up to the first cycle of this time, or of a later one.
    pub fn until_time(&mut self, time: u64) {
        while self.oracle.time() < time {
            self.idle(1);
        }
    }

    pub fn drain(&mut self) {
        self.idle(1);
        while !self.oracle.outputs().quiet {
            self.idle(1);
        }
    }

    pub fn set(&mut self, settings: Settings) {
        self.step(&Inputs::idle(Some(settings)));
    }

    /// Offers something in this cycle, in which it must be accepted. Returns the cycle.
    pub fn ack(&mut self, ack: Ack) -> u64 {
        assert!(self.oracle.outputs().ack_ready);
        self.step(&Inputs { ack: Some(ack), ..Inputs::idle(None) });
        self.oracle.cycle() - 1
    }

    pub fn send(&mut self, send: Send) -> u64 {
        assert!(self.oracle.outputs().send_ready);
        self.step(&Inputs { send: Some(send), ..Inputs::idle(None) });
        self.oracle.cycle() - 1
    }

    /// A command, up to its response. Returns the cycle in which it was accepted, and the response.
    pub fn command(&mut self, command: Command) -> (u64, Response) {
        assert!(self.oracle.outputs().command_ready);
        let cycle = self.oracle.cycle();
        self.step(&Inputs { command: Some(command), ..Inputs::idle(None) });
        while !self.oracle.outputs().command_ready {
            self.idle(1);
        }
        (cycle, self.responses.last().expect("there is a response").1)
    }

    pub fn open(&mut self, pdc: u64, psn: u64, ccc: u64) -> (u64, Response) {
        self.command(Command { op: op::OPEN, pdc, psn, ccc, ..Command::default() })
    }

    pub fn read(&mut self, pdc: u64) -> Response {
        self.command(Command { op: op::READ, pdc, ..Command::default() }).1
    }

    pub fn new_packets(&mut self, pdc: u64, packets: u64) {
        for _ in 0..packets {
            self.send(Send { pdc, op: send::NEW, size: SIZE, ev: 9, asks: true, last: false });
        }
    }

    pub fn again(&mut self, pdc: u64) -> u64 {
        self.send(Send { pdc, op: send::AGAIN, ev: 9, ..Send::default() })
    }

    /// An ACK that is its own trigger.
    pub fn ack_of(&self, pdc: u64, psn: u64) -> Ack {
        Ack { pdc, kind: ack::ACK, psn, triggered: true, arrived: self.oracle.time(), ..Ack::default() }
    }

    /// How long an operation that was accepted in this cycle, with nothing before it, kept the operation of `ack` behind it from
    /// entering, itself included. That is the last one with an event.
    pub fn kept(&self, accepted: u64) -> u64 {
        let (cycle, _) = self.events.last().expect("there is an event");
        let entered = cycle - 3 * self.shape.ram_latency - 12;
        entered - (accepted + 1)
    }
}
