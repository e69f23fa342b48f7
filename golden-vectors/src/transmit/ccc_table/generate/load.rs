// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random traffic: a sender that answers grants, a network that acknowledges, marks, trims and loses, a receiver with
//! credit and penalties; commands, settings and stalls.

use super::shapes;
use crate::collect::aim;
use crate::rng::SplitMix64;
use crate::transmit::ccc_table::oracle::{
    Ack, Command, Data, Event, Grant, Link, Loss, Send, Settings, Shape, kind, op,
};
use crate::transmit::ccc_table::script::Script;
use crate::transmit::ccc_table::suite::Suite;
use std::collections::VecDeque;

pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    for shape in shapes::all() {
        of_shape(suite, shape, rng, if shapes::USUAL.contains(&shape) { 3 } else { 1 });
    }
}

/// A group for a stage of any size.
pub fn of_shape(suite: &mut Suite, shape: Shape, rng: &mut SplitMix64, cases: u64) {
    suite.group("load", "random traffic", shape, None);
    for n in 0..cases {
        let script = script(shape, rng);
        let rows = [
            "C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9", "C10", "C11", "C12", "C13", "C14", "C15", "C16",
            "C17", "C18", "C19", "C20", "C21", "C22", "C23", "C24", "C25", "C26", "C27", "C28", "C29", "C30", "C31",
            "C32", "C33", "C35", "U37",
        ];
        let aim = aim(&["FullLoad", "BackToBack", "Stall"], &rows);
        suite.add(format!("load-{n}"), "several CCCs, with everything else", aim, script);
    }
}

/// Traffic of several densities.
pub fn script(shape: Shape, rng: &mut SplitMix64) -> Script {
    let mut traffic = Traffic::new(shape, rng);
    for density in [0, 6, 0, 20, 1] {
        traffic.phase(density, 100);
    }
    traffic.end()
}

struct Traffic<'a> {
    script: Script,
    shape: Shape,
    rng: &'a mut SplitMix64,
    /// The CCCs that are used, the last ones among them.
    used: Vec<u64>,
    /// Turns that are not over, with what has been sent in them.
    turns: VecDeque<(Grant, u64, u64)>,
}

impl<'a> Traffic<'a> {
    fn new(shape: Shape, rng: &'a mut SplitMix64) -> Self {
        let used = shape.cccs.min(6);
        let numbers = (0..used).map(|n| if n < used / 2 { n } else { shape.cccs - used + n }).collect();
        let mut script = Script::from_reset(shape);
        script.until(shape.sweep());
        let mut traffic = Traffic { script, shape, rng, used: numbers, turns: VecDeque::new() };
        for ccc in traffic.used.clone() {
            traffic.open(ccc);
        }
        traffic
    }

    /// One in so many.
    fn one_in(&mut self, many: u64) -> bool {
        self.rng.below(many) == 0
    }

    fn number(&mut self) -> u64 {
        self.used[self.rng.below(self.used.len() as u64) as usize]
    }

    fn open(&mut self, ccc: u64) {
        let (nscc, rccc) = (!self.one_in(4), self.one_in(2));
        let (class, weight) = (self.rng.below(self.shape.classes), 1 + self.rng.below(15));
        self.script.issue(Command { op: op::OPEN, ccc, nscc, rccc, class, weight, force: false });
        self.script.accepted();
    }

    /// Those of a link, or such that everything comes about soon.
    fn settings(&mut self) {
        let word = self.rng.next_u64();
        let bits = move |at: u32, width: u32| word >> at & ((1 << width) - 1);
        let gbps = (100 << bits(0, 2)) as f64;
        let settings = Settings::of(Link { mhz: 322.265_625, gbps, rtt_us: 12.0, mtu: 4096.0, trim: bits(2, 1) == 0 });
        let quick = Settings {
            tick: 10_000 + bits(3, 15),
            config_base_rtt: 20 + bits(18, 5),
            target: 4 + bits(23, 4),
            small_delay: bits(27, 2),
            adjust_bytes: bits(29, 15),
            adjust_period: 10 + bits(44, 7),
            qa_threshold: 10 + bits(51, 6),
            config_wnd: 4096 << bits(57, 4),
            qa_gate: bits(61, 2),
            ..settings
        };
        self.script.set_beside(|_| if bits(63, 1) == 0 { quick } else { settings });
    }

    /// A packet of a turn, or the end of one; without turns now and then the end of being blocked.
    fn spend(&mut self) {
        let Some((grant, packets, total)) = self.turns.pop_front() else {
            // One that is blocked need not be for ever.
            if self.one_in(8) {
                let ccc = self.number();
                self.script.offer(Event::Send(Send { ccc, ..Send::default() }));
            }
            return;
        };
        let size = if self.one_in(3) { 64 + self.rng.below(4000) } else { 4160 };
        let ccc = grant.ccc;
        if packets < grant.packets && total <= grant.limit && !self.one_in(30) {
            let packets = packets + 1;
            let more = packets < grant.packets && total + size <= grant.limit;
            let retransmission = grant.retransmission && packets == 1;
            let send = Send { ccc, size, packet: true, retransmission, last: !more, ..Send::default() };
            self.script.offer(Event::Send(send));
            if more {
                self.turns.push_back((grant, packets, total + size));
            }
        } else {
            let blocked = self.one_in(4);
            self.script.offer(Event::Send(Send { ccc, last: true, blocked, ..Send::default() }));
        }
    }

    /// An ACK, a NACK, or credit. Most of them fit to what is in flight.
    fn answer(&mut self) -> Event {
        let number = self.number();
        let ccc = self.script.oracle().table().ccc(number);
        let (inflight, waiting, backlog, credit) =
            (ccc.inflight_pkts, ccc.waiting_rtx, ccc.rtx_backlog, ccc.credit_number);
        let base = self.script.settings().config_base_rtt;
        let delay = match self.rng.below(8) {
            0..=3 => self.rng.below(4),
            4 | 5 => self.rng.below(40),
            6 => self.rng.below(300),
            _ => self.rng.below(3000),
        };
        let rtt = if self.one_in(9) { base - base.min(self.rng.below(20)) } else { base + delay };
        let word = self.rng.next_u64();
        let times = Ack {
            timed: word & 15 != 0,
            retx: word >> 4 & 15 == 0,
            rtx_count: if word >> 8 & 7 == 0 { word >> 11 & 3 } else { 0 },
            ..self.script.ack_of(number, 0, 0, rtt)
        };
        match self.rng.below(if self.shape.has_rccc() { 14 } else { 10 }) {
            0 | 1 => {
                let reason = [1, 1, 2, 2, 4, 0x1A][self.rng.below(6) as usize];
                let nack = self.script.nack_of(number, reason, 64 + self.rng.below(4200), rtt);
                Event::Ack(Ack { timed: times.timed, retx: times.retx, rtx_count: times.rtx_count, ..nack })
            }
            2 if self.one_in(9) => Event::Ack(Ack { kind: kind::NONE, ..times }),
            10..=13 => {
                let credit = if self.one_in(9) { self.rng.below(1 << 24) } else { credit + self.rng.below(200) };
                Event::Ack(self.script.credit_of(number, credit % (1 << 24)))
            }
            _ => {
                let packets = self.rng.below(6).min(inflight) + u64::from(self.one_in(40));
                let rtx_packets = if self.one_in(8) { 1 + self.rng.below(2) } else { 0 };
                let rtx_bytes = if rtx_packets > 0 { backlog / (waiting + 1) * rtx_packets } else { 0 };
                let quanta = packets * self.rng.below(18) + self.rng.below(3);
                let penalty = self.one_in(16);
                let pend = if penalty { self.rng.below(128) } else { 0 };
                let service = if self.one_in(20) { 65_535 } else { times.service };
                let (marked, restore) = (delay > 20 && !self.one_in(3) || self.one_in(9), self.one_in(4));
                let counts = Ack { quanta, packets, rtx_packets, rtx_bytes, ..times };
                Event::Ack(Ack { pend, service, marked, restore, ..counts })
            }
        }
    }

    /// Events with pauses of up to so many cycles, and everything else.
    fn phase(&mut self, pause: u64, events: u64) {
        self.settings();
        for _ in 0..events {
            let granted = self.script.granted();
            self.turns.extend(granted.into_iter().map(|grant| (grant, 0, 0)));
            for _ in 0..1 + self.rng.below(2) {
                self.spend();
            }
            let event = match self.rng.below(8) {
                0 => Event::Data(Data { ccc: self.number(), bytes: self.rng.below(60_000) }),
                1 if self.one_in(3) => Event::Loss(Loss { ccc: self.number(), size: self.rng.below(4200) }),
                _ => self.answer(),
            };
            self.script.event(event);
            match self.rng.below(60) {
                0 if self.one_in(3) => self.settings(),
                1 => self.script.stall(true),
                2..=4 => self.script.stall(false),
                5..=8 => {
                    let ccc = self.number();
                    self.script.issue(Command { op: op::READ, ccc, ..Command::default() });
                }
                9 => {
                    let (ccc, op, class) = (self.number(), 2 + self.rng.below(2), self.rng.below(self.shape.classes));
                    let (weight, force) = (self.rng.below(16), self.one_in(2));
                    self.script.issue(Command { op, ccc, class, weight, force, ..Command::default() });
                }
                10 | 11 => {
                    let ccc = self.number();
                    self.open(ccc);
                }
                _ => {}
            }
            let pause = self.rng.below(pause + 1);
            self.script.idle(pause);
        }
        self.script.drain();
    }

    /// The state of all that were used.
    fn end(mut self) -> Script {
        for ccc in self.used {
            self.script.read(ccc);
            self.script.close(ccc, true);
        }
        self.script
    }
}
