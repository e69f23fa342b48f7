// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is sent: the tables of `ccc_table`, `packet_tracker` and `entropy_selector`, joined as `tx` joins the stages (TX14 to TX16).

use super::pacer::UNIT_OF_CREDIT;
use super::{CYCLE, Control, Message, START, Setup, UNIT};
use crate::event::Time;
use crate::host::Done;
use crate::packet::{Ack, Body, Data, Nack, Packet, Trimmed};
use golden_vectors::transmit::ccc_table::oracle as ccc;
use golden_vectors::transmit::entropy_selector::oracle as entropy;
use golden_vectors::transmit::packet_tracker::oracle as tracker;
use std::collections::VecDeque;

/// A message on its way.
#[derive(Debug)]
struct Sending {
    message: Message,
    /// Packets of it, and those that have been sent.
    packets: u64,
    sent: u64,
    /// New packets for which the window has room.
    room: u64,
    /// The row of the tables that it has, from its start to its end.
    row: Option<u32>,
}

/// Most messages that a host sends at a time; others wait. A NIC has at most so many contexts.
const ROWS: usize = 4096;

/// All connections that a host sends.
#[derive(Debug)]
pub struct Sender {
    host: u32,
    setup: Setup,
    cccs: ccc::Table,
    pdcs: tracker::Table,
    evs: entropy::Table,
    connections: Vec<Sending>,
    /// The message of each row, rows that are free, and messages that wait for one.
    rows: Vec<u32>,
    free: Vec<u32>,
    waiting: VecDeque<u32>,
    /// What the table of packets has put out, while it is worked on.
    events: Vec<tracker::Event>,
    outcomes: Vec<tracker::Outcome>,
    done: VecDeque<Done>,
    data_packets: u64,
    retransmissions: u64,
    losses: u64,
}

/// The time of the tables.
const fn units(now: Time) -> u64 {
    now / UNIT
}

/// The same with the 20 bits that `ccc_table` has.
const fn wrapped(now: Time) -> u64 {
    units(now) % (1 << 20)
}

fn ccc_shape(setup: &Setup, number: u64) -> ccc::Shape {
    let algorithms = match setup.control {
        Control::Nscc => ccc::Algorithms::Nscc,
        Control::Rccc => ccc::Algorithms::Rccc,
        Control::Both => ccc::Algorithms::Both,
    };
    let settings = ccc::Settings::of(ccc::Link {
        // Adjustments take effect at once, so there is no clock.
        mhz: 1000.0,
        gbps: setup.rate as f64 / 1000.0,
        rtt_us: setup.rtt as f64 / 1e6,
        mtu: setup.packet.into(),
        trim: setup.trim,
    });
    let settings = ccc::Settings { ack_trigger: setup.ack_bytes, ..settings };
    ccc::Shape::new(algorithms, number).classes(1).credit_unit(UNIT_OF_CREDIT).reset(settings)
}

fn tracker_shape(setup: &Setup, number: u64) -> tracker::Shape {
    let longest = (1 << 26) - 1;
    let settings = tracker::Settings {
        rto: units(setup.rto).clamp(1, longest),
        tail_probe: units(setup.tail_probe).min(longest),
        ..tracker::Settings::reset(setup.window)
    };
    tracker::Shape::new(number, setup.window).ev_bits(16).cccs(number).reset(settings)
}

fn entropy_shape(setup: &Setup, number: u64, seed: u64) -> entropy::Shape {
    let settings = entropy::Settings {
        rtt: setup.rtt / CYCLE,
        seed: seed & 0xFFFF_FFFF,
        explore: setup.explore,
        freeze: setup.freeze / CYCLE / 64,
        ..entropy::Settings::DEFAULT
    };
    entropy::Shape::new(number, setup.paths).modes(entropy::Mode::MASK).settings(settings)
}

impl Sender {
    /// With these messages. No data is there before [`Sender::start`].
    pub fn new(host: u32, setup: Setup, messages: &[Message], seed: u64) -> Self {
        let rows = messages.len().clamp(1, ROWS);
        let number = rows as u64;
        let mut sender = Sender {
            host,
            setup,
            cccs: ccc::Table::new(ccc_shape(&setup, number)),
            pdcs: tracker::Table::new(tracker_shape(&setup, number)),
            evs: entropy::Table::new(entropy_shape(&setup, number, seed)),
            connections: Vec::with_capacity(messages.len()),
            rows: vec![0; rows],
            free: (0..rows as u32).rev().collect(),
            waiting: VecDeque::new(),
            events: Vec::new(),
            outcomes: Vec::new(),
            done: VecDeque::new(),
            data_packets: 0,
            retransmissions: 0,
            losses: 0,
        };
        for message in messages {
            let packets = setup.packets(message.bytes);
            let connection = Sending { message: *message, packets, sent: 0, room: setup.window, row: None };
            sender.connections.push(connection);
        }
        sender
    }

    /// The message of a connection may be sent.
    pub fn start(&mut self, now: Time, context: u32) {
        self.done.push_back(Done::Started(self.connections[context as usize].message.flow));
        match self.free.pop() {
            Some(row) => self.open(now, context, row),
            None => self.waiting.push_back(context),
        }
    }

    /// A connection gets a row of the tables.
    fn open(&mut self, now: Time, context: u32, row: u32) {
        let number = u64::from(row);
        self.rows[row as usize] = context;
        self.connections[context as usize].row = Some(row);
        let (nscc, rccc) = (self.setup.control != Control::Rccc, self.setup.control != Control::Nscc);
        let open = ccc::Command { op: ccc::op::OPEN, ccc: number, nscc, rccc, weight: 1, ..Default::default() };
        self.cccs.command(0, wrapped(now), &open, false);
        let (op, psn) = (tracker::op::OPEN, START.into());
        let open = tracker::Command { op, pdc: number, ccc: number, psn, ..Default::default() };
        self.pdcs.step(units(now), tracker::Operation::Command(&open));
        let open = entropy::Command::open(number, 0, self.setup.selection).random();
        self.evs.command(now / CYCLE, &open);
        let Sending { message, packets, .. } = self.connections[context as usize];
        let bytes = message.bytes + packets * u64::from(self.setup.header);
        self.step(now, &ccc::Event::Data(ccc::Data { ccc: number, bytes }));
    }

    /// A connection gives its row back, and says why. Another one may have waited for it.
    fn close(&mut self, now: Time, context: u32, done: fn(u32) -> Done) {
        let connection = &mut self.connections[context as usize];
        let Some(row) = connection.row.take() else { return };
        self.done.push_back(done(connection.message.flow));
        let number = u64::from(row);
        let close = ccc::Command { op: ccc::op::CLOSE, ccc: number, force: true, ..Default::default() };
        self.cccs.command(0, wrapped(now), &close, false);
        let close = tracker::Command { op: tracker::op::CLOSE, pdc: number, force: true, ..Default::default() };
        self.pdcs.step(units(now), tracker::Operation::Command(&close));
        self.evs.command(now / CYCLE, &entropy::Command::new(entropy::Op::Close, number, 0));
        match self.waiting.pop_front() {
            Some(next) => self.open(now, next, row),
            None => self.free.push(row),
        }
    }

    /// An event of the congestion control. What it adjusts takes effect at once.
    fn step(&mut self, now: Time, event: &ccc::Event) {
        self.cccs.step(0, wrapped(now), event);
        while self.cccs.next_adjustment().is_some() {
            self.cccs.adjust();
        }
    }

    /// The packet that is sent now, if there is one.
    pub fn next(&mut self, now: Time) -> Option<Packet> {
        // Whatever the cycle in which it was listed: there are no cycles here.
        while let Some(ccc::Take { grant, .. }) = self.cccs.take(u64::MAX) {
            if let Some(packet) = grant.and_then(|grant| self.send(now, &grant)) {
                return Some(packet);
            }
        }
        None
    }

    /// The packet of a turn. There may be none: then the CCC has no further turn until it hears something (C35).
    fn send(&mut self, now: Time, grant: &ccc::Grant) -> Option<Packet> {
        let number = grant.ccc;
        let context = self.rows[number as usize] as usize;
        let Sending { message, packets, sent, room, .. } = self.connections[context];
        let again = grant.retransmission;
        if !again && (sent == packets || room == 0) {
            let blocked = ccc::Send { ccc: number, last: true, blocked: true, ..Default::default() };
            self.step(now, &ccc::Event::Send(blocked));
            return None;
        }
        let ev = self.evs.request(now / CYCLE, number, entropy::ALL_FREE).ev;
        let size = self.setup.size(message.bytes, sent);
        // The last new packet, each retransmission, and what leaves no room for another one (uet.md 2.7).
        let is_last = again || sent + 1 == packets;
        let asks = is_last || grant.ack_request || grant.limit < u64::from(size);
        let op = if again { tracker::send::AGAIN } else { tracker::send::NEW };
        let send = tracker::Send { pdc: number, op, size: size.into(), ev, asks, last: true };
        let effects = self.pdcs.step(units(now), tracker::Operation::Send(&send));
        let answer = effects.sent.filter(|answer| answer.ok);
        self.events.clone_from(&effects.events);
        self.forward(now, answer.is_none());
        let answer = answer?;
        if again {
            self.retransmissions += 1;
        } else {
            self.connections[context].sent += 1;
        }
        self.data_packets += 1;
        let data = Data {
            psn: answer.psn as u32,
            retx: again,
            asks,
            trimmed: None,
            credit_target: grant.credit_target as u32,
        };
        Some(Packet {
            source: self.host,
            destination: message.peer,
            context: message.context,
            flow: message.flow,
            ev: ev as u16,
            marked: false,
            size: answer.size as u32,
            sent: now,
            body: Body::Data(data),
        })
    }

    /// An ACK.
    pub fn ack(&mut self, now: Time, context: u32, ev: u16, ack: &Ack) {
        let offset = |psn: u32| psn.wrapping_sub(ack.cumulative) as i32 as i16;
        let Some(row) = self.connections[context as usize].row else { return };
        let said = tracker::Ack {
            pdc: row.into(),
            kind: tracker::ack::ACK,
            psn: ack.cumulative.into(),
            triggered: true,
            trigger_offset: offset(ack.trigger),
            sack_offset: offset(ack.base),
            sack: ack.bitmap,
            counted: true,
            rcvd_bytes: ack.received.into(),
            marked: ack.marked,
            retx: ack.retx,
            ev: ev.into(),
            arrived: wrapped(now),
            ..Default::default()
        };
        self.hear(now, &said);
        let last = START + self.connections[context as usize].packets as u32 - 1;
        if ack.cumulative == last {
            self.close(now, context, Done::Completed);
        }
    }

    /// A NACK.
    pub fn nack(&mut self, now: Time, context: u32, ev: u16, nack: &Nack) {
        let Some(row) = self.connections[context as usize].row else { return };
        let reason = match nack.trimmed {
            Trimmed::OnTheWay => ccc::nack::TRIMMED,
            Trimmed::LastHop => ccc::nack::TRIMMED_LASTHOP,
        };
        let said = tracker::Ack {
            pdc: row.into(),
            kind: tracker::ack::NACK,
            psn: nack.psn.into(),
            marked: nack.marked,
            retx: nack.retx,
            ev: ev.into(),
            arrived: wrapped(now),
            reason,
            ..Default::default()
        };
        self.hear(now, &said);
    }

    /// Credit.
    pub fn credit(&mut self, now: Time, context: u32, credit: u32) {
        let Some(row) = self.connections[context as usize].row else { return };
        let said =
            tracker::Ack { pdc: row.into(), kind: tracker::ack::CREDIT, credit: credit.into(), ..Default::default() };
        self.hear(now, &said);
    }

    fn hear(&mut self, now: Time, said: &tracker::Ack) {
        let effects = self.pdcs.step(units(now), tracker::Operation::Ack(said));
        self.events.clone_from(&effects.events);
        self.forward(now, false);
    }

    /// The events of the table of packets go to the other tables, in their order.
    fn forward(&mut self, now: Time, blocked: bool) {
        let events = std::mem::take(&mut self.events);
        for event in &events {
            self.connections[self.rows[event.pdc as usize] as usize].room = event.room;
            let said = translated(event, blocked);
            self.step(now, &said);
            if event.feedback {
                self.evs.feedback(now / CYCLE, event.ccc, event.ev, feedback(event));
            }
        }
        self.events = events;
    }

    /// When a packet may be overdue.
    pub fn wake_up(&self) -> Option<Time> {
        self.pdcs.next_scan().map(|due| due * UNIT)
    }

    /// Packets that are overdue are lost.
    pub fn wake(&mut self, now: Time) {
        while self.pdcs.next_scan().is_some_and(|due| due <= units(now)) {
            let effects = self.pdcs.scan(units(now));
            self.events.clone_from(&effects.events);
            self.outcomes.clone_from(&effects.outcomes);
            let failed = effects.failure.map(|failure| self.rows[failure.pdc as usize]);
            self.forward(now, false);
            let outcomes = std::mem::take(&mut self.outcomes);
            for outcome in outcomes.iter().filter(|outcome| outcome.kind == tracker::outcome::LOST) {
                self.losses += 1;
                self.evs.feedback(now / CYCLE, outcome.ccc, outcome.ev, entropy::Kind::Timeout);
            }
            self.outcomes = outcomes;
            if let Some(context) = failed {
                self.close(now, context, Done::Failed);
            }
        }
    }

    /// What has become of messages.
    pub fn take_done(&mut self) -> std::collections::vec_deque::Drain<'_, Done> {
        self.done.drain(..)
    }

    /// What it has counted.
    pub fn counters(&self) -> Vec<(&'static str, u64)> {
        let (cccs, pdcs) = (self.cccs.counters(), self.pdcs.counters());
        vec![
            ("data packets", self.data_packets),
            ("retransmissions", self.retransmissions),
            ("inferred losses", self.losses),
            ("quick adapts", cccs.quick_adapts),
            ("refused events", cccs.excess_acks + cccs.excess_sends + pdcs.outside_acks),
        ]
    }
}

/// An event of the table of packets as one of the congestion control.
fn translated(event: &tracker::Event, blocked: bool) -> ccc::Event {
    let tracker::Event { ccc, size, .. } = *event;
    let kind = match event.kind {
        tracker::event::SEND => {
            let tracker::Event { packet, retransmission, last, .. } = *event;
            return ccc::Event::Send(ccc::Send { ccc, size, packet, retransmission, last, blocked });
        }
        tracker::event::LOSS => return ccc::Event::Loss(ccc::Loss { ccc, size }),
        tracker::event::ACK => ccc::kind::ACK,
        tracker::event::NACK => ccc::kind::NACK,
        _ => ccc::kind::CREDIT,
    };
    ccc::Event::Ack(ccc::Ack {
        ccc,
        kind,
        quanta: event.quanta,
        packets: event.packets,
        rtx_packets: event.rtx_packets,
        rtx_bytes: event.rtx_bytes,
        marked: event.marked,
        retx: event.retx,
        timed: event.timed,
        rtx_count: event.rtx_count,
        stamp: event.stamp,
        arrived: event.arrived,
        service: event.service,
        pend: event.pend,
        restore: event.restore,
        reason: event.reason,
        size,
        credit: event.credit,
    })
}

/// TX16: what an ACK or a NACK says of its path.
const fn feedback(event: &tracker::Event) -> entropy::Kind {
    match (event.kind, event.reason) {
        (tracker::event::NACK, ccc::nack::TRIMMED) => entropy::Kind::Nack,
        _ if event.marked => entropy::Kind::Ecn,
        (tracker::event::NACK, ccc::nack::TRIMMED_LASTHOP) => entropy::Kind::LastHop,
        _ => entropy::Kind::Good,
    }
}
