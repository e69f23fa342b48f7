// SPDX-License-Identifier: MIT OR Apache-2.0
//! `credit_pacer`: the receiver's half of RCCC. Contract: `docs/stages/credit_pacer.md` (rows PC1 to PC12). With memories of
//! latency `l`:
//!
//! ```text
//!  demand, command, sweep  ->  enter    0 choose                           takes -> 0
//!                              targets  1 read     l + 2 open? target, and numbers with quota and advance
//!                              credits  2 read     l + 3 due? idle? credit, queues
//!                              level               l + 4 (x) less what is granted
//!                              takes               l + 5 to a queue        2 l + 7 there
//!  command  ->  commands       waits, a pass       l + 5 response
//!                                                  l + 5 grant
//! ```
//!
//! One pass enters per clock cycle. Each of the two tables has one difference in its loop; what a grant may reach is summed
//! up between them.

mod commands;
mod config;
mod counters;
mod credits;
mod enter;
mod level;
mod pass;
mod ports;
mod settings;
mod takes;
mod targets;

pub use config::{CreditPacerConfig, CreditPacerSettings};
pub use ports::*;

use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::{Access, latency_suffix};
use commands::{Commands, Found};
use counters::Counters;
use credits::Credits;
use enter::{Before, Enter, Entering};
use level::Level;
use pass::{Pass, Said};
use rtl_model::{Bits, Design, Logic, Reg, Shape, Stage, bits, name_nets, when};
use settings::SettingsRegs;
use takes::{Take, Takes};
use targets::{Aim, Targets};

#[name_nets]
impl Design for CreditPacerConfig {
    type Stage<L: Logic> = CreditPacer<L>;

    fn module_name(&self) -> String {
        format!("credit_pacer_s{}{}", self.sources, latency_suffix(self.ram_latency))
    }

    fn build<L: Logic>(&self) -> CreditPacer<L> {
        CreditPacer::new(*self)
    }
}

/// The stage `credit_pacer`: credit for the sources that send to this receiver.
#[name_nets]
pub struct CreditPacer<L: Logic> {
    config: CreditPacerConfig,
    settings: SettingsRegs<L>,
    commands: Commands<L>,
    enter: Enter<L>,
    /// Steps 1 to `l` + 4.
    passes: PipelineRegs<Pass<L>>,
    /// Steps 1 to `l` + 2: what a demand or a command says.
    said: PipelineRegs<Said<L>>,
    targets: Targets<L>,
    credits: Credits<L>,
    level: Level<L>,
    /// Step `l` + 5: a source enters the demand queue, or the ahead queue.
    joins: Reg<Access<L>>,
    joins_ahead: Reg<Access<L>>,
    takes: Takes<L>,
    grant: Reg<Grant<L>>,
    counters: Counters<L>,
}

#[name_nets]
impl<L: Logic> CreditPacer<L> {
    fn new(config: CreditPacerConfig) -> Self {
        let access = Access { valid: bits(1), index: config.source() };
        CreditPacer {
            config,
            settings: SettingsRegs::new(config),
            commands: Commands::new(config),
            enter: Enter::new(config),
            passes: PipelineRegs::new(1..=config.effect(), &Pass::shape(config)).checked(pass::PASS),
            said: PipelineRegs::new(1..=config.targets(), &Said::shape()).checked(pass::PASS),
            targets: Targets::new(config),
            credits: Credits::new(config),
            level: Level::new(),
            joins: Reg::new(&access),
            joins_ahead: Reg::new(&access),
            takes: Takes::new(config),
            grant: Reg::new(&Grant::shape(config)),
            counters: Counters::new(),
        }
    }

    /// What enters in this clock cycle, and a take that is due (row PC6): the one before has had its effect by then.
    fn entering(&self) -> (Entering<L>, Take<L>) {
        let take = self.takes.take(self.level.is_positive() & !self.grant.get().valid);
        let (waits, command) = (self.commands.waits(), self.commands.command());
        (self.enter.entering(Before { sweep: self.commands.sweep(), take, waits, command }), take)
    }

    /// The grant of the pass in step `l` + 4, and the sources that it puts into the queues.
    fn deliver(&self, pass: Pass<L>, grant_ready: Bits<L>) {
        let (deed, grant) = (self.credits.deed(), self.grant.get());
        self.joins.set(Access { valid: deed.joins, index: pass.source });
        self.joins_ahead.set(Access { valid: deed.joins_ahead, index: pass.source });
        when(grant.valid & grant_ready, || self.grant.set(Grant { valid: Bits::lit(1, 0), ..grant }));
        // Only without a grant on the ports is there a take.
        when(deed.grants | deed.repeats, || {
            self.grant.set(Grant {
                valid: Bits::lit(1, 1),
                source: pass.source,
                credit: self.credits.credit().credit,
                quanta: deed.quanta.gate(deed.grants),
                ahead: pass.takes_ahead,
            });
        });
    }
}

#[name_nets]
impl<L: Logic> Stage<L> for CreditPacer<L> {
    type In = CreditPacerIn<L>;
    type Out = CreditPacerOut<L>;

    fn input_shape(&self) -> CreditPacerIn<Shape> {
        CreditPacerIn::shape(self.config)
    }

    fn outputs(&self) -> CreditPacerOut<L> {
        let busy = self.commands.busy();
        let [closed_demands, stale_demands, credits, void_turns] = self.counters.counts();
        CreditPacerOut {
            demand_ready: self.enter.ready() & !busy,
            command_ready: self.commands.ready(),
            busy,
            grant: self.grant.get(),
            response: self.commands.response(),
            counts: CreditPacerCounts { closed_demands, stale_demands, credits, void_turns },
        }
    }

    fn clock(&self, input: &CreditPacerIn<L>) {
        let config = self.config;
        let (in_force, busy) = (self.settings.in_force(), self.commands.busy());
        let (Entering { pass, said, held }, take) = self.entering();
        let mut passes = vec![pass];
        passes.extend(self.passes.all());
        let (aim, deed, code) = (self.targets.aim(), self.credits.deed(), self.commands.command().op);
        let effect = passes[config.effect() as usize];

        // l + 4 and on; parts that read others come before these.
        self.counters.clock(aim, deed);
        let Aim { done, open, target, .. } = aim;
        let found = Found { done, open, target };
        self.commands.clock(found, effect.commands, self.credits.credit(), input.command, held);
        self.takes.clock(take, self.joins.get(), self.joins_ahead.get());
        self.level.clock(deed.quanta.gate(deed.grants), in_force, busy);
        self.deliver(effect, input.grant_ready);

        // 0 to l + 3
        self.credits.clock(&passes, aim);
        self.targets.clock(&passes, self.said.last(), code, in_force);
        self.passes.shift(pass);
        self.said.shift(said);
        self.enter.clock(input.demand, busy, pass.demands);
        self.settings.clock(input.settings);
    }
}
