// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tracks which beat is in which step of a pipeline, in shift registers with one bit or number per step.

use super::lanes::BusLayout;
use rtl_model::{Bits, Logic, Reg, bits, name_nets, select, when};

/// Steps in which the number of a beat is read: 0 to 7.
const NUMBERED: u32 = 8;

/// The beats in the pipeline.
#[name_nets]
pub(crate) struct Steps<L: Logic> {
    count: u32,
    stop: u64,
    index_width: u32,
    next_index: Reg<Bits<L>>,
    active: Reg<Bits<L>>,
    first: Reg<Bits<L>>,
    last: Reg<Bits<L>>,
    index: Reg<Bits<L>>,
}

/// The contents of [`Steps`], read once per clock cycle.
#[name_nets]
#[derive(Clone, Copy)]
pub(crate) struct StepStatus<L: Logic> {
    index_width: u32,
    active: Bits<L>,
    first: Bits<L>,
    last: Bits<L>,
    index: Bits<L>,
}

#[name_nets]
impl<L: Logic> StepStatus<L> {
    /// There is a beat in this step, and it can hold headers.
    pub fn active(&self, step: u32) -> Bits<L> {
        self.active.bit(step)
    }

    /// There is a beat in this step, and it is its frame's first.
    pub fn first(&self, step: u32) -> Bits<L> {
        self.first.bit(step)
    }

    /// There is a beat in this step, and it is its frame's last.
    pub fn last(&self, step: u32) -> Bits<L> {
        self.last.bit(step)
    }

    /// Number of the beat of this step (0 to 7) in its frame; stops after the headers.
    pub fn index(&self, step: u32) -> Bits<L> {
        self.index.slice(step * self.index_width, self.index_width)
    }
}

#[name_nets]
impl<L: Logic> Steps<L> {
    /// A tracker for `count` steps.
    pub fn new(lanes: BusLayout, count: u32) -> Self {
        let index_width = lanes.index_width();
        Steps {
            count,
            stop: lanes.stop() as u64,
            index_width,
            next_index: Reg::new(&bits(index_width)).with_reset(),
            active: Reg::new(&bits(count)).with_reset(),
            first: Reg::new(&bits(count)).with_reset(),
            last: Reg::new(&bits(count)).with_reset(),
            index: Reg::new(&bits(NUMBERED * index_width)),
        }
    }

    pub fn get(&self) -> StepStatus<L> {
        StepStatus {
            index_width: self.index_width,
            active: self.active.get(),
            first: self.first.get(),
            last: self.last.get(),
            index: self.index.get(),
        }
    }

    /// The beat that enters next can hold headers.
    pub fn headers_next(&self) -> Bits<L> {
        self.next_index.get().differs(self.stop)
    }

    /// All beats advance by one step; a new one enters if `valid`.
    pub fn clock(&self, now: StepStatus<L>, valid: Bits<L>, last: Bits<L>) {
        let index = self.next_index.get();
        let headers = self.headers_next();
        let shift = |steps: Bits<L>, bit: Bits<L>| steps.truncate(self.count - 1).concat(bit);
        self.active.set(shift(now.active, valid & headers));
        self.first.set(shift(now.first, valid & !index.any()));
        self.last.set(shift(now.last, valid & last));
        self.index.set(now.index.truncate((NUMBERED - 1) * self.index_width).concat(index));
        when(valid, || {
            let next = select(headers, index + 1, index);
            self.next_index.set(select(last, Bits::lit(self.index_width, 0), next));
        });
    }
}
