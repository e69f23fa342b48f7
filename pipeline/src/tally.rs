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
//!
//! With `ram_latency` 3 there is one more register behind the output register, on the way to the choice: an event waits
//! for it for one step (`moved`), and one sum more is kept (`kept`). Latency: 5 clocks.

use crate::shift_register::ShiftRegister;
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
    /// Clocks from address to row: 1, 2 with the memory's output register, 3 with one more register behind it.
    pub ram_latency: u32,
}

#[name_nets]
impl Design for TallyConfig {
    type Stage<L: Logic> = Tally<L>;

    fn module_name(&self) -> String {
        let TallyConfig { rows, width, amount_width, ram_latency } = self;
        let latency = if *ram_latency == 2 { String::new() } else { format!("l{ram_latency}") };
        format!("tally_r{rows}w{width}a{amount_width}{latency}")
    }

    fn build<L: Logic>(&self) -> Tally<L> {
        let step = TallyEvent { valid: bits(1), row: bits(index_width(self.rows)), amount: bits(self.amount_width) };
        let sum = Sum { valid: bits(1), row: step.row, value: bits(self.width) };
        let steps = self.ram_latency as usize;
        let forwarding = ["written", "settled", "kept"];
        Tally {
            config: *self,
            rows: Ram::new(RamShape::new(self.rows).latency(self.ram_latency), &sum.value),
            read_pipe: ShiftRegister::new(steps, |i| Reg::named(["read", "fetched", "moved"][i], &step)),
            selected: Reg::new(&step),
            selected_value: Reg::new(&sum.value),
            summed: Reg::new(&sum),
            forwarding: ShiftRegister::new(steps, |i| Reg::named(forwarding[i], &sum)),
            forward_summed: Reg::new(&bits(1)),
            forward: ShiftRegister::new(steps, |i| Reg::named(&format!("newer_{}", forwarding[i]), &bits(1))),
            back_to_back: Reg::new(&bits(1)),
            sweeping: Reg::starting_at(&bits(1), Bits::lit(1, 1)).with_reset(),
            sweep_row: Reg::new(&step.row).with_reset(),
        }
    }
}

/// An event on its way to the sum.
#[derive(Bundle)]
pub struct TallyEvent<L: Reading> {
    /// There is an event.
    #[reset]
    pub valid: Bits<L>,
    /// The row that it counts in.
    pub row: Bits<L>,
    /// The amount that it adds.
    pub amount: Bits<L>,
}

/// A row with its new value.
#[derive(Bundle)]
pub struct Sum<L: Reading> {
    /// There is a sum.
    #[reset]
    pub valid: Bits<L>,
    /// The row of the event.
    pub row: Bits<L>,
    /// The counter of that row, with the event in it.
    pub value: Bits<L>,
}

/// Inputs.
#[derive(Bundle)]
pub struct TallyIn<L: Reading> {
    /// One event a clock. An amount of 0 reads the row.
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
    /// Events whose row is on its way, the last one about to choose.
    read_pipe: ShiftRegister<TallyEvent<L>>,
    selected: Reg<TallyEvent<L>>,
    selected_value: Reg<Bits<L>>,
    summed: Reg<Sum<L>>,
    /// Sums that events behind may still need.
    forwarding: ShiftRegister<Sum<L>>,
    /// Whether `summed` is newer than the row in the memory, and each of `forwarding`.
    forward_summed: Reg<Bits<L>>,
    forward: ShiftRegister<Bits<L>>,
    back_to_back: Reg<Bits<L>>,
    sweeping: Reg<Bits<L>>,
    sweep_row: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Stage<L> for Tally<L> {
    type In = TallyIn<L>;
    type Out = TallyOut<L>;

    fn input_shape(&self) -> TallyIn<Shape> {
        let TallyConfig { rows, amount_width, .. } = self.config;
        TallyIn { event: TallyEvent { valid: bits(1), row: bits(index_width(rows)), amount: bits(amount_width) } }
    }

    fn outputs(&self) -> TallyOut<L> {
        TallyOut { ready: !self.sweeping.get(), done: self.summed.get() }
    }

    fn clock(&self, input: &TallyIn<L>) {
        let latency = self.read_pipe.len();
        let (read_pipe, selected, summed) = (self.read_pipe.all(), self.selected.get(), self.summed.get());
        let forwarding = self.forwarding.all();
        // Of those in `forwarding` all but the last will be a step further when the next one chooses.
        let ahead = [&[summed], &forwarding[..latency - 1]].concat();
        let (sweeping, sweep_row) = (self.sweeping.get(), self.sweep_row.get());
        // The event that chooses now, and the row of the one that will in the next clock.
        let choosing = read_pipe[latency - 1];
        let next_row = if latency == 1 { input.event.row } else { read_pipe[latency - 2].row };

        // 5, 6: sums that events behind may still need.
        self.forwarding.shift(summed);

        // 4: the only write port sweeps after reset and writes sums from then on.
        when(sweeping, || {
            self.rows.write(sweep_row, Bits::lit(self.config.width, 0));
            self.sweep_row.set(sweep_row + 1);
            when(sweep_row.equals(self.config.rows - 1), || self.sweeping.set(Bits::lit(1, 0)));
        })
        .or_when(summed.valid, || self.rows.write(summed.row, summed.value));

        // 3: the event just ahead has its sum in `summed` now.
        let operand = select(self.back_to_back.get(), summed.value, self.selected_value.get()).named("operand");
        let value = operand + selected.amount.extend(self.config.width);
        self.summed.set(Sum { valid: selected.valid, row: selected.row, value });

        // 2: the newest copy of the row. The compares were made one step earlier.
        let mut stored = self.rows.data();
        for i in (0..latency).rev() {
            stored = select(self.forward.get(i), forwarding[i].value, stored);
        }
        self.selected_value.set(select(self.forward_summed.get(), summed.value, stored));
        self.back_to_back.set((selected.valid & selected.row.equals(choosing.row)).named("fetched_follows"));
        self.selected.set(choosing);

        // 1: where the events two, three and four ahead will be when the next one chooses.
        self.forward_summed.set(selected.valid & selected.row.equals(next_row));
        for (i, ahead) in ahead.iter().enumerate() {
            self.forward.set(i, ahead.valid & ahead.row.equals(next_row));
        }

        // 0
        let event = input.event;
        let taken = event.valid & !sweeping;
        when(taken, || self.rows.read(event.row));
        self.read_pipe.shift(TallyEvent { valid: taken, ..event });
        self.rows.clock();
    }
}
