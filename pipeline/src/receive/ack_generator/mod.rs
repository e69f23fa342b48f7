// SPDX-License-Identifier: MIT OR Apache-2.0
//! `ack_generator`: decides what a receiver answers, and when. Contract: `docs/stages/ack_generator.md` (rows G1 to G27).
//! With memories of latency `l`:
//!
//! ```text
//!  arrival ->  marks        1 slots  l + 2 mask  l + 3 counts  l + 5 sum                 (RoCE)
//!              arrivals     4 class, time  5, 6 delay
//!              connections  5 row  l + 6 effect (x)  l + 7 written
//!                             | becomes due          | reply             | waiting
//!                           due                    replies             visits  ->  expiry, a pass
//!                             |                      |
//!              takes        0 pop (b)  1 views  l + 1 differences  l + 2 limits  l + 3 select  ->  ack
//!  event   ->  events       waits, a pass; UET: a reply per PSN, RoCE: per 16 of them
//!  command ->  commands     waits, a pass  ->  response
//! ```
//!
//! One arrival enters per clock cycle, and nothing stops it. What goes through the pipeline is a *pass*; passes are the only
//! writers of connections, and takes read copies. A connection is due while the bit in its row differs from that of the side
//! of takes, so nothing has to be cleared when its ACK leaves.

mod arrivals;
mod codes;
mod commands;
mod config;
mod connections;
mod counters;
mod due;
mod events;
mod marks;
mod no_buffer;
mod packets;
mod pass;
mod ports;
mod replies;
mod roce;
mod roce_ack;
mod row;
mod settings;
mod take;
mod takes;
mod uet;
mod uet_ack;
mod views;
mod visits;

pub use config::{AckGeneratorConfig, AckGeneratorSettings, AckProtocol};
pub use ports::*;

use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::latency_suffix;
use crate::blocks::unit_clock::UnitClock;
use arrivals::Arrivals;
use commands::Commands;
use connections::Connections;
use counters::{Counters, Counts};
use due::{Due, DueEntry};
use events::Events;
use pass::{PASS, Pass};
use replies::Replies;
use rtl_model::{Design, Logic, Shape, Stage, name_nets, select};
use settings::SettingsRegs;
use takes::Takes;
use views::Views;
use visits::Visits;

#[name_nets]
impl Design for AckGeneratorConfig {
    type Stage<L: Logic> = AckGenerator<L>;

    fn module_name(&self) -> String {
        format!("ack_generator_{}{}", self.suffix(), latency_suffix(self.ram_latency))
    }

    fn build<L: Logic>(&self) -> AckGenerator<L> {
        AckGenerator::new(*self)
    }
}

/// The stage `ack_generator`: what a receiver answers.
#[name_nets]
pub struct AckGenerator<L: Logic> {
    config: AckGeneratorConfig,
    clock: UnitClock<L>,
    settings: SettingsRegs<L>,
    commands: Commands<L>,
    events: Events<L>,
    /// Steps 1 to `l` + 7.
    passes: PipelineRegs<Pass<L>>,
    arrivals: Arrivals<L>,
    connections: Connections<L>,
    due: Due<L>,
    replies: Replies<L>,
    views: Views<L>,
    takes: Takes<L>,
    visits: Visits<L>,
    counters: Counters<L>,
}

#[name_nets]
impl<L: Logic> AckGenerator<L> {
    fn new(config: AckGeneratorConfig) -> Self {
        AckGenerator {
            config,
            clock: UnitClock::new(TIME_WIDTH),
            settings: SettingsRegs::new(config),
            commands: Commands::new(config),
            events: Events::new(config),
            passes: PipelineRegs::new(1..=config.effect() + 1, &Pass::shape(config)).checked(PASS),
            arrivals: Arrivals::new(config),
            connections: Connections::new(config),
            due: Due::new(config),
            replies: Replies::new(config),
            views: Views::new(config),
            takes: Takes::new(config),
            visits: Visits::new(config),
            counters: Counters::new(config),
        }
    }

    /// The pass that enters (row G1): a row of the sweep, an arrival, a command, an event, or an expiry.
    fn entering(&self, arrival: Arrival<L>) -> Pass<L> {
        let (sweeps, swept) = self.commands.sweep();
        let (command, event, expiry) = (self.commands.command(), self.events.event(), self.visits.expiry());
        let arrives = arrival.valid & !self.commands.busy();
        let free = !arrival.valid;
        let commands = free & self.commands.waits();
        let reports = free & !self.commands.waits() & self.events.waits();
        let expires = free & !self.commands.waits() & !self.events.waits() & expiry.valid;
        let other = select(self.events.waits(), event.connection, expiry.index);
        let other = select(self.commands.waits(), command.connection, other);
        let other = select(sweeps, swept, other);
        Pass {
            valid: sweeps | arrives | commands | reports | expires,
            arrives,
            commands,
            reports,
            expires,
            sweeps,
            connection: select(arrives, arrival.connection, other),
            expected: select(arrives, arrival.expected, command.psn),
            ..Pass::of(arrival)
        }
    }
}

#[name_nets]
impl<L: Logic> Stage<L> for AckGenerator<L> {
    type In = AckGeneratorIn<L>;
    type Out = AckGeneratorOut<L>;

    fn input_shape(&self) -> AckGeneratorIn<Shape> {
        AckGeneratorIn::shape(self.config)
    }

    fn outputs(&self) -> AckGeneratorOut<L> {
        let counts = self.counters.counts();
        let Counts { sent: [acks, naks, probe_answers], merged_causes, expired, dropped_replies, .. } = counts;
        let Counts { refused_arrivals, busy_arrivals, void_events, .. } = counts;
        let busy = self.commands.busy();
        AckGeneratorOut {
            event_ready: self.events.idle() & !busy,
            command_ready: self.commands.ready(),
            busy,
            ack: self.takes.ack(),
            response: self.commands.response(),
            counts: AckGeneratorCounts {
                acks,
                naks,
                probe_answers,
                merged_causes,
                expired,
                dropped_replies,
                refused_arrivals,
                busy_arrivals,
                void_events,
            },
        }
    }

    fn clock(&self, input: &AckGeneratorIn<L>) {
        let AckGeneratorIn { arrival, event, command, settings, pressure, ack_ready } = *input;
        let effect_step = self.config.effect() as usize;
        let (in_force, time, busy) = (self.settings.in_force(), self.clock.time(), self.commands.busy());
        let entering = self.entering(arrival);
        let mut passes = vec![entering];
        passes.extend(self.passes.all());

        // What the parts show of their registers, before any of them is clocked.
        let (deciding, written) = (passes[effect_step], passes[effect_step + 1]);
        let (row, effect) = (self.connections.row(), self.connections.effect());
        let (ack, first, viewed) = (self.takes.ack(), self.takes.first(), self.views.viewed());
        let (reply_front, due_front) = (self.replies.front(), self.due.front());
        let (pops_reply, pops_due) = self.takes.pops(self.replies.valid(), self.due.valid());
        let accepts_event = event.valid & self.events.idle() & !busy;

        self.counters.clock(effect, ack, ack_ready, arrival.valid & busy);
        self.takes.clock((pops_reply, reply_front), (pops_due, due_front), viewed, in_force, time, pressure, ack_ready);
        self.views.clock(first.entry.connection, written, row, effect, &self.arrivals, self.commands.command());
        self.visits.clock(
            written.access(),
            row.waiting,
            (effect.begins, self.arrivals.time()),
            busy,
            (time, in_force.time, in_force.expires),
            entering.expires,
        );
        self.commands.respond(written, row, effect);
        let decision = self.connections.clock(
            &passes,
            &self.arrivals,
            &self.events,
            self.commands.command(),
            in_force,
            self.due.taken_bit(),
            self.replies.room(),
        );
        self.events.compare(&passes, decision.updates, row.expected);
        let reply = self.arrivals.reply(&deciding, decision.known);
        let infers = (deciding.reports, decision.infers, decision.first);
        let inferred = self.replies.clock((decision.replies, reply), infers, &self.events, pops_reply);
        let entry = DueEntry { connection: written.connection, toggle: row.toggle };
        self.due.clock(&passes, (effect.becomes_due, entry), pops_due, (first.valid & !first.replies, first.entry));
        self.events.clock(accepts_event, event, entering.reports, decision.ends_event | inferred);
        self.commands.clock(command, arrival.valid);
        self.arrivals.clock(&passes, in_force, settings, time);
        self.passes.shift(entering);
        self.passes.set(5, passes[4].or_opened());
        self.settings.clock(settings);
        self.clock.clock(in_force.tick);
    }
}
