// SPDX-License-Identifier: MIT OR Apache-2.0
//! [`Update`]: a table of which an operation a clock reads a row, changes it and writes it back, also back to back on
//! the same row.
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
//! The forwarding is that of `tally`, which explains it. It also covers the row that is written in the clock of the read.
//! A step without an operation stands still: nobody looks at its row, and the model has nothing to move.

use rtl_model::{Bits, Bundle, Logic, Ram, RamShape, Reading, Reg, Signal, bits, join, when};

/// An operation on a row.
#[derive(Bundle)]
pub struct Ask<L: Reading> {
    /// There is one.
    #[reset]
    pub valid: Bits<L>,
    /// Its row.
    pub key: Bits<L>,
}

/// The table.
pub struct Update<L: Logic, T: Signal<Logic = L>> {
    rows: Ram<T>,
    fetched: Reg<Ask<L>>,
    waiting: Reg<Ask<L>>,
    chosen: Reg<Ask<L>>,
    chosen_row: Reg<T>,
    changed: Reg<Ask<L>>,
    changed_row: Reg<T>,
    written: Reg<Ask<L>>,
    written_row: Reg<T>,
    settled_row: Reg<T>,
    newer: [Reg<Bits<L>>; 3],
    follows: Reg<Bits<L>>,
}

impl<L: Logic, T: Signal<Logic = L>> Update<L, T> {
    /// A table of `depth` rows.
    pub fn new(name: &str, depth: u64, row: &T::Shape) -> Self {
        let ram = RamShape::new(depth).unused_on_collision();
        let ask = Ask { valid: bits(1), key: bits(ram.address_width()) };
        let op = |step: &str| Reg::new(&join(name, step), &ask);
        let copy = |step: &str| Reg::new(&join(name, step), row);
        let flag = |what: &str| Reg::new(&join(name, what), &bits(1));
        Update {
            rows: Ram::new(name, ram, row),
            fetched: op("fetched"),
            waiting: op("waiting"),
            chosen: op("chosen"),
            chosen_row: copy("chosen_row"),
            changed: op("changed"),
            changed_row: copy("changed_row"),
            written: op("written"),
            written_row: copy("written_row"),
            settled_row: copy("settled_row"),
            newer: ["newer_changed", "newer_written", "newer_settled"].map(flag),
            follows: flag("follows"),
        }
    }

    /// The newest row of the operation in step 3.
    #[inline(always)]
    pub fn operand(&self) -> T {
        T::select(self.follows.get(), self.changed_row.get(), self.chosen_row.get())
    }

    /// The row of the operation in step 4.
    #[inline(always)]
    pub fn changed(&self) -> T {
        self.changed_row.get()
    }

    /// One clock: an operation enters, the one in step 2 `stays` (one bit) or ends without effect.
    #[inline(always)]
    pub fn clock(&self, ask: Ask<L>, stays: Bits<L>) {
        let (fetched, waiting, chosen) = (self.fetched.get(), self.waiting.get(), self.chosen.get());
        let (changed, written) = (self.changed.get(), self.written.get());
        let [newer_changed, newer_written, newer_settled] = Reg::get_all(&self.newer);
        let (changed_row, written_row, settled_row) =
            (self.changed_row.get(), self.written_row.get(), self.settled_row.get());
        let same = |ahead: Ask<L>, me: Ask<L>| ahead.valid & ahead.key.equals(me.key);

        // 5, 6
        when(written.valid, || self.settled_row.set(written_row));
        self.written.set(changed);

        // 4
        when(changed.valid, || {
            self.rows.write(changed.key, changed_row);
            self.written_row.set(changed_row);
        });

        // 3
        self.changed.set(chosen);

        // 2: the operations two, three and four ahead are in steps 4, 5 and 6 now.
        when(waiting.valid, || {
            let stored = T::select(newer_settled, settled_row, self.rows.data());
            let stored = T::select(newer_written, written_row, stored);
            self.chosen_row.set(T::select(newer_changed, changed_row, stored));
            self.follows.set(same(chosen, waiting));
        });
        self.chosen.set(Ask { valid: waiting.valid & stays, ..waiting });

        // 1
        when(fetched.valid, || {
            self.newer[0].set(same(chosen, fetched));
            self.newer[1].set(same(changed, fetched));
            self.newer[2].set(same(written, fetched));
        });
        self.waiting.set(fetched);

        // 0
        self.rows.read(ask.key);
        self.fetched.set(ask);
        self.rows.clock();
    }

    /// The operation in step 3 changes its row: for every one that has stayed, behind `clock` in its clock.
    #[inline(always)]
    pub fn change(&self, row: T) {
        self.changed_row.set(row);
    }

    /// Forgets all operations under way.
    pub fn reset(&self) {
        for op in [&self.fetched, &self.waiting, &self.chosen, &self.changed, &self.written] {
            op.reset();
        }
    }
}
