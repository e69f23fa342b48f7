// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lia_router`: cases of the contract, one by one.

use pipeline::routing::lia_router::{
    LiaRouter, LiaRouterConfig, LiaRouterIn, LiaRouterOut, LiaRouterSettings, Response, State, op,
};
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

    /// *Place*, until it is ready again.
    fn place(&mut self, group: u64, switch: u64, seed: u64) {
        self.clock(|input| {
            put(&mut input.command.valid, 1);
            put(&mut input.command.op, op::PLACE);
            put(&mut input.command.group, group);
            put(&mut input.command.switch, switch);
            put(&mut input.command.seed, seed);
        });
        while self.outputs().command_ready.value() == 0 {
            self.idle(1);
        }
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

/// The example at the head of the page.
#[test]
fn the_example_of_the_page() {
    for ram_latency in 1..=3 {
        let config = config(4, 8, 1, ram_latency);
        let settings = LiaRouterSettings { limits: [20, 40], link_threshold: 10, ..config.settings };
        let mut bench = Bench::new(LiaRouterConfig { settings, ..config });
        bench.place(5, 2, 0x4000_0000);
        bench.enqueue(14, 60);
        bench.idle(10);
        bench.sweeps(1);
        let state = bench.command(op::READ, 9, 0);
        assert_eq!((state.queued.value(), state.extended.value(), state.level.value()), (60, 60, 2));
        let response = bench.request(14, 5);
        assert_eq!((response.level.value(), response.minimal.value(), response.l1.value()), (2, 0, 0));
        let path = [response.port, response.group, response.switch, response.link].map(|field| field.value());
        assert_eq!(path, [9, 15, 5, 9]);
    }
}

/// L14, L19: what waits for a group makes its level, and the level its path.
#[test]
fn a_load_raises_the_level() {
    for (h, a, t, l) in SIZES {
        let mut bench = Bench::new(config(h, a, t, l));
        bench.place(1, 1, 5);
        let minimal = bench.request(2, 0);
        assert_eq!((minimal.known.value(), minimal.minimal.value(), minimal.level.value()), (1, 1, 0));
        let parts = (3000 / a + 1).div_ceil(255);
        for _ in 0..parts {
            bench.enqueue(2, 255);
        }
        bench.idle(10);
        let state = bench.command(op::READ, 1, 0);
        assert_eq!((state.done.value(), state.queued.value()), (1, 255 * parts));
        bench.sweeps(2);
        let other = bench.request(2, 0);
        assert_eq!((other.minimal.value(), other.level.value()), (0, 2), "{:?}", bench.config);
        assert!(![1, 2].contains(&other.group.value()));
    }
}

/// LR8: what was taken before a reset or a *place* has no effect after it, in whichever step it was.
#[test]
fn nothing_is_left_when_it_starts_anew() {
    for (at, reset) in (0..60).flat_map(|at| [(at, true), (at, false)]) {
        let mut bench = Bench::new(config(2, 4, 1, 2));
        bench.enqueue(3, 200);
        bench.clock(|input| {
            put(&mut input.occupancy.valid, 1);
            put(&mut input.occupancy.port, 1);
            put(&mut input.occupancy.flits, 4000);
        });
        bench.idle(at);
        if reset {
            bench.stage.reset();
            bench.ready();
        } else {
            bench.place(0, 0, 1);
        }
        bench.responses.clear();
        let state = bench.command(op::READ, 3, 0);
        assert_eq!((state.queued.value(), state.injected.value()), (0, 0), "{at}");
        // The only port that matters was full before.
        let response = bench.request(3, 1);
        assert_eq!((response.minimal.value(), response.level.value(), response.port.value()), (1, 0, 1), "{at}");
    }
}
