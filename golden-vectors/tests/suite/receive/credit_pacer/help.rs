// SPDX-License-Identifier: MIT OR Apache-2.0
//! Drives the oracle, and keeps what it puts out with the cycles.

use golden_vectors::receive::credit_pacer::oracle::{
    Command,
    Demand,
    Grant,
    Inputs,
    Oracle,
    Response,
    Settings,
    Shape,
    op, //
};

/// A run from the first cycle behind the sweep. Grants are taken at once.
pub struct Run {
    pub oracle: Oracle,
    /// With the cycle in which the grant was on the ports.
    pub grants: Vec<(u64, Grant)>,
    pub responses: Vec<(u64, Response)>,
}

impl Run {
    /// With these settings from reset on, and with the first sources open, their credit at 0.
    pub fn new(shape: Shape, settings: Settings, open: u64) -> Self {
        let oracle = Oracle::new(shape.reset(Settings { burst: 0, ..settings }));
        let mut run = Run { oracle, grants: Vec::new(), responses: Vec::new() };
        run.idle(shape.sweep());
        for source in 0..open {
            assert!(run.command(op::OPEN, source, 0).1.done);
        }
        run.step(&Inputs::idle(Some(settings)));
        run
    }

    pub fn step(&mut self, inputs: &Inputs) {
        let cycle = self.oracle.cycle();
        let out = self.oracle.step(inputs);
        self.grants.extend(out.grant.filter(|_| inputs.grant_ready).map(|grant| (cycle, grant)));
        self.responses.extend(out.response.map(|response| (cycle, response)));
    }

    pub fn idle(&mut self, cycles: u64) {
        (0..cycles).for_each(|_| self.step(&Inputs::idle(None)));
    }

    /// A demand, which must be accepted in this cycle. Returns the cycle.
    pub fn demand(&mut self, source: u64, target: u64) -> u64 {
        self.accept(Demand { source, target, repeat: false })
    }

    /// The same, with `repeat`.
    pub fn repeat(&mut self, source: u64, target: u64) -> u64 {
        self.accept(Demand { source, target, repeat: true })
    }

    fn accept(&mut self, demand: Demand) -> u64 {
        assert!(self.oracle.outputs().demand_ready);
        self.step(&Inputs { demand: Some(demand), ..Inputs::idle(None) });
        self.oracle.cycle() - 1
    }

    /// A command, up to its response. Returns the cycle in which it was accepted, and the response.
    pub fn command(&mut self, op: u64, source: u64, number: u64) -> (u64, Response) {
        assert!(self.oracle.outputs().command_ready);
        let cycle = self.oracle.cycle();
        self.step(&Inputs { command: Some(Command { op, source, number }), ..Inputs::idle(None) });
        while !self.oracle.outputs().command_ready {
            self.idle(1);
        }
        (cycle, self.responses.last().expect("there is a response").1)
    }
}
