// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random traffic: packets of several connections that overtake each other, lost, repeated, marked, trimmed and refused,
//! with events, commands, settings and stalls.

use super::shapes;
use crate::collect::aim;
use crate::receive::ack_generator::oracle::{Arrival, Outcome, Settings, Shape, op};
use crate::receive::ack_generator::script::Script;
use crate::receive::ack_generator::suite::Suite;
use crate::rng::SplitMix64;

pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    for shape in shapes::all() {
        of_shape(suite, shape, rng, if shapes::USUAL.contains(&shape) { 3 } else { 1 });
    }
}

/// A group for a stage of any size.
pub fn of_shape(suite: &mut Suite, shape: Shape, rng: &mut SplitMix64, cases: u64) {
    suite.group("load", "random traffic", shape, None);
    for n in 0..cases {
        let mut traffic = Traffic { script: Script::from_reset(shape), shape, rng, used: shape.connections.min(6) };
        traffic.begin();
        for density in [1, 0, 5, 20, 2] {
            traffic.phase(density, 90);
        }
        traffic.end();
        let rows =
            ["M32", "G1", "G2", "G3", "G4", "G6", "G7", "G12", "G14", "G16", "G17", "G18", "G19", "G20", "G21", "G25"];
        let aim = aim(&["FullLoad", "BackToBack", "Connections", "Stall"], &rows);
        suite.add(format!("load-{n}"), "packets of several connections, with everything else", aim, traffic.script);
    }
    // The settings after reset of this stage.
    let mut script = Script::from_reset(shape);
    script.until(shape.sweep());
    script.open(0, 5);
    script.open_single(1, 6);
    for n in 0..30 {
        let packet = script.ahead(n % 2, if n % 10 == 6 { 1 } else { 0 });
        script.arrive(Arrival { ecn: n == 9, ..packet });
        script.idle(n * n % 23);
    }
    script.idle(2000);
    suite.add("reset", "the settings after reset of this size", aim(&["Settings"], &["G7", "G19"]), script);
}

struct Traffic<'a> {
    script: Script,
    shape: Shape,
    rng: &'a mut SplitMix64,
    /// Number of connections that are used, the last ones among them.
    used: u64,
}

impl Traffic<'_> {
    /// One in so many.
    fn one_in(&mut self, many: u64) -> bool {
        self.rng.below(many) == 0
    }

    /// The first half of the connections in use, and the last ones there are.
    fn number(&mut self) -> u64 {
        let n = self.rng.below(self.used);
        if n < self.used / 2 { n } else { self.shape.connections - self.used + n }
    }

    fn open(&mut self, connection: u64) {
        let psn = self.rng.next_u64() % self.shape.psns();
        let psn = if self.one_in(2) { self.shape.psns() - 1 - psn % 50 } else { psn };
        if self.one_in(3) { self.script.open_single(connection, psn) } else { self.script.open(connection, psn) }
    }

    fn begin(&mut self) {
        self.script.until(self.shape.sweep());
        for n in 0..self.used {
            let connection = if n < self.used / 2 { n } else { self.shape.connections - self.used + n };
            self.open(connection);
        }
    }

    fn settings(&mut self) {
        let word = self.rng.next_u64();
        let bits = move |at: u32, width: u32| word >> at & ((1 << width) - 1);
        let uet = self.shape.is_uet();
        self.script.set_beside(|s| {
            let common = Settings { tick: 2000 << bits(0, 3) & 0xFFFF, time: bits(3, 4), on_ecn: bits(7, 1) == 1, ..s };
            if uet {
                Settings {
                    trigger: 500 << bits(8, 3),
                    min: bits(11, 12),
                    per_packet: bits(23, 3) == 0,
                    on_retx: bits(26, 1) == 1,
                    cc: bits(27, 1) == 1,
                    no_buffer_time: bits(45, 4) * 16,
                    mpr: bits(28, 8),
                    added: bits(36, 8),
                    restore: bits(44, 1) == 1,
                    ..common
                }
            } else {
                let (count, count_multipath) = (bits(8, 3), bits(11, 3));
                Settings {
                    count,
                    count_multipath,
                    rnr: bits(14, 5),
                    credits: bits(19, 5),
                    offset: bits(24, 16),
                    ..common
                }
            }
        });
        self.script.press(word >> 50 & 0x7F);
    }

    fn arrival(&mut self) -> Arrival {
        let connection = self.number();
        let ahead = match self.rng.below(24) {
            0 => self.shape.window + self.rng.below(3),
            1 | 2 => u64::MAX - self.rng.below(3),
            3..=8 => 1 + self.rng.below(6),
            9 => self.rng.next_u64(),
            _ => 0,
        };
        let arrival = match self.rng.below(20) {
            0 => self.script.refused(connection, ahead, Outcome::Unknown),
            1 | 2 => self.script.probe(connection),
            3 => self.script.refused(connection, ahead % 40, Outcome::NoBuffer),
            5 => self.script.no_room(connection, ahead),
            4 if !self.shape.is_uet() && self.one_in(2) => self.script.unserved(connection, ahead % 3),
            4 => Arrival { last_hop: self.one_in(2), ..self.script.trimmed(connection, ahead) },
            _ => self.script.ahead(connection, ahead),
        };
        let (ecn, ack_request) = (self.one_in(6), self.one_in(9));
        if self.shape.is_uet() {
            Arrival { ecn, ack_request, syn: self.one_in(15), retx: self.one_in(9), ..arrival }
        } else {
            let offset = self.rng.below(3);
            Arrival { ecn, ack_request, stamped: !self.one_in(8), stamp: arrival.stamp ^ offset, ..arrival }
        }
    }

    /// Arrivals with pauses of up to so many cycles, and everything else.
    fn phase(&mut self, pause: u64, arrivals: u64) {
        self.settings();
        for _ in 0..arrivals {
            let arrival = self.arrival();
            self.script.arrive(arrival);
            match self.rng.below(40) {
                0 => self.settings(),
                1 => self.script.stall(true),
                2..=4 => self.script.stall(false),
                5 | 6 => {
                    let connection = self.number();
                    self.script.report(connection);
                }
                7 => {
                    let connection = self.number();
                    let first = self.script.expected(connection).wrapping_sub(self.rng.below(3));
                    self.script.report_gap(connection, first, first.wrapping_add(self.rng.below(5)));
                }
                10 if !self.shape.is_uet() => {
                    let (connection, code) = (self.number(), self.rng.below(64));
                    self.script.issue_rnr_code(op::CHANGE, connection, 0, (code < 32).then_some(code));
                }
                8 => {
                    let (code, connection) = (self.rng.below(4), self.number());
                    self.script.issue(if code == op::OPEN { op::READ } else { code }, connection, 0, false);
                }
                9 if pause > 0 => {
                    let connection = self.number();
                    self.open(connection);
                }
                _ => {}
            }
            let pause = self.rng.below(pause + 1);
            self.script.idle(pause);
        }
        self.script.drain();
        self.script.idle(40);
    }

    fn end(&mut self) {
        for connection in [0, self.shape.connections - 1] {
            self.script.read(connection);
            self.script.close(connection);
            self.script.drain();
            self.script.read(connection);
        }
    }
}
