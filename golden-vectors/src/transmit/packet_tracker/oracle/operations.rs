// SPDX-License-Identifier: MIT OR Apache-2.0
//! Single operations: *new*, *end*, NACK, credit, and the steps of a scan. Their *t* is the present cycle.

use super::scanning::Phase;
use super::{Event, Oracle, Outcome, Send, ack, send};

impl Oracle {
    /// *x* of an operation that ends in the present cycle.
    pub(super) const fn effect(&self) -> u64 {
        self.cycle + self.shape.effect()
    }

    /// D26: the event of an operation that ends in the present cycle, and what visits see of its PDC.
    pub(super) fn ends(&mut self, pdc: u64, event: Option<Event>) {
        let effect = self.effect();
        self.events.push(effect, event.map(|event| (effect + self.shape.output(), event)));
        self.visits.changed(effect, pdc, self.pdcs.get(pdc).view());
    }

    /// D27: the outcome of a NACK or an examination.
    fn puts_out(&mut self, outcome: Option<Outcome>) {
        let effect = self.effect();
        self.outcomes.push(effect, outcome.map(|outcome| (effect + self.shape.output(), outcome)));
    }

    /// The next operation of `ack` enters. There must be one.
    pub(super) fn enter_ack(&mut self) {
        let ack = self.acks.pop_front().expect("an operation of `ack` waits");
        match ack.kind {
            ack::ACK => self.walk = Some(Box::new(self.walk_of_ack(ack))),
            ack::BACKOFF => self.walk = Some(Box::new(self.walk_of_backoff(ack))),
            ack::NACK => {
                let (event, outcome) = self.pdcs.nack(&ack).unzip();
                self.puts_out(outcome);
                self.ends(ack.pdc, event);
            }
            _ => {
                let event = self.pdcs.credit(&ack);
                self.ends(ack.pdc, event);
            }
        }
    }

    /// The next operation of `send` enters. There must be one.
    pub(super) fn enter_send(&mut self) {
        let send = self.sends.pop_front().expect("an operation of `send` waits");
        match send.op {
            send::AGAIN => self.walk = Some(Box::new(self.walk_of_again(send))),
            _ => self.sends(&send),
        }
    }

    /// D9, D10: an operation of `send` ends in the present cycle.
    pub(super) fn sends(&mut self, send: &Send) {
        let (sent, event) = self.pdcs.send(self.clock.time(), send);
        self.sent.extend(sent.map(|sent| (self.effect(), sent)));
        self.ends(send.pdc, event);
    }

    /// The next step of a scan enters; it is the head for the PDC that was hit, if no scan is under way.
    pub(super) fn enter_scan(&mut self, hit: Option<u64>) {
        let (shape, cycle, time) = (self.shape, self.cycle, self.clock.time());
        let Some((pdc, phase)) = self.scan else {
            let pdc = hit.expect("a PDC was hit");
            self.visits.begun();
            let scan = self.pdcs.begin_scan(pdc, time, &self.settings);
            self.scan = Some((pdc, Phase::behind_head(shape, cycle, scan)));
            self.ends(pdc, None);
            return;
        };
        let mut scan = phase.waiting(cycle).expect("a step of the scan waits");
        if scan.is_examined() {
            // D23: a failure is on the ports from *x* on.
            let (event, failure) = self.pdcs.end_scan(time, &scan);
            self.scan = failure.map(|failure| (pdc, Phase::Fails(self.effect(), failure)));
            self.ends(pdc, event);
        } else {
            let (event, outcome) = self.pdcs.examine(time, &mut scan).unzip();
            self.scan = Some((pdc, Phase::behind_examination(shape, cycle, scan)));
            self.puts_out(outcome);
            self.ends(pdc, event);
        }
    }
}
