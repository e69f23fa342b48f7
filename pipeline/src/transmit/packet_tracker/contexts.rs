// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which PDCs are open, and how large their windows may be (rows D14, D29 and D30). With memories of latency `l`:
//!
//! ```text
//!  1      PDC to `rows`
//!  l + 2  row: open? how many PSNs are allowed?
//!  l + 3  written; how many are allowed after it
//! ```

use super::config::PacketTrackerConfig;
use super::context::{Context, OwnTimer, Owner};
use super::pass::{PASS, Pass};
use super::ports::{Command, MPR_WIDTH};
use super::serving::Serving;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::RmwTable;
use rtl_model::{Bits, Logic, Reg, bits, name_nets, select, when};

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
    /// Step `l` + 4: those that are allowed after it.
    allowed: Reg<Bits<L>>,
    /// Step `l` + 4: the PDC is open after it.
    open: Reg<Bits<L>>,
    /// Steps `l` + 4 and `l` + 5: its timer.
    timer: PipelineRegs<OwnTimer<L>>,
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
            allowed: Reg::new(&config.count()),
            open: Reg::new(&flag),
            timer: PipelineRegs::new(config.records()..=config.records() + 1, &OwnTimer::shape()).checked(PASS),
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

    /// Step `l` + 4: the PDC is open, and how many PSNs are allowed.
    pub fn after(&self) -> (Bits<L>, Bits<L>) {
        (self.open.get(), self.allowed.get())
    }

    /// Its own timer in this step, `l` + 4 or `l` + 5.
    pub fn timer(&self, step: u32) -> OwnTimer<L> {
        self.timer.at(step)
    }

    /// Whose the PDC is, in this step.
    pub fn owner(&self, step: u32) -> Owner<L> {
        self.owner.at(step)
    }

    /// One clock cycle: the passes in all steps; the walk, and the command.
    pub fn clock(&self, passes: &[Pass<L>], walk: Serving<L>, command: Command<L>) {
        let config = self.config;
        let step = config.contexts() as usize;

        // l + 3
        let after = self.rows.modified();
        self.owner.shift(Owner { open: self.was_open.get(), ccc: after.ccc });
        self.timer.shift(after.timer);
        self.allowed.set(config.allowed(after));
        self.open.set(after.open);

        // l + 2
        let (pass, row) = (passes[step], self.rows.operand());
        let does = pass.finishes & walk.commands & walk.done;
        let [opens, closes] = [walk.opens, walk.closes].map(|kind| does & kind);
        let [changes, fails] = [walk.changes, walk.fails].map(|kind| does & kind);
        let states = pass.finishes & walk.moves & walk.mpr.any();
        let window = config.window_of(command.window);
        let Command { own_timer: own, rto, retries, .. } = command;
        let next = Context {
            open: (row.open | opens) & !closes & !pass.sweeps,
            ccc: select(opens, command.ccc, row.ccc),
            // Nothing new is sent then.
            window: select(opens | changes, window, row.window).gate(!fails),
            mpr: select(opens, command.mpr, select(states, walk.mpr, row.mpr)),
            timer: select(opens | changes, OwnTimer { own, rto, retries }, row.timer),
        };
        self.allowed_before.set(self.rows.of_operand(|row| config.allowed(row)));
        self.was_open.set(row.open);
        self.rows.clock(passes[1].any_access(), Bits::lit(1, 1));
        when(pass.any_access().valid, || self.rows.modify(next));
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
