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

/// What the steps before the choice are called, the last one last.
const ARRIVING: [&str; 3] = ["fetched", "moved", "waiting"];
/// What the steps behind the write are called.
const SETTLING: [&str; 3] = ["written", "settled", "kept"];

/// The table.
pub struct Update<L: Logic, T: Signal<Logic = L>> {
    rows: Ram<T>,
    /// Steps 1 to `l`.
    arriving: Vec<Reg<Ask<L>>>,
    chosen: Reg<Ask<L>>,
    chosen_row: Reg<T>,
    changed: Reg<Ask<L>>,
    changed_row: Reg<T>,
    /// Steps `l` + 3 on: `l` - 1 operations, of which the rows are needed for one step more.
    settling: Vec<Reg<Ask<L>>>,
    settling_rows: Vec<Reg<T>>,
    /// Whether the operations two and more ahead are on the same row.
    newer: Vec<Reg<Bits<L>>>,
    follows: Reg<Bits<L>>,
}

impl<L: Logic, T: Signal<Logic = L>> Update<L, T> {
    /// A table of `depth` rows in a memory of this latency.
    pub fn new(name: &str, depth: u64, latency: u32, row: &T::Shape) -> Self {
        let ram = RamShape::new(depth).unused_on_collision().latency(latency);
        let ask = Ask { valid: bits(1), key: bits(ram.address_width()) };
        let op = |step: &str| Reg::new(&join(name, step), &ask);
        let copy = |step: &str| Reg::new(&join(name, &format!("{step}_row")), row);
        let flag = |what: &str| Reg::new(&join(name, what), &bits(1));
        let (settling, last) = (&SETTLING[..latency as usize], latency as usize - 1);
        let arriving = ARRIVING[..last].iter().chain(&ARRIVING[2..]);
        let newer = std::iter::once(&"changed").chain(settling);
        Update {
            rows: Ram::new(name, ram, row),
            arriving: arriving.map(|step| op(step)).collect(),
            chosen: op("chosen"),
            chosen_row: copy("chosen"),
            changed: op("changed"),
            changed_row: copy("changed"),
            settling: settling[..last].iter().map(|step| op(step)).collect(),
            settling_rows: settling.iter().map(|step| copy(step)).collect(),
            newer: newer.map(|step| flag(&format!("newer_{step}"))).collect(),
            follows: flag("follows"),
        }
    }

    /// The newest row of the operation in step `l` + 1.
    #[inline(always)]
    pub fn operand(&self) -> T {
        T::select(self.follows.get(), self.changed_row.get(), self.chosen_row.get())
    }

    /// The row of the operation in step `l` + 2.
    #[inline(always)]
    pub fn changed(&self) -> T {
        self.changed_row.get()
    }

    /// One clock: an operation enters, the one in step `l` `stays` (one bit) or ends without effect.
    #[inline(always)]
    pub fn clock(&self, ask: Ask<L>, stays: Bits<L>) {
        let latency = self.arriving.len();
        let (waiting, chosen, changed) = (self.arriving[latency - 1].get(), self.chosen.get(), self.changed.get());
        // The operation that chooses in the next clock.
        let next = if latency == 1 { ask } else { self.arriving[latency - 2].get() };
        let (settling, rows) = (Reg::get_up_to::<2>(&self.settling), Reg::get_up_to::<3>(&self.settling_rows));
        let changed_row = self.changed_row.get();
        let same = |ahead: Ask<L>, me: Ask<L>| ahead.valid & ahead.key.equals(me.key);

        // l + 3 on
        for step in (1..latency).rev() {
            if let (Some(ahead), Some(row)) = (settling[step - 1], rows[step - 1]) {
                when(ahead.valid, || self.settling_rows[step].set(row));
            }
        }
        Reg::shift(&self.settling, changed);

        // l + 2
        when(changed.valid, || {
            self.rows.write(changed.key, changed_row);
            self.settling_rows[0].set(changed_row);
        });

        // l + 1
        self.changed.set(chosen);

        // l: the operations two ahead and more are in steps l + 2 on now.
        when(waiting.valid, || {
            let mut stored = self.rows.data();
            for (newer, row) in self.newer[1..].iter().zip(rows).rev() {
                stored = row.map_or(stored, |row| T::select(newer.get(), row, stored));
            }
            self.chosen_row.set(T::select(self.newer[0].get(), changed_row, stored));
            self.follows.set(same(chosen, waiting));
        });
        self.chosen.set(Ask { valid: waiting.valid & stays, ..waiting });

        // l - 1: they will be a step further when this one chooses.
        when(next.valid, || {
            self.newer[0].set(same(chosen, next));
            self.newer[1].set(same(changed, next));
            for (newer, ahead) in self.newer[2..].iter().zip(settling.into_iter().flatten()) {
                newer.set(same(ahead, next));
            }
        });

        // 0 to l - 1
        Reg::shift(&self.arriving, ask);
        self.rows.read(ask.key);
        self.rows.clock();
    }

    /// The operation in step `l` + 1 changes its row: for every one that has stayed, behind `clock` in its clock.
    #[inline(always)]
    pub fn change(&self, row: T) {
        self.changed_row.set(row);
    }

    /// Forgets all operations under way.
    pub fn reset(&self) {
        self.arriving.iter().chain([&self.chosen, &self.changed]).chain(&self.settling).for_each(Reg::reset);
    }
}
