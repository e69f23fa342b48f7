// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tally`: a table of counters, one event every clock, also back to back on the same row.
//!
//! ```text
//!  0 read      address to the memory; the event to `read`
//!  1 fetch     row in the memory's read register; its neighbours in flight compared
//!  2 choose    row in the output register, or the newer copy of it from steps 4 to 6
//!  3 sum       chosen row, or the sum of the event just ahead, plus the amount
//!  4 write     sum to the memory and to `done`
//!  5, 6        the last two sums, for events whose read came before their write
//! ```
//!
//! An event reads its row at the end of step 0 and the event ahead of it by `k` clocks writes at the end of its
//! step 4, so for `k` from 1 to 4 the memory is late. `k` = 2, 3, 4 are then in steps 4, 5, 6 when this event
//! chooses; `k` = 1 finishes its sum one clock before it is needed. (`k` = 4 also hits the row that is being written
//! in the clock of the read, where the memory holds its old read data.)
//!
//! Latency: 4 clocks from `event` to `done`. After reset the table is swept, one row a clock, with `ready` low; events
//! offered meanwhile are not taken.
//!
//! With `ram_latency` 1 the memory has no output register and there is no step to fetch: an event chooses a clock
//! earlier, and its neighbours are compared with it on its way in.
//!
//! ```text
//!  0 read      address to the memory; the event to `read`; its neighbours in flight compared
//!  1 choose    row in the memory's read register, or the newer copy of it from steps 3 and 4
//!  2 sum       chosen row, or the sum of the event just ahead, plus the amount
//!  3 write     sum to the memory and to `done`
//!  4           the last sum, for events whose read came before its write
//! ```
//!
//! The memory is late for `k` from 1 to 3, so `settled` is not there. Latency: 3 clocks.

use rtl_model::{
    Bits, Bundle, Design, Logic, Ram, RamShape, Reading, Reg, Shape, Stage, bits, index_width, select, when,
};

/// Size of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TallyConfig {
    /// Number of rows.
    pub rows: u64,
    /// Bits of a counter (at most 64), which wraps.
    pub width: u32,
    /// Bits of an amount, at most `width`.
    pub amount_width: u32,
    /// Clocks from address to row: 1, or 2 with the memory's output register.
    pub ram_latency: u32,
}

impl Design for TallyConfig {
    type Stage<L: Logic> = Tally<L>;

    fn module_name(&self) -> String {
        let TallyConfig { rows, width, amount_width, ram_latency } = self;
        format!("tally_r{rows}w{width}a{amount_width}{}", if *ram_latency == 1 { "l1" } else { "" })
    }

    fn build<L: Logic>(&self) -> Tally<L> {
        let step = Step { valid: bits(1), row: bits(index_width(self.rows)), amount: bits(self.amount_width) };
        let sum = Sum { valid: bits(1), row: step.row, value: bits(self.width) };
        let fetches = self.ram_latency == 2;
        Tally {
            config: *self,
            rows: Ram::new("rows", RamShape { latency: self.ram_latency, ..RamShape::new(self.rows) }, &sum.value),
            read: Reg::new("read", &step),
            fetched: fetches.then(|| Reg::new("fetched", &step)),
            chosen: Reg::new("chosen", &step),
            chosen_value: Reg::new("chosen_value", &sum.value),
            summed: Reg::new("summed", &sum),
            written: Reg::new("written", &sum),
            settled: fetches.then(|| Reg::new("settled", &sum)),
            newer_summed: Reg::new("newer_summed", &bits(1)),
            newer_written: Reg::new("newer_written", &bits(1)),
            newer_settled: fetches.then(|| Reg::new("newer_settled", &bits(1))),
            follows: Reg::new("follows", &bits(1)),
            sweeping: Reg::starting_at("sweeping", &bits(1), Bits::lit(1, 1)),
            sweep_row: Reg::new("sweep_row", &step.row),
        }
    }
}

/// An event on its way to the sum.
#[derive(Bundle)]
pub struct Step<L: Reading> {
    /// There is an event.
    #[reset]
    pub valid: Bits<L>,
    /// The row it counts in.
    pub row: Bits<L>,
    /// What it adds.
    pub amount: Bits<L>,
}

/// A row with its new value.
#[derive(Bundle)]
pub struct Sum<L: Reading> {
    /// There is one.
    #[reset]
    pub valid: Bits<L>,
    /// The row.
    pub row: Bits<L>,
    /// Its counter.
    pub value: Bits<L>,
}

/// Inputs.
#[derive(Bundle)]
pub struct TallyIn<L: Reading> {
    /// One event a clock; taken while `ready`. An amount of 0 reads the row.
    pub event: Step<L>,
}

/// Outputs.
#[derive(Bundle)]
pub struct TallyOut<L: Reading> {
    /// Low while the table is swept.
    pub ready: Bits<L>,
    /// The counter after each event, in order of the events.
    pub done: Sum<L>,
}

/// The stage.
pub struct Tally<L: Logic> {
    config: TallyConfig,
    rows: Ram<Bits<L>>,
    read: Reg<Step<L>>,
    fetched: Option<Reg<Step<L>>>,
    chosen: Reg<Step<L>>,
    chosen_value: Reg<Bits<L>>,
    summed: Reg<Sum<L>>,
    written: Reg<Sum<L>>,
    settled: Option<Reg<Sum<L>>>,
    newer_summed: Reg<Bits<L>>,
    newer_written: Reg<Bits<L>>,
    newer_settled: Option<Reg<Bits<L>>>,
    follows: Reg<Bits<L>>,
    sweeping: Reg<Bits<L>>,
    sweep_row: Reg<Bits<L>>,
}

impl<L: Logic> Stage<L> for Tally<L> {
    type In = TallyIn<L>;
    type Out = TallyOut<L>;

    fn input_shape(&self) -> TallyIn<Shape> {
        let TallyConfig { rows, amount_width, .. } = self.config;
        TallyIn { event: Step { valid: bits(1), row: bits(index_width(rows)), amount: bits(amount_width) } }
    }

    #[inline(always)]
    fn outputs(&self) -> TallyOut<L> {
        TallyOut { ready: !self.sweeping.get(), done: self.summed.get() }
    }

    #[inline(always)]
    fn clock(&self, input: &TallyIn<L>) {
        let (read, chosen) = (self.read.get(), self.chosen.get());
        let (summed, written) = (self.summed.get(), self.written.get());
        let settled = self.settled.as_ref().map(|settled| settled.get());
        let (sweeping, sweep_row) = (self.sweeping.get(), self.sweep_row.get());
        // The event that chooses now, and the row of the one that will in the next clock.
        let (choosing, next_row) = match &self.fetched {
            Some(fetched) => (fetched.get(), read.row),
            None => (read, input.event.row),
        };

        // 5, 6: sums that events behind may still need.
        if let Some(settled) = &self.settled {
            settled.set(written);
        }
        self.written.set(summed);

        // 4: the only write port sweeps after reset and writes sums from then on.
        when(sweeping, || {
            self.rows.write(sweep_row, Bits::lit(self.config.width, 0));
            self.sweep_row.set(sweep_row + 1);
            when(sweep_row.equals(self.config.rows - 1), || self.sweeping.set(Bits::lit(1, 0)));
        })
        .or_when(summed.valid, || self.rows.write(summed.row, summed.value));

        // 3: the event just ahead has its sum in `summed` now.
        let operand = select(self.follows.get(), summed.value, self.chosen_value.get()).named("operand");
        let value = operand + chosen.amount.extend(self.config.width);
        self.summed.set(Sum { valid: chosen.valid, row: chosen.row, value });

        // 2: the newest copy of the row. The compares were made one step earlier.
        let stored = match (&self.newer_settled, settled) {
            (Some(newer), Some(settled)) => select(newer.get(), settled.value, self.rows.data()),
            _ => self.rows.data(),
        };
        let stored = select(self.newer_written.get(), written.value, stored);
        self.chosen_value.set(select(self.newer_summed.get(), summed.value, stored));
        self.follows.set((chosen.valid & chosen.row.equals(choosing.row)).named("fetched_follows"));
        self.chosen.set(choosing);

        // 1: where the events two, three and four ahead will be when the next one chooses.
        self.newer_summed.set(chosen.valid & chosen.row.equals(next_row));
        self.newer_written.set(summed.valid & summed.row.equals(next_row));
        if let Some(newer_settled) = &self.newer_settled {
            newer_settled.set(written.valid & written.row.equals(next_row));
        }
        if let Some(fetched) = &self.fetched {
            fetched.set(read);
        }

        // 0
        let event = input.event;
        let taken = event.valid & !sweeping;
        when(taken, || self.rows.read(event.row));
        self.read.set(Step { valid: taken, ..event });
        self.rows.clock();
    }

    fn reset(&self) {
        self.read.reset();
        if let Some(fetched) = &self.fetched {
            fetched.reset();
        }
        self.chosen.reset();
        self.summed.reset();
        self.written.reset();
        if let Some(settled) = &self.settled {
            settled.reset();
        }
        self.sweeping.reset();
        self.sweep_row.reset();
    }
}
