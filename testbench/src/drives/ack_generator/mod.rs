// SPDX-License-Identifier: MIT OR Apache-2.0
//! Traffic for an ACK generator: arrivals as `reorder` would answer them, dense and on few connections, and others that it
//! would never give; events whose gap is filled meanwhile; connections that open and close; stalled outputs. It counts what
//! has happened.

mod watch;

use crate::device::drive::Drive;
use crate::device::ports::Port;
use crate::device::random::Random;
use crate::device::{Error, Ports};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::rc::Rc;
use watch::{Past, Seen};
pub use watch::{ROCE, UET};

/// What has been seen how often.
pub type Counts = Rc<RefCell<BTreeMap<String, u64>>>;

/// Codes of outcomes.
const OUTCOMES: [&str; 8] = ["in order", "held", "duplicate", "below", "above", "no buffer", "unknown", "probe"];

/// A phase of the traffic. Phases follow one another at random.
#[derive(Clone, Copy, Debug)]
struct Phase {
    /// Number of connections in use, from 0 on.
    connections: u64,
    arrival: f64,
    /// Share of packets that are ahead of the expected one.
    ahead: f64,
    /// Share of arrivals with another outcome.
    other: f64,
    /// Share of arrivals that `reorder` would never give.
    wild: f64,
    command: f64,
    event: f64,
    /// Probability that the output is taken in a clock cycle.
    taken: f64,
}

/// What `reorder` knows of a connection.
#[derive(Clone, Debug, Default)]
struct Receiver {
    expected: u64,
    /// PSNs received behind it, as distances.
    held: BTreeSet<u64>,
}

/// Random arrivals that mostly follow the rules.
#[derive(Clone, Debug)]
pub struct AckDrive {
    inputs: HashMap<String, Port>,
    outputs: HashMap<String, Port>,
    window: u64,
    mask: u64,
    receivers: Vec<Receiver>,
    random: Random,
    phase: Phase,
    left: u64,
    /// Probability of a reset in a clock cycle.
    reset: f64,
    past: Past,
    counts: Counts,
}

impl AckDrive {
    /// Makes a drive for a stage with this window and memories of this latency, which adds to `counts`.
    pub fn new(ports: &Ports, window: u64, latency: u64, random: Random, counts: Counts) -> Result<Self, Error> {
        let by_name = |ports: &[Port]| ports.iter().map(|port| (port.name.clone(), port.clone())).collect();
        let psn = ports.input("arrival_psn").ok_or_else(|| Error::NoPort("arrival_psn".into()))?;
        let connection = ports.input("arrival_connection").ok_or_else(|| Error::NoPort("arrival_connection".into()))?;
        Ok(AckDrive {
            inputs: by_name(&ports.inputs),
            outputs: by_name(&ports.outputs),
            window,
            mask: psn.mask(0),
            receivers: vec![Receiver::default(); connection.mask(0) as usize + 1],
            random,
            phase: Phase {
                connections: 1,
                arrival: 0.0,
                ahead: 0.0,
                other: 0.0,
                wild: 0.0,
                command: 0.0,
                event: 0.0,
                taken: 1.0,
            },
            left: 0,
            reset: 0.00005,
            past: Past::of_latency(latency),
            counts,
        })
    }

    /// One phase for ever, for a bench: a packet in every clock cycle on all connections, and nothing stalls or resets the stage.
    pub fn steady(mut self) -> Self {
        let connections = self.receivers.len() as u64;
        self.phase = Phase { connections, arrival: 1.0, ahead: 0.1, other: 0.01, command: 0.05, ..self.phase };
        (self.left, self.reset) = (u64::MAX, 0.0);
        self
    }

    fn put(&self, input: &mut [u64], name: &str, value: u64) {
        if let Some(port) = self.inputs.get(name) {
            input[port.offset] = value & port.mask(0);
        }
    }

    fn next_phase(&mut self, input: &mut [u64]) {
        let random = &mut self.random;
        let pick = |random: &mut Random, from: &[f64]| from[random.below(from.len() as u64) as usize];
        let all = self.receivers.len() as u64;
        self.phase = Phase {
            connections: [1, 1, 2, all][random.below(4) as usize].min(all),
            arrival: pick(random, &[1.0, 1.0, 0.7, 0.3, 0.05]),
            ahead: pick(random, &[0.0, 0.1, 0.6, 0.95]),
            other: pick(random, &[0.0, 0.05, 0.5]),
            wild: pick(random, &[0.0, 0.0, 0.01, 0.3]),
            command: pick(random, &[0.0, 0.05, 0.3]),
            event: pick(random, &[0.0, 0.05, 0.5]),
            taken: pick(random, &[1.0, 1.0, 0.3, 0.02]),
        };
        self.left = random.between(40, 900);
        let settings = [
            ("valid", 1),
            ("tick", [1589, 0xFFFF, 0x8000][random.below(3) as usize]),
            ("count", random.below(9)),
            ("count_multipath", random.below(9)),
            ("time", [0, 1, 1, 30][random.below(4) as usize]),
            ("trigger", [0, 60_000, 0xFFFF, 0xFFFF][random.below(4) as usize]),
            ("per_packet", u64::from(random.chance(0.1))),
            ("added", random.below(3)),
            ("cc", u64::from(random.chance(0.5))),
        ];
        for (name, value) in settings {
            self.put(input, &format!("settings_{name}"), value);
        }
    }

    /// Outcome and PSN of the next arrival on a connection, which moves what its receiver knows.
    fn arrival(&mut self, connection: usize) -> (u64, u64) {
        let (window, mask) = (self.window, self.mask);
        let Phase { ahead, other, .. } = self.phase;
        let receiver = &mut self.receivers[connection];
        let at = |distance: u64| receiver.expected.wrapping_add(distance) & mask;
        if self.random.chance(other) {
            let outcome = 2 + self.random.below(6);
            let held = receiver.held.iter().next().copied();
            return match outcome {
                2 => held.map_or((3, at(mask)), |distance| (2, at(distance))),
                3 => (3, at(mask - self.random.below(5))),
                4 => (4, at(window + self.random.below(5))),
                5 | 7 => (outcome, at(self.random.below(3))),
                _ => (outcome, self.random.bits() & mask),
            };
        }
        if self.random.chance(ahead) {
            let distance = 1 + self.random.below(window - 1);
            let psn = at(distance);
            return (if receiver.held.insert(distance) { 1 } else { 2 }, psn);
        }
        let psn = receiver.expected;
        let mut moved = 1;
        while receiver.held.remove(&moved) {
            moved += 1;
        }
        receiver.held = receiver.held.iter().map(|distance| distance - moved).collect();
        receiver.expected = (psn + moved) & mask;
        (0, psn)
    }

    fn drive_arrival(&mut self, input: &mut [u64]) -> Option<[u64; 3]> {
        let Phase { connections, arrival, wild, .. } = self.phase;
        let arrives = self.random.chance(arrival);
        self.put(input, "arrival_valid", arrives.into());
        for flag in ["ack_request", "ecn", "syn", "retx", "trimmed", "suspected", "late", "unserved"] {
            let set = self.random.chance(0.1);
            self.put(input, &format!("arrival_{flag}"), set.into());
        }
        if !arrives || self.random.chance(wild) {
            return None;
        }
        let connection = self.random.below(connections);
        let (outcome, psn) = self.arrival(connection as usize);
        let Receiver { expected, held } = self.receivers[connection as usize].clone();
        let highest = held.iter().next_back().map_or(expected.wrapping_sub(1), |last| expected.wrapping_add(*last));
        let fields = [
            ("connection", connection),
            ("outcome", outcome),
            ("psn", psn),
            ("expected", expected),
            ("highest", highest),
            ("held", held.len() as u64),
            ("sack_base", psn & !63),
        ];
        for (name, value) in fields {
            self.put(input, &format!("arrival_{name}"), value);
        }
        Some([connection, outcome, expected])
    }

    fn drive_event(&mut self, input: &mut [u64], outputs: &[u64]) -> Option<[u64; 2]> {
        let offers = self.random.chance(self.phase.event);
        let connection = self.random.below(self.phase.connections);
        let expected = self.receivers[connection as usize].expected;
        let first = expected.wrapping_sub(self.random.below(3));
        let last = first.wrapping_add(self.random.below(6)) & self.mask;
        let fields = [("valid", offers.into()), ("connection", connection), ("first", first), ("last", last)];
        for (name, value) in fields {
            self.put(input, &format!("event_{name}"), value);
        }
        (offers && outputs[self.outputs["event_ready"].offset] == 1).then_some([connection, last])
    }

    fn drive_command(&mut self, input: &mut [u64]) {
        let operates = self.random.chance(self.phase.command);
        let op = [0, 1, 1, 1, 2, 3][self.random.below(6) as usize];
        let connection = self.random.below(self.phase.connections);
        // Connections begin shortly before the wrap of PSNs, and keep what their receiver expects otherwise.
        let receiver = &self.receivers[connection as usize];
        let psn = if self.random.chance(0.5) { receiver.expected } else { 0_u64.wrapping_sub(self.random.below(90)) };
        for (name, value) in [("valid", operates.into()), ("op", op), ("connection", connection), ("psn", psn)] {
            self.put(input, &format!("command_{name}"), value);
        }
    }
}

impl Drive for AckDrive {
    fn drive(&mut self, outputs: &[u64], input: &mut [u64]) -> bool {
        for port in self.inputs.clone().values() {
            input[port.offset] = 0;
        }
        let mut ports: Vec<_> = self.inputs.values().cloned().collect();
        ports.sort_by_key(|port| port.offset);
        for port in ports {
            input[port.offset] = self.random.bits() & port.mask(0);
        }
        self.put(input, "settings_valid", 0);
        if self.left == 0 {
            self.next_phase(input);
        }
        self.left -= 1;
        let ready = self.random.chance(self.phase.taken);
        self.put(input, "ack_ready", ready.into());
        let arrival = self.drive_arrival(input);
        let event = self.drive_event(input, outputs);
        self.drive_command(input);
        let seen = Seen { outputs, ports: &self.outputs, ready, arrival, event };
        let opened = self.past.watch(&seen, &mut self.counts.borrow_mut());
        if let Some((connection, psn)) = opened {
            self.receivers[connection as usize] = Receiver { expected: psn, held: BTreeSet::new() };
        }
        let resets = self.past.cycle == 1 || self.random.chance(self.reset);
        if resets {
            self.past.arrivals = VecDeque::new();
            self.past.event = None;
        }
        resets
    }
}
