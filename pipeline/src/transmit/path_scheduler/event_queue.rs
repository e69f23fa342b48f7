// SPDX-License-Identifier: MIT OR Apache-2.0
//! What software should know, one row per QP, and a queue of the QPs whose row is not empty (rows T25 and T26).
//! With memories of latency `l`:
//!
//! ```text
//!  cycle a              causes enter `pending`
//!        a + l + 1      added to the row; if it was empty, the QP enters the queue
//!        a + 2 l + 3    first cycle in which the QP is at the front
//!
//!  cycle b              the front is fetched: access to `pending`, unless causes enter it
//!        b + l + 1      the row is emptied
//!        b + l + 2      the event is output until it is taken; then the next one may be fetched
//! ```
//!
//! A QP leaves the queue before its row is emptied, so the queue never holds a QP twice and cannot overflow.

use super::config::PathSchedulerConfig;
use super::ports::{EventOut, PATH_WIDTH};
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::{Access, RmwTable};
use rtl_model::{
    Bits, Bundle, Logic, Ram, RamShape, Reading, Reg, Signal, bits, clog2, index_width, name_nets, select, when,
};

/// Causes of an event.
#[derive(Bundle)]
#[shape]
pub struct Causes<L: Reading> {
    pub failed: Bits<L>,
    pub all_failed: Bits<L>,
    pub congested: Bits<L>,
    pub saturated: Bits<L>,
}

#[name_nets]
impl<L: Logic> Causes<L> {
    /// 1 if there is one.
    pub fn any(&self) -> Bits<L> {
        self.failed | self.congested | self.saturated
    }
}

/// Causes of a sub-path, or the sweep of the row of a QP.
#[derive(Bundle)]
pub struct Post<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    /// The row is swept.
    pub clears: Bits<L>,
    pub qp: Bits<L>,
    pub path: Bits<L>,
    pub causes: Causes<L>,
}

/// The row of a QP: what has not been reported.
#[derive(Bundle)]
struct Pending<L: Reading> {
    causes: Causes<L>,
    /// Sub-path of the first cause.
    path: Bits<L>,
    /// There was a cause of another sub-path.
    more: Bits<L>,
}

/// An access to the row of a QP.
#[derive(Bundle)]
struct Entering<L: Reading> {
    /// Causes are added.
    #[reset]
    adds: Bits<L>,
    /// The row is fetched and emptied.
    #[reset]
    fetches: Bits<L>,
    /// The row is swept.
    #[reset]
    clears: Bits<L>,
    qp: Bits<L>,
    path: Bits<L>,
    causes: Causes<L>,
}

/// Rows of causes, and the queue of QPs that have some.
#[name_nets]
pub struct EventQueue<L: Logic> {
    latency: u32,
    pending: RmwTable<L, Pending<L>>,
    /// Steps 1 to `l` + 1, in which the row is there.
    entering: PipelineRegs<Entering<L>>,
    queue: Ram<Bits<L>>,
    write: Reg<Bits<L>>,
    /// `write` as of 1 to `l` cycles before: a row that was written then can be at the output of the memory.
    written: PipelineRegs<Bits<L>>,
    read: Reg<Bits<L>>,
    front_valid: Reg<Bits<L>>,
    event: Reg<EventOut<L>>,
}

#[name_nets]
impl<L: Logic> EventQueue<L> {
    pub fn new(config: PathSchedulerConfig) -> Self {
        let (flag, qp, path, l) = (bits(1), config.qp(), bits(config.path_bits()), config.ram_latency);
        let causes = Causes::shape();
        let depth = 1 << index_width(config.qps);
        let pointer = bits(clog2(depth) + 1);
        EventQueue {
            latency: l,
            pending: RmwTable::new(config.qps, l, &Pending { causes, path, more: flag }),
            entering: PipelineRegs::new(
                1..=l + 1,
                &Entering { adds: flag, fetches: flag, clears: flag, qp, path, causes },
            ),
            queue: Ram::new(RamShape::new(depth).latency(l).unused_on_collision(), &qp),
            write: Reg::new(&pointer).with_reset(),
            written: PipelineRegs::new(1..=l, &pointer).with_reset(),
            read: Reg::new(&pointer).with_reset(),
            front_valid: Reg::new(&flag).with_reset(),
            event: Reg::new(&EventOut::shape(config)),
        }
    }

    /// The event that is output.
    pub fn event(&self) -> EventOut<L> {
        self.event.get()
    }

    /// One clock cycle: causes or a sweep enter; `ready` is that of the receiver of events.
    pub fn clock(&self, post: Post<L>, ready: Bits<L>) {
        let l = self.latency;
        let (at, row, event) = (self.entering.last(), self.pending.operand(), self.event.get());
        let (write, read) = (self.write.get(), self.read.get());
        let address = write.width() - 1;

        // Before step l + 1 nothing else may be fetched, as there is one place for the event.
        let fetching = self.entering.all().iter().skip(1).fold(self.entering.at(1).fetches, |any, at| any | at.fetches);
        let fetches = (self.front_valid.get() & !post.valid & !event.valid & !fetching).named("fetches");
        let front = self.queue.data();
        let qp = select(post.valid, post.qp, front);
        self.pending.clock(Access { valid: post.valid | fetches, index: qp }, Bits::lit(1, 1));

        // l + 1
        let empty = !row.causes.any();
        let added = Pending {
            causes: Causes {
                failed: row.causes.failed | at.causes.failed,
                all_failed: row.causes.all_failed | at.causes.all_failed,
                congested: row.causes.congested | at.causes.congested,
                saturated: row.causes.saturated | at.causes.saturated,
            },
            path: select(empty, at.path, row.path),
            more: !empty & (row.more | at.path.differs(row.path)),
        };
        when(at.adds | at.fetches | at.clears, || self.pending.modify(added.gate(at.adds)));
        when(at.adds & empty, || {
            self.queue.write(write.truncate(address), at.qp);
            self.write.set(write + 1);
        });
        when(at.fetches, || {
            let Pending { causes, path, more } = row;
            let Causes { failed, all_failed, congested, saturated } = causes;
            let (valid, path) = (Bits::lit(1, 1), path.extend(PATH_WIDTH));
            self.event.set(EventOut { valid, qp: at.qp, path, more, failed, all_failed, congested, saturated });
        })
        .or_when(ready & event.valid, || self.event.set(EventOut { valid: Bits::lit(1, 0), ..event }));

        // 0 to l
        let (adds, clears) = (post.valid & !post.clears, post.valid & post.clears);
        self.entering.shift(Entering { adds, fetches, clears, qp, path: post.path, causes: post.causes });
        self.front_valid.set(read.differs(self.written.at(l)));
        when(fetches, || self.read.set(read + 1));
        self.queue.read(read.truncate(address));
        self.queue.clock();
        self.written.shift(write);
    }
}
