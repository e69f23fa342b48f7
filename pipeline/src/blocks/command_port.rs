// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command port: accepts commands one at a time, and sweeps the tables after a reset.
//!
//! ```text
//!  cycle c                      a command is accepted
//!        c + 1                  it takes effect, in the place of another event
//!        c + command_interval   the next one may be accepted
//! ```
//!
//! A stage in which other events come first holds the command: it then takes effect later, and so does the next one.

use rtl_model::{Bits, Logic, Reg, Signal, bits, clog2, index_width, name_nets, when};

/// Size and timing of a command port.
#[derive(Clone, Copy, Debug)]
pub struct CommandPortShape {
    /// Rows that are swept: groups of 2^`low_bits` rows each.
    pub rows: u64,
    /// Width of the low part of a row index.
    pub low_bits: u32,
    /// Width of the high part of a row index.
    pub high_bits: u32,
    /// Clock cycles for which `busy` stays 1 after the sweep.
    pub drain_cycles: u64,
    /// Clock cycles from one command to the next.
    pub command_interval: u64,
}

/// Accepts commands of software one at a time, and sweeps the tables after reset.
#[name_nets]
pub struct CommandPort<L: Logic, T: Signal<Logic = L>> {
    shape: CommandPortShape,
    sweeping: Reg<Bits<L>>,
    /// 1 after the sweep, until the swept rows have reached all copies.
    draining: Option<Reg<Bits<L>>>,
    /// Index of the row that is swept.
    row: Reg<Bits<L>>,
    command: Reg<T>,
    /// 1 if the command takes effect in this clock cycle.
    issue: Reg<Bits<L>>,
    in_progress: Reg<Bits<L>>,
    timer: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic, T: Signal<Logic = L>> CommandPort<L, T> {
    /// A command port for commands of this shape.
    pub fn new(shape: CommandPortShape, command: &T::Shape) -> Self {
        let timer = clog2(shape.drain_cycles.max(shape.command_interval - 1));
        CommandPort {
            shape,
            sweeping: Reg::starting_at(&bits(1), Bits::lit(1, 1)).with_reset(),
            draining: (shape.drain_cycles > 0).then(|| Reg::new(&bits(1)).with_reset()),
            row: Reg::new(&bits(index_width(shape.rows))).with_reset(),
            command: Reg::new(command),
            issue: Reg::new(&bits(1)).with_reset(),
            in_progress: Reg::new(&bits(1)).with_reset(),
            timer: Reg::new(&bits(timer)),
        }
    }

    /// 1 if a row is swept in this clock cycle.
    pub fn sweep_valid(&self) -> Bits<L> {
        self.sweeping.get()
    }

    /// 1 until the sweep is over.
    pub fn busy(&self) -> Bits<L> {
        match &self.draining {
            Some(draining) => self.sweeping.get() | draining.get(),
            None => self.sweeping.get(),
        }
    }

    /// 1 if a command can be accepted.
    pub fn ready(&self) -> Bits<L> {
        !(self.busy() | self.in_progress.get())
    }

    /// 1 if a command takes effect in this clock cycle.
    pub fn issue(&self) -> Bits<L> {
        self.issue.get()
    }

    /// The command, from the clock cycle in which it takes effect until the next one is accepted.
    pub fn command(&self) -> T {
        self.command.get()
    }

    /// Index of the row that is swept.
    pub fn sweep_row(&self) -> Bits<L> {
        self.row.get()
    }

    /// High and low part of the index of the row that is swept.
    pub fn sweep_index(&self) -> (Bits<L>, Bits<L>) {
        let CommandPortShape { low_bits, high_bits, .. } = self.shape;
        let row = self.row.get();
        let wide = low_bits + high_bits;
        let row = if row.width() < wide { row.extend(wide) } else { row };
        (row.slice(low_bits, high_bits), row.truncate(low_bits))
    }

    /// One clock cycle: `command` is offered if `valid` is 1.
    pub fn clock(&self, valid: Bits<L>, command: T) {
        self.clock_held(valid, command, None);
    }

    /// The same where another event may have the place of the command: it waits while `held` is 1, with `issue` 1, and the
    /// clock cycles until the next command are counted from the one in which it takes effect.
    pub fn clock_held(&self, valid: Bits<L>, command: T, held: Option<Bits<L>>) {
        let (row, timer, in_progress, ready) = (self.row.get(), self.timer.get(), self.in_progress.get(), self.ready());
        let drain_cycles = self.draining.as_ref().map(Reg::get);
        let (one, none) = (Bits::lit(1, 1), Bits::lit(1, 0));
        let start = Bits::lit(timer.width(), 0);
        self.timer.set(timer + 1);
        when(self.sweeping.get(), || {
            self.row.set(row + 1);
            when(row.equals(self.shape.rows - 1), || {
                self.row.set(Bits::lit(row.width(), 0));
                self.sweeping.set(none);
                if let Some(draining) = &self.draining {
                    draining.set(one);
                    self.timer.set(start);
                }
            });
        });
        if let (Some(draining), Some(drain_cycles)) = (&self.draining, drain_cycles) {
            when(drain_cycles & timer.equals(self.shape.drain_cycles - 1), || draining.set(none));
        }
        match held.map(|held| held & self.issue.get()) {
            Some(waits) => {
                self.issue.set(waits);
                when(waits, || self.timer.set(start));
            }
            None => self.issue.set(none),
        }
        when(in_progress & timer.equals(self.shape.command_interval - 2), || self.in_progress.set(none));
        when(ready & valid, || {
            self.command.set(command);
            self.issue.set(one);
            self.in_progress.set(one);
            self.timer.set(start);
        });
    }
}
