// SPDX-License-Identifier: MIT OR Apache-2.0
//! [`RmwTable`]: a table of which an operation a clock reads a row, changes it and writes it back, also back to back on
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
//! on its way in. `modify` and `write` are steps `l` + 1 and `l` + 2, and rows are kept up to step 2 `l` + 2, because the
//! memory is late for operations that are up to `l` + 2 ahead.
//!
//! The forwarding is that of `tally`, which explains it. It also covers the row that is written in the clock of the read.
//! A step without an operation stands still: nobody looks at its row, and the model has nothing to move. A reset ends all
//! operations under way, unless the table is [`RmwTable::without_reset`].

use crate::shift_register::ShiftRegister;
use crate::storage::Storage;
use rtl_model::{Bits, Bundle, Logic, Ram, RamShape, Reading, Reg, Signal, bits, index_width, join, name_nets, when};

/// An operation on a row.
#[derive(Bundle)]
pub struct Access<L: Reading> {
    /// 1 if there is an access in this clock cycle.
    #[reset]
    pub valid: Bits<L>,
    /// Index of the row.
    pub index: Bits<L>,
}

/// What the steps before the choice are called, but for the last one: `at_select`.
const READ_STEPS: [&str; 2] = ["fetched", "moved"];
/// What the steps behind the write are called.
const FORWARD_STEPS: [&str; 3] = ["written", "settled", "kept"];

/// A table: an operation per clock reads a row, changes it and writes it back, also back to back on the same row.
///
/// `R` is the memory of its rows.
#[name_nets]
pub struct RmwTable<L: Logic, T: Signal<Logic = L>, R = Ram<T>> {
    rows: R,
    /// Steps 1 to `l`.
    read_pipe: ShiftRegister<Access<L>>,
    selected: Reg<Access<L>>,
    selected_row: Reg<T>,
    modified: Reg<Access<L>>,
    modified_row: Reg<T>,
    /// Steps `l` + 3 on: `l` - 1 operations, of which the rows are needed for one step more.
    forwarding: ShiftRegister<Access<L>>,
    forwarding_rows: ShiftRegister<T>,
    /// Whether the operation two ahead is on the same row, and those further ahead, whose rows are settling.
    forward_modified: Reg<Bits<L>>,
    forward: ShiftRegister<Bits<L>>,
    back_to_back: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic, T: Signal<Logic = L>> RmwTable<L, T> {
    /// A table of `depth` rows in a memory of this latency.
    pub fn new(depth: u64, latency: u32, row: &T::Shape) -> Self {
        let ram = RamShape::new(depth).unused_on_collision().latency(latency);
        RmwTable::of(|| Ram::new(ram, row), depth, latency, row)
    }
}

#[name_nets]
impl<L: Logic, T: Signal<Logic = L>, R: Storage<L, T>> RmwTable<L, T, R> {
    /// A table of `depth` rows in the memory that `storage` makes, which has this latency.
    pub fn of(rows: impl FnOnce() -> R, depth: u64, latency: u32, row: &T::Shape) -> Self {
        let access = Access { valid: bits(1), index: bits(index_width(depth)) };
        let (steps, last) = (latency as usize, latency as usize - 1);
        RmwTable {
            rows: rows(),
            read_pipe: ShiftRegister::new(steps, |i| {
                Reg::named(if i == last { "at_select" } else { READ_STEPS[i] }, &access)
            }),
            selected: Reg::new(&access),
            selected_row: Reg::new(row),
            modified: Reg::new(&access),
            modified_row: Reg::new(row),
            forwarding: ShiftRegister::new(last, |i| Reg::named(FORWARD_STEPS[i], &access)),
            forwarding_rows: ShiftRegister::new(steps, |i| Reg::named(&join(FORWARD_STEPS[i], "row"), row)),
            forward_modified: Reg::new(&bits(1)),
            forward: ShiftRegister::new(steps, |i| Reg::named(&join("forward", FORWARD_STEPS[i]), &bits(1))),
            back_to_back: Reg::new(&bits(1)),
        }
    }

    /// Operations under way go on over a reset: for one of several tables that an event changes, all of them or none.
    pub fn without_reset(self) -> Self {
        RmwTable {
            read_pipe: self.read_pipe.without_reset(),
            selected: self.selected.without_reset(),
            modified: self.modified.without_reset(),
            forwarding: self.forwarding.without_reset(),
            ..self
        }
    }

    /// The newest row of the operation in step `l` + 1.
    pub fn operand(&self) -> T {
        T::select(self.back_to_back.get(), self.modified_row.get(), self.selected_row.get())
    }

    /// The row of the operation in step `l` + 2.
    pub fn modified(&self) -> T {
        self.modified_row.get()
    }

    /// One clock: an operation enters, the one in step `l` `commit` (one bit) or ends without effect.
    pub fn clock(&self, access: Access<L>, commit: Bits<L>) {
        let latency = self.read_pipe.len();
        let (read_pipe, selected, modified) = (self.read_pipe.all(), self.selected.get(), self.modified.get());
        // The operation that chooses now, and the one that will in the next clock.
        let at_select = read_pipe[latency - 1];
        let next = if latency == 1 { access } else { read_pipe[latency - 2] };
        // The operations in steps l + 2 on.
        let ahead = [vec![modified], self.forwarding.all()].concat();
        let (modified_row, rows) = (self.modified_row.get(), self.forwarding_rows.all());
        let same = |ahead: Access<L>, me: Access<L>| ahead.valid & ahead.index.equals(me.index);

        // l + 3 on
        for i in (1..latency).rev() {
            when(ahead[i].valid, || self.forwarding_rows.set(i, rows[i - 1]));
        }
        self.forwarding.shift(modified);

        // l + 2
        when(modified.valid, || {
            self.rows.write(modified.index, modified_row);
            self.forwarding_rows.set(0, modified_row);
        });

        // l + 1
        self.modified.set(selected);

        // l: the operations two ahead and more are in steps l + 2 on now.
        when(at_select.valid, || {
            let mut stored = self.rows.data(at_select.index);
            for i in (0..latency).rev() {
                stored = T::select(self.forward.get(i), rows[i], stored);
            }
            self.selected_row.set(T::select(self.forward_modified.get(), modified_row, stored));
            self.back_to_back.set(same(selected, at_select));
        });
        self.selected.set(Access { valid: at_select.valid & commit, ..at_select });

        // l - 1: they will be a step further when this one chooses.
        when(next.valid, || {
            self.forward_modified.set(same(selected, next));
            for (i, &ahead) in ahead.iter().enumerate() {
                self.forward.set(i, same(ahead, next));
            }
        });

        // 0 to l - 1
        self.read_pipe.shift(access);
        self.rows.read(access.index);
        self.rows.clock();
    }

    /// The operation in step `l` + 1 changes its row: for every one that has stayed, behind `timebase` in its clock.
    pub fn modify(&self, row: T) {
        self.modified_row.set(row);
    }
}
