// SPDX-License-Identifier: MIT OR Apache-2.0
//! All PDCs, and what operations do to them. Times are those of the operations; there are no cycles here.
//!
//! A walk that releases packets is in parts, because the stage reads one packet in a clock cycle: what it names, the visits, each
//! packet that is released, and what is done at *t*.

use super::backoff::Backoff;
use super::named::Named;
use super::pdc::{self, Pdc};
use super::scan::Scan;
use super::shape::Time;
use super::{
    Ack, Command, Counters, Event, Failure, Outcome, Response, Send, Sent, Settings, Shape, event, op, outcome, send,
};

/// What an event says of its trigger (D17).
#[derive(Clone, Copy, Debug, Default)]
struct Sample {
    timed: bool,
    rtx_count: u64,
    stamp: u64,
}

/// What the reads of a walk have summed up.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sums {
    /// Packets that were in flight, and their bytes.
    packets: u64,
    bytes: u64,
    /// Packets that were marked, and their bytes.
    rtx_packets: u64,
    rtx_bytes: u64,
    sample: Sample,
}

/// The PDCs, and the counters.
#[derive(Debug)]
pub struct Pdcs {
    shape: Shape,
    pdcs: Vec<Pdc>,
    pub counters: Counters,
}

impl Pdcs {
    /// After the sweep.
    pub fn new(shape: Shape) -> Self {
        Pdcs { shape, pdcs: vec![Pdc::default(); shape.pdcs as usize], counters: Counters::default() }
    }

    /// How many there are.
    pub const fn number(&self) -> u64 {
        self.pdcs.len() as u64
    }

    /// The PDC with this number.
    pub fn get(&self, pdc: u64) -> &Pdc {
        &self.pdcs[pdc as usize]
    }

    fn get_mut(&mut self, pdc: u64) -> &mut Pdc {
        &mut self.pdcs[pdc as usize]
    }

    /// D9, D11, D18, D19: whether the PDC of an operation is open.
    fn is_open(&mut self, pdc: u64) -> bool {
        let open = self.get(pdc).open;
        self.counters.closed_events += u64::from(!open);
        open
    }

    /// D6 to D10: *new*, *again* and *end*. An *end* has no answer.
    pub fn send(&mut self, time: Time, send: &Send) -> (Option<Sent>, Option<Event>) {
        let (answer, event) = if self.is_open(send.pdc) {
            match send.op {
                send::NEW => self.send_new(time, send),
                send::AGAIN => self.send_again(time, send),
                _ => (Sent::default(), self.end_of_turn(send)),
            }
        } else {
            (Sent::default(), None)
        };
        let pdc = self.get(send.pdc);
        let answered = matches!(send.op, send::NEW | send::AGAIN);
        let marked = if pdc.backoff.may_repeat() { pdc.marks } else { 0 };
        let (backs_off, room) = (pdc.backoff.holds(), pdc.room());
        let answer = Sent { pdc: send.pdc, op: send.op, marked, backs_off, room, ..answer };
        (answered.then_some(answer), event)
    }

    /// D6, D9.
    fn send_new(&mut self, time: Time, send: &Send) -> (Sent, Option<Event>) {
        let shape = self.shape;
        let pdc = self.get_mut(send.pdc);
        let psn = pdc.next(shape);
        if !pdc.send_new(shape, send, time) {
            self.counters.refused_sends += 1;
            return (Sent::default(), self.end_of_turn(send));
        }
        let Send { pdc: number, size, last, .. } = *send;
        let event = Event { pdc: number, size, packet: true, last, ..pdc.event(event::SEND) };
        (Sent { ok: true, psn, size, ..Sent::default() }, Some(event))
    }

    /// D7 to D9.
    fn send_again(&mut self, time: Time, send: &Send) -> (Sent, Option<Event>) {
        let shape = self.shape;
        let pdc = self.get_mut(send.pdc);
        let Some(offset) = pdc.lowest_marked() else {
            self.counters.empty_sends += 1;
            return (Sent::default(), self.end_of_turn(send));
        };
        let record = pdc.send_again(shape, offset, send, time);
        let (psn, size) = (shape.psn(pdc.base + offset), record.size.into());
        let Send { pdc: number, last, .. } = *send;
        let event = Event { pdc: number, size, packet: true, retransmission: true, last, ..pdc.event(event::SEND) };
        (Sent { ok: true, psn, size, rtx_count: record.rtx_count.into(), ..Sent::default() }, Some(event))
    }

    /// D9: the event of an *end*, and of what is refused or empty.
    fn end_of_turn(&self, send: &Send) -> Option<Event> {
        send.last.then(|| Event { pdc: send.pdc, last: true, ..self.get(send.pdc).event(event::SEND) })
    }

    /// D11: what an ACK names; `None` if it has no news. What is counted then comes with [`Pdcs::acknowledge`].
    pub fn named(&self, ack: &Ack) -> Option<Named> {
        let pdc = self.get(ack.pdc);
        if pdc.open { Named::by(self.shape, pdc, ack) } else { None }
    }

    /// D13, D16, D30: a packet is released by an ACK, or by a *close* if there is none.
    pub fn release(&mut self, pdc: u64, offset: u64, ack: Option<&Ack>, sums: &mut Sums) -> Outcome {
        let Pdcs { shape, pdcs, counters } = self;
        let state = &mut pdcs[pdc as usize];
        let (late, record) = state.release(offset);
        if late {
            sums.rtx_packets += 1;
            sums.rtx_bytes += u64::from(record.size);
        } else {
            sums.packets += 1;
            sums.bytes += u64::from(record.size);
        }
        let kinds = match ack {
            Some(_) => [outcome::ACKNOWLEDGED, outcome::LATE],
            None => [outcome::DISCARDED, outcome::DISCARDED_LATE],
        };
        let outcome = Outcome { pdc, ..state.outcome(*shape, offset, &record, kinds[usize::from(late)]) };
        let Some(ack) = ack else { return outcome };
        counters.late_acks += u64::from(late);
        // D16.
        let trigger = ack.psn.wrapping_add_signed(ack.trigger_offset.into());
        if !ack.triggered || shape.psn(trigger) != outcome.psn {
            return outcome;
        }
        let (sample, outcome) = sampled(ack, record.stamp.into(), Outcome { trigger: true, ..outcome }, counters);
        sums.sample = sample;
        outcome
    }

    /// D11, D14, D15, D17: the end of an ACK, behind all packets that it releases.
    pub fn acknowledge(&mut self, time: Time, ack: &Ack, named: Option<&Named>, sums: &Sums) -> Option<Event> {
        if !self.is_open(ack.pdc) {
            return None;
        }
        let Some(named) = named else {
            self.counters.outside_acks += 1;
            return None;
        };
        let Pdcs { shape, pdcs, counters } = self;
        let pdc = &mut pdcs[ack.pdc as usize];
        pdc.acknowledge(*shape, named, time, ack, sums.packets + sums.rtx_packets > 0);
        let quanta = pdc.receive(ack, counters);
        let Sums { packets, rtx_packets, rtx_bytes, sample: Sample { timed, rtx_count, stamp }, .. } = *sums;
        let Ack { pdc: number, marked, retx, ev, arrived, service, pend, restore, .. } = *ack;
        let counts = Event { pdc: number, quanta, packets, rtx_packets, rtx_bytes, ..pdc.event(event::ACK) };
        let counts = Event { feedback: true, ev, ..counts };
        Some(Event { marked, retx, timed, rtx_count, stamp, arrived, service, pend, restore, ..counts })
    }

    /// D18: a NACK.
    pub fn nack(&mut self, ack: &Ack) -> Option<(Event, Outcome)> {
        const INFERRED: u64 = 0x1A;
        if !self.is_open(ack.pdc) {
            return None;
        }
        let Pdcs { shape, pdcs, counters } = self;
        let pdc = &mut pdcs[ack.pdc as usize];
        pdc.backoff.lose();
        let marks = matches!(ack.reason, 0..=0x0B | 0x0D | 0x12 | 0x14 | INFERRED);
        let offset = pdc.offset(*shape, ack.psn);
        let record = pdc.in_flight(offset).filter(|record| {
            let stale = !ack.retx && record.rtx_count != 0 && ack.reason != INFERRED;
            marks && !stale
        });
        let Some(&record) = record else {
            counters.void_nacks += 1;
            return None;
        };
        let Ack { pdc: number, marked, retx, arrived, reason, .. } = *ack;
        let kind = if matches!(reason, 0x04..=0x0B) { outcome::NO_ROOM } else { outcome::NACK };
        let outcome = Outcome { pdc: number, ..pdc.outcome(*shape, offset, &record, kind) };
        // It answers no packet: what it says is of the one that is lost.
        let ev = if reason == INFERRED { outcome.ev } else { ack.ev };
        let (Sample { timed, rtx_count, stamp }, outcome) = sampled(ack, record.stamp.into(), outcome, counters);
        pdc.mark(offset);
        let event = Event { pdc: number, size: record.size.into(), timed, rtx_count, stamp, ..pdc.event(event::NACK) };
        Some((Event { marked, retx, feedback: true, ev, arrived, reason, ..event }, outcome))
    }

    /// D37: a backoff. It begins or not.
    pub fn back_off(&mut self, time: Time, settings: &Settings, ack: &Ack) {
        if !self.is_open(ack.pdc) {
            return;
        }
        let Pdcs { shape, pdcs, counters } = self;
        let pdc = &mut pdcs[ack.pdc as usize];
        let inside = pdc.offset(*shape, ack.psn) < pdc.length;
        if inside && pdc.backoff.begin(ack.reason, settings.of(pdc.timer).backoff_limit) {
            pdc.since = time.timer;
            counters.backoffs += 1;
        }
    }

    /// D19: credit.
    pub fn credit(&mut self, ack: &Ack) -> Option<Event> {
        let Ack { pdc, credit, .. } = *ack;
        self.is_open(pdc).then(|| Event { pdc, credit, ..self.get(pdc).event(event::CREDIT) })
    }

    /// D29, D30: whether a command will be done.
    pub fn is_done(&self, command: &Command) -> bool {
        let pdc = self.get(command.pdc);
        match command.op {
            op::READ => true,
            op::OPEN => !pdc.open,
            op::CLOSE => pdc.open && (pdc.length == 0 || command.force),
            op::CHANGE | op::LOSE => pdc.open,
            // D36: of a packet in the window, and once.
            op::FAIL => pdc.open && pdc.window > 0 && pdc.offset(self.shape, command.psn) < pdc.length,
            _ => false,
        }
    }

    /// D29, D30: the end of a command, behind all packets that it discards.
    pub fn command(&mut self, time: Time, command: &Command, done: bool, sums: &Sums) -> (Response, Option<Event>) {
        let shape = self.shape;
        let pdc = self.get_mut(command.pdc);
        let mut event = None;
        match command.op {
            op::OPEN if done => pdc.open(shape, command),
            op::CHANGE if done => {
                (pdc.window, pdc.timer) = (pdc::window(shape, command), command.timer());
                pdc.backoff = Backoff::default();
            }
            // D25.
            op::LOSE if done => {
                let failed = pdc.failed && command.stays_failed;
                pdc.starts_timer(time);
                pdc.failed = failed;
            }
            op::FAIL if done => {
                pdc.window = 0;
                pdc.starts_timer(time);
            }
            op::CLOSE if done => {
                event = discarded(command.pdc, pdc.ccc, sums);
                pdc.close();
            }
            _ => {}
        }
        (Response { op: command.op, pdc: command.pdc, done, ..pdc.response(shape) }, event)
    }

    /// D21: the head of a scan; `None` if it is void.
    pub fn begin_scan(&mut self, pdc: u64, time: Time, settings: &Settings) -> Option<Scan> {
        Scan::begun(self.shape, pdc, &mut self.pdcs[pdc as usize], time, settings)
    }

    /// D25: the scan of a *lose* that is done.
    pub fn declare(&self, command: &Command) -> Scan {
        Scan::declared(self.shape, command, self.get(command.pdc))
    }

    /// D22: the next examination of a scan.
    pub fn examine(&mut self, time: Time, scan: &mut Scan) -> Option<(Event, Outcome)> {
        let number = scan.pdc();
        let Pdcs { shape, pdcs, counters } = self;
        let pdc = &mut pdcs[number as usize];
        let (offset, record) = scan.examine(*shape, pdc, time, counters)?;
        let at_base = offset == 0;
        let kind = if scan.resumes() { outcome::NO_ROOM } else { outcome::LOST };
        let outcome = Outcome { pdc: number, at_base, ..pdc.outcome(*shape, offset, &record, kind) };
        pdc.mark(offset);
        Some((Event { pdc: number, size: record.size.into(), ..pdc.event(event::LOSS) }, outcome))
    }

    /// D23, D25, D37: the end of a scan. Returns the event of a PDC that may try from now on, and the failure of the PDC, if it fails.
    pub fn end_scan(&mut self, time: Time, scan: &Scan) -> (Option<Event>, Option<Failure>) {
        let number = scan.pdc();
        let pdc = self.get_mut(number);
        let before = pdc.backoff;
        let failure = scan.end(pdc, time);
        let resumes = pdc.backoff != before;
        (resumes.then(|| Event { pdc: number, ..pdc.event(event::SEND) }), failure)
    }
}

/// D16, D27: what an event says of a packet that made the peer answer, and its outcome.
fn sampled(ack: &Ack, stamp: u64, outcome: Outcome, counters: &mut Counters) -> (Sample, Outcome) {
    let rtx_count = outcome.rtx_count;
    let age = super::shape::age(ack.arrived, stamp);
    let timed = age < 1 << 19;
    counters.bad_times += u64::from(!timed);
    let sample = if timed { Sample { timed, rtx_count, stamp } } else { Sample::default() };
    let same = rtx_count == u64::from(ack.retx);
    (sample, Outcome { marked: ack.marked, timed: timed && same, age, ..outcome })
}

/// D30: the event of packets that are given up, if there are any.
fn discarded(pdc: u64, ccc: u64, sums: &Sums) -> Option<Event> {
    let Sums { packets, bytes, rtx_packets, rtx_bytes, .. } = *sums;
    let quanta = bytes.div_ceil(256).min(65_535);
    let event = Event { kind: event::ACK, pdc, ccc, quanta, packets, rtx_packets, rtx_bytes, ..Event::default() };
    (packets + rtx_packets > 0).then_some(event)
}
