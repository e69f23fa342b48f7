// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which PDCs are open, how large their windows may be, and whether they back off (rows D14, D29, D30 and D37). With memories of latency
//! `l`:
//!
//! ```text
//!  1      PDC to `rows`
//!  l + 2  row: open? how many PSNs are allowed? does it back off?
//!  l + 3  written; how many are allowed after it
//! ```

use super::backoff::{self, Backoff};
use super::config::PacketTrackerConfig;
use super::context::{After, Context, Limits, OwnTimer, Owner};
use super::pass::{PASS, Pass};
use super::ports::{Command, MPR_WIDTH};
use super::scan::ScanResult;
use super::serving::Serving;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::RmwTable;
use rtl_model::{Bits, Logic, Reg, Signal, bits, name_nets, select, when};

/// *mpr* is in units of 2 to the power of this.
const MPR_SHIFT: u32 = 7;

/// The contexts of all PDCs.
#[name_nets]
pub struct Contexts<L: Logic> {
    config: PacketTrackerConfig,
    rows: RmwTable<L, Context<L>>,
    /// Step `l` + 3: the PDC was open.
    was_open: Reg<Bits<L>>,
    /// Step `l` + 3: the PSNs that are allowed before the pass.
    allowed_before: Reg<Bits<L>>,
    /// Step `l` + 4: what may be sent after it.
    after: Reg<After<L>>,
    /// Step `l` + 3: a backoff begins; the PDC may try from now on, at the end of a scan.
    begins: Reg<Bits<L>>,
    resumes: Reg<Bits<L>>,
    /// Steps `l` + 4 and `l` + 5: its timer, and its backoff.
    limits: PipelineRegs<Limits<L>>,
    /// Steps `l` + 4 to 2 `l` + 9.
    owner: PipelineRegs<Owner<L>>,
}

#[name_nets]
impl<L: Logic> Contexts<L> {
    pub fn new(config: PacketTrackerConfig) -> Self {
        let flag = bits(1);
        Contexts {
            config,
            rows: RmwTable::new(config.pdcs, config.ram_latency, &Context::shape(config)).compared_early(),
            was_open: Reg::new(&flag),
            allowed_before: Reg::new(&config.count()),
            after: Reg::new(&After::shape(config)),
            begins: Reg::new(&flag),
            resumes: Reg::new(&flag),
            limits: PipelineRegs::new(config.records()..=config.records() + 1, &Limits::shape()).checked(PASS),
            owner: PipelineRegs::new(config.records()..=config.outputs(), &Owner::shape(config)).checked(PASS),
        }
    }

    /// Step `l` + 3: the context after the pass.
    pub fn context(&self) -> Context<L> {
        self.rows.modified()
    }

    /// Step `l` + 3: the PDC was open, and how many PSNs were allowed.
    pub fn before(&self) -> (Bits<L>, Bits<L>) {
        (self.was_open.get(), self.allowed_before.get())
    }

    /// Step `l` + 4: what may be sent.
    pub fn after(&self) -> After<L> {
        self.after.get()
    }

    /// Step `l` + 3: a backoff begins.
    pub fn begins(&self) -> Bits<L> {
        self.begins.get()
    }

    /// Its own timer and its backoff in this step, `l` + 4 or `l` + 5.
    pub fn limits(&self, step: u32) -> Limits<L> {
        self.limits.at(step)
    }

    /// Whose the PDC is, in this step.
    pub fn owner(&self, step: u32) -> Owner<L> {
        self.owner.at(step)
    }

    /// One clock cycle: the passes in all steps; the walk, whether it has released or found a packet, and leaves some in the window;
    /// what the end of a scan does; the command.
    pub fn clock(
        &self,
        passes: &[Pass<L>],
        walk: Serving<L>,
        (read, leaves): (Bits<L>, Bits<L>),
        result: &ScanResult<L>,
        command: Command<L>,
    ) {
        let config = self.config;
        let step = config.contexts() as usize;

        // l + 3
        let after = self.rows.modified();
        let Backoff { phase, .. } = after.limits.backoff;
        let (backs_off, holds) = (phase.any(), after.limits.backoff.holds());
        let (open, resumes) = (self.was_open.get(), self.resumes.get());
        self.owner.shift(Owner { open, ccc: after.ccc, backs_off, holds, resumes });
        self.limits.shift(after.limits);
        self.after.set(After {
            open: after.open,
            unrefused: after.window.any(),
            may_repeat: !holds,
            allowed: config.allowed(after).gate(!backs_off),
        });

        // l + 2
        let (pass, row) = (passes[step], self.rows.operand());
        let does = pass.finishes & walk.commands & walk.done;
        let [opens, closes] = [walk.opens, walk.closes].map(|kind| does & kind);
        let [changes, fails] = [walk.changes, walk.fails].map(|kind| does & kind);
        let states = pass.finishes & walk.moves & walk.mpr.any();
        let window = config.window_of(command.window);
        let Command { own_timer: own, rto, retries, backoff_limit, tail_probe, .. } = command;
        let set = opens | changes;
        let (backoff, resumes) = self.backoff(pass, walk, (read, leaves), result, row);
        let next = Context {
            open: (row.open | opens) & !closes & !pass.sweeps,
            ccc: select(opens, command.ccc, row.ccc),
            // Nothing new is sent then.
            window: select(set, window, row.window).gate(!fails),
            mpr: select(opens, command.mpr, select(states, walk.mpr, row.mpr)),
            limits: Limits {
                timer: select(
                    set,
                    OwnTimer { own, rto, retries, backoff_limit, tail_probe, probes: tail_probe.any() },
                    row.limits.timer,
                ),
                backoff: backoff.gate(!set),
            },
        };
        self.begins.set(pass.finishes & walk.backs_off & row.limits.backoff.may_begin());
        self.resumes.set(resumes);
        self.allowed_before.set(self.rows.of_operand(|row| config.allowed(row).gate(!row.limits.backoff.phase.any())));
        self.was_open.set(row.open);
        self.rows.clock(passes[1].any_access(), Bits::lit(1, 1));
        when(pass.any_access().valid, || self.rows.modify(next));
    }

    /// Step `l` + 2: the backoff after the pass, unless a command sets it; the end of a scan makes the PDC try.
    fn backoff(
        &self,
        pass: Pass<L>,
        walk: Serving<L>,
        (read, leaves): (Bits<L>, Bits<L>),
        result: &ScanResult<L>,
        row: Context<L>,
    ) -> (Backoff<L>, Bits<L>) {
        let was = row.limits.backoff;
        let limit = select(row.limits.timer.own, row.limits.timer.backoff_limit, walk.backoff_limit);
        let begins = pass.finishes & walk.backs_off & was.may_begin();
        // An answer to the packet that was tried; or there is nothing left that could be sent again.
        let acknowledged = pass.finishes & walk.accepted;
        let ends = acknowledged & (read & !was.is(backoff::WAITING) | !leaves);
        let tries = pass.finishes & walk.agains & read & was.is(backoff::TRYING);
        let over = pass.completes & result.is_backoff & !result.fails & was.is(backoff::WAITING);
        // It may be the packet that was tried.
        let late = pass.completes & result.doubles & was.is(backoff::TRIED);
        let nacked = pass.nacks & was.is(backoff::TRIED);
        let moved = select(over | late | nacked, select(over, was.resumed(), was.in_phase(backoff::TRYING)), was);
        let tried = select(tries, was.in_phase(backoff::TRIED), moved);
        (select(begins, was.next(walk.reason, limit), tried).gate(!ends), over | late)
    }
}

impl PacketTrackerConfig {
    /// The window that a command says: 0 and all above stand for the largest one.
    fn window_of<L: Logic>(self, window: Bits<L>) -> Bits<L> {
        let largest = !window.any() | window.greater(self.window);
        select(largest, Bits::lit(self.count_bits(), self.window), window)
    }

    /// The PSNs that may be in the window.
    fn allowed<L: Logic>(self, row: Context<L>) -> Bits<L> {
        let width = MPR_WIDTH + MPR_SHIFT;
        let by_peer = row.mpr.concat(Bits::lit(MPR_SHIFT, 0));
        let is_less = row.mpr.any() & by_peer.less(row.window.extend(width));
        select(is_less, by_peer.truncate(self.count_bits()), row.window)
    }
}
