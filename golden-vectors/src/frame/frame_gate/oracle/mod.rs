// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the frame gate must do, cycle by cycle: the contract row by row.
//!
//! "Fn" is row n of the table in `docs/stages/frame_gate.md`. What happens in a cycle depends on what there was at its
//! beginning, so the order of the rows within a cycle plays no part. Beats and records are of any type: they pass unread.

mod frames;
mod outlet;
mod records;

use crate::collect::ports::named;
use frames::Frames;
use records::Records;
use std::collections::BTreeMap;

/// The size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shape {
    /// Bits of `tdata`.
    pub data_width: u64,
    /// Beats that the memory holds.
    pub beats: u64,
    /// Released frames whose record has not been taken, at most.
    pub frames: u64,
    /// Frames whose verdict is drop pass with it.
    pub mark: bool,
    /// There are records.
    pub records: bool,
    /// Cycles from address to row of the memories: 1, 2 or 3. The rows call it *l*.
    pub ram_latency: u64,
}

/// Records ahead of their verdict, and verdicts ahead of their record, at most (F5, F3).
pub const LEAD: usize = 32;

/// A beat that comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beat<B> {
    /// All of it.
    pub payload: B,
    /// The frame ends with it.
    pub last: bool,
    /// Bit 0 of its `tuser`.
    pub drop: bool,
}

impl Shape {
    /// With a bus of 64 bits, dropping, with records.
    #[must_use]
    pub const fn new(beats: u64, frames: u64, ram_latency: u64) -> Self {
        Shape { data_width: 64, beats, frames, mark: false, records: true, ram_latency }
    }

    /// As groups of vectors give it.
    #[must_use]
    pub fn configuration(self) -> BTreeMap<String, u64> {
        let Shape { data_width, beats, frames, mark, records, ram_latency } = self;
        let flags = [("mark", mark.into()), ("records", records.into())];
        let numbers = [("data_width", data_width), ("beats", beats), ("frames", frames), ("ram_latency", ram_latency)];
        named(flags.into_iter().chain(numbers))
    }
}

/// What stands on the inputs in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inputs<B, R> {
    /// A beat.
    pub beat: Option<Beat<B>>,
    /// A record; nothing comes of it if `record_ready` is false.
    pub record: Option<R>,
    /// The consumer of frames is ready.
    pub frame_taken: bool,
    /// The consumer of records is ready.
    pub record_taken: bool,
}

/// What stands on the outputs in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outputs<B, R> {
    /// A record is taken; false without records.
    pub record_ready: bool,
    /// A beat is offered.
    pub beat: Option<B>,
    /// A record is offered.
    pub record: Option<R>,
    /// Counters.
    pub counts: Counts,
    /// The most beats that the memory has held (F7).
    pub high_water: u64,
}

/// Frames since reset (F3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Passed without a mark.
    pub passed: u64,
    /// Their verdict was drop.
    pub dropped: u64,
    /// Lost for want of room.
    pub overflowed: u64,
}

/// A gate from reset on.
#[derive(Clone, Debug)]
pub struct Gate<B, R> {
    shape: Shape,
    cycle: u64,
    frames: Frames<B>,
    records: Option<Records<R>>,
    counts: Counts,
}

impl<B: Clone, R: Clone> Gate<B, R> {
    /// In the first cycle after reset.
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        let records = shape.records.then(|| Records::new(shape));
        Gate { shape, cycle: 0, frames: Frames::new(shape), records, counts: Counts::default() }
    }

    /// What stands on the outputs in this cycle.
    #[must_use]
    pub fn outputs(&self) -> Outputs<B, R> {
        Outputs {
            record_ready: self.records.as_ref().is_some_and(Records::ready),
            beat: self.frames.outlet.offer(self.cycle).cloned(),
            record: self.records.as_ref().and_then(|records| records.outlet.offer(self.cycle)).cloned(),
            counts: self.counts,
            high_water: self.frames.high_water(),
        }
    }

    /// This cycle with these inputs; then it is the next.
    pub fn clock(&mut self, inputs: Inputs<B, R>) {
        let cycle = self.cycle;
        let room = self.records.as_ref().is_none_or(Records::room);
        let mut ended = None;
        self.frames.begin(cycle, inputs.frame_taken);
        if let Some(beat) = inputs.beat {
            // F3
            let refused = beat.drop && !self.shape.mark;
            let (last, drop) = (beat.last, beat.drop);
            let fits = self.frames.store(cycle, beat, room && !refused);
            if last {
                let released = fits && room && !refused;
                let count = match (released, drop) {
                    (true, false) => &mut self.counts.passed,
                    (_, true) if released || refused => &mut self.counts.dropped,
                    _ => &mut self.counts.overflowed,
                };
                *count += 1;
                ended = Some(released);
            }
        }
        if let Some(records) = &mut self.records {
            records.cycle(cycle, ended, inputs.record, inputs.record_taken);
        }
        self.cycle += 1;
    }
}
