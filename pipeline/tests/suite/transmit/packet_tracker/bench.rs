// SPDX-License-Identifier: MIT OR Apache-2.0
//! Drives the stage and notes what comes out of it.

use pipeline::transmit::packet_tracker::{
    Event, Outcome, PacketTracker, PacketTrackerConfig, PacketTrackerIn, PacketTrackerOut, Response, Sent, op, send_op,
};
use rtl_model::model::Instance;
use rtl_model::{Bits, Design, Model, Signal, Stage};

pub type Out = PacketTrackerOut<Model>;
pub type In = PacketTrackerIn<Model>;

pub struct Bench {
    pub config: PacketTrackerConfig,
    pub stage: Instance<PacketTracker<Model>>,
    pub cycle: u64,
    /// The outputs are stalled.
    pub stall: bool,
    pub events: Vec<(u64, Event<Model>)>,
    pub outcomes: Vec<(u64, Outcome<Model>)>,
    pub failures: Vec<(u64, u64)>,
    pub sent: Vec<(u64, Sent<Model>)>,
    pub responses: Vec<(u64, Response<Model>)>,
}

/// Sets a field; a value that is too wide is cut.
pub fn put(field: &mut Bits<Model>, value: u64) {
    let width = field.width();
    *field = Bits::lit(width, value & (u64::MAX >> (64 - width)));
}

impl Bench {
    /// A stage after its sweep.
    pub fn new(config: PacketTrackerConfig) -> Bench {
        let stage = Instance::new(|| config.build::<Model>());
        let mut bench = Bench {
            config,
            stage,
            cycle: 0,
            stall: false,
            events: Vec::new(),
            outcomes: Vec::new(),
            failures: Vec::new(),
            sent: Vec::new(),
            responses: Vec::new(),
        };
        while bench.outputs().busy.value() == 1 {
            bench.idle(1);
        }
        assert_eq!(bench.cycle, config.pdcs + 64, "D33");
        bench
    }

    /// The latency of the memories.
    pub fn l(&self) -> u64 {
        self.config.ram_latency.into()
    }

    /// One clock cycle with these inputs.
    pub fn clock(&mut self, drive: impl Fn(&mut In)) {
        let out = self.stage.outputs();
        if !self.stall {
            if out.event.valid.value() == 1 {
                self.events.push((self.cycle, out.event));
            }
            if out.outcome.valid.value() == 1 {
                self.outcomes.push((self.cycle, out.outcome));
            }
            if out.failure.valid.value() == 1 {
                self.failures.push((self.cycle, out.failure.pdc.value()));
            }
        }
        if out.sent.valid.value() == 1 {
            self.sent.push((self.cycle, out.sent));
        }
        if out.response.valid.value() == 1 {
            self.responses.push((self.cycle, out.response));
        }
        let mut input = In::zero(&self.stage.input_shape());
        for ready in [&mut input.event_ready, &mut input.outcome_ready, &mut input.failure_ready] {
            put(ready, (!self.stall).into());
        }
        drive(&mut input);
        self.stage.clock(&input);
        self.cycle += 1;
    }

    /// The outputs of this clock cycle.
    pub fn outputs(&self) -> Out {
        self.stage.outputs()
    }

    pub fn idle(&mut self, cycles: u64) {
        for _ in 0..cycles {
            self.clock(|_| ());
        }
    }

    /// Waits until nothing is under way.
    pub fn settle(&mut self) {
        for _ in 0..20_000 {
            if self.outputs().quiet.value() == 1 {
                return;
            }
            self.idle(1);
        }
        panic!("it is not quiet");
    }

    /// A command, and its response.
    pub fn command(&mut self, op: u64, pdc: u64, drive: impl Fn(&mut In)) -> Response<Model> {
        let before = self.responses.len();
        while self.outputs().command_ready.value() == 0 {
            self.idle(1);
        }
        self.clock(|input| {
            put(&mut input.command.valid, 1);
            put(&mut input.command.op, op);
            put(&mut input.command.pdc, pdc);
            drive(input);
        });
        while self.responses.len() == before {
            self.idle(1);
        }
        self.responses[before].1
    }

    /// Opens a PDC with the largest window.
    pub fn open(&mut self, pdc: u64, ccc: u64, psn: u64) -> Response<Model> {
        self.command(op::OPEN, pdc, |input| {
            put(&mut input.command.ccc, ccc);
            put(&mut input.command.psn, psn);
        })
    }

    pub fn read(&mut self, pdc: u64) -> Response<Model> {
        self.command(op::READ, pdc, |_| ())
    }

    /// An operation of `send` in this clock cycle, with the number of the PDC for an EV.
    pub fn send(&mut self, op: u64, pdc: u64, size: u64, last: bool) {
        assert_eq!(self.outputs().send_ready.value(), 1);
        self.clock(|input| {
            put(&mut input.send.valid, 1);
            put(&mut input.send.op, op);
            put(&mut input.send.pdc, pdc);
            put(&mut input.send.size, size);
            put(&mut input.send.ev, pdc);
            put(&mut input.send.asks, 1);
            put(&mut input.send.last, last.into());
        });
    }

    /// New packets, one per clock cycle.
    pub fn news(&mut self, pdc: u64, count: u64) {
        for _ in 0..count {
            self.send(send_op::NEW, pdc, 4160, false);
        }
    }

    /// An event of `ack` in this clock cycle.
    pub fn ack(&mut self, kind: u64, pdc: u64, psn: u64, drive: impl Fn(&mut In)) {
        assert_eq!(self.outputs().ack_ready.value(), 1);
        self.clock(|input| {
            put(&mut input.ack.valid, 1);
            put(&mut input.ack.kind, kind);
            put(&mut input.ack.pdc, pdc);
            put(&mut input.ack.psn, psn);
            drive(input);
        });
    }

    /// Kinds and PSNs of the outcomes from the one with this number on.
    pub fn kinds(&self, from: usize) -> Vec<(u64, u64)> {
        self.outcomes[from..].iter().map(|(_, outcome)| (outcome.kind.value(), outcome.psn.value())).collect()
    }
}
