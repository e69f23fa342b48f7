// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lia_router`: cases of the contract, one by one.

use pipeline::routing::lia_router::{LiaRouter, LiaRouterConfig, LiaRouterIn, LiaRouterOut, Response, State, op};
use rtl_model::model::Instance;
use rtl_model::{Bits, Design, Model, Signal, Stage, elaborate};

struct Bench {
    stage: Instance<LiaRouter<Model>>,
    config: LiaRouterConfig,
    cycle: u64,
    responses: Vec<(u64, Response<Model>)>,
    states: Vec<(u64, State<Model>)>,
}

/// Sets a field; a value that is too wide is cut.
fn put(field: &mut Bits<Model>, value: u64) {
    let width = field.width();
    *field = Bits::lit(width, value & (u64::MAX >> (64 - width)));
}

impl Bench {
    /// A stage after its first sweep.
    fn new(config: LiaRouterConfig) -> Bench {
        let stage = Instance::new(|| config.build::<Model>());
        let mut bench = Bench { stage, config, cycle: 0, responses: Vec::new(), states: Vec::new() };
        bench.ready();
        bench
    }

    fn ready(&mut self) {
        while self.outputs().busy.value() == 1 {
            self.idle(1);
        }
    }

    fn outputs(&self) -> LiaRouterOut<Model> {
        self.stage.outputs()
    }

    /// One clock cycle with these inputs.
    fn clock(&mut self, drive: impl Fn(&mut LiaRouterIn<Model>)) {
        let out = self.outputs();
        if out.response.valid.value() == 1 {
            self.responses.push((self.cycle, out.response));
        }
        if out.state.valid.value() == 1 {
            self.states.push((self.cycle, out.state));
        }
        let mut input = LiaRouterIn::zero(&self.stage.input_shape());
        drive(&mut input);
        self.stage.clock(&input);
        self.cycle += 1;
    }

    fn idle(&mut self, cycles: u64) {
        for _ in 0..cycles {
            self.clock(|_| ());
        }
    }

    /// The same as `cycles` of two sweeps.
    fn sweeps(&mut self, sweeps: u64) {
        self.idle(sweeps * self.config.sweep_cycles());
    }

    fn enqueue(&mut self, group: u64, flits: u64) {
        self.clock(|input| {
            put(&mut input.enqueue.valid, 1);
            put(&mut input.enqueue.group, group);
            put(&mut input.enqueue.flits, flits);
        });
    }

    fn request(&mut self, group: u64, switch: u64) -> Response<Model> {
        let (begin, before) = (self.cycle, self.responses.len());
        self.clock(|input| {
            put(&mut input.request.valid, 1);
            put(&mut input.request.group, group);
            put(&mut input.request.switch, switch);
        });
        self.idle(u64::from(self.config.response_cycles()));
        let &[(cycle, response)] = &self.responses[before..] else { panic!("a request has one response") };
        assert_eq!(cycle - begin, self.config.response_cycles().into());
        response
    }

    fn command(&mut self, op: u64, group: u64, switch: u64) -> State<Model> {
        let before = self.states.len();
        assert_eq!(self.outputs().command_ready.value(), 1);
        self.clock(|input| {
            put(&mut input.command.valid, 1);
            put(&mut input.command.op, op);
            put(&mut input.command.group, group);
            put(&mut input.command.switch, switch);
        });
        while self.states.len() == before || self.outputs().command_ready.value() == 0 {
            self.idle(1);
        }
        let &[(_, state)] = &self.states[before..] else { panic!("a command has one answer") };
        state
    }
}

fn config(global_ports: u64, switches: u64, trunks: u64, ram_latency: u32) -> LiaRouterConfig {
    LiaRouterConfig { ram_latency, ..LiaRouterConfig::new(global_ports, switches, trunks) }
}

const SIZES: [(u64, u64, u64, u32); 11] = [
    (1, 2, 1, 2),
    (2, 4, 1, 1),
    (2, 4, 4, 2),
    (3, 6, 1, 3),
    (3, 5, 5, 2),
    (4, 8, 1, 2),
    (4, 8, 2, 2),
    (6, 12, 1, 2),
    (15, 30, 1, 2),
    (16, 32, 1, 2),
    (16, 64, 1, 1),
];

#[test]
fn elaborates_at_every_size() {
    for (h, a, t, l) in SIZES {
        let config = config(h, a, t, l);
        elaborate(&config).unwrap_or_else(|report| panic!("{config:?}: {report}"));
    }
}

/// L14, L19: what waits for a group makes its level, and the level its path.
#[test]
fn a_load_raises_the_level() {
    for (h, a, t, l) in SIZES {
        let mut bench = Bench::new(config(h, a, t, l));
        let placed = bench.command(op::PLACE, 1, 1);
        assert_eq!(placed.done.value(), 1);
        let minimal = bench.request(2, 0);
        assert_eq!((minimal.known.value(), minimal.minimal.value(), minimal.level.value()), (1, 1, 0));
        let flits = 3000 / a + 1;
        for _ in 0..flits.div_ceil(255) {
            bench.enqueue(2, 255);
        }
        let state = bench.command(op::READ, 1, 0);
        assert_eq!((state.done.value(), state.queued.value()), (1, 255 * flits.div_ceil(255)));
        bench.sweeps(2);
        let other = bench.request(2, 0);
        assert_eq!((other.minimal.value(), other.level.value()), (0, 2), "{:?}", bench.config);
        assert!(![1, 2].contains(&other.group.value()));
    }
}
