// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where operations are taken, one at a time, and the sweep behind a reset.
//!
//! ```text
//!  cycle c             taken
//!        c + 1         it takes effect, in the place of feedback
//!        c + 3 l + 8   the next one may be taken: all packets that did not see this one have been counted
//! ```

use super::PathSchedulerConfig;
use super::ports::{Control, PATH_WIDTH};
use rtl_model::{Bits, Logic, Reg, bits, index_width, when};

/// Takes operations.
pub struct Desk<L: Logic> {
    config: PathSchedulerConfig,
    sweeping: Reg<Bits<L>>,
    /// The row of all sub-paths that is swept.
    row: Reg<Bits<L>>,
    operation: Reg<Control<L>>,
    /// It takes effect in this clock.
    issues: Reg<Bits<L>>,
    working: Reg<Bits<L>>,
    timer: Reg<Bits<L>>,
}

impl<L: Logic> Desk<L> {
    pub fn new(config: PathSchedulerConfig) -> Self {
        Desk {
            config,
            sweeping: Reg::starting_at("sweeping", &bits(1), Bits::lit(1, 1)),
            row: Reg::new("swept_row", &bits(index_width(config.sub_paths()))),
            operation: Reg::new("operation", &config.input_shape().control),
            issues: Reg::new("issues", &bits(1)),
            working: Reg::new("working", &bits(1)),
            timer: Reg::new("timer", &bits(4)),
        }
    }

    /// The tables are swept.
    #[inline(always)]
    pub fn busy(&self) -> Bits<L> {
        self.sweeping.get()
    }

    /// An operation can be taken.
    #[inline(always)]
    pub fn ready(&self) -> Bits<L> {
        !(self.sweeping.get() | self.working.get())
    }

    /// An operation takes effect in this clock.
    #[inline(always)]
    pub fn issues(&self) -> Bits<L> {
        self.issues.get()
    }

    /// The operation, from the clock in which it takes effect until the next one is taken.
    #[inline(always)]
    pub fn operation(&self) -> Control<L> {
        self.operation.get()
    }

    /// QP and sub-path that are swept.
    #[inline(always)]
    pub fn swept(&self) -> (Bits<L>, Bits<L>) {
        let (row, qp) = (self.row.get(), self.config.qp().bits());
        let path = row.truncate(self.config.path_bits()).extend(PATH_WIDTH);
        let wide = self.config.path_bits() + qp;
        let row = if row.width() < wide { row.extend(wide) } else { row };
        (row.slice(self.config.path_bits(), qp), path)
    }

    /// One cycle.
    #[inline(always)]
    pub fn clock<const LATENCY: usize>(&self, control: Control<L>) {
        let (row, timer, working, ready) = (self.row.get(), self.timer.get(), self.working.get(), self.ready());
        when(self.sweeping.get(), || {
            self.row.set(row + 1);
            when(row.equals(self.config.sub_paths() - 1), || {
                self.row.set(Bits::lit(row.width(), 0));
                self.sweeping.set(Bits::lit(1, 0));
            });
        });
        self.timer.set(timer + 1);
        self.issues.set(Bits::lit(1, 0));
        when(working & timer.equals(3 * LATENCY as u64 + 6), || self.working.set(Bits::lit(1, 0)));
        when(ready & control.valid, || {
            self.operation.set(control);
            self.issues.set(Bits::lit(1, 1));
            self.working.set(Bits::lit(1, 1));
            self.timer.set(Bits::lit(4, 0));
        });
    }

    pub fn reset(&self) {
        self.sweeping.reset();
        self.row.reset();
        self.issues.reset();
        self.working.reset();
    }
}
