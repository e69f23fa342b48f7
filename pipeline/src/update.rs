// SPDX-License-Identifier: MIT OR Apache-2.0
//! [`Update`]: a table of which an operation a clock reads a row, changes it and writes it back, also back to back on
//! the same row. With a memory of latency 2:
//!
//! ```text
//!  0 ask       key to the memory
//!  1 fetch     row in the memory's read register; the operations ahead compared
//!  2 choose    row in the output register, or the newer copy of it from steps 4 to 6
//!  3 change    chosen row, or the one that the operation just ahead has changed: `operand`
//!  4 write     changed row to the memory
//!  5, 6        rows that operations behind may still need
//! ```
//!
//! With a memory of latency `l` an operation chooses in step `l`, and has been compared in the step before, at latency 1
//! on its way in. `change` and `write` are steps `l` + 1 and `l` + 2, and rows are kept up to step 2 `l` + 2, because the
//! memory is late for operations that are up to `l` + 2 ahead.
//!
//! The forwarding is that of `tally`, which explains it. It also covers the row that is written in the clock of the read.
//! A step without an operation stands still: nobody looks at its row, and the model has nothing to move. A reset ends all
//! operations under way, unless the table is [`Update::without_reset`].

use crate::row::Row;
use crate::rows::Rows;
use rtl_model::{Bits, Bundle, Logic, Ram, RamShape, Reading, Reg, Signal, bits, index_width, join, name_nets, when};

/// An operation on a row.
#[derive(Bundle)]
pub struct Ask<L: Reading> {
    /// There is one.
    #[reset]
    pub valid: Bits<L>,
    /// Its row.
    pub key: Bits<L>,
}

/// What the steps before the choice are called, but for the last one: `waiting`.
const ARRIVING: [&str; 2] = ["fetched", "moved"];
/// What the steps behind the write are called.
const SETTLING: [&str; 3] = ["written", "settled", "kept"];

/// A table: an operation per clock reads a row, changes it and writes it back, also back to back on the same row.
///
/// `R` is the memory of its rows.
#[name_nets]
pub struct Update<L: Logic, T: Signal<Logic = L>, R = Ram<T>> {
    rows: R,
    /// Steps 1 to `l`.
    arriving: Row<Ask<L>>,
    chosen: Reg<Ask<L>>,
    chosen_row: Reg<T>,
    changed: Reg<Ask<L>>,
    changed_row: Reg<T>,
    /// Steps `l` + 3 on: `l` - 1 operations, of which the rows are needed for one step more.
    settling: Row<Ask<L>>,
    settling_rows: Row<T>,
    /// Whether the operation two ahead is on the same row, and those further ahead, whose rows are settling.
    newer_changed: Reg<Bits<L>>,
    newer: Row<Bits<L>>,
    follows: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic, T: Signal<Logic = L>> Update<L, T> {
    /// A table of `depth` rows in a memory of this latency.
    pub fn new(depth: u64, latency: u32, row: &T::Shape) -> Self {
        let ram = RamShape::new(depth).unused_on_collision().latency(latency);
        Update::of(|| Ram::new(ram, row), depth, latency, row)
    }
}

#[name_nets]
impl<L: Logic, T: Signal<Logic = L>, R: Rows<L, T>> Update<L, T, R> {
    /// A table of `depth` rows in the memory that `rows` makes, which has this latency.
    pub fn of(rows: impl FnOnce() -> R, depth: u64, latency: u32, row: &T::Shape) -> Self {
        let ask = Ask { valid: bits(1), key: bits(index_width(depth)) };
        let (steps, last) = (latency as usize, latency as usize - 1);
        Update {
            rows: rows(),
            arriving: Row::new(steps, |i| Reg::named(if i == last { "waiting" } else { ARRIVING[i] }, &ask)),
            chosen: Reg::new(&ask),
            chosen_row: Reg::new(row),
            changed: Reg::new(&ask),
            changed_row: Reg::new(row),
            settling: Row::new(last, |i| Reg::named(SETTLING[i], &ask)),
            settling_rows: Row::new(steps, |i| Reg::named(&join(SETTLING[i], "row"), row)),
            newer_changed: Reg::new(&bits(1)),
            newer: Row::new(steps, |i| Reg::named(&join("newer", SETTLING[i]), &bits(1))),
            follows: Reg::new(&bits(1)),
        }
    }

    /// Operations under way go on over a reset: for one of several tables that an event changes, all of them or none.
    pub fn without_reset(self) -> Self {
        Update {
            arriving: self.arriving.without_reset(),
            chosen: self.chosen.without_reset(),
            changed: self.changed.without_reset(),
            settling: self.settling.without_reset(),
            ..self
        }
    }

    /// The newest row of the operation in step `l` + 1.
    pub fn operand(&self) -> T {
        T::select(self.follows.get(), self.changed_row.get(), self.chosen_row.get())
    }

    /// The row of the operation in step `l` + 2.
    pub fn changed(&self) -> T {
        self.changed_row.get()
    }

    /// One clock: an operation enters, the one in step `l` `stays` (one bit) or ends without effect.
    pub fn clock(&self, ask: Ask<L>, stays: Bits<L>) {
        let latency = self.arriving.len();
        let (arriving, chosen, changed) = (self.arriving.all(), self.chosen.get(), self.changed.get());
        // The operation that chooses now, and the one that will in the next clock.
        let waiting = arriving[latency - 1];
        let next = if latency == 1 { ask } else { arriving[latency - 2] };
        // The operations in steps l + 2 on.
        let ahead = [vec![changed], self.settling.all()].concat();
        let (changed_row, rows) = (self.changed_row.get(), self.settling_rows.all());
        let same = |ahead: Ask<L>, me: Ask<L>| ahead.valid & ahead.key.equals(me.key);

        // l + 3 on
        for i in (1..latency).rev() {
            when(ahead[i].valid, || self.settling_rows.set(i, rows[i - 1]));
        }
        self.settling.shift(changed);

        // l + 2
        when(changed.valid, || {
            self.rows.write(changed.key, changed_row);
            self.settling_rows.set(0, changed_row);
        });

        // l + 1
        self.changed.set(chosen);

        // l: the operations two ahead and more are in steps l + 2 on now.
        when(waiting.valid, || {
            let mut stored = self.rows.data(waiting.key);
            for i in (0..latency).rev() {
                stored = T::select(self.newer.get(i), rows[i], stored);
            }
            self.chosen_row.set(T::select(self.newer_changed.get(), changed_row, stored));
            self.follows.set(same(chosen, waiting));
        });
        self.chosen.set(Ask { valid: waiting.valid & stays, ..waiting });

        // l - 1: they will be a step further when this one chooses.
        when(next.valid, || {
            self.newer_changed.set(same(chosen, next));
            for (i, &ahead) in ahead.iter().enumerate() {
                self.newer.set(i, same(ahead, next));
            }
        });

        // 0 to l - 1
        self.arriving.shift(ask);
        self.rows.read(ask.key);
        self.rows.clock();
    }

    /// The operation in step `l` + 1 changes its row: for every one that has stayed, behind `clock` in its clock.
    pub fn change(&self, row: T) {
        self.changed_row.set(row);
    }
}
