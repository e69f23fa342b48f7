// SPDX-License-Identifier: MIT OR Apache-2.0
//! Traffic for a path scheduler: QPs that open and close under load; sub-paths that are added, started, drained,
//! removed and fail; feedback for granted packets; and some events that break the rules.

use crate::device::drive::Drive;
use crate::device::ports::Port;
use crate::device::random::Random;
use crate::device::{Error, Ports};

/// A phase of the traffic. Phases follow one another at random.
#[derive(Clone, Copy, Debug)]
struct Phase {
    /// Number of QPs in use, from 0 on.
    qps: u64,
    request: f64,
    feedback: f64,
    /// Share of the feedback that is not GOOD.
    bad: f64,
    /// Share of the events that break the rules.
    illegal: f64,
    command: f64,
    /// Probability that an event is taken in a cycle.
    taken: f64,
}

/// Random events that mostly follow the rules.
#[derive(Clone, Debug)]
pub struct SchedulerDrive {
    ports: Vec<Port>,
    qps: u64,
    paths: u64,
    random: Random,
    phase: Phase,
    left: u64,
    cycle: u64,
    /// QP and sub-path of granted packets without feedback.
    in_flight: Vec<[u64; 2]>,
    /// Number of steps taken to start sub-paths: open, remove if it has failed, add, start.
    steps: u64,
    reset: f64,
}

/// The first `INPUTS` names are inputs.
const NAMES: [&str; 40] = [
    "request_valid",
    "request_qp",
    "request_kind",
    "request_path",
    "feedback_valid",
    "feedback_qp",
    "feedback_path",
    "feedback_kind",
    "feedback_rtt",
    "feedback_bandwidth",
    "command_valid",
    "command_op",
    "command_qp",
    "command_path",
    "command_psn",
    "command_entropy",
    "command_granularity",
    "command_flowlet",
    "command_weight",
    "command_force",
    "settings_valid",
    "settings_flowlet",
    "settings_raise",
    "settings_fail",
    "settings_fail_time",
    "settings_wait",
    "settings_migrate",
    "settings_window",
    "settings_initial",
    "settings_rtt",
    "settings_delay",
    "event_ready",
    "lost_ready",
    "grant_ok",
    "grant_qp",
    "grant_path",
    "grant_flags",
    "feedback_ready",
    "command_ready",
    "event_valid",
];
const INPUTS: usize = 33;
/// The maximum number of packets without feedback that the drive remembers.
const MOST: usize = 3000;
/// With fewer packets without feedback there are retransmissions.
const FEW: usize = 64;

impl SchedulerDrive {
    /// Makes a drive for a scheduler with `qps` QPs of `paths` sub-paths.
    pub fn new(ports: &Ports, qps: u64, paths: u64, random: Random) -> Result<Self, Error> {
        let find = |(i, name): (usize, &&str)| {
            let port = if i < INPUTS { ports.input(name) } else { ports.output(name) };
            port.cloned().ok_or_else(|| Error::NoPort((*name).to_owned()))
        };
        let ports = NAMES.iter().enumerate().map(find).collect::<Result<_, _>>()?;
        let phase = Phase { qps: 1, request: 0.0, feedback: 0.0, bad: 0.0, illegal: 0.0, command: 0.0, taken: 1.0 };
        Ok(SchedulerDrive {
            ports,
            qps,
            paths,
            random,
            phase,
            left: 0,
            cycle: 0,
            in_flight: Vec::new(),
            steps: 0,
            reset: 0.00002,
        })
    }

    /// Sets the probability of a reset in a cycle.
    pub fn reset(mut self, p: f64) -> Self {
        self.reset = p;
        self
    }

    fn at(name: &str) -> usize {
        NAMES.iter().position(|known| *known == name).expect("one of the names")
    }

    fn next_phase(&mut self, input: &mut [u64]) {
        let random = &mut self.random;
        let pick = |random: &mut Random, from: &[f64]| from[random.below(from.len() as u64) as usize];
        self.phase = Phase {
            qps: [1, 1, 2, 3, self.qps][random.below(5) as usize].min(self.qps),
            request: pick(random, &[1.0, 1.0, 0.9, 0.5, 0.05]),
            feedback: pick(random, &[1.0, 0.9, 0.5, 0.1, 0.0]),
            bad: pick(random, &[0.0, 0.05, 0.3, 0.9]),
            illegal: pick(random, &[0.0, 0.01, 0.2]),
            command: pick(random, &[0.0, 0.05, 1.0, 1.0]),
            taken: pick(random, &[1.0, 0.5, 0.0]),
        };
        self.left = random.between(40, 900);
        for (name, values) in [
            ("settings_valid", [1, 1, 1, 1]),
            ("settings_flowlet", [0, 1, 2, 5]),
            ("settings_raise", [0, 1, 3, 20]),
            ("settings_fail", [0, 1, 3, 7]),
            ("settings_fail_time", [0, 0, 1, 3]),
            ("settings_wait", [0, 0, 1, 1]),
            ("settings_migrate", [0, 1, 2, 7]),
            ("settings_window", [0, 3, 20, u64::MAX]),
            ("settings_initial", [0, 1, 4, 12]),
            ("settings_rtt", [0, 0, 1, 3]),
            ("settings_delay", [0, 0, 8, 100]),
        ] {
            let port = &self.ports[Self::at(name)];
            input[port.offset] = values[random.below(4) as usize] & port.mask(0);
        }
    }

    /// Operation, QP, sub-path and weight: usually the next step to start one sub-path after the other, otherwise any
    /// operation.
    fn operation(&mut self, ready: bool) -> [u64; 4] {
        const ANY: [u64; 16] = [0, 0, 1, 2, 3, 3, 10, 4, 5, 6, 6, 7, 7, 8, 9, 11];
        let Phase { qps, .. } = self.phase;
        let all = self.ports[Self::at("command_weight")].mask(0);
        let weight = if self.random.chance(0.3) { all } else { self.random.below(all + 1) };
        if self.random.chance(0.7) {
            let (step, sub_path) = (self.steps % 4, self.steps / 4);
            self.steps += ready as u64;
            return [[1, 9, 4, 5][step as usize], sub_path % qps, sub_path / qps % self.paths, weight.max(1)];
        }
        let op = ANY[self.random.below(ANY.len() as u64) as usize];
        [op, self.random.below(qps), self.random.below(self.paths), weight]
    }
}

impl Drive for SchedulerDrive {
    fn drive(&mut self, outputs: &[u64], input: &mut [u64]) -> bool {
        let seen = |name: &str| outputs[self.ports[Self::at(name)].offset];
        let (ready, operates) = (seen("feedback_ready") == 1, seen("command_ready") == 1);
        // A probe has flag P and does not count as in flight.
        if seen("grant_ok") == 1 && seen("grant_flags") & 4 == 0 && self.in_flight.len() < MOST {
            self.in_flight.push([seen("grant_qp"), seen("grant_path")]);
        }
        for i in 0..INPUTS {
            let port = &self.ports[i];
            input[port.offset] = self.random.bits() & port.mask(0);
        }
        input[self.ports[Self::at("settings_valid")].offset] = 0;
        if self.left == 0 {
            self.next_phase(input);
        }
        self.left -= 1;
        let Phase { qps, request, feedback, bad, illegal, command, taken } = self.phase;
        let mut put = |name: &str, value: u64| {
            let port = &self.ports[Self::at(name)];
            input[port.offset] = value & port.mask(0);
        };
        put("request_valid", self.random.chance(request) as u64);
        put("feedback_valid", 0);
        put("feedback_rtt", self.random.below(12));
        let offers = self.random.chance(command);
        put("command_valid", offers as u64);
        put("command_flowlet", self.random.below(3));
        put("command_force", self.random.chance(0.8) as u64);
        put("event_ready", self.random.chance(taken) as u64);
        put("lost_ready", self.random.chance(taken) as u64);
        if !self.random.chance(illegal) {
            put("request_qp", self.random.below(qps));
            put("request_kind", [0, 0, 0, 0, 0, 0, 1, 2][self.random.below(8) as usize]);
            put("request_path", self.random.below(self.paths));
        }
        if ready && self.random.chance(feedback) {
            if self.random.chance(illegal) {
                put("feedback_valid", 1);
            } else if self.random.chance(0.05) {
                put("feedback_valid", 1);
                put("feedback_qp", self.random.below(qps));
                put("feedback_path", self.random.below(self.paths));
                // The answer to a probe, or a mark.
                put("feedback_kind", 4 + self.random.below(2));
            } else if !self.in_flight.is_empty() {
                // Feedback is nearly in order.
                let at = self.random.below(self.in_flight.len().min(4) as u64) as usize;
                let [qp, path] = self.in_flight.remove(at);
                put("feedback_valid", 1);
                put("feedback_qp", qp);
                put("feedback_path", path);
                let rated = if self.random.chance(bad) { 1 + self.random.below(3) } else { 0 };
                // One in 16 is returned.
                put("feedback_kind", if self.random.below(16) == 0 { 6 } else { rated });
            }
        }
        // Full sub-paths take retransmissions, and the smallest counts 127 packets in flight (T22).
        let kind = &mut input[self.ports[Self::at("request_kind")].offset];
        if *kind == 1 && self.in_flight.len() >= FEW {
            *kind = 0;
        }
        let operation = self.operation(operates && offers);
        if !self.random.chance(illegal) {
            let [op, qp, path, weight] = operation;
            let mode = self.random.below(3);
            for (name, value) in [("op", op), ("qp", qp), ("path", path), ("weight", weight), ("granularity", mode)] {
                let port = &self.ports[Self::at(&format!("command_{name}"))];
                input[port.offset] = value;
            }
        }
        let reset = self.cycle == 0 || self.random.chance(self.reset);
        if reset {
            self.in_flight.clear();
        }
        self.cycle += 1;
        reset
    }
}
