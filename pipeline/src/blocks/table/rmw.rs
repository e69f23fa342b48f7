// SPDX-License-Identifier: MIT OR Apache-2.0
//! [`RmwTable`]: a table with read-modify-write accesses, one per clock cycle, also back to back on the same row. With
//! a memory of latency 2:
//!
//! ```text
//!  0 access    index to the memory
//!  1 fetch     row in the memory's read register; index compared with those of earlier accesses
//!  2 select    row in the output register, or a newer copy: that of step 4, or one of steps 5 and 6 held since step 1
//!  3 modify    selected row, or the one that the previous access has just modified: `operand`
//!  4 write     modified row to the memory
//!  5           row kept for forwarding to later accesses
//! ```
//!
//! With a memory of latency `l` an access selects its row in step `l`. Its index is compared in the step before, which
//! at latency 1 is the one in which it enters. `modify` and `write` are steps `l` + 1 and `l` + 2. Rows are kept up to
//! step 2 `l` + 1, because a row read from the memory misses the writes of up to `l` + 2 accesses before it.
//!
//! The newest of the kept rows is held for the access when its index is compared; the others are replaced by 0, which the
//! reset of a flip-flop does. So the selection is an OR, with half of the look-up tables of a chain of multiplexers.
//!
//! The comparison and the reset take most of a clock cycle. Where accesses come from registers, a table from latency 2 on
//! can be [`RmwTable::compared_early`]: the index is compared one step before, and the reset is a register.
//!
//! The forwarding is that of `tally`, which explains it. It also covers a row that is written in the clock cycle in
//! which it is read. A step without an access keeps its registers: its row is not used, and the model has nothing to
//! copy. A reset discards all accesses in the pipeline, unless the table is [`RmwTable::without_reset`].

use super::{Access, Storage};
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::secded::{RamKind, TableRam, Upsets};
use rtl_model::{Bits, Logic, RamShape, Reg, Signal, bits, join, name_nets, when};

/// Names of the steps before the row is selected; the last of them is `at_select`.
const READ_STEPS: [&str; 2] = ["fetched", "moved"];
/// Names of the steps after the write.
const FORWARD_STEPS: [&str; 3] = ["written", "settled", "kept"];

/// Name of this step after the write.
fn forwarded(latency: u32, step: u32) -> &'static str {
    FORWARD_STEPS[(step - latency - 3) as usize]
}

/// A table with one read-modify-write access per clock cycle, also back to back on the same row.
///
/// `R` is the memory of its rows.
#[name_nets]
pub struct RmwTable<L: Logic, T: Signal<Logic = L>, R = TableRam<L, T>> {
    latency: u32,
    rows: R,
    /// Steps 1 to `l`.
    read_pipe: PipelineRegs<Access<L>>,
    selected: Reg<Access<L>>,
    selected_row: Reg<T>,
    modified: Reg<Access<L>>,
    modified_row: Reg<T>,
    /// Accesses in the `l` - 1 steps from `l` + 3 on, and their rows.
    forwarding: PipelineRegs<Access<L>>,
    forwarding_rows: PipelineRegs<T>,
    /// 1 if the access two before the one in step `l` is to the same row.
    forward_modified: Reg<Bits<L>>,
    /// 1 if one of the `l` accesses before that is to the same row.
    forward_held: Reg<Bits<L>>,
    /// Their rows, named after the step of the access: 0 but for that of the last one to the same row.
    held_rows: PipelineRegs<T>,
    /// If indices are compared early: these rows are not held in this clock cycle.
    drops: Option<PipelineRegs<Bits<L>>>,
    /// 1 if the access in step `l` + 1 is to the same row as the one before it.
    back_to_back: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic, T: Signal<Logic = L>> RmwTable<L, T> {
    /// A table of `depth` rows in a memory of this kind: a latency, or a latency and a protection.
    pub fn new(depth: u64, kind: impl Into<RamKind>, row: &T::Shape) -> Self {
        let (kind, ram) = (kind.into(), RamShape::new(depth).unused_on_collision());
        RmwTable::of(|| TableRam::new(kind, ram, row), depth, kind.latency, row)
    }
}

#[name_nets]
impl<L: Logic, T: Signal<Logic = L>, R: Storage<L, T>> RmwTable<L, T, R> {
    /// A table of `depth` rows in the memory that `rows` makes; the memory has this latency.
    pub fn of(rows: impl FnOnce() -> R, depth: u64, latency: u32, row: &T::Shape) -> Self {
        let access = Access::shape(depth);
        let last = latency;
        let forwarded = |step: u32| forwarded(latency, step);
        let read_step = |step: u32| if step == last { "at_select" } else { READ_STEPS[step as usize - 1] };
        RmwTable {
            latency,
            rows: rows(),
            read_pipe: PipelineRegs::of(1..=last, |step| Reg::named(read_step(step), &access)),
            selected: Reg::new(&access),
            selected_row: Reg::new(row),
            modified: Reg::new(&access),
            modified_row: Reg::new(row),
            forwarding: PipelineRegs::of(latency + 3..=2 * latency + 1, |step| Reg::named(forwarded(step), &access)),
            forwarding_rows: PipelineRegs::of(latency + 3..=2 * latency + 1, |step| {
                Reg::named(&join(forwarded(step), "row"), row)
            }),
            forward_modified: Reg::new(&bits(1)),
            forward_held: Reg::new(&bits(1)),
            held_rows: PipelineRegs::of(latency + 3..=2 * latency + 2, |step| {
                Reg::named(&join(&join("held", forwarded(step)), "row"), row)
            }),
            drops: None,
            back_to_back: Reg::new(&bits(1)),
        }
    }

    /// The indices of accesses are compared in the step before, which takes a latency of 2 at least; with latency 1 nothing
    /// changes. For accesses that come from registers.
    pub fn compared_early(self) -> Self {
        let l = self.latency;
        let drop = |step: u32| Reg::named(&join("drop", forwarded(l, step)), &bits(1));
        RmwTable { drops: (l > 1).then(|| PipelineRegs::of(l + 3..=2 * l + 2, drop)), ..self }
    }

    /// Accesses in the pipeline are completed in spite of a reset: an event changes all of its tables or none.
    pub fn without_reset(self) -> Self {
        RmwTable {
            read_pipe: self.read_pipe.without_reset(),
            selected: self.selected.without_reset(),
            modified: self.modified.without_reset(),
            forwarding: self.forwarding.without_reset(),
            ..self
        }
    }

    /// What was wrong with the row that the access in step `l` + 1 has taken from the memory; none without check bits.
    pub fn upsets(&self) -> Vec<Upsets<L>> {
        self.rows.upsets()
    }

    /// The up-to-date row of the access in step `l` + 1.
    pub fn operand(&self) -> T {
        T::select(self.back_to_back.get(), self.modified_row.get(), self.selected_row.get())
    }

    /// The result of this for the up-to-date row of the access in step `l` + 1. It is found for both rows that this may be
    /// before the choice is made, so that the choice is not in front of a long path.
    pub fn of_operand<U: Signal<Logic = L>>(&self, result: impl Fn(T) -> U) -> U {
        let (modified, selected) = (result(self.modified_row.get()), result(self.selected_row.get()));
        U::select(self.back_to_back.get(), modified, selected)
    }

    /// The modified row of the access in step `l` + 2.
    pub fn modified(&self) -> T {
        self.modified_row.get()
    }

    /// One clock cycle: an access enters. The access in step `l` goes on if `commit` is 1, else it ends without effect.
    pub fn clock(&self, access: Access<L>, commit: Bits<L>) {
        let l = self.latency;
        let (selected, modified, modified_row) = (self.selected.get(), self.modified.get(), self.modified_row.get());
        // The access that selects its row now, and the one that does so in the next clock cycle.
        let at_select = self.read_pipe.at(l);
        let next = if l == 1 { access } else { self.read_pipe.at(l - 1) };
        // The accesses in steps l + 2 on, and their rows.
        let forwarding = self.forwarding.all();
        let ahead = [vec![modified], forwarding.clone()].concat();
        let rows = [vec![modified_row], self.forwarding_rows.all()].concat();
        let same = |ahead: Access<L>, me: Access<L>| ahead.valid & ahead.index.equals(me.index);

        // l + 3 on
        for i in 0..l as usize - 1 {
            when(ahead[i].valid, || self.forwarding_rows.set(l + 3 + i as u32, rows[i]));
        }
        self.forwarding.shift(modified);

        // l + 2
        when(modified.valid, || self.rows.write(modified.index, modified_row));

        // l + 1
        self.modified.set(selected);

        // l: the accesses two and more before this one are in steps l + 2 on now.
        when(at_select.valid, || {
            let stored = self.rows.data(at_select.index).gate(!self.forward_held.get());
            let stored = self.held_rows.all().into_iter().fold(stored, T::or);
            self.selected_row.set(T::select(self.forward_modified.get(), modified_row, stored));
            self.back_to_back.set(same(selected, at_select));
        });
        // The row of the memory is not used where a newer copy is held.
        let used = at_select.valid & !self.forward_held.get() & !self.forward_modified.get();
        self.rows.check(at_select.index, used);
        self.selected.set(Access { valid: at_select.valid & commit, ..at_select });

        // l - 1: the accesses compared will be one step further when this one selects its row.
        // The reset of held rows is active high and without an enable: otherwise it takes a look-up table for each bit.
        when(next.valid, || self.forward_modified.set(same(selected, next)));
        let drops = match &self.drops {
            Some(drops) => {
                let entering = if l == 2 { access } else { self.read_pipe.at(l - 2) };
                // One step before those.
                dropped_later(
                    drops,
                    l + 3,
                    &[&[selected, modified], &forwarding[..forwarding.len() - 1]].concat(),
                    entering,
                )
            }
            None => all_but_newest(&ahead, next),
        };
        for i in 0..drops.len() {
            self.held_rows.set(l + 3 + i as u32, T::select(drops[i], T::zero(&rows[i].shape()), rows[i]));
        }
        self.forward_held.set(!all_of(drops));

        // 0 to l - 1
        self.read_pipe.shift(access);
        self.rows.read(access.index);
        self.rows.clock();
    }

    /// The new row of the access in step `l` + 1. Call it for every committed access, after `clock` in the same cycle.
    pub fn modify(&self, row: T) {
        self.modified_row.set(row);
    }
}

/// What was found one clock cycle ago; these accesses ahead are compared for the next one.
#[name_nets]
fn dropped_later<L: Logic>(
    drops: &PipelineRegs<Bits<L>>,
    first: u32,
    ahead: &[Access<L>],
    me: Access<L>,
) -> Vec<Bits<L>> {
    let before = drops.all();
    for (step, drop) in (first..).zip(all_but_newest(ahead, me)) {
        drops.set(step, drop);
    }
    before
}

fn all_of<L: Logic>(bits: Vec<Bits<L>>) -> Bits<L> {
    bits.into_iter().fold(Bits::lit(1, 1), |all, bit| all & bit)
}

/// For each access ahead, the newest one first: 1 but for the newest one to the same row.
#[name_nets]
fn all_but_newest<L: Logic>(ahead: &[Access<L>], me: Access<L>) -> Vec<Bits<L>> {
    let mut found = Bits::lit(1, 0);
    let mut drops = Vec::with_capacity(ahead.len());
    for ahead in ahead {
        let differs = !ahead.valid | ahead.index.differs(me.index);
        drops.push(differs | found);
        found = found | !differs;
    }
    drops
}
