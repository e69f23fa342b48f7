// SPDX-License-Identifier: MIT OR Apache-2.0
//! Drives the stage and notes what it sends.

use pipeline::receive::ack_generator::{
    Ack, AckGenerator, AckGeneratorConfig, AckGeneratorIn, AckGeneratorOut, Response,
};
use rtl_model::model::Instance;
use rtl_model::{Bits, Design, Model, Signal, Stage};

pub type Out = AckGeneratorOut<Model>;
pub type In = AckGeneratorIn<Model>;

pub struct Bench {
    pub config: AckGeneratorConfig,
    pub stage: Instance<AckGenerator<Model>>,
    pub cycle: u64,
    /// The output is stalled.
    pub stall: bool,
    pub acks: Vec<(u64, Ack<Model>)>,
    pub responses: Vec<(u64, Response<Model>)>,
}

/// Sets a field; a value that is too wide is cut.
pub fn put(field: &mut Bits<Model>, value: u64) {
    let width = field.width();
    *field = Bits::lit(width, value & (u64::MAX >> (64 - width)));
}

/// The same for a field that the protocol may not have.
pub fn put_option(field: &mut Option<Bits<Model>>, value: u64) {
    put(field.as_mut().expect("a field of the protocol"), value);
}

impl Bench {
    /// A stage after its sweep.
    pub fn new(config: AckGeneratorConfig) -> Bench {
        let stage = Instance::new(|| config.build::<Model>());
        let (acks, responses) = (Vec::new(), Vec::new());
        let mut bench = Bench { config, stage, cycle: 0, stall: false, acks, responses };
        while bench.stage.outputs().busy.value() == 1 {
            bench.idle(1);
        }
        assert_eq!(bench.cycle, config.connections + u64::from(config.ram_latency) + 12, "G26");
        bench
    }

    /// One clock cycle with these inputs.
    pub fn clock(&mut self, drive: impl Fn(&mut In)) {
        let out = self.stage.outputs();
        if out.ack.valid.value() == 1 && !self.stall {
            self.acks.push((self.cycle, out.ack));
        }
        if out.response.valid.value() == 1 {
            self.responses.push((self.cycle, out.response));
        }
        let mut input = In::zero(&self.stage.input_shape());
        put(&mut input.ack_ready, (!self.stall).into());
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

    /// A command, and its response.
    pub fn command(&mut self, op: u64, connection: u64, psn: u64, multipath: bool) -> Response<Model> {
        let before = self.responses.len();
        self.clock(|input| {
            put(&mut input.command.valid, 1);
            put(&mut input.command.op, op);
            put(&mut input.command.connection, connection);
            put(&mut input.command.psn, psn);
            if let Some(field) = &mut input.command.multipath {
                put(field, multipath.into());
            }
        });
        self.idle(u64::from(self.config.ram_latency) + 9);
        assert_eq!(self.responses.len(), before + 1, "G23");
        let (cycle, response) = self.responses[before];
        assert_eq!(cycle + 1, self.cycle, "G23");
        response
    }

    /// An arrival in this clock cycle: its connection, outcome, PSN and expected PSN; and further fields.
    pub fn arrive(&mut self, [connection, outcome, psn, expected]: [u64; 4], drive: impl Fn(&mut In)) {
        self.clock(|input| {
            put(&mut input.arrival.valid, 1);
            put(&mut input.arrival.connection, connection);
            put(&mut input.arrival.outcome, outcome);
            put(&mut input.arrival.psn, psn);
            put(&mut input.arrival.expected, expected);
            drive(input);
        });
    }

    pub fn event(&mut self, connection: u64, first: u64, last: u64) {
        self.clock(|input| {
            put(&mut input.event.valid, 1);
            put(&mut input.event.connection, connection);
            put(&mut input.event.first, first);
            put(&mut input.event.last, last);
        });
    }
}
