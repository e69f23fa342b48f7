// SPDX-License-Identifier: MIT OR Apache-2.0
//! In which cycles walks are: ACKs, backoffs, *again*, and commands. What a walk will do is known when it enters, as nothing else enters up
//! to its *t*.

use super::named::{Named, Visits};
use super::pdcs::Sums;
use super::release::{Release, Step};
use super::scanning::Phase;
use super::{Ack, Command, Commanded, Oracle, Send, Settings, op};

/// What a walk is.
#[derive(Clone, Debug)]
enum Operation {
    /// An ACK, with what it names; `None` if it has no news.
    Ack(Ack, Option<Named>),
    /// A backoff, with the settings of its cycle *p*.
    Backoff(Ack, Settings),
    /// *Again*.
    Again(Send),
    /// A command, and whether it is done.
    Command(Command, bool),
}

/// When a walk ends.
#[derive(Clone, Debug)]
enum Course {
    /// Its *t*.
    Known(u64),
    /// After its reads.
    Reads(Release),
}

/// A walk under way.
#[derive(Clone, Debug)]
pub struct Walk {
    /// Number of its PDC.
    pdc: u64,
    operation: Operation,
    course: Course,
    sums: Sums,
}

impl Walk {
    fn new(pdc: u64, operation: Operation, course: Course) -> Self {
        Walk { pdc, operation, course, sums: Sums::default() }
    }
}

impl Oracle {
    /// *q* of a walk that enters in the present cycle.
    const fn begins(&self) -> u64 {
        self.cycle + self.shape.effect()
    }

    /// D11, D12.
    pub(super) fn walk_of_ack(&self, ack: Ack) -> Walk {
        let (pdc, named, begins) = (self.pdcs.get(ack.pdc), self.pdcs.named(&ack), self.begins());
        let reads = |named| Course::Reads(Release::new(pdc, Visits::new(pdc, &named), begins));
        let course = named.map_or(Course::Known(begins), reads);
        Walk::new(ack.pdc, Operation::Ack(ack, named), course)
    }

    /// D37.
    pub(super) fn walk_of_backoff(&self, ack: Ack) -> Walk {
        Walk::new(ack.pdc, Operation::Backoff(ack, self.settings), Course::Known(self.begins()))
    }

    /// D7: blocks from that of *first* to that of the packet, and its record.
    pub(super) fn walk_of_again(&self, send: Send) -> Walk {
        let (shape, pdc) = (self.shape, self.pdcs.get(send.pdc));
        let last = pdc.lowest_marked().map_or(self.begins(), |offset| {
            let start = shape.psn(pdc.base + pdc.first) % 64;
            let visits = (start + offset - pdc.first) / 64 + 1;
            self.begins() + visits * shape.visit() + 1
        });
        Walk::new(send.pdc, Operation::Again(send), Course::Known(last))
    }

    /// D29, D30.
    pub(super) fn walk_of_command(&mut self, command: Command) -> Walk {
        let (shape, begins) = (self.shape, self.begins());
        let (pdc, done) = (self.pdcs.get(command.pdc), self.pdcs.is_done(&command));
        let course = match command.op {
            op::OPEN if done => Course::Known(begins + shape.window / 64),
            op::CLOSE if done => Course::Reads(Release::new(pdc, Visits::all(pdc), begins)),
            _ => Course::Known(begins),
        };
        // D25: under way up to *t* if it is not done.
        if matches!(command.op, op::LOSE | op::FAIL) {
            let phase = if done { Phase::Steps(begins, self.pdcs.declare(&command)) } else { Phase::Void(begins) };
            self.scan = Some((command.pdc, phase));
        }
        Walk::new(command.pdc, Operation::Command(command, done), course)
    }

    /// One cycle of a walk, with room for an outcome or not. Returns it if it is not over.
    pub(super) fn walk_on(&mut self, mut walk: Box<Walk>, room: bool) -> Option<Box<Walk>> {
        let (shape, cycle) = (self.shape, self.cycle);
        let step = match &mut walk.course {
            Course::Known(last) => {
                if *last == cycle {
                    Step::Ends
                } else {
                    Step::Waits
                }
            }
            Course::Reads(release) => release.clock(shape, self.pdcs.get(walk.pdc), cycle, room),
        };
        match step {
            Step::Waits => Some(walk),
            Step::Reads(offset) => {
                let ack = if let Operation::Ack(ack, _) = &walk.operation { Some(ack) } else { None };
                let outcome = self.pdcs.release(walk.pdc, offset, ack, &mut walk.sums);
                self.outcomes.push(cycle, Some((cycle + shape.outcome(), outcome)));
                Some(walk)
            }
            Step::Ends => {
                self.end_walk(&walk);
                None
            }
        }
    }

    /// The present cycle is *t*.
    fn end_walk(&mut self, walk: &Walk) {
        match &walk.operation {
            Operation::Ack(ack, named) => {
                let event = self.pdcs.acknowledge(self.clock.time(), ack, named.as_ref(), &walk.sums);
                self.ends(walk.pdc, event);
            }
            Operation::Backoff(ack, settings) => {
                self.pdcs.back_off(self.clock.time(), settings, ack);
                self.ends(walk.pdc, None);
            }
            Operation::Again(send) => self.sends(send),
            Operation::Command(command, done) => {
                let (response, event) = self.pdcs.command(self.clock.time(), command, *done, &walk.sums);
                self.commanded = Some(Commanded::Responds(self.effect(), response));
                self.ends(walk.pdc, event);
            }
        }
    }
}
