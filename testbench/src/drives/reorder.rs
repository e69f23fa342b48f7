// SPDX-License-Identifier: MIT OR Apache-2.0
//! Traffic for a reorder stage: dense packets on few connections, reordered, lost, repeated and beyond the window, across
//! the wrap of PSNs; connections that open and close meanwhile; stalled deliveries and events. It counts what has happened.

use crate::device::drive::Drive;
use crate::device::ports::Port;
use crate::device::random::Random;
use crate::device::{Error, Ports};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// What has been seen how often.
pub type Counts = Rc<RefCell<BTreeMap<&'static str, u64>>>;

/// What the traffic brings about sooner or later, each with its row.
pub const OCCURRENCES: [&str; 42] = [
    "R1 arrivals back to back on one connection",
    "R1 an arrival has to wait",
    "R2 in order",
    "R2 held",
    "R2 duplicate",
    "R2 below",
    "R2 above",
    "R2 no buffer",
    "R2 unknown",
    "R2 probe",
    "R4 late",
    "R4 suspected",
    "R4 expected wraps",
    "R5 all of the word received",
    "R5 some of the word received",
    "R6 state of a sub-path",
    "R6 a sub-path is absent",
    "R7 flags",
    "R8 back to back on one connection",
    "R8 back to back on two connections",
    "R8 a PSN wraps",
    "R9 stalled",
    "R10 a whole turn, then another connection",
    "R14 by span",
    "R14 by time",
    "R14 a gap of several PSNs",
    "R16 an event has to wait",
    "R17 an arrival beside a command",
    "R18 opened",
    "R18 not opened",
    "R18 not opened while draining",
    "R18 closed",
    "R18 closed while packets are held",
    "R18 not closed",
    "R18 code 3",
    "R19 reordered",
    "R19 depth",
    "R19 duration",
    "R19 draining",
    "R20 busy again after a reset",
    "R21 all counters of refused arrivals",
    "R21 a sub-path that does not exist",
];

/// A phase of the traffic. Phases follow one another at random.
#[derive(Clone, Copy, Debug)]
struct Phase {
    /// Number of connections in use, from 0 on.
    connections: u64,
    arrival: f64,
    /// PSNs among which the next packet is chosen: 1 is in order.
    spread: u64,
    lost: f64,
    repeated: f64,
    /// Share of arrivals that break the rules.
    wild: f64,
    command: f64,
    /// Probability that an event is taken in a clock cycle, and that a packet is.
    taken: f64,
    delivered: f64,
}

/// The sender of a connection.
#[derive(Clone, Debug, Default)]
struct Sender {
    next: u64,
    expected: u64,
    /// PSNs under way.
    waiting: Vec<u64>,
}

/// Random packets that mostly follow the rules.
#[derive(Clone, Debug)]
pub struct ReorderDrive {
    inputs: Vec<Port>,
    outputs: HashMap<String, Port>,
    window: u64,
    psn_mask: u64,
    senders: Vec<Sender>,
    random: Random,
    phase: Phase,
    left: u64,
    /// Probability of a reset in a clock cycle.
    reset: f64,
    cycle: u64,
    /// Connection of the last arrival, and connection and PSN of the last delivery, in the clock cycle before.
    arrived: Option<u64>,
    delivered: Option<(u64, u64)>,
    /// Packets of one connection that were delivered one after the other.
    run: (u64, u64),
    offers: (bool, bool),
    taken: (bool, bool),
    counts: Counts,
}

impl ReorderDrive {
    /// Makes a drive for a stage with windows of `window` PSNs, which adds to `counts`.
    pub fn new(ports: &Ports, window: u64, random: Random, counts: Counts) -> Result<Self, Error> {
        let outputs: HashMap<_, _> = ports.outputs.iter().map(|port| (port.name.clone(), port.clone())).collect();
        let psn = ports.input("arrival_psn").ok_or_else(|| Error::NoPort("arrival_psn".into()))?;
        let connection = ports.input("arrival_connection").ok_or_else(|| Error::NoPort("arrival_connection".into()))?;
        let (psn_mask, connections) = (psn.mask(0), connection.mask(0) + 1);
        Ok(ReorderDrive {
            inputs: ports.inputs.clone(),
            outputs,
            window,
            psn_mask,
            senders: vec![Sender::default(); connections as usize],
            random,
            phase: Phase {
                connections: 1,
                arrival: 0.0,
                spread: 1,
                lost: 0.0,
                repeated: 0.0,
                wild: 0.0,
                command: 0.0,
                taken: 1.0,
                delivered: 1.0,
            },
            left: 0,
            reset: 0.00005,
            cycle: 0,
            arrived: None,
            delivered: None,
            run: (0, 0),
            offers: (false, false),
            taken: (true, true),
            counts,
        })
    }

    /// One phase for ever, for a bench: a packet in every clock cycle on all connections, a few of which overtake others, and
    /// nothing stalls or resets the stage.
    pub fn steady(mut self) -> Self {
        let connections = self.senders.len() as u64;
        self.phase = Phase { connections, arrival: 1.0, spread: 4, lost: 0.001, command: 0.05, ..self.phase };
        (self.left, self.reset) = (u64::MAX, 0.0);
        self
    }

    fn next_phase(&mut self, input: &mut [u64]) {
        let random = &mut self.random;
        let pick = |random: &mut Random, from: &[f64]| from[random.below(from.len() as u64) as usize];
        let all = self.senders.len() as u64;
        self.phase = Phase {
            connections: [1, 1, 2, 3, all][random.below(5) as usize].min(all),
            arrival: pick(random, &[1.0, 1.0, 1.0, 0.7, 0.1]),
            spread: [1, 2, 8, 30, self.window / 2][random.below(5) as usize],
            lost: pick(random, &[0.0, 0.01, 0.1]),
            repeated: pick(random, &[0.0, 0.02, 0.3]),
            wild: pick(random, &[0.0, 0.01, 0.2]),
            command: pick(random, &[0.0, 0.02, 0.3]),
            taken: pick(random, &[1.0, 0.5, 0.01]),
            delivered: pick(random, &[1.0, 1.0, 0.9, 0.5, 0.02]),
        };
        self.left = random.between(40, 900);
        let settings = [random.below(self.window), random.below(4)];
        let never = random.chance(0.3);
        self.put(input, "settings_valid", 1);
        self.put(input, "settings_span", if never { self.window - 1 } else { settings[0] });
        self.put(input, "settings_time", if never { u64::MAX } else { settings[1] });
    }

    fn put(&self, input: &mut [u64], name: &str, value: u64) {
        let port = self.inputs.iter().find(|port| port.name == name).expect("a port of the stage");
        input[port.offset] = value & port.mask(0);
    }

    /// Connection and PSN of the next packet.
    fn packet(&mut self) -> (u64, u64) {
        let Phase { connections, spread, lost, repeated, .. } = self.phase;
        let number = self.random.below(connections);
        let (mask, window) = (self.psn_mask, self.window);
        let sender = &mut self.senders[number as usize];
        while (sender.waiting.len() as u64) < spread {
            // Up to the end of the window, and now and then beyond it.
            let ahead = sender.next.wrapping_sub(sender.expected) & mask;
            if ahead >= window && ahead <= mask / 2 && !self.random.chance(0.02) {
                break;
            }
            if !self.random.chance(lost) {
                sender.waiting.push(sender.next);
            }
            sender.next = (sender.next + 1) & mask;
        }
        if sender.waiting.is_empty() || self.random.chance(0.01) {
            return (number, sender.expected);
        }
        let at = self.random.below(sender.waiting.len() as u64) as usize;
        let psn = if self.random.chance(repeated) { sender.waiting[at] } else { sender.waiting.swap_remove(at) };
        (number, psn)
    }

    /// Looks at the outputs of a clock cycle.
    fn watch(&mut self, outputs: &[u64]) {
        let seen = |name: &str| outputs[self.outputs[name].offset];
        let mut found = Vec::new();
        let mut note = |what: &'static str, happens: bool| {
            if happens {
                found.push(what);
            }
        };
        note("R1 an arrival has to wait", self.offers.0 && seen("arrival_ready") == 0 && seen("busy") == 0);
        note("R17 an arrival beside a command", self.offers.1 && seen("command_ready") == 1);
        if seen("answer_valid") == 1 {
            let (outcome, sack) = (seen("answer_outcome"), seen("answer_sack"));
            let rows = ["in order", "held", "duplicate", "below", "above", "no buffer", "unknown", "probe"];
            let row = OCCURRENCES.iter().find(|row| row[3..] == *rows[outcome as usize]).expect("an outcome");
            note(row, true);
            note("R4 late", seen("answer_late") == 1);
            note("R4 suspected", seen("answer_suspected") == 1);
            note("R4 expected wraps", outcome == 0 && seen("answer_expected") == 0);
            note("R5 all of the word received", sack == u64::MAX);
            note("R5 some of the word received", sack != 0 && sack != u64::MAX);
            note("R7 flags", seen("answer_flags") & 0xFB != 0 && outcome < 2);
            if outcome != 6 {
                self.senders[seen("answer_connection") as usize].expected = seen("answer_expected");
            }
        }
        let delivered = (seen("delivery_valid") == 1).then(|| (seen("delivery_connection"), seen("delivery_psn")));
        note("R9 stalled", delivered.is_some() && !self.taken.1);
        if let Some((connection, psn)) = delivered.filter(|_| self.taken.1) {
            if let Some((before, last)) = self.delivered {
                note("R8 back to back on one connection", before == connection);
                note("R8 back to back on two connections", before != connection);
                note("R8 a PSN wraps", before == connection && last == self.psn_mask && psn == 0);
            }
            note("R10 a whole turn, then another connection", self.run == (self.run.0, 16) && self.run.0 != connection);
            let run = if self.run.0 == connection { self.run.1 + 1 } else { 1 };
            self.run = (connection, run);
        }
        self.delivered = delivered.filter(|_| self.taken.1);
        if seen("event_valid") == 1 {
            note("R14 by span", seen("event_by_span") == 1);
            note("R14 by time", seen("event_by_time") == 1);
            note("R14 a gap of several PSNs", seen("event_first") != seen("event_last"));
            note("R16 an event has to wait", !self.taken.0);
        }
        if seen("response_valid") == 1 {
            let (code, done, draining) = (seen("response_op"), seen("response_done") == 1, seen("response_draining"));
            note("R18 opened", code == 1 && done);
            note("R18 not opened", code == 1 && !done);
            note("R18 not opened while draining", code == 1 && !done && draining == 1 && seen("response_open") == 0);
            note("R18 closed", code == 2 && done);
            note("R18 closed while packets are held", code == 2 && done && seen("response_held") != 0);
            note("R18 not closed", code == 2 && !done);
            note("R18 code 3", code == 3);
            note("R19 reordered", seen("response_reordered") != 0);
            note("R19 depth", seen("response_depth") != 0);
            note("R19 duration", seen("response_duration") != 0);
            note("R19 draining", draining == 1);
            note("R6 state of a sub-path", seen("response_path_packets") > 1);
            note("R6 a sub-path is absent", seen("response_path_packets") == 0 && code == 0);
            if code == 1 && done {
                let psn = seen("response_expected");
                let sender = Sender { next: psn, expected: psn, waiting: Vec::new() };
                self.senders[seen("response_connection") as usize] = sender;
            }
        }
        note("R20 busy again after a reset", seen("busy") == 1 && self.cycle > 1000);
        let refused = ["duplicates", "below_window", "above_window", "no_buffer", "unknown_connections"];
        note("R21 all counters of refused arrivals", refused.iter().all(|name| seen(name) != 0));
        note("R21 a sub-path that does not exist", seen("unknown_paths") != 0);
        let mut counts = self.counts.borrow_mut();
        for what in found {
            *counts.entry(what).or_insert(0) += 1;
        }
    }
}

impl Drive for ReorderDrive {
    fn drive(&mut self, outputs: &[u64], input: &mut [u64]) -> bool {
        for port in &self.inputs {
            input[port.offset] = self.random.bits() & port.mask(0);
        }
        self.put(input, "settings_valid", 0);
        if self.left == 0 {
            self.next_phase(input);
        }
        self.left -= 1;
        let Phase { connections, arrival, wild, command, taken, delivered, .. } = self.phase;
        let arrives = self.random.chance(arrival);
        self.taken = (self.random.chance(taken), self.random.chance(delivered));
        let operates = self.random.chance(command);
        self.offers = (arrives, arrives && operates);
        self.watch(outputs);
        self.put(input, "event_ready", self.taken.0.into());
        self.put(input, "delivery_ready", self.taken.1.into());
        self.put(input, "arrival_valid", arrives.into());
        self.put(input, "command_valid", operates.into());
        let accepted = arrives && outputs[self.outputs["arrival_ready"].offset] == 1;
        let mut at = None;
        if !self.random.chance(wild) {
            // A packet that is not accepted comes again among the others.
            let (connection, psn) = self.packet();
            if !accepted {
                self.senders[connection as usize].waiting.push(psn);
            }
            self.put(input, "arrival_connection", connection);
            self.put(input, "arrival_psn", psn);
            let found = self.random.chance(0.99);
            self.put(input, "arrival_found", found.into());
            let flags = if self.random.chance(0.02) { 4 } else { self.random.bits() & 0xFB };
            self.put(input, "arrival_flags", flags);
            let path = if self.random.chance(0.05) { 0xFF } else { self.random.below(2) };
            self.put(input, "arrival_path", path);
            at = accepted.then_some(connection);
        }
        if at.is_some() && at == self.arrived {
            *self.counts.borrow_mut().entry("R1 arrivals back to back on one connection").or_insert(0) += 1;
        }
        self.arrived = at;
        let (connection, path) = (self.random.below(connections), self.random.below(2));
        self.put(input, "command_connection", connection);
        self.put(input, "command_path", path);
        // Connections begin shortly before the wrap of PSNs, and are mostly open.
        let start = self.random.below(2 * self.window);
        self.put(input, "command_psn", 0_u64.wrapping_sub(start));
        let op = [0, 0, 1, 1, 1, 1, 2, 3][self.random.below(8) as usize];
        self.put(input, "command_op", op);
        self.cycle += 1;
        self.cycle == 1 || self.random.chance(self.reset)
    }
}
