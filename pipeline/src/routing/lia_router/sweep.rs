// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sweep (rows LR3 and LR8): visits all rows again and again, one per clock cycle. After reset, and when the switch is
//! placed, all tables are cleared before.
//!
//! ```text
//!  draining -> clearing -> sweep -> sweep -> ..
//!                 reset ^
//! ```

use super::config::LiaRouterConfig;
use super::ports::INTERVAL_WIDTH;
use crate::blocks::table::Access;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, index_width, name_nets, when};

/// Clock cycles in which what is in the pipelines comes to its end.
pub const DRAIN_CYCLES: u64 = 32;

/// A visit of a row.
#[derive(Bundle)]
#[shape(config: LiaRouterConfig)]
pub struct Visit<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    #[shape(config.row())]
    pub row: Bits<L>,
    /// It is the first of its sweep.
    pub first: Bits<L>,
    /// An interval ends.
    pub ends_interval: Bits<L>,
    /// It is of the first sweep, before which nothing has left.
    pub starts: Bits<L>,
    /// A command reads what it finds.
    pub reads: Bits<L>,
}

/// The sweep.
#[name_nets]
pub struct Sweep<L: Logic> {
    config: LiaRouterConfig,
    draining: Reg<Bits<L>>,
    clearing: Reg<Bits<L>>,
    /// Until the first sweep is over.
    busy: Reg<Bits<L>>,
    count: Reg<Bits<L>>,
    /// The next visits end an interval; the number of the present sweep in it, from 1 on.
    ends_interval: Reg<Bits<L>>,
    sweeps: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Sweep<L> {
    pub fn new(config: LiaRouterConfig) -> Self {
        let longest = config.sweep_cycles().max(config.clear_cycles()).max(DRAIN_CYCLES);
        let one = || Bits::lit(1, 1);
        Sweep {
            config,
            draining: Reg::new(&bits(1)).with_reset(),
            clearing: Reg::starting_at(&bits(1), one()).with_reset(),
            busy: Reg::starting_at(&bits(1), one()).with_reset(),
            count: Reg::new(&bits(index_width(longest))).with_reset(),
            ends_interval: Reg::new(&bits(1)).with_reset(),
            sweeps: Reg::starting_at(&bits(INTERVAL_WIDTH), Bits::lit(INTERVAL_WIDTH, 1)).with_reset(),
        }
    }

    /// The first sweep is not over.
    pub fn busy(&self) -> Bits<L> {
        self.busy.get()
    }

    fn at(&self, count: u64) -> Bits<L> {
        self.count.get().equals(count - 1)
    }

    /// Everything before has come to its end: in this clock cycle the switch is placed.
    pub fn drained(&self) -> Bits<L> {
        self.draining.get() & self.at(DRAIN_CYCLES)
    }

    /// The row that is cleared, and the port.
    pub fn clears(&self) -> (Access<L>, Access<L>) {
        let (clearing, count) = (self.clearing.get(), self.count.get());
        let access =
            |below: u64| Access { valid: clearing & count.less(below), index: count.truncate(index_width(below)) };
        (access(self.config.rows()), access(self.config.ports()))
    }

    /// The visit of this clock cycle; a command reads this row, if it reads one.
    pub fn visit(&self, reads: Access<L>) -> Visit<L> {
        let (config, count) = (self.config, self.count.get());
        let sweeping = !(self.draining.get() | self.clearing.get());
        let row = count.truncate(config.row().bits());
        Visit {
            valid: sweeping & count.less(config.rows()),
            row,
            first: !count.any(),
            ends_interval: self.ends_interval.get() | self.busy.get(),
            starts: self.busy.get(),
            reads: reads.valid & reads.index.equals(row),
        }
    }

    /// The sweep ends in this clock cycle.
    pub fn ends(&self) -> Bits<L> {
        !(self.draining.get() | self.clearing.get()) & self.at(self.config.sweep_cycles())
    }

    /// One clock cycle: the sweeps of an interval; everything starts anew.
    pub fn clock(&self, interval: Bits<L>, restarts: Bits<L>) {
        let (count, none, one) = (self.count.get(), Bits::lit(1, 0), Bits::lit(1, 1));
        let zero = Bits::lit(count.width(), 0);
        let (drained, ends) = (self.drained(), self.ends());
        let cleared = self.clearing.get() & self.at(self.config.clear_cycles());
        let (sweeps, first) = (self.sweeps.get(), Bits::lit(INTERVAL_WIDTH, 1));
        let is_last = sweeps.at_least(interval);
        self.count.set(count + 1);
        when(drained, || {
            self.draining.set(none);
            self.clearing.set(one);
        });
        when(cleared, || self.clearing.set(none));
        when(ends, || {
            self.busy.set(none);
            self.ends_interval.set(is_last);
            self.sweeps.set(sweeps + 1);
        });
        // Constants, which the reset of a flip-flop makes.
        when(ends & is_last | restarts, || self.sweeps.set(first));
        when(drained | cleared | ends, || self.count.set(zero));
        when(restarts, || {
            self.draining.set(one);
            self.busy.set(one);
            self.count.set(zero);
            self.ends_interval.set(none);
        });
    }
}
