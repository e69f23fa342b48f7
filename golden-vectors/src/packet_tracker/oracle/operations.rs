// SPDX-License-Identifier: MIT OR Apache-2.0
//! Single operations: *new*, *end*, NACK, credit, and the steps of a scan. Their *t* is the present cycle.

use super::scan::{Phase, Scan};
use super::{Ack, Event, Oracle, Outcome, Pdc, Send, Sent, State, ack, event, outcome, send};

impl Oracle {
    /// *x* of an operation that ends in the present cycle.
    const fn effect(&self) -> u64 {
        self.cycle + self.shape.effect()
    }

    /// D26: the event of an operation that ends in the present cycle, and what visits see of its PDC.
    pub(super) fn ends(&mut self, pdc: u64, event: Option<Event>) {
        let effect = self.effect();
        let event = event.map(|event| (effect + self.shape.output(), Event { pdc, ..event }));
        self.events.push(effect, event);
        self.visits.changed(effect, pdc, self.pdcs[pdc as usize].view());
    }

    /// D27: the outcome of a NACK or an examination.
    fn puts_out(&mut self, pdc: u64, outcome: Option<Outcome>) {
        let effect = self.effect();
        let outcome = outcome.map(|outcome| (effect + self.shape.output(), Outcome { pdc, ..outcome }));
        self.outcomes.push(effect, outcome);
    }

    /// D10: the answer to an operation that ends in the present cycle, before what follows from its PDC.
    pub(super) fn answers(&mut self, send: &Send, sent: Sent) {
        let pdc = &self.pdcs[send.pdc as usize];
        let (marked, room) = if pdc.open { (pdc.count(State::Marked), pdc.room()) } else { (0, 0) };
        let sent = Sent { pdc: send.pdc, op: send.op, marked, room, ..sent };
        self.sent.push_back((self.effect(), sent));
    }

    /// An operation of a PDC that is not open, and ends in the present cycle.
    pub(super) fn closed(&mut self, pdc: u64) {
        self.counters.closed_events += 1;
        self.ends(pdc, None);
    }

    /// The next operation of `ack` enters. There must be one.
    pub(super) fn enter_ack(&mut self) {
        let ack = self.acks.pop_front().expect("an operation of `ack` waits");
        let pdc = &mut self.pdcs[ack.pdc as usize];
        match ack.kind {
            ack::ACK => self.walk = Some(Box::new(self.walk_of_ack(ack))),
            // D18.
            ack::NACK => {
                let found = pdc.open.then(|| pdc.nack(self.shape, &ack, &mut self.counters));
                let (event, outcome) = found.flatten().unzip();
                self.puts_out(ack.pdc, outcome);
                match found {
                    Some(_) => self.ends(ack.pdc, event),
                    None => self.closed(ack.pdc),
                }
            }
            // D19.
            _ if pdc.open => {
                let event = Event { credit: ack.credit, ..pdc.event(event::CREDIT) };
                self.ends(ack.pdc, Some(event));
            }
            _ => self.closed(ack.pdc),
        }
    }

    /// The next operation of `send` enters. There must be one.
    pub(super) fn enter_send(&mut self) {
        let send = self.sends.pop_front().expect("an operation of `send` waits");
        let open = self.pdcs[send.pdc as usize].open;
        match send.op {
            send::AGAIN => self.walk = Some(Box::new(self.walk_of_again(send))),
            send::NEW if open => self.send_new(&send),
            send::NEW => {
                self.answers(&send, Sent::default());
                self.closed(send.pdc);
            }
            _ if open => {
                let event = end_of_turn(&self.pdcs[send.pdc as usize], &send);
                self.ends(send.pdc, event);
            }
            _ => self.closed(send.pdc),
        }
    }

    /// D6, D9: a new packet of an open PDC.
    fn send_new(&mut self, send: &Send) {
        let time = self.time();
        let pdc = &mut self.pdcs[send.pdc as usize];
        let psn = pdc.next(self.shape);
        let (event, sent) = if pdc.send_new(self.shape, send, time) {
            let Send { size, last, .. } = *send;
            let event = Event { size, packet: true, last, ..pdc.event(event::SEND) };
            (Some(event), Sent { ok: true, psn, size, ..Sent::default() })
        } else {
            self.counters.refused_sends += 1;
            (end_of_turn(pdc, send), Sent::default())
        };
        self.answers(send, sent);
        self.ends(send.pdc, event);
    }

    /// The next step of a scan enters; it is the head for the PDC that was hit, if no scan is under way.
    pub(super) fn enter_scan(&mut self, hit: Option<u64>) {
        let (shape, cycle, time) = (self.shape, self.cycle, self.time());
        let Some(mut scan) = self.scan else {
            let pdc = hit.expect("a PDC was hit");
            self.visits.begun();
            self.scan = Some(Scan::begun(shape, pdc, &mut self.pdcs[pdc as usize], cycle, time, &self.settings));
            self.ends(pdc, None);
            return;
        };
        let number = scan.pdc;
        let pdc = &mut self.pdcs[number as usize];
        if scan.phase == Phase::Examine {
            let lost = scan.examine(shape, pdc, cycle, time, &mut self.counters);
            let outcome = lost.map(|offset| pdc.outcome(shape, offset, outcome::LOST));
            let event = lost.map(|offset| {
                pdc.mark(offset);
                Event { size: pdc.packets[offset as usize].size, ..pdc.event(event::LOSS) }
            });
            self.scan = Some(scan);
            self.puts_out(number, outcome);
            self.ends(number, event);
        } else {
            // D23: a failure is on the ports from *x* on.
            scan.phase = Phase::Fails(cycle + shape.effect());
            self.scan = scan.end(pdc, time).then_some(scan);
            self.ends(number, None);
        }
    }
}

/// D9: the event of an *end*, and of what is refused or empty.
pub fn end_of_turn(pdc: &Pdc, send: &Send) -> Option<Event> {
    send.last.then(|| Event { last: true, ..pdc.event(event::SEND) })
}

/// D9: that of a packet that is sent again.
pub fn retransmission(pdc: &Pdc, send: &Send, size: u64) -> Event {
    Event { size, packet: true, retransmission: true, last: send.last, ..pdc.event(event::SEND) }
}

/// What an ACK passes on (D17).
pub fn passed(ack: &Ack, event: Event) -> Event {
    let Ack { marked, retx, arrived, service, pend, restore, .. } = *ack;
    Event { marked, retx, arrived, service, pend, restore, ..event }
}
