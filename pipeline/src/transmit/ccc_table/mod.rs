// SPDX-License-Identifier: MIT OR Apache-2.0
//! `ccc_table`: the state of every CCC, and which may send. Contract: `docs/stages/ccc_table.md` (rows C1 to C35).
//! With memories of latency `l`:
//!
//! ```text
//!  ack, send, loss, data ->  enter      0 choose                              adjustment unit -> 0
//!                            contexts   1 read                l + 3 open?
//!                            flight     2 read  l + 2 deltas  l + 3 sums, refused?
//!                            rtt        1 to 4
//!                            base       3 read  l + 4 min     l + 5 to l + 8 max_wnd
//!                            delays     5 read  l + 5 delay   l + 6 sum, quadrant
//!                            adapt      l + 10 read           l + 11 compare, select
//!                            window     l + 13 read           l + 14 compare, select
//!                            credits    l + 13 read           l + 14 sum, compare
//!                            increases  l + 15 read           l + 16 sum, compare  ->  adjustment unit
//!                            limit      l + 15 to l + 20
//!                            turns      19 read               l + 20 (x) listed?   ->  queue of the class
//!                            grants     0 take (b)  1 copy  l + 2 READY?  l + 5 grant
//!  command  ->  commands     waits, a pass                    l + 22 response
//! ```
//!
//! One pass enters per clock cycle. Each group of state has a memory with one small step in its loop, and depends on groups
//! before it alone. Passes and takes share no writer: a bit on each side says whether the entry of a CCC in a queue has gone.

mod adapt;
mod adjustment;
mod base;
mod bounds;
mod commands;
mod config;
mod contexts;
mod counters;
mod credits;
mod deadline;
mod delays;
mod deltas;
mod divider;
mod enter;
mod flight;
mod grants;
mod increases;
mod limit;
mod nscc;
mod order;
mod pass;
mod ports;
mod products;
mod rtt;
mod settings;
mod turns;
mod unread;
mod window;

pub use config::{CccAlgorithms, CccTableConfig, CccTableSettings, TAKES};
pub use order::PLACES as EVENTS;
pub use ports::*;

use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::latency_suffix;
use crate::blocks::unit_clock::UnitClock;
use adjustment::Due;
use base::Base;
use commands::{Commands, Found};
use counters::{Counters, Happened};
use credits::Credits;
use enter::{Before, Enter, Entering};
use flight::{Deed, Flight};
use grants::{Grants, Says};
use limit::{Limits, LimitsIn};
use nscc::{Nscc, Steps};
use pass::{Kept, Load, PASS, Pass};
use rtl_model::names::Scope;
use rtl_model::{Bits, Design, Logic, Reg, Shape, Signal, Stage, constant, name_nets};
use settings::SettingsRegs;
use turns::{Effect, Turns};

#[name_nets]
impl Design for CccTableConfig {
    type Stage<L: Logic> = CccTable<L>;

    fn module_name(&self) -> String {
        format!("ccc_table_{}{}", self.suffix(), latency_suffix(self.ram_latency))
    }

    fn build<L: Logic>(&self) -> CccTable<L> {
        CccTable::new(*self)
    }
}

/// The stage `ccc_table`: which CCC may send.
#[name_nets]
pub struct CccTable<L: Logic> {
    config: CccTableConfig,
    clock: UnitClock<L>,
    settings: SettingsRegs<L>,
    commands: Commands<L>,
    enter: Enter<L>,
    /// Steps 1 to `l` + 21.
    passes: PipelineRegs<Pass<L>>,
    /// Steps 1 to `l` + 2.
    loads: PipelineRegs<Load<L>>,
    /// Steps 1 to `l` + 15.
    kept: PipelineRegs<Kept<L>>,
    flight: Flight<L>,
    /// Steps `l` + 5 to `l` + 21.
    deeds: PipelineRegs<Deed<L>>,
    base: Base<L>,
    nscc: Option<Nscc<L>>,
    credits: Option<Credits<L>>,
    limits: Limits<L>,
    turns: Turns<L>,
    grants: Grants<L>,
    counters: Counters<L>,
}

#[name_nets]
impl<L: Logic> CccTable<L> {
    fn new(config: CccTableConfig) -> Self {
        let l = config.ram_latency;
        CccTable {
            config,
            clock: UnitClock::new(TIME_WIDTH),
            settings: SettingsRegs::new(config),
            commands: Commands::new(config),
            enter: Enter::new(config),
            // A scope of its own for each step, or all of them would be one long block of the Verilog.
            passes: PipelineRegs::of(1..=l + 21, |step| {
                let _scope = Scope::<L>::enter(&format!("step_{step}"), "");
                Reg::numbered(step, &Pass::shape(config))
            })
            .checked(PASS),
            loads: PipelineRegs::new(1..=l + 2, &Load::shape(config)).checked(PASS),
            kept: PipelineRegs::new(1..=l + 15, &Kept::shape()).checked(PASS),
            flight: Flight::new(config),
            deeds: PipelineRegs::new(l + 5..=l + 21, &Deed::shape(config)).checked(PASS),
            base: Base::new(config),
            nscc: config.nscc(()).map(|()| Nscc::new(config)),
            credits: config.rccc(()).map(|()| Credits::new(config)),
            limits: Limits::new(config),
            turns: Turns::new(config),
            grants: Grants::new(config),
            counters: Counters::new(),
        }
    }

    /// What enters in this clock cycle, and an adjustment that is due.
    fn entering(&self) -> (Entering<L>, Due<L>) {
        let due = self.nscc.as_ref().map_or(Due::zero(&Due::shape(self.config)), Nscc::due);
        let before = Before {
            sweep: self.commands.sweep(),
            due,
            command: (self.commands.waits(), self.commands.command().ccc),
            pausing: self.settings.pausing(),
        };
        (self.enter.entering(&before), due)
    }

    /// What has happened to passes in several steps.
    fn happened(&self) -> Happened<L> {
        let no = Bits::lit(1, 0);
        let deed = self.flight.deed();
        let moved = self.nscc.as_ref().map(Nscc::moved);
        Happened {
            refusals: self.flight.refusals(),
            bad_time: self.nscc.as_ref().map_or(no, |nscc| nscc.bad_time(deed)),
            adjusted: moved.map_or(no, |moved| moved.adjusted),
            void_adjustment: moved.map_or(no, |moved| moved.is_void),
            quick_adapt: self.nscc.as_ref().map_or(no, Nscc::fires),
            unready: self.grants.unready(),
        }
    }

    /// What a command finds, in the steps in which it is known.
    fn found(&self) -> Found<L> {
        let l = self.config.ram_latency;
        Found {
            counted: self.flight.counted(),
            base_rtt: self.base.base_rtt(),
            delay: self.nscc.as_ref().map(Nscc::filtered_delay),
            max_wnd: self.base.max_wnd(l + 8),
            cwnd: self.nscc.as_ref().map(Nscc::cwnd),
            credit: self.credits.as_ref().map(|credits| credits.credit().credit),
            deed: self.deeds.last(),
            state: self.limits.state(l + 21),
            in_turn: self.turns.turned().in_turn,
            credit_target: self.limits.credit_target(),
        }
    }
}

#[name_nets]
impl<L: Logic> Stage<L> for CccTable<L> {
    type In = CccTableIn<L>;
    type Out = CccTableOut<L>;

    fn input_shape(&self) -> CccTableIn<Shape> {
        CccTableIn::shape(self.config)
    }

    fn outputs(&self) -> CccTableOut<L> {
        let busy = self.commands.busy();
        let [ack_ready, send_ready, loss_ready, data_ready] = self.enter.ready().map(|ready| ready & !busy);
        let ([event_waiting, data_waiting], (Entering { from: entering, .. }, _)) =
            (self.enter.waiting(), self.entering());
        let [closed_events, excess_acks, excess_sends, short_backlogs, refused_data, stale_credits, others @ ..] =
            self.counters.counts();
        let [bad_times, adjustments, void_adjustments, quick_adapts, unready_turns] = others;
        CccTableOut {
            ack_ready,
            send_ready,
            loss_ready,
            data_ready,
            command_ready: self.commands.ready(),
            event_waiting,
            event_entering: entering.truncate(3).any(),
            data_waiting,
            data_entering: entering.bit(3),
            busy,
            grant: self.grants.grant(),
            response: self.commands.response(),
            counts: CccTableCounts {
                closed_events,
                excess_acks,
                excess_sends,
                short_backlogs,
                refused_data,
                stale_credits,
                bad_times,
                adjustments,
                void_adjustments,
                quick_adapts,
                unready_turns,
            },
        }
    }

    fn clock(&self, input: &CccTableIn<L>) {
        let l = self.config.ram_latency;
        unread::ignore(self.config, input);
        let (in_force, time, busy) = (self.settings.in_force(), self.clock.time(), self.commands.busy());
        let command = self.commands.command();
        let (Entering { pass, load, from, held }, _) = self.entering();
        let (mut passes, mut loads, mut kept) = (vec![pass], vec![load], vec![load.kept()]);
        passes.extend(self.passes.all());
        loads.extend(self.loads.all());
        kept.extend(self.kept.all());
        // There is none before step l + 4.
        let deed = self.flight.deed();
        let mut deeds = vec![deed; l as usize + 5];
        deeds.extend(self.deeds.all());
        let steps = Steps { passes: &passes, loads: &loads, kept: &kept, deeds: &deeds };

        // What the parts show of their registers, before any of them is clocked.
        let (pops, take) = self.grants.taking();
        let (first, turned, was_in_turn) = (self.grants.first(), self.turns.turned(), self.turns.was_in_turn());
        let [effect, written] = [l + 20, l + 21].map(|step| deeds[step as usize]);
        let is_ready =
            |step: u32, deed: Deed<L>| deed.open & self.limits.state(l + step).equals(constant!(state::READY));
        let (ready, was_ready) = (is_ready(20, effect), is_ready(21, written));
        let says = Says {
            ready: was_ready,
            limit: self.limits.limit(),
            packets: written.weight,
            retransmission: self.limits.waiting(l + 21).waits_again,
            ack_request: self.nscc.as_ref().map(|_| self.limits.asks()),
            credit_target: self.credits.as_ref().map(|_| self.limits.credit_target()),
        };

        // Parts that read others come before these.
        self.counters.clock(self.happened());
        self.commands.clock(&passes, self.found(), input.command, held);
        let access = passes[l as usize + 21].access();
        self.grants.clock((&pops, take), (turned, written.class), (access, says), input.grant_ready);
        let taken = (first.valid, first.listed);
        let effect = Effect { ready, ends: effect.ends, frees: effect.frees };
        self.turns.clock(&passes, effect, (take.valid, take.listed), taken);
        let from_tables = LimitsIn {
            counted: self.flight.counted(),
            max_wnd: self.base.max_wnd(l + 9),
            cwnd: self.nscc.as_ref().map(Nscc::cwnd),
            credit: self.credits.as_ref().map(Credits::credit),
        };
        if let Some(nscc) = &self.nscc {
            nscc.clock(&steps, time, &self.base, &self.limits, in_force);
        }
        if let Some(credits) = &self.credits {
            let max_wnd = [12, 14].map(|step| self.base.max_wnd(l + step));
            credits.clock(&passes, &deeds, &kept, max_wnd, in_force);
        }
        self.limits.clock(&deeds, from_tables, in_force);
        self.base.clock(&passes, deed, self.nscc.as_ref().map(Nscc::rtts), in_force);
        if let Some(nscc) = &self.nscc {
            nscc.clock_rtts(&steps, in_force);
        }
        self.flight.clock(&passes, &loads, command, was_in_turn);
        self.passes.shift(pass);
        self.loads.shift(load);
        self.kept.shift(kept[0]);
        self.deeds.shift(deed);
        self.enter.clock(input, from, busy);
        self.settings.clock(input.settings);
        self.clock.clock(in_force.tick);
    }
}
