// SPDX-License-Identifier: MIT OR Apache-2.0
//! Drives the stage and notes what it grants.

use pipeline::transmit::ccc_table::{CccTable, CccTableConfig, CccTableIn, CccTableOut, Grant, Response, op};
use rtl_model::model::Instance;
use rtl_model::{Bits, Design, Model, Signal, Stage};

pub type Out = CccTableOut<Model>;
pub type In = CccTableIn<Model>;

pub struct Bench {
    pub config: CccTableConfig,
    pub stage: Instance<CccTable<Model>>,
    pub cycle: u64,
    /// The output is stalled.
    pub stall: bool,
    pub grants: Vec<(u64, Grant<Model>)>,
    pub responses: Vec<(u64, Response<Model>)>,
}

/// Sets a field; a value that is too wide is cut.
pub fn put(field: &mut Bits<Model>, value: u64) {
    let width = field.width();
    *field = Bits::lit(width, value & (u64::MAX >> (64 - width)));
}

impl Bench {
    /// A stage after its sweep.
    pub fn new(config: CccTableConfig) -> Bench {
        let stage = Instance::new(|| config.build::<Model>());
        let mut bench = Bench { config, stage, cycle: 0, stall: false, grants: Vec::new(), responses: Vec::new() };
        while bench.stage.outputs().busy.value() == 1 {
            bench.idle(1);
        }
        assert_eq!(bench.cycle, config.cccs + 64, "C34");
        bench
    }

    /// One clock cycle with these inputs.
    pub fn clock(&mut self, drive: impl Fn(&mut In)) {
        let out = self.stage.outputs();
        if out.grant.valid.value() == 1 && !self.stall {
            self.grants.push((self.cycle, out.grant));
        }
        if out.response.valid.value() == 1 {
            self.responses.push((self.cycle, out.response));
        }
        let mut input = In::zero(&self.stage.input_shape());
        put(&mut input.grant_ready, (!self.stall).into());
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

    /// Clock cycles after which an event is seen in a grant.
    pub fn latency(&self) -> u64 {
        3 * u64::from(self.config.ram_latency) + 29
    }

    /// A command, and its response.
    pub fn command(&mut self, op: u64, ccc: u64, drive: impl Fn(&mut In)) -> Response<Model> {
        let before = self.responses.len();
        self.clock(|input| {
            put(&mut input.command.valid, 1);
            put(&mut input.command.op, op);
            put(&mut input.command.ccc, ccc);
            drive(input);
        });
        self.idle(u64::from(self.config.ram_latency) + 23);
        assert_eq!(self.responses.len(), before + 1, "C31");
        let (cycle, response) = self.responses[before];
        assert_eq!(cycle + 1, self.cycle, "C31");
        response
    }

    /// Opens a CCC with both algorithms, as far as they are there.
    pub fn open(&mut self, ccc: u64, class: u64, weight: u64) -> Response<Model> {
        self.command(op::OPEN, ccc, |input| {
            put(&mut input.command.nscc, 1);
            put(&mut input.command.rccc, 1);
            put(&mut input.command.class, class);
            put(&mut input.command.weight, weight);
        })
    }

    pub fn data(&mut self, ccc: u64, bytes: u64) {
        self.clock(|input| {
            put(&mut input.data.valid, 1);
            put(&mut input.data.ccc, ccc);
            put(&mut input.data.bytes, bytes);
        });
    }

    pub fn send(&mut self, ccc: u64, size: u64, last: bool) {
        self.clock(|input| {
            put(&mut input.send.valid, 1);
            put(&mut input.send.ccc, ccc);
            put(&mut input.send.size, size);
            put(&mut input.send.packet, 1);
            put(&mut input.send.last, last.into());
        });
    }

    /// An ACK of this many packets and units of 256 bytes, and further fields.
    pub fn ack(&mut self, ccc: u64, packets: u64, quanta: u64, drive: impl Fn(&mut In)) {
        self.clock(|input| {
            put(&mut input.ack.valid, 1);
            put(&mut input.ack.ccc, ccc);
            put(&mut input.ack.packets, packets);
            put(&mut input.ack.quanta, quanta);
            drive(input);
        });
    }
}
