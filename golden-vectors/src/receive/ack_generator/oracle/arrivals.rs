// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an arrival does to its connection (G5 to G11, G15).

use super::class::{Class, class, urgent};
use super::connection::{Code, Connection, Owes, Reply, Trigger};
use super::timer::age;
use super::{Arrival, Counters, Moment, Outcome, Protocol, Shape, nack};

impl Connection {
    /// An arrival takes effect. `room` is whether a reply can wait. Returns its reply.
    pub fn arrive(
        &mut self,
        shape: Shape,
        arrival: &Arrival,
        moment: &Moment,
        room: bool,
        counters: &mut Counters,
    ) -> Option<Reply> {
        let told = shape.is_uet() && self.told_before(arrival, moment);
        let class = match class(shape.protocol, arrival, self) {
            Class::Reply(Some(nack::NO_PKT_BUFFER)) if told => Class::Refused,
            class => class,
        };
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
                let packet = trigger(arrival, moment);
                return Some(Reply { connection, code, names: None, repeated: false, ecn, opaque, handle, packet });
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

    /// G27: whether the arrival finds no buffer, and another one that did was answered shortly before; also if the connection
    /// is closed here.
    fn told_before(&mut self, arrival: &Arrival, moment: &Moment) -> bool {
        let open = Connection { open: true, ..Connection::default() };
        if class(Protocol::Uet, arrival, &open) != Class::Reply(Some(nack::NO_PKT_BUFFER)) {
            return false;
        }
        let told = self.told.is_some_and(|told| age(told, moment.time) < moment.early.no_buffer_time);
        if !told {
            self.told = Some(moment.time);
        }
        told
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
            // The ACK must not name the packet that was refused.
            self.marked &= self.code == Code::None;
            self.code = Code::None;
        }
    }

    /// G6, G7 and G11: the arrival is in the ACK that is owed.
    fn merge(&mut self, shape: Shape, class: Class, arrival: &Arrival, moment: &Moment, counters: &mut Counters) {
        if arrival.ecn || !self.marked {
            self.trigger = trigger(arrival, moment);
        }
        self.marked |= arrival.ecn;
        self.reordered |= arrival.held != 0 || arrival.late;
        let first = std::mem::replace(&mut self.first, false);
        match class {
            Class::New => {
                self.packets = (self.packets + 1).min(255);
                self.bytes = (self.bytes + arrival.length.max(moment.early.min)).min((1 << 17) - 1);
                self.total = (self.total + arrival.length) % (1 << 32);
            }
            Class::OutOfSequence => (self.code, self.answered) = (Code::SequenceError, true),
            Class::NotReady => (self.code, self.answered) = (Code::NotReady, true),
            Class::Invalid => (self.code, self.answered) = (Code::InvalidRequest, true),
            _ => {}
        }
        let urgent = urgent(shape.protocol, class, arrival, self, first, moment);
        self.owe(urgent, moment, counters);
    }

    /// G15: there was no room for its reply, so an ACK is due in its place, which does not acknowledge it.
    fn merge_dropped(&mut self, moment: &Moment, counters: &mut Counters) {
        self.first = false;
        if self.owes == Owes::Nothing {
            self.trigger.delay = self.trigger.delay.map(|_| 0);
        }
        self.owe(true, moment, counters);
    }
}

/// What a trigger or a reply keeps of its packet, with the delay of G10.
fn trigger(arrival: &Arrival, moment: &Moment) -> Trigger {
    let Arrival { path, psn, ev, retx, .. } = *arrival;
    let delay = (moment.time + moment.early.offset).wrapping_sub(arrival.stamp) % (1 << 16);
    let delay = arrival.stamped.then_some(delay.max(1));
    Trigger { path, delay, psn, ev, retx, arrived: moment.time }
}
