// SPDX-License-Identifier: MIT OR Apache-2.0
//! The selector without its ports and without a clock: one event at a time, each over before the next one comes.
//!
//! A row of the contract that counts clock cycles says here in which order events are; those that say what a request sees of the events
//! before it hold as they stand.

mod ccc;
mod clock;
mod draws;
mod marks;
mod path;
mod penalties;
mod ring;

use super::{Command, Grant, Kind, Op, Response, Settings, Shape, mix};
use ccc::Ccc;
use clock::Clock;

/// Counters since reset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Requests for a CCC that is not open (S3).
    pub refused_requests: u64,
    /// Requests whose port was not free (S20).
    pub blocked_requests: u64,
    /// Feedback for a CCC that is not open (S8).
    pub feedback_closed: u64,
    /// Feedback for an EV that the CCC does not have (S8).
    pub feedback_range: u64,
}

/// When an event comes: its time in units of 64 clock cycles, and the epoch of class 0 (S9).
#[derive(Clone, Copy, Debug)]
struct Moment {
    time: u64,
    epoch: u64,
}

/// All CCCs. Times are clock cycles, and never decrease. All memory is taken by [`Table::new`].
#[derive(Clone, Debug)]
pub struct Table {
    shape: Shape,
    settings: Settings,
    /// The number of the pipeline in its device (S23).
    pipeline: u64,
    clock: Clock,
    cccs: Vec<Ccc>,
    counters: Counters,
}

impl Table {
    /// After the sweep, with the settings after reset.
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        Table {
            shape,
            settings: shape.settings,
            pipeline: 0,
            clock: Clock::default(),
            cccs: (0..shape.cccs).map(|_| Ccc::new(shape)).collect(),
            counters: Counters::default(),
        }
    }

    /// Counters since reset.
    #[must_use]
    pub const fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Settings that are in force from this time on (S24).
    pub fn set(&mut self, now: u64, settings: Settings) {
        self.clock.advance(now, &self.settings);
        self.settings = settings;
    }

    /// The number of the pipeline in its device, for CCCs that are opened from now on (S23).
    pub const fn set_pipeline(&mut self, pipeline: u64) {
        self.pipeline = pipeline;
    }

    /// EV 0 of an open CCC on the wire (S22).
    #[must_use]
    pub fn wire(&self, ccc: u64) -> Option<u64> {
        self.cccs.get(ccc as usize).filter(|ccc| ccc.open).map(|ccc| ccc.wire)
    }

    fn moment(&mut self, now: u64) -> Moment {
        self.clock.advance(now, &self.settings);
        self.clock.moment()
    }

    fn open(&mut self, ccc: u64) -> Option<&mut Ccc> {
        self.cccs.get_mut(ccc as usize).filter(|ccc| ccc.open)
    }

    /// S1, S3, S19 and S20: a request, with a bit for each free port.
    pub fn request(&mut self, now: u64, ccc: u64, free: u64) -> Grant {
        let (moment, settings, ports) = (self.moment(now), self.settings, self.shape.ports);
        let refused = Grant { cycle: now, ccc, ..Grant::default() };
        let Some(row) = self.open(ccc) else {
            self.counters.refused_requests += 1;
            return refused;
        };
        let (index, saturated) = row.choose(moment, &settings);
        let ev = row.wire + index;
        let port = ev % ports;
        if free >> port & 1 == 1 {
            Grant { open: true, ev, index, saturated, port, ..refused }
        } else {
            self.counters.blocked_requests += 1;
            Grant { blocked: true, index, ..refused }
        }
    }

    /// S4 and S8: feedback for the EV with this number on the wire.
    pub fn feedback(&mut self, now: u64, ccc: u64, number: u64, kind: Kind) {
        let (moment, settings) = (self.moment(now), self.settings);
        let Some(row) = self.open(ccc) else {
            self.counters.feedback_closed += 1;
            return;
        };
        match row.index(number) {
            Some(index) => row.feedback(moment, &settings, index, kind),
            None => self.counters.feedback_range += 1,
        }
    }

    /// N5: a CCC is asked to move.
    pub fn reroute(&mut self, ccc: u64) {
        if let Some(row) = self.open(ccc) {
            row.reroute();
        }
    }

    /// S10, S11, S14 and N6: a command.
    pub fn command(&mut self, now: u64, command: &Command) -> Response {
        let moment = self.moment(now);
        let Command { op, ccc, class, .. } = *command;
        let closed =
            Response { cycle: now, op, ccc, done: false, open: false, last: 0, marked: 0, mode: 0, space: 0, class: 0 };
        let (shape, settings, pipeline) = (self.shape, self.settings, self.pipeline);
        let Some(row) = self.cccs.get_mut(ccc as usize) else { return closed };
        let done = match (op, row.open) {
            (Op::Read, _) => true,
            (Op::Open, false) => row.open(shape, command, mix(shape, settings, (pipeline, ccc), row.openings)),
            (Op::Close, true) => {
                row.open = false;
                true
            }
            (Op::Resize, true) => shape.space(command.space).is_some_and(|space| row.resize(space, class)),
            (Op::Reroute, true) => row.reroute(),
            _ => false,
        };
        let response = Response { done, open: row.open, ..closed };
        if op != Op::Read || !row.open {
            return response;
        }
        Response {
            last: row.last(),
            marked: row.marked(moment),
            mode: row.mode.code(),
            space: row.space.ilog2().into(),
            class: row.class,
            ..response
        }
    }
}
