// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random traffic: senders and a network that acknowledges, refuses, loses and repeats; commands, settings and stalls.

use super::shapes;
use crate::collect::aim;
use crate::rng::SplitMix64;
use crate::transmit::packet_tracker::oracle::{Ack, Command, Send, Settings, Shape, ack, op, send};
use crate::transmit::packet_tracker::script::Script;
use crate::transmit::packet_tracker::suite::Suite;

pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    for shape in shapes::all() {
        of_shape(suite, shape, rng, if shape == shapes::USUAL { 2 } else { 1 });
    }
}

/// A group for a stage of any size.
pub fn of_shape(suite: &mut Suite, shape: Shape, rng: &mut SplitMix64, cases: u64) {
    suite.group("load", "random traffic", shape, None);
    for n in 0..cases {
        let script = script(shape, rng);
        let rows = [
            "D1", "D2", "D3", "D4", "D5", "D6", "D7", "D8", "D9", "D10", "D11", "D12", "D13", "D14", "D15", "D16",
            "D17", "D18", "D19", "D20", "D21", "D22", "D23", "D25", "D26", "D27", "D28", "D29", "D30", "D31", "D32",
            "D33", "D34", "U33",
        ];
        let aim = aim(&["FullLoad", "BackToBack", "Stall"], &rows);
        suite.add(format!("load-{n}"), "several PDCs, with everything else", aim, script);
    }
}

/// Traffic of several densities.
pub fn script(shape: Shape, rng: &mut SplitMix64) -> Script {
    let mut traffic = Traffic::new(shape, rng);
    for pause in [0, 5, 0, 40, 1] {
        traffic.phase(pause, 40);
    }
    traffic.end()
}

struct Traffic<'a> {
    script: Script,
    shape: Shape,
    rng: &'a mut SplitMix64,
    /// The PDCs that are used, the last one among them.
    used: Vec<u64>,
}

impl<'a> Traffic<'a> {
    fn new(shape: Shape, rng: &'a mut SplitMix64) -> Self {
        let used = shape.pdcs.min(4);
        let used = (0..used).map(|n| if n + 1 < used { n } else { shape.pdcs - 1 }).collect();
        let mut script = Script::from_reset(shape);
        script.until(shape.sweep());
        let mut traffic = Traffic { script, shape, rng, used };
        for pdc in traffic.used.clone() {
            traffic.open(pdc);
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

    fn open(&mut self, pdc: u64) {
        let near = if self.one_in(2) { 0_u64.wrapping_sub(self.rng.below(90)) } else { self.rng.next_u64() };
        let (psn, ccc) = (self.shape.psn(near), self.rng.below(self.shape.cccs));
        let window = if self.one_in(2) { 0 } else { 1 + self.rng.below(self.shape.window) };
        let mpr = if self.one_in(3) { 1 } else { 0 };
        self.script.issue(Command { op: op::OPEN, pdc, psn, ccc, window, mpr, ..Command::default() });
    }

    /// Such that packets time out soon, or never.
    fn settings(&mut self) {
        let (tick, retries) = (20_000 + self.rng.below(45_000), self.rng.below(5));
        let rto = if self.one_in(3) { 0 } else { 100 + self.rng.below(600) };
        let span = if self.one_in(3) { self.shape.window - 1 } else { self.rng.below(20) };
        let (backoff, backoff_limit) = (self.rng.below(400), if self.one_in(2) { 31 } else { self.rng.below(6) });
        let tail_probe = if self.one_in(2) { 0 } else { self.rng.below(300) };
        self.script.set_beside(|_| Settings { tick, rto, retries, span, backoff, backoff_limit, tail_probe });
    }

    /// A packet, a new one or one that is sent again, or the end of a turn.
    fn sends(&mut self) -> Send {
        let pdc = self.number();
        let marked = self.script.oracle().pdc(pdc).marks > 0;
        let op = match self.rng.below(12) {
            0 => self.rng.below(4),
            1..=6 if marked => send::AGAIN,
            _ => send::NEW,
        };
        let size = if self.one_in(4) { self.rng.below(1 << 14) } else { 4160 };
        Send { pdc, op, size, ev: self.rng.below(1 << 16), asks: self.one_in(2), last: self.one_in(4) }
    }

    /// An ACK, a NACK, or credit. Most of them fit to what is in the window.
    fn answers(&mut self) -> Ack {
        let pdc = self.number();
        let state = self.script.oracle().pdc(pdc);
        let (length, total) = (state.length, state.total);
        let word = self.rng.next_u64();
        // How far behind the base the cumulative PSN is; most ACKs are of few packets.
        let most = if self.one_in(4) { length + 1 } else { length.min(6) };
        let acknowledged = self.rng.below(most + 1) as i64 - 1;
        let psn = if self.one_in(40) { self.shape.psn(word >> 32) } else { self.script.psn(pdc, acknowledged) };
        let arrived = self.script.time().wrapping_sub(self.rng.below(8));
        let arrived = if self.one_in(30) { self.rng.below(1 << 20) } else { arrived % (1 << 20) };
        let flags = Ack { marked: word & 1 != 0, retx: word >> 1 & 3 == 0, arrived, ..self.script.ack_of(pdc, psn) };
        match self.rng.below(12) {
            0..=2 => {
                let psn = self.script.psn(pdc, self.rng.below(length + 1) as i64);
                let reason = [1, 2, 3, 4, 0x1A, 0x0D, 0x1A, 0x0C, 0x07, 0x20][self.rng.below(10) as usize];
                let kind = if self.one_in(12) { ack::BACKOFF } else { ack::NACK };
                let nack = self.script.nack_of(pdc, psn, reason);
                Ack { kind, marked: flags.marked, retx: flags.retx, arrived, ..nack }
            }
            3 => self.script.credit_of(pdc, word >> 40),
            _ => {
                let first = self.rng.below(30) as i16 - 3;
                let bits = self.rng.next_u64() & self.rng.next_u64();
                // Mostly only what was sent.
                let left = (length as i64 - acknowledged - i64::from(first)).clamp(0, 64);
                let mask = if left < 64 && !self.one_in(30) { (1 << left) - 1 } else { u64::MAX };
                let sack = if self.one_in(2) { bits & mask & !1 } else { 0 };
                let more = self.rng.below(60);
                let rcvd_bytes = if self.one_in(12) { word >> 40 } else { (total + more) % (1 << 24) };
                let trigger_offset = if self.one_in(2) { 0 } else { self.rng.below(12) as i16 - 4 };
                let (triggered, counted) = (word >> 3 & 7 != 0, word >> 6 & 3 != 0);
                let (mpr, pend) = (if word >> 8 & 3 == 0 { word >> 10 & 3 } else { 0 }, word >> 12 & 127);
                let offsets = Ack { triggered, trigger_offset, sack_offset: first, sack, ..flags };
                Ack { counted, rcvd_bytes, mpr, pend, restore: word >> 19 & 1 == 1, ..offsets }
            }
        }
    }

    fn commands(&mut self) {
        let pdc = self.number();
        match self.rng.below(7) {
            0 | 1 => self.script.issue(Command { op: op::READ, pdc, ..Command::default() }),
            2 => self.open(pdc),
            3 => {
                let force = self.one_in(2);
                self.script.issue(Command { op: op::CLOSE, pdc, force, ..Command::default() });
                self.open(pdc);
            }
            4 => {
                let (window, own_timer) = (self.rng.below(2 * self.shape.window), self.one_in(2));
                let (rto, retries, backoff_limit) = (200 + self.rng.below(600), self.rng.below(4), self.rng.below(4));
                let tail_probe = self.rng.below(300);
                let timer = Command { own_timer, rto, retries, backoff_limit, tail_probe, ..Command::default() };
                self.script.issue(Command { op: op::CHANGE, pdc, window, ..timer });
            }
            5 => {
                let (ev, all, force) = (self.rng.below(1 << 16), self.one_in(4), self.one_in(4));
                let stays_failed = self.one_in(2);
                self.script.issue(Command { op: op::LOSE, pdc, ev, all, force, stays_failed, ..Command::default() });
            }
            _ => self.script.issue(Command { op: 5 + self.rng.below(3), pdc, ..Command::default() }),
        }
    }

    /// Operations with pauses of up to so many cycles, and everything else.
    fn phase(&mut self, pause: u64, operations: u64) {
        self.settings();
        for _ in 0..operations {
            for _ in 0..1 + self.rng.below(3) {
                let send = self.sends();
                self.script.offer_send(send);
            }
            let answer = self.answers();
            self.script.offer_ack(answer);
            if self.script.offered() > 12 {
                self.script.stall(true, true, true);
                self.script.accepted();
            }
            match self.rng.below(50) {
                0 if self.one_in(3) => self.settings(),
                1 => self.script.stall(false, true, true),
                2 => self.script.stall(true, false, true),
                3 => self.script.stall(false, false, false),
                4..=9 => self.script.stall(true, true, true),
                10..=12 => self.commands(),
                13 => self.script.pause(true),
                14..=18 => self.script.pause(false),
                _ => {}
            }
            let pause = self.rng.below(pause + 1);
            self.script.idle(pause);
        }
        self.script.drain();
    }

    /// The state of all that were used.
    fn end(mut self) -> Script {
        for pdc in self.used {
            self.script.read(pdc);
            self.script.close(pdc, true);
        }
        self.script
    }
}
