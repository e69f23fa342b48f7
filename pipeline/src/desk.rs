// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where operations are taken, one at a time, and the sweep behind a reset.
//!
//! ```text
//!  cycle c             taken
//!        c + 1         it takes effect, in the place of another event
//!        c + spacing   the next one may be taken
//! ```

use rtl_model::{Bits, Logic, Reg, Signal, bits, clog2, index_width, name_nets, when};

/// Size and pace of a desk.
#[derive(Clone, Copy, Debug)]
pub struct DeskShape {
    /// Rows that are swept: `rows / 2^low_bits` of as many each, as far as they go.
    pub rows: u64,
    /// Bits of the low part of a row's number.
    pub low_bits: u32,
    /// Bits of its high part.
    pub high_bits: u32,
    /// Cycles that it stays busy behind the sweep.
    pub settles: u64,
    /// Cycles from one operation to the next.
    pub spacing: u64,
}

/// Takes operations of software one at a time, and sweeps the tables after reset.
#[name_nets]
pub struct Desk<L: Logic, T: Signal<Logic = L>> {
    shape: DeskShape,
    sweeping: Reg<Bits<L>>,
    /// Behind the sweep: what was swept is on its way to where it is seen.
    settling: Option<Reg<Bits<L>>>,
    /// The row that is swept.
    row: Reg<Bits<L>>,
    operation: Reg<T>,
    /// It takes effect in this clock.
    issues: Reg<Bits<L>>,
    working: Reg<Bits<L>>,
    timer: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic, T: Signal<Logic = L>> Desk<L, T> {
    /// A desk for operations of this shape.
    pub fn new(shape: DeskShape, operation: &T::Shape) -> Self {
        let timer = clog2(shape.settles.max(shape.spacing - 1));
        Desk {
            shape,
            sweeping: Reg::starting_at(&bits(1), Bits::lit(1, 1)).with_reset(),
            settling: (shape.settles > 0).then(|| Reg::new(&bits(1)).with_reset()),
            row: Reg::new(&bits(index_width(shape.rows))).with_reset(),
            operation: Reg::new(operation),
            issues: Reg::new(&bits(1)).with_reset(),
            working: Reg::new(&bits(1)).with_reset(),
            timer: Reg::new(&bits(timer)),
        }
    }

    /// A row is swept.
    pub fn sweeps(&self) -> Bits<L> {
        self.sweeping.get()
    }

    /// The sweep is not over.
    pub fn busy(&self) -> Bits<L> {
        match &self.settling {
            Some(settling) => self.sweeping.get() | settling.get(),
            None => self.sweeping.get(),
        }
    }

    /// An operation can be taken.
    pub fn ready(&self) -> Bits<L> {
        !(self.busy() | self.working.get())
    }

    /// An operation takes effect in this clock.
    pub fn issues(&self) -> Bits<L> {
        self.issues.get()
    }

    /// The operation, from the clock in which it takes effect until the next one is taken.
    pub fn operation(&self) -> T {
        self.operation.get()
    }

    /// High and low part of the row that is swept.
    pub fn swept(&self) -> (Bits<L>, Bits<L>) {
        let DeskShape { low_bits, high_bits, .. } = self.shape;
        let row = self.row.get();
        let wide = low_bits + high_bits;
        let row = if row.width() < wide { row.extend(wide) } else { row };
        (row.slice(low_bits, high_bits), row.truncate(low_bits))
    }

    /// One cycle: `valid` and the operation that is offered.
    pub fn clock(&self, valid: Bits<L>, operation: T) {
        let (row, timer, working, ready) = (self.row.get(), self.timer.get(), self.working.get(), self.ready());
        let settles = self.settling.as_ref().map(Reg::get);
        let (one, none) = (Bits::lit(1, 1), Bits::lit(1, 0));
        let start = Bits::lit(timer.width(), 0);
        self.timer.set(timer + 1);
        when(self.sweeping.get(), || {
            self.row.set(row + 1);
            when(row.equals(self.shape.rows - 1), || {
                self.row.set(Bits::lit(row.width(), 0));
                self.sweeping.set(none);
                if let Some(settling) = &self.settling {
                    settling.set(one);
                    self.timer.set(start);
                }
            });
        });
        if let (Some(settling), Some(settles)) = (&self.settling, settles) {
            when(settles & timer.equals(self.shape.settles - 1), || settling.set(none));
        }
        self.issues.set(none);
        when(working & timer.equals(self.shape.spacing - 2), || self.working.set(none));
        when(ready & valid, || {
            self.operation.set(operation);
            self.issues.set(one);
            self.working.set(one);
            self.timer.set(start);
        });
    }
}
