// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tally`: a table of counters that accepts one event per clock cycle, also back to back on the same row.
//!
//! ```text
//!  0 read      address to the memory; the event to `read`
//!  1 fetch     row in the memory's read register; its neighbours in flight compared
//!  2 select    row in the output register, or its newer copy from steps 4 to 6
//!  3 sum       selected row, or the sum of the previous event, plus the amount
//!  4 write     sum to the memory and to `done`
//!  5, 6        the last two sums, for events whose read came before their write
//! ```
//!
//! An event reads its row at the end of step 0. The event `k` clock cycles before it writes at the end of its step 4,
//! so for `k` from 1 to 4 the write comes too late for the read. The events with `k` = 2, 3, 4 are in steps 4, 5, 6
//! when this event selects its row; `k` = 1 finishes its sum one clock cycle before it is needed. (`k` = 4 writes the
//! row in the clock cycle of the read, in which the memory keeps its old read data.)
//!
//! Latency: 4 clock cycles from `event` to `done`. After reset the table is swept, one row per clock cycle, with
//! `ready` at 0; events offered during the sweep are not taken.
//!
//! With `ram_latency` 1 the memory has no output register and there is no fetch step: an event selects its row one
//! clock cycle earlier, and is compared with the events before it as it enters.
//!
//! ```text
//!  0 read      address to the memory; the event to `read`; its neighbours in flight compared
//!  1 select    row in the memory's read register, or its newer copy from steps 3 and 4
//!  2 sum       selected row, or the sum of the previous event, plus the amount
//!  3 write     sum to the memory and to `done`
//!  4           the last sum, for events whose read came before its write
//! ```
//!
//! The write comes too late for `k` from 1 to 3, so there is no `settled`. Latency: 3 clock cycles.
//!
//! With `ram_latency` 3 there is one more register after the output register, before the selection: an event waits for
//! it for one step (`moved`), and one more sum is kept (`kept`). Latency: 5 clock cycles.

use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::latency_suffix;
use rtl_model::{
    Bits, Bundle, Design, Logic, Ram, RamShape, Reading, Reg, Shape, Stage, bits, index_width, name_nets, select, when,
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
    /// Clock cycles from address to row: 1, 2 with the memory's output register, 3 with one more register after it.
    pub ram_latency: u32,
}

#[name_nets]
impl Design for TallyConfig {
    type Stage<L: Logic> = Tally<L>;

    fn module_name(&self) -> String {
        let TallyConfig { rows, width, amount_width, ram_latency } = self;
        let latency = latency_suffix(*ram_latency);
        format!("tally_r{rows}w{width}a{amount_width}{latency}")
    }

    fn build<L: Logic>(&self) -> Tally<L> {
        let (step, sum) = (TallyEvent::shape(*self), Sum::shape(*self));
        let l = self.ram_latency;
        let read = |step: u32| ["read", "fetched", "moved"][step as usize - 1];
        let forwarded = |step: u32| ["written", "settled", "kept"][(step - l - 3) as usize];
        Tally {
            config: *self,
            rows: Ram::new(RamShape::new(self.rows).latency(self.ram_latency), &sum.value),
            read_pipe: PipelineRegs::of(1..=l, |number| Reg::named(read(number), &step)),
            selected: Reg::new(&step),
            selected_value: Reg::new(&sum.value),
            summed: Reg::new(&sum),
            forwarding: PipelineRegs::of(l + 3..=2 * l + 2, |number| Reg::named(forwarded(number), &sum)),
            forward_summed: Reg::new(&bits(1)),
            forward: PipelineRegs::of(l + 3..=2 * l + 2, |number| {
                Reg::named(&format!("forward_{}", forwarded(number)), &bits(1))
            }),
            back_to_back: Reg::new(&bits(1)),
            sweeping: Reg::starting_at(&bits(1), Bits::lit(1, 1)).with_reset(),
            sweep_row: Reg::new(&step.row).with_reset(),
        }
    }
}

/// An event before its sum.
#[derive(Bundle)]
#[shape(config: TallyConfig)]
pub struct TallyEvent<L: Reading> {
    /// There is an event.
    #[reset]
    pub valid: Bits<L>,
    /// The row that it counts in.
    #[width(index_width(config.rows))]
    pub row: Bits<L>,
    /// The amount that it adds.
    #[width(config.amount_width)]
    pub amount: Bits<L>,
}

/// A row with its new value.
#[derive(Bundle)]
#[shape(config: TallyConfig)]
pub struct Sum<L: Reading> {
    /// There is a sum.
    #[reset]
    pub valid: Bits<L>,
    /// The row of the event.
    #[width(index_width(config.rows))]
    pub row: Bits<L>,
    /// The counter of that row, with the event in it.
    #[width(config.width)]
    pub value: Bits<L>,
}

/// Inputs.
#[derive(Bundle)]
#[shape(config: TallyConfig)]
pub struct TallyIn<L: Reading> {
    /// One event per clock cycle. An amount of 0 reads the row.
    pub event: TallyEvent<L>,
}

/// Outputs.
#[derive(Bundle)]
pub struct TallyOut<L: Reading> {
    /// An event can be taken; 0 while the table is swept.
    #[ready(event)]
    pub ready: Bits<L>,
    /// The counter after each event, in the order of the events.
    pub done: Sum<L>,
}

/// The stage.
#[name_nets]
pub struct Tally<L: Logic> {
    config: TallyConfig,
    rows: Ram<Bits<L>>,
    /// Events whose row is being read; the last one selects its row in this clock cycle.
    read_pipe: PipelineRegs<TallyEvent<L>>,
    selected: Reg<TallyEvent<L>>,
    selected_value: Reg<Bits<L>>,
    summed: Reg<Sum<L>>,
    /// Sums that later events may still need.
    forwarding: PipelineRegs<Sum<L>>,
    /// `summed` is newer than the row in the memory; `forward` says the same of each of `forwarding`.
    forward_summed: Reg<Bits<L>>,
    forward: PipelineRegs<Bits<L>>,
    back_to_back: Reg<Bits<L>>,
    sweeping: Reg<Bits<L>>,
    sweep_row: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Stage<L> for Tally<L> {
    type In = TallyIn<L>;
    type Out = TallyOut<L>;

    fn input_shape(&self) -> TallyIn<Shape> {
        TallyIn::shape(self.config)
    }

    fn outputs(&self) -> TallyOut<L> {
        TallyOut { ready: !self.sweeping.get(), done: self.summed.get() }
    }

    fn clock(&self, input: &TallyIn<L>) {
        let l = self.config.ram_latency;
        let (selected, summed, forwarding) = (self.selected.get(), self.summed.get(), self.forwarding.all());
        // All entries of `forwarding` but the last will be one step further when the next event selects its row.
        let ahead = [&[summed], &forwarding[..forwarding.len() - 1]].concat();
        let (sweeping, sweep_row) = (self.sweeping.get(), self.sweep_row.get());
        // The event that selects its row now, and the row of the one that does so in the next clock cycle.
        let choosing = self.read_pipe.at(l);
        let next_row = if l == 1 { input.event.row } else { self.read_pipe.at(l - 1).row };

        // 5, 6: sums that later events may still need.
        self.forwarding.shift(summed);

        // 4: the only write port sweeps after reset and writes sums from then on.
        when(sweeping, || {
            self.rows.write(sweep_row, Bits::lit(self.config.width, 0));
            self.sweep_row.set(sweep_row + 1);
            when(sweep_row.equals(self.config.rows - 1), || self.sweeping.set(Bits::lit(1, 0)));
        })
        .or_when(summed.valid, || self.rows.write(summed.row, summed.value));

        // 3: the previous event has its sum in `summed` now.
        let operand = select(self.back_to_back.get(), summed.value, self.selected_value.get()).named("operand");
        let value = operand + selected.amount.extend(self.config.width);
        self.summed.set(Sum { valid: selected.valid, row: selected.row, value });

        // 2: the newest copy of the row. The comparisons were made one step earlier.
        let mut stored = self.rows.data();
        for (forward, sum) in self.forward.all().into_iter().zip(&forwarding).rev() {
            stored = select(forward, sum.value, stored);
        }
        self.selected_value.set(select(self.forward_summed.get(), summed.value, stored));
        self.back_to_back.set((selected.valid & selected.row.equals(choosing.row)).named("is_back_to_back"));
        self.selected.set(choosing);

        // 1: compares with the steps in which the events two, three and four before will be when the next one selects
        // its row.
        self.forward_summed.set(selected.valid & selected.row.equals(next_row));
        for (step, ahead) in (l + 3..).zip(&ahead) {
            self.forward.set(step, ahead.valid & ahead.row.equals(next_row));
        }

        // 0
        let event = input.event;
        let taken = event.valid & !sweeping;
        when(taken, || self.rows.read(event.row));
        self.read_pipe.shift(TallyEvent { valid: taken, ..event });
        self.rows.clock();
    }
}
