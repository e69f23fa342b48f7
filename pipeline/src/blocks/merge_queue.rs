// SPDX-License-Identifier: MIT OR Apache-2.0
//! News of many contexts for one reader: one row for each context, and a queue of the contexts whose row is not empty. News of a
//! context that waits are merged with its row, so none is lost, however long the reader waits. With memories of latency `l`:
//!
//! ```text
//!  cycle a              news enter
//!        a + l + 1      merged with the row; if it was empty, the context enters the queue
//!        a + 2 l + 3    first cycle in which the context is at the front
//!
//!  cycle b              the front is fetched: access to the rows, unless news enter
//!        b + l + 1      the row is emptied
//!        b + l + 2      it is output until it is taken; then the next one may be fetched
//! ```
//!
//! A context leaves the queue before its row is emptied, so the queue never holds a context twice and cannot overflow.

use super::pipeline_regs::PipelineRegs;
use super::table::{Access, RmwTable};
use rtl_model::{
    Bits, Bundle, Logic, Ram, RamShape, Reading, Reg, Shape, Signal, bits, clog2, index_width, name_nets, select, when,
};

/// News that can be merged.
pub trait Merge<L: Logic>: Signal<Logic = L> {
    /// 1 if there is something to tell.
    fn any(&self) -> Bits<L>;
    /// This row, with what is new.
    fn merged(self, new: Self) -> Self;
}

/// An access to a row.
#[derive(Bundle)]
struct Entering<L: Reading> {
    /// News are merged with it.
    #[reset]
    adds: Bits<L>,
    /// It is fetched and emptied.
    #[reset]
    fetches: Bits<L>,
    /// It is swept.
    #[reset]
    clears: Bits<L>,
    index: Bits<L>,
}

/// News of a context, or the sweep of its row.
pub struct News<L: Logic, T: Merge<L>> {
    /// There are some.
    pub valid: Bits<L>,
    /// The row is swept.
    pub clears: Bits<L>,
    /// The number of the context.
    pub index: Bits<L>,
    /// What is new.
    pub row: T,
}

/// Rows of news, and the queue of the contexts that have some.
#[name_nets]
pub struct MergeQueue<L: Logic, T: Merge<L>> {
    latency: u32,
    pending: RmwTable<L, T>,
    /// Steps 1 to `l` + 1, in which the row is there.
    entering: PipelineRegs<Entering<L>>,
    news: PipelineRegs<T>,
    queue: Ram<Bits<L>>,
    write: Reg<Bits<L>>,
    /// `write` as of 1 to `l` cycles before: a row that was written then can be at the output of the memory.
    written: PipelineRegs<Bits<L>>,
    read: Reg<Bits<L>>,
    front_valid: Reg<Bits<L>>,
    /// What is output.
    offered: Reg<Access<L>>,
    row: Reg<T>,
}

#[name_nets]
impl<L: Logic, T: Merge<L>> MergeQueue<L, T> {
    /// For `contexts` contexts with rows of this shape, in memories of this latency.
    pub fn new(contexts: u64, latency: u32, row: &T::Shape) -> Self {
        let (flag, index) = (bits(1), bits(index_width(contexts)));
        let depth = 1 << index_width(contexts);
        let pointer: Bits<Shape> = bits(clog2(depth) + 1);
        MergeQueue {
            latency,
            pending: RmwTable::new(contexts, latency, row),
            entering: PipelineRegs::new(1..=latency + 1, &Entering { adds: flag, fetches: flag, clears: flag, index }),
            news: PipelineRegs::new(1..=latency + 1, row),
            queue: Ram::new(RamShape::new(depth).latency(latency).unused_on_collision(), &index),
            write: Reg::new(&pointer).with_reset(),
            written: PipelineRegs::new(1..=latency, &pointer).with_reset(),
            read: Reg::new(&pointer).with_reset(),
            front_valid: Reg::new(&flag).with_reset(),
            offered: Reg::new(&Access { valid: flag, index }),
            row: Reg::new(row),
        }
    }

    /// The context that is output, and its news.
    pub fn offered(&self) -> (Access<L>, T) {
        (self.offered.get(), self.row.get())
    }

    /// One clock cycle: news or a sweep enter; the reader is `ready`.
    pub fn clock(&self, news: News<L, T>, ready: Bits<L>) {
        let l = self.latency;
        let (at, row, offered) = (self.entering.last(), self.pending.operand(), self.offered.get());
        let (write, read) = (self.write.get(), self.read.get());
        let address = write.width() - 1;

        // Before step l + 1 nothing else may be fetched, as there is one place for what is output.
        let fetching = self.entering.all().iter().skip(1).fold(self.entering.at(1).fetches, |any, at| any | at.fetches);
        let fetches = self.front_valid.get() & !news.valid & !offered.valid & !fetching;
        let front = self.queue.data();
        let index = select(news.valid, news.index, front);
        self.pending.clock(Access { valid: news.valid | fetches, index }, Bits::lit(1, 1));

        // l + 1
        let empty = !row.any();
        let merged = row.merged(self.news.last());
        when(at.adds | at.fetches | at.clears, || self.pending.modify(merged.gate(at.adds)));
        when(at.adds & empty, || {
            self.queue.write(write.truncate(address), at.index);
            self.write.set(write + 1);
        });
        when(at.fetches, || {
            self.offered.set(Access { valid: Bits::lit(1, 1), index: at.index });
            self.row.set(row);
        })
        .or_when(ready & offered.valid, || self.offered.set(Access { valid: Bits::lit(1, 0), ..offered }));

        // 0 to l
        let (adds, clears) = (news.valid & !news.clears, news.valid & news.clears);
        self.entering.shift(Entering { adds, fetches, clears, index });
        self.news.shift(news.row);
        self.front_valid.set(read.differs(self.written.at(l)));
        when(fetches, || self.read.set(read + 1));
        self.queue.read(read.truncate(address));
        self.queue.clock();
        self.written.shift(write);
    }
}
