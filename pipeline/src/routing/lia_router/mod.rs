// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lia_router`: minimal or not, for each packet of a switch of a Dragonfly. Contract: `docs/stages/lia_router.md` (rows LR1
//! to LR10). Three pipelines, with memories of latency `l`:
//!
//! ```text
//!  enqueue    ->  flows      1 row      2 read         l + 3 sum     l + 4 written, and to a copy
//!  dequeue    ->  flows                                                      |
//!  sweep      ->  loads      0 copies read            l queued, injected     v    l + 3 extended counter    l + 4 level
//!                 remote     l + 3 links of the group     l + 5 sums         l + 7 flags
//!                 routes     l + 5 level and first link
//!  request    ->  requests   2 routes    l + 2 links      l + 5 link and switch drawn     l + 11 hops      l + 16 response
//!  occupancy  ->  occupancies  2 written                                                   ^
//!  command    ->  commands   waits for the sweep
//! ```
//!
//! The results of a sweep are in force for all requests from one clock cycle on (`verdicts`).

mod balance;
mod choice;
mod commands;
mod config;
mod draws;
mod flows;
mod links;
mod loads;
mod occupancies;
mod onward;
mod ports;
mod remote;
mod requests;
mod routes;
mod settings;
mod sweep;
mod verdicts;

pub use config::{Hop, LiaRouterConfig, LiaRouterSettings};
pub use ports::*;

use crate::blocks::counter::Counter;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::{Access, latency_suffix};
use commands::Commands;
use draws::Draws;
use flows::Flow;
use loads::Loads;
use occupancies::Occupancies;
use remote::Remote;
use requests::{Requests, Sources};
use routes::Routes;
use rtl_model::{Bits, Design, Logic, Reg, Shape, Stage, bits, name_nets};
use settings::SettingsRegs;
use sweep::{Sweep, Visit};
use verdicts::Verdicts;

#[name_nets]
impl Design for LiaRouterConfig {
    type Stage<L: Logic> = LiaRouter<L>;

    fn module_name(&self) -> String {
        let LiaRouterConfig { global_ports, switches, trunks, counter_bits, ram_latency, .. } = self;
        let trunks = if *trunks == 1 { String::new() } else { format!("t{trunks}") };
        let latency = latency_suffix(*ram_latency);
        format!("lia_router_h{global_ports}a{switches}{trunks}c{counter_bits}{latency}")
    }

    fn build<L: Logic>(&self) -> LiaRouter<L> {
        LiaRouter::new(*self)
    }
}

/// The stage `lia_router`: routing by the load that a switch offers to each other group.
#[name_nets]
pub struct LiaRouter<L: Logic> {
    config: LiaRouterConfig,
    settings: SettingsRegs<L>,
    commands: Commands<L>,
    sweep: Sweep<L>,
    /// Steps 1 to `l` + 5.
    visits: PipelineRegs<Visit<L>>,
    entered: Flow<L>,
    left: Flow<L>,
    loads: Loads<L>,
    remote: Remote<L>,
    routes: Routes<L>,
    verdicts: Verdicts<L>,
    draws: Draws<L>,
    occupancies: Occupancies<L>,
    requests: Requests<L>,
    non_minimal: Counter<L>,
    unknown: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> LiaRouter<L> {
    fn new(config: LiaRouterConfig) -> Self {
        LiaRouter {
            config,
            settings: SettingsRegs::new(config),
            commands: Commands::new(config),
            sweep: Sweep::new(config),
            visits: PipelineRegs::new(1..=config.ram_latency + 5, &Visit::shape(config)),
            entered: Flow::new(config),
            left: Flow::new(config),
            loads: Loads::new(config),
            remote: Remote::new(config),
            routes: Routes::new(config),
            verdicts: Verdicts::new(config),
            draws: Draws::new(config),
            occupancies: Occupancies::new(config),
            requests: Requests::new(config),
            non_minimal: Counter::new(COUNT_WIDTH),
            unknown: Reg::new(&bits(COUNT_WIDTH)).with_reset(),
        }
    }

    /// One clock cycle of the counters.
    fn count(&self) {
        let Response { valid, known, minimal, .. } = self.requests.response();
        self.non_minimal.count(valid & known & !minimal);
        let kinds = [self.entered.unknown(), self.left.unknown(), self.occupancies.unknown(), self.requests.unknown()];
        let events = kinds.into_iter().reduce(Bits::concat).expect("there are kinds").count_ones();
        self.unknown.set(self.unknown.get() + events.extend(COUNT_WIDTH));
    }
}

#[name_nets]
impl<L: Logic> Stage<L> for LiaRouter<L> {
    type In = LiaRouterIn<L>;
    type Out = LiaRouterOut<L>;

    fn input_shape(&self) -> LiaRouterIn<Shape> {
        LiaRouterIn::shape(self.config)
    }

    fn outputs(&self) -> LiaRouterOut<L> {
        let busy = self.sweep.busy();
        LiaRouterOut {
            command_ready: self.commands.ready() & !busy,
            busy,
            response: self.requests.response(),
            state: self.commands.state(),
            counts: LiaRouterCounts { non_minimal: self.non_minimal.get(), unknown: self.unknown.get() },
        }
    }

    fn clock(&self, input: &LiaRouterIn<L>) {
        let l = self.config.ram_latency;
        let (in_force, place) = (self.settings.in_force(), self.commands.place());
        let taken = !self.sweep.busy();
        let (clears_row, clears_port) = self.sweep.clears();
        let visit = self.sweep.visit(self.commands.reads());
        let (ends, restarts, placed) = (self.sweep.ends(), self.commands.restarts(), self.sweep.drained());
        let (seed, reads) = (self.commands.seed(), self.requests.reads());
        self.count();

        // What reads others comes before them.
        let sources = Sources {
            place,
            route: self.routes.data(),
            flags: self.verdicts.flags(),
            draws: &self.draws,
            occupancies: self.occupancies.read(),
            biases: self.verdicts.biases(),
        };
        let (row, half) = (self.requests.row(), self.verdicts.half());
        self.requests.clock(input.request, taken, sources);
        self.draws.clock(input.request.valid & taken, placed, seed);
        self.occupancies.clock(input.occupancy, taken, clears_port, reads, in_force.corrected);

        let at_row = self.visits.at(l + 5);
        let standing = self.loads.standing();
        let write = Access { valid: at_row.valid, index: at_row.row };
        self.routes.clock(row, half, write, standing.level, self.remote.first());
        self.verdicts.clock(ends, self.remote.flags(), self.remote.saturated(), in_force);
        let command_taken = self.commands.ready() & taken;
        self.commands.clock(input.command, command_taken, visit, &self.visits, &self.loads, placed);
        self.remote.clock(&self.visits, self.loads.extended(), standing.saturated, place.switch, in_force);
        let counters = [self.entered.count(), self.left.count()];
        self.loads.clock(visit, &self.visits, counters, in_force);
        self.entered.clock(input.enqueue, taken, place.group, clears_row, visit.row);
        self.left.clock(input.dequeue, taken, place.group, clears_row, visit.row);
        self.visits.shift(visit);
        self.sweep.clock(in_force.interval, restarts);
        self.settings.clock(input.settings, ends);
    }
}
