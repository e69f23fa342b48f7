// SPDX-License-Identifier: MIT OR Apache-2.0
//! Walks: ACKs, *again*, and commands. What a walk will do is known when it enters, as nothing else enters up to its *t*.

use super::operations::{end_of_turn, passed, retransmission};
use super::pdc::{self, Pdc, State};
use super::release::{Named, Release, Step};
use super::scan::Scan;
use super::{Ack, Command, Commanded, Event, Oracle, Outcome, Response, Send, Sent, event, op, outcome};

/// What a walk is.
#[derive(Clone, Debug)]
enum Operation {
    /// An ACK, with what it names; `None` if it has no news.
    Ack(Ack, Option<Named>),
    /// *Again*, with the packet that is sent, as its distance from *B*.
    Again(Send, Option<u64>),
    /// A command, and whether it is done.
    Command(Command, bool),
}

/// What the reads of a walk have summed up.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    /// Packets that were in flight, and their bytes.
    packets: u64,
    bytes: u64,
    /// Packets that were marked, and their bytes.
    rtx_packets: u64,
    rtx_bytes: u64,
    /// What the event says of its trigger.
    trigger: Event,
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
    /// An event says that the window was given up (D30).
    discards: bool,
}

impl Walk {
    fn new(pdc: u64, operation: Operation, course: Course) -> Self {
        let discards = match &course {
            Course::Reads(release) => release.releases(),
            Course::Known(_) => false,
        };
        Walk { pdc, operation, course, sums: Sums::default(), discards }
    }
}

impl Oracle {
    /// *q* of a walk that enters in the present cycle.
    const fn begins(&self) -> u64 {
        self.cycle + self.shape.effect()
    }

    /// D11, D12.
    pub(super) fn walk_of_ack(&self, ack: Ack) -> Walk {
        let pdc = &self.pdcs[ack.pdc as usize];
        let named = if pdc.open { Named::by(self.shape, pdc, &ack) } else { None };
        let course = match &named {
            Some(named) => Course::Reads(Release::new(self.shape, pdc, named, self.begins())),
            None => Course::Known(self.begins()),
        };
        Walk::new(ack.pdc, Operation::Ack(ack, named), course)
    }

    /// D7: blocks from that of *first* to that of the packet, and its record.
    pub(super) fn walk_of_again(&self, send: Send) -> Walk {
        let (shape, pdc) = (self.shape, &self.pdcs[send.pdc as usize]);
        let found = if pdc.open { pdc.lowest_marked() } else { None };
        let last = found.map_or(self.begins(), |offset| {
            let start = shape.psn(pdc.base + pdc.first) % 64;
            let visits = (start + offset - pdc.first) / 64 + 1;
            self.begins() + visits * shape.visit() + 1
        });
        Walk::new(send.pdc, Operation::Again(send, found), Course::Known(last))
    }

    /// D29, D30.
    pub(super) fn walk_of_command(&mut self, command: Command) -> Walk {
        let (shape, begins) = (self.shape, self.begins());
        let pdc = &self.pdcs[command.pdc as usize];
        let done = match command.op {
            op::READ => true,
            op::OPEN => !pdc.open,
            op::CLOSE => pdc.open && (pdc.packets.is_empty() || command.force),
            op::CHANGE | op::LOSE => pdc.open,
            _ => false,
        };
        let course = match command.op {
            op::OPEN if done => Course::Known(begins + shape.window / 64),
            op::CLOSE if done => Course::Reads(Release::new(shape, pdc, &Named::all(pdc), begins)),
            _ => Course::Known(begins),
        };
        // D25: under way up to *t* if it is not done.
        if command.op == op::LOSE {
            self.scan = Some(if done { Scan::declared(shape, &command, pdc) } else { Scan::void(command.pdc, begins) });
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
            Course::Reads(release) => release.clock(shape, cycle, room),
        };
        match step {
            Step::Waits => Some(walk),
            Step::Reads(offset) => {
                self.read(&mut walk, offset);
                Some(walk)
            }
            Step::Ends => {
                match &walk.operation {
                    Operation::Ack(ack, Some(named)) => self.acknowledged(ack, named, &walk.sums),
                    Operation::Ack(ack, None) => self.without_news(ack),
                    Operation::Again(send, found) => self.sent_again(send, *found),
                    Operation::Command(command, done) => self.commanded(command, *done, walk.discards, &walk.sums),
                }
                None
            }
        }
    }

    /// D13, D16, D30: the record of a packet that is released is read.
    fn read(&mut self, walk: &mut Walk, offset: u64) {
        let (shape, sums) = (self.shape, &mut walk.sums);
        let (kinds, ack) = match &walk.operation {
            Operation::Ack(ack, _) => ([outcome::ACKNOWLEDGED, outcome::LATE], Some(ack)),
            // *Close*: *again* reads in its last cycle, and releases nothing.
            _ => ([outcome::DISCARDED, outcome::DISCARDED_LATE], None),
        };
        let pdc = &mut self.pdcs[walk.pdc as usize];
        let size = pdc.packets[offset as usize].size;
        let late = pdc.packets[offset as usize].state == State::Marked;
        if late {
            sums.rtx_packets += 1;
            sums.rtx_bytes += size;
        } else {
            sums.packets += 1;
            sums.bytes += size;
        }
        let mut outcome = Outcome { pdc: walk.pdc, ..pdc.outcome(shape, offset, kinds[usize::from(late)]) };
        self.counters.late_acks += u64::from(outcome.kind == outcome::LATE);
        if let Some(ack) = ack.filter(|ack| triggers(shape, pdc, ack, offset)) {
            let timed = pdc.timed(offset, ack, &mut self.counters);
            sums.trigger = pdc.with_trigger(offset, timed.0, Event::default());
            outcome = Pdc::with_age(Outcome { trigger: true, ..outcome }, ack, timed);
        }
        pdc.packets[offset as usize].state = State::Acknowledged;
        self.outcomes.push(self.cycle, Some((self.cycle + shape.outcome(), outcome)));
    }

    /// D14, D15, D17.
    fn acknowledged(&mut self, ack: &Ack, named: &Named, sums: &Sums) {
        let time = self.time();
        let pdc = &mut self.pdcs[ack.pdc as usize];
        pdc.acknowledge(self.shape, named.cumulative, named.highest, time, ack);
        let quanta = pdc.receive(ack, &mut self.counters);
        let Sums { packets, rtx_packets, rtx_bytes, trigger, .. } = *sums;
        let Event { timed, rtx_count, stamp, .. } = trigger;
        let counts = Event { quanta, packets, rtx_packets, rtx_bytes, ..pdc.event(event::ACK) };
        self.ends(ack.pdc, Some(passed(ack, Event { timed, rtx_count, stamp, ..counts })));
    }

    /// D11: an ACK that is outside, or for a closed PDC.
    fn without_news(&mut self, ack: &Ack) {
        if self.pdcs[ack.pdc as usize].open {
            self.counters.outside_acks += 1;
            self.ends(ack.pdc, None);
        } else {
            self.closed(ack.pdc);
        }
    }

    /// D7 to D10.
    fn sent_again(&mut self, send: &Send, found: Option<u64>) {
        let (shape, time) = (self.shape, self.time());
        let pdc = &mut self.pdcs[send.pdc as usize];
        if !pdc.open {
            self.answers(send, Sent::default());
            self.closed(send.pdc);
            return;
        }
        let (event, sent) = match found {
            Some(offset) => {
                pdc.send_again(shape, offset, send, time);
                let pdc::Packet { size, rtx_count, .. } = pdc.packets[offset as usize];
                let psn = shape.psn(pdc.base + offset);
                (Some(retransmission(pdc, send, size)), Sent { ok: true, psn, size, rtx_count, ..Sent::default() })
            }
            None => {
                self.counters.empty_sends += 1;
                (end_of_turn(pdc, send), Sent::default())
            }
        };
        self.answers(send, sent);
        self.ends(send.pdc, event);
    }

    /// D29, D30.
    fn commanded(&mut self, command: &Command, done: bool, discards: bool, sums: &Sums) {
        let shape = self.shape;
        let pdc = &mut self.pdcs[command.pdc as usize];
        let mut event = None;
        match command.op {
            op::OPEN if done => *pdc = Pdc::opened(shape, command),
            op::CHANGE if done => pdc.window = pdc::window(shape, command),
            op::CLOSE if done => {
                let Sums { packets, bytes, rtx_packets, rtx_bytes, .. } = *sums;
                let quanta = bytes.div_ceil(256).min(65_535);
                let counts = Event { kind: event::ACK, ccc: pdc.ccc, quanta, packets, ..Event::default() };
                event = discards.then_some(Event { rtx_packets, rtx_bytes, ..counts });
                *pdc = Pdc::default();
            }
            _ => {}
        }
        let response = Response { op: command.op, pdc: command.pdc, done, ..response(shape, pdc) };
        self.commanded = Some(Commanded::Responds(self.cycle + shape.effect(), response));
        self.ends(command.pdc, event);
    }
}

/// D16: whether a packet made the peer answer.
fn triggers(shape: super::Shape, pdc: &Pdc, ack: &Ack, offset: u64) -> bool {
    let psn = shape.psn(ack.psn.wrapping_add_signed(ack.trigger_offset.into()));
    ack.triggered && psn == shape.psn(pdc.base + offset)
}

/// The state of a PDC; all is 0 if it is closed.
fn response(shape: super::Shape, pdc: &Pdc) -> Response {
    if !pdc.open {
        return Response::default();
    }
    Response {
        open: true,
        failed: pdc.failed,
        ccc: pdc.ccc,
        base: pdc.base,
        next: pdc.next(shape),
        in_flight: pdc.count(State::InFlight),
        marked: pdc.count(State::Marked),
        retries: pdc.retries,
        window: pdc.window,
        ..Response::default()
    }
}
