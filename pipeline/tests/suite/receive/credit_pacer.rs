// SPDX-License-Identifier: MIT OR Apache-2.0
//! `credit_pacer`: cases of the contract, one by one.

use pipeline::receive::credit_pacer::{
    CreditPacer, CreditPacerConfig, CreditPacerIn, CreditPacerOut, CreditPacerSettings, Response, op,
};
use rtl_model::model::Instance;
use rtl_model::{Bits, Design, Model, Signal, Stage, elaborate};

/// A grant, with its clock cycle: source, credit, quanta, ahead.
type Granted = (u64, [u64; 4]);

struct Bench {
    stage: Instance<CreditPacer<Model>>,
    config: CreditPacerConfig,
    cycle: u64,
    granted: Vec<Granted>,
    responses: Vec<(u64, Response<Model>)>,
}

/// Sets a field; a value that is too wide is cut.
fn put(field: &mut Bits<Model>, value: u64) {
    let width = field.width();
    *field = Bits::lit(width, value & (u64::MAX >> (64 - width)));
}

impl Bench {
    /// A stage after its sweep.
    fn new(config: CreditPacerConfig) -> Bench {
        let stage = Instance::new(|| config.build::<Model>());
        let mut bench = Bench { stage, config, cycle: 0, granted: Vec::new(), responses: Vec::new() };
        while bench.outputs().busy.value() == 1 {
            bench.idle(1);
        }
        assert_eq!(bench.cycle, config.sources + 64, "PC12");
        bench
    }

    fn l(&self) -> u64 {
        self.config.ram_latency.into()
    }

    fn outputs(&self) -> CreditPacerOut<Model> {
        self.stage.outputs()
    }

    /// One clock cycle with these inputs; grants are taken.
    fn clock(&mut self, drive: impl Fn(&mut CreditPacerIn<Model>)) {
        let out = self.outputs();
        let grant = out.grant;
        if grant.valid.value() == 1 {
            let fields = [grant.source, grant.credit, grant.quanta, grant.ahead].map(|field| field.value());
            self.granted.push((self.cycle, fields));
        }
        if out.response.valid.value() == 1 {
            self.responses.push((self.cycle, out.response));
        }
        let mut input = CreditPacerIn::zero(&self.stage.input_shape());
        put(&mut input.grant_ready, 1);
        drive(&mut input);
        self.stage.clock(&input);
        self.cycle += 1;
    }

    fn idle(&mut self, cycles: u64) {
        for _ in 0..cycles {
            self.clock(|_| ());
        }
    }

    fn demand(&mut self, source: u64, target: u64) {
        assert_eq!(self.outputs().demand_ready.value(), 1);
        self.clock(|input| {
            put(&mut input.demand.valid, 1);
            put(&mut input.demand.source, source);
            put(&mut input.demand.target, target);
        });
    }

    /// A command, and its response.
    fn command(&mut self, op: u64, source: u64, number: u64) -> Response<Model> {
        assert_eq!(self.outputs().command_ready.value(), 1);
        let (accepted, before) = (self.cycle, self.responses.len());
        self.clock(|input| {
            put(&mut input.command.valid, 1);
            put(&mut input.command.op, op);
            put(&mut input.command.source, source);
            put(&mut input.command.number, number);
        });
        while self.outputs().command_ready.value() == 0 {
            self.idle(1);
        }
        let &[(cycle, response)] = &self.responses[before..] else { panic!("a command has one response") };
        assert!(cycle >= accepted + self.l() + 6 && cycle + 1 == self.cycle, "PC9");
        response
    }
}

fn config(sources: u64, ram_latency: u32, settings: CreditPacerSettings) -> CreditPacerConfig {
    CreditPacerConfig { ram_latency, settings, ..CreditPacerConfig::new(sources) }
}

#[test]
fn elaborates_at_every_size() {
    for (sources, ram_latency) in [(1, 1), (2, 3), (3, 2), (1024, 2), (16_384, 3)] {
        let config = config(sources, ram_latency, CreditPacerSettings::new());
        elaborate(&config).unwrap_or_else(|report| panic!("{config:?}: {report}"));
    }
}

/// The example at the head of the page.
#[test]
fn the_example_of_the_page() {
    let settings = CreditPacerSettings { rate: 1 << 14, quota: 64, burst: 1, advance: 0 };
    let mut bench = Bench::new(config(8, 2, settings));
    for source in [3, 5] {
        assert_eq!(bench.command(op::OPEN, source, 0).done.value(), 1);
    }
    bench.idle(100);
    let start = bench.cycle;
    bench.demand(3, 200);
    bench.idle(39);
    bench.demand(5, 100);
    bench.idle(1200);
    let granted: Vec<_> = bench.granted.iter().map(|(cycle, fields)| (cycle - start, *fields)).collect();
    let expected = [
        (19, [3, 64, 64, 0]),
        (279, [3, 128, 64, 0]),
        (539, [5, 64, 64, 0]),
        (799, [3, 192, 64, 0]),
        (1059, [5, 100, 36, 0]),
        (1207, [3, 200, 8, 0]),
    ];
    assert_eq!(granted, expected);
}

/// PC4, PC7: a source without demand gets credit in advance, up to the limit, and demand goes first.
#[test]
fn credit_in_advance_ends_at_the_limit() {
    for ram_latency in 1..=3 {
        let settings = CreditPacerSettings { rate: 1 << 23, quota: 64, burst: 4095, advance: 100 };
        let mut bench = Bench::new(config(2, ram_latency, settings));
        let response = bench.command(op::OPEN, 1, 0xFF_FFF0);
        assert_eq!((response.ahead.value(), response.queued.value()), (1, 0));
        bench.idle(200);
        let granted: Vec<_> = bench.granted.iter().map(|(_, fields)| *fields).collect();
        assert_eq!(granted, [[1, 48, 64, 1], [1, 84, 36, 1]]);
        assert_eq!(bench.granted[1].0 - bench.granted[0].0, 2 * u64::from(ram_latency) + 16, "PC6");
        // 20 quanta are used, and 80 are left.
        bench.demand(1, 4);
        bench.idle(200);
        assert_eq!(bench.granted.last().map(|(_, fields)| *fields), Some([1, 104, 20, 1]));
        let response = bench.command(op::READ, 1, 0);
        assert_eq!((response.credit.value(), response.target.value(), response.ahead.value()), (104, 4, 0));
        let out = bench.outputs();
        assert_eq!(
            (out.counts.credits.value(), out.counts.void_turns.value(), out.counts.stale_demands.value()),
            (3, 0, 0)
        );
    }
}

/// PC10: a source that is closed and opened while it waits in both queues keeps its places, and both takes are for what it is then.
#[test]
fn closed_and_opened_while_it_waits() {
    for ram_latency in 1..=3 {
        // No credit until `rate` changes.
        let settings = CreditPacerSettings { rate: 0, quota: 64, burst: 64, advance: 50 };
        let mut bench = Bench::new(config(4, ram_latency, settings));
        bench.command(op::OPEN, 2, 1000);
        bench.demand(2, 1010);
        let response = bench.command(op::READ, 2, 0);
        assert_eq!((response.queued.value(), response.ahead.value()), (1, 1));
        let response = bench.command(op::CLOSE, 2, 0);
        assert_eq!((response.done.value(), response.open.value(), response.queued.value()), (1, 0, 0));
        bench.demand(2, 1020);
        let response = bench.command(op::OPEN, 2, 5);
        let places = (response.queued.value(), response.ahead.value());
        assert_eq!((response.done.value(), places, response.target.value()), (1, (1, 1), 5));
        bench.clock(|input| {
            put(&mut input.settings.valid, 1);
            put(&mut input.settings.rate, 1 << 20);
            put(&mut input.settings.quota, 64);
            put(&mut input.settings.burst, 64);
            put(&mut input.settings.advance, 50);
        });
        bench.idle(300);
        // The take from the demand queue is void, as nothing is wanted any more.
        assert_eq!(bench.granted.iter().map(|(_, fields)| *fields).collect::<Vec<_>>(), [[2, 55, 50, 1]]);
        let out = bench.outputs();
        assert_eq!(
            (out.counts.void_turns.value(), out.counts.closed_demands.value(), out.counts.credits.value()),
            (1, 1, 1)
        );
    }
}

/// PC12: what was accepted before a reset has no effect after it, in whichever step it was.
#[test]
fn a_reset_leaves_nothing() {
    for at in 1..40 {
        let settings = CreditPacerSettings { rate: 1 << 20, quota: 64, burst: 64, advance: 50 };
        let mut bench = Bench::new(config(2, 2, settings));
        bench.command(op::OPEN, 0, 0);
        bench.demand(0, 100);
        bench.clock(|input| {
            put(&mut input.command.valid, 1);
            put(&mut input.command.op, op::READ);
        });
        bench.idle(at);
        bench.stage.reset();
        (bench.granted, bench.responses) = (Vec::new(), Vec::new());
        bench.idle(66 + 100);
        assert!(bench.granted.is_empty() && bench.responses.is_empty(), "{at}: {:?}", bench.granted);
        let response = bench.command(op::READ, 0, 0);
        assert_eq!((response.done.value(), response.open.value()), (1, 0));
    }
}
