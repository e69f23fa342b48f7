// SPDX-License-Identifier: MIT OR Apache-2.0
//! A connection, and what passes do to it (G5 to G12, G15, G20, G21).

use super::class::{Class, class, nack, urgent};
use super::{Arrival, Command, Counters, Moment, Outcome, Protocol, Report, Shape, op};

/// What a connection owes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Owes {
    /// Nothing.
    #[default]
    Nothing,
    /// An ACK that is not yet due.
    Waiting,
    /// An ACK that is due.
    Due,
}

/// What the ACK that is owed says besides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Code {
    /// It is an ACK.
    #[default]
    None,
    /// It is a NAK: sequence error.
    SequenceError,
    /// It is a NAK: receiver not ready.
    NotReady,
}

/// Of the packet that is the trigger.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trigger {
    /// RoCE: its path.
    pub path: u64,
    /// RoCE: its one-way delay.
    pub delay: u64,
    /// UET: its PSN.
    pub psn: u64,
    /// UET: its EV.
    pub ev: u64,
    /// UET: it is a retransmission.
    pub retx: bool,
    /// UET: its time.
    pub arrived: u64,
}

/// A reply (G14). What it keeps of its packet.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reply {
    /// Number of the connection.
    pub connection: u64,
    /// The code of a NACK; `None` for an answer to a probe.
    pub code: Option<u64>,
    /// Mark of the packet.
    pub ecn: bool,
    /// The probe opaque.
    pub opaque: u64,
    /// The handle.
    pub handle: u64,
    /// PSN, EV and the like.
    pub packet: Trigger,
}

/// A connection.
#[derive(Clone, Debug, Default)]
pub struct Connection {
    /// It is open.
    pub open: bool,
    /// What it owes.
    pub owes: Owes,
    /// *E*.
    pub expected: u64,
    /// Packets held.
    pub held: u64,
    /// Owed: packets that count for coalescing.
    pub packets: u64,
    /// Owed: bytes that count for coalescing.
    pub bytes: u64,
    /// Owed: time of what found nothing owed.
    pub since: u64,
    /// Owed: a merged packet was marked.
    pub marked: bool,
    /// Owed: a merged arrival had packets held.
    pub reordered: bool,
    /// Owed: whether it is a NAK.
    pub code: Code,
    /// The trigger.
    pub trigger: Trigger,
    /// Multipath is on.
    pub multipath: bool,
    /// *E* is in a gap that has been reported.
    pub suspected: bool,
    /// The gap at *E* has had its NAK; with multipath its RNR NAK.
    pub answered: bool,
    /// *MSN*.
    pub msn: u64,
    /// The marks of G8, by slot. Opening does not clear them.
    pub marks: Vec<bool>,
    /// *flowlet*.
    pub flowlet: u64,
    /// *top*.
    pub top: u64,
    /// Bytes received.
    pub total: u64,
    /// PSN of bit 0 of the SACK word.
    pub base: u64,
    /// The SACK word.
    pub sack: u64,
    /// Nothing has been merged since *open*.
    pub first: bool,
}

impl Connection {
    /// A connection after reset.
    pub fn new(shape: Shape) -> Self {
        Connection { marks: vec![false; shape.window as usize], ..Connection::default() }
    }

    /// A command takes effect (G21). Returns whether it was done.
    pub fn command(&mut self, shape: Shape, command: &Command, moment: &Moment) -> bool {
        let done = match command.op {
            op::READ => true,
            op::OPEN => !self.open && self.owes == Owes::Nothing,
            op::CLOSE => self.open,
            _ => false,
        };
        match command.op {
            op::OPEN if done => {
                let expected = command.psn;
                let psn = shape.minus(expected, 1);
                *self = Connection {
                    open: true,
                    expected,
                    multipath: command.multipath,
                    first: true,
                    base: expected / 64 * 64,
                    trigger: Trigger { psn, arrived: moment.time, ..Trigger::default() },
                    marks: std::mem::take(&mut self.marks),
                    ..Connection::default()
                };
            }
            op::CLOSE if done => {
                self.open = false;
                if self.owes == Owes::Waiting {
                    self.owes = Owes::Due;
                }
            }
            _ => {}
        }
        done
    }

    /// An expiry takes effect (G20).
    pub fn expire(&mut self, counters: &mut Counters) {
        if self.owes == Owes::Waiting {
            self.owes = Owes::Due;
            counters.expired += 1;
        }
    }

    /// The ACK is taken (G16): what was owed is no more.
    pub fn take(&mut self) -> Self {
        let taken = self.clone();
        self.owes = Owes::Nothing;
        self.packets = 0;
        self.bytes = 0;
        self.marked = false;
        self.reordered = false;
        self.code = Code::None;
        taken
    }

    /// An event takes effect (G12). For UET it returns the number of replies that it makes, the first one of PSN *E* (G13).
    pub fn report(&mut self, shape: Shape, report: &Report, moment: &Moment, counters: &mut Counters) -> u64 {
        let filled = shape.minus(self.expected, report.first) > shape.minus(report.last, report.first);
        let off = shape.protocol == Protocol::Roce && !self.multipath;
        if !self.open || filled || off {
            counters.void_events += 1;
            return 0;
        }
        if shape.protocol == Protocol::Uet {
            return shape.minus(report.last, self.expected) % shape.window + 1;
        }
        self.suspected = true;
        if self.owes == Owes::Nothing {
            self.trigger.delay = 0;
        }
        self.owe(true, moment, counters);
        0
    }

    /// An arrival takes effect. `room` is whether a reply can wait. Returns its reply.
    pub fn arrive(
        &mut self,
        shape: Shape,
        arrival: &Arrival,
        moment: &Moment,
        room: bool,
        counters: &mut Counters,
    ) -> Option<Reply> {
        let class = class(shape.protocol, arrival, self);
        // G5: an arrival that is unknown changes nothing.
        let known = self.open && arrival.outcome != Outcome::Unknown;
        // G8: a mark per slot, also if the connection is closed.
        if matches!(arrival.outcome, Outcome::InOrder | Outcome::Held) {
            self.marks[(arrival.psn % shape.window) as usize] = arrival.last;
        }
        if known {
            self.follow(shape, arrival);
        }
        match class {
            Class::Refused => counters.refused_arrivals += 1,
            // G11: one NAK per gap.
            Class::OutOfSequence if self.answered => counters.merged_causes += 1,
            Class::Reply(code) if room => {
                let Arrival { connection, ecn, opaque, handle, .. } = *arrival;
                return Some(Reply { connection, code, ecn, opaque, handle, packet: trigger(arrival, moment) });
            }
            Class::Reply(_) => {
                counters.dropped_replies += 1;
                if known {
                    self.merge_dropped(moment, counters);
                }
            }
            _ => self.merge(shape, class, arrival, moment, counters),
        }
        None
    }

    /// G5, G8, G9 and the last rule of G11.
    fn follow(&mut self, shape: Shape, arrival: &Arrival) {
        let outcome = arrival.outcome;
        self.expected = arrival.expected;
        self.held = arrival.held;
        self.suspected = arrival.suspected;
        if matches!(outcome, Outcome::InOrder | Outcome::Held | Outcome::Duplicate) && !arrival.trimmed {
            self.base = arrival.sack_base;
            self.sack = arrival.sack;
        }
        if shape.protocol == Protocol::Uet {
            return;
        }
        let in_order = outcome == Outcome::InOrder;
        if in_order || outcome == Outcome::Held {
            // G9.
            if arrival.psn == arrival.highest {
                self.top = arrival.flowlet;
            }
            if in_order {
                // G8: its own mark has been written.
                let slot = |psn: u64| (psn % shape.window) as usize;
                let moved = shape.minus(arrival.expected, arrival.psn).min(shape.window);
                let messages = (0..moved).filter(|ahead| self.marks[slot(arrival.psn + ahead)]).count() as u64;
                self.msn = (self.msn + messages) % (1 << 24);
                self.flowlet = if arrival.held == 0 { self.top } else { arrival.flowlet };
            }
        }
        if in_order {
            self.answered = false;
            self.code = Code::None;
        }
    }

    /// G6, G7 and G11: the arrival is in the ACK that is owed.
    fn merge(&mut self, shape: Shape, class: Class, arrival: &Arrival, moment: &Moment, counters: &mut Counters) {
        if arrival.ecn || !self.marked {
            self.trigger = trigger(arrival, moment);
        }
        self.marked |= arrival.ecn;
        self.reordered |= arrival.held != 0;
        let first = std::mem::replace(&mut self.first, false);
        match class {
            Class::New => {
                self.packets = (self.packets + 1).min(255);
                self.bytes = (self.bytes + arrival.length.max(moment.early.min)).min((1 << 17) - 1);
                self.total = (self.total + arrival.length) % (1 << 32);
            }
            Class::OutOfSequence => (self.code, self.answered) = (Code::SequenceError, true),
            Class::NotReady => (self.code, self.answered) = (Code::NotReady, true),
            _ => {}
        }
        let urgent = urgent(shape.protocol, class, arrival, self, first, moment);
        self.owe(urgent, moment, counters);
    }

    /// G15: there was no room for its reply, so an ACK is due in its place, which does not acknowledge it.
    fn merge_dropped(&mut self, moment: &Moment, counters: &mut Counters) {
        self.first = false;
        if self.owes == Owes::Nothing {
            self.trigger.delay = 0;
        }
        self.owe(true, moment, counters);
    }

    /// G7.
    fn owe(&mut self, urgent: bool, moment: &Moment, counters: &mut Counters) {
        match self.owes {
            Owes::Due => counters.merged_causes += 1,
            Owes::Nothing => {
                self.since = moment.time;
                self.owes = if urgent { Owes::Due } else { Owes::Waiting };
            }
            Owes::Waiting if urgent => self.owes = Owes::Due,
            Owes::Waiting => {}
        }
    }
}

/// What a trigger or a reply keeps of its packet, with the delay of G10.
fn trigger(arrival: &Arrival, moment: &Moment) -> Trigger {
    let Arrival { path, psn, ev, retx, .. } = *arrival;
    let delay = (moment.time + moment.early.offset).wrapping_sub(arrival.stamp) % (1 << 16);
    let delay = if arrival.stamped { delay.max(1) } else { 0 };
    Trigger { path, delay, psn, ev, retx, arrived: moment.time }
}

/// A reply of G13.
pub fn inferred_loss(connection: u64, psn: u64) -> Reply {
    let packet = Trigger { psn, ..Trigger::default() };
    Reply { connection, code: Some(nack::RCVR_INFER_LOSS), packet, ..Reply::default() }
}
