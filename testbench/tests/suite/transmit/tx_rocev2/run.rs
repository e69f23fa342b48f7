// SPDX-License-Identifier: MIT OR Apache-2.0
//! A transmit path of RoCEv2 with a host that brings the bytes and keeps sub-paths, and peers that answer.

use super::checker::{Checker, Limits};
use super::paths::{ABSENT, ACTIVE, Command, PATHS, op};
use super::peer::{Network, Peer};
use super::wire::{Asked, Destination, Write};
use crate::transmit::tx::bench::{Bench, Event, Fetch, PathEvent, PathResponse, Response};
use std::collections::VecDeque;
use testbench::Dut;
use testbench::device::random::Random;

/// QPs of the device.
pub const QPS: u64 = 4;
/// Clock cycles within which a command is done, and all traffic ends.
const PATIENCE: u64 = 600_000;

/// How a run goes.
pub struct Conditions<'c> {
    pub network: Network,
    /// The probability of a pause of each stream.
    pub pause: &'c dyn Fn(&str) -> f64,
    /// Clock cycles that the host takes to bring bytes, at most.
    pub host_delay: u64,
    /// The probability that they are bad.
    pub bad: f64,
}

/// Events of `path_scheduler`.
#[derive(Clone, Copy, Debug, Default)]
pub struct PathEvents {
    pub failed: u64,
    pub all_failed: u64,
    pub congested: u64,
    pub saturated: u64,
}

/// A run.
pub struct Run<'a> {
    pub bench: Bench<'a>,
    pub checker: Checker,
    pub peer: Peer,
    pub random: Random,
    /// The clock cycle and the QP of each failure.
    pub failures: Vec<(u64, u64)>,
    /// All fetches, with their clock cycles.
    pub fetches: Vec<(u64, Fetch)>,
    pub path_events: PathEvents,
    /// Those that have not been looked at.
    pub news: VecDeque<PathEvent>,
    /// The last ACK that each QP was given: its PSN and its sub-path.
    pub heard: Vec<Option<(u64, u64)>>,
    /// Requests without an answer.
    asked: VecDeque<(u64, Asked)>,
    /// Bytes that are brought, from a clock cycle on, and whether they are bad.
    brought: VecDeque<(u64, Vec<u8>, bool)>,
    host_delay: u64,
    bad: f64,
    handle: u64,
    response: Option<Response>,
    path_response: Option<PathResponse>,
    /// The QP whose state a command changes.
    changing: Option<u64>,
}

impl<'a> Run<'a> {
    pub fn new(dut: &'a mut dyn Dut, limits: Limits, seed: u64, conditions: &Conditions) -> Self {
        Run {
            bench: Bench::new(dut, seed, conditions.pause),
            checker: Checker::new(QPS, limits, seed + 3),
            peer: Peer::new(QPS, conditions.network, limits.format.mpeh, seed + 1),
            random: Random::new(seed + 2),
            failures: Vec::new(),
            fetches: Vec::new(),
            path_events: PathEvents::default(),
            news: VecDeque::new(),
            heard: vec![None; QPS as usize],
            asked: VecDeque::new(),
            brought: VecDeque::new(),
            host_delay: conditions.host_delay,
            bad: conditions.bad,
            handle: 0,
            response: None,
            path_response: None,
            changing: None,
        }
    }

    /// Packets that have been granted a sub-path and not been sent: `packet_tracker` had none for them. One that found no
    /// packet to send again counts as well, though then a new one may have been sent.
    fn returned(&self) -> u64 {
        let of = |name: &str| self.bench.output(name);
        of("packet_tracker_refused_sends") + of("packet_tracker_empty_sends")
    }

    /// A clock cycle of all.
    pub fn step(&mut self) {
        let now = self.bench.cycle();
        for event in self.bench.step() {
            match event {
                Event::Accepted { pdc, handle, done } => {
                    let (qp, asked) = self.asked.pop_front().expect("there was a request");
                    assert_eq!((pdc, handle), (qp, asked.handle), "the answer to another request");
                    self.checker.answered(qp, asked, done, (self.changing == Some(qp), now));
                }
                Event::Fetch(fetch) => {
                    self.fetches.push((now, fetch));
                    let is_bad = self.random.chance(self.bad);
                    let body = self.checker.fetched(fetch, is_bad, (now, self.returned()));
                    let at = now + self.random.below(self.host_delay + 1);
                    self.brought.push_back((at, body, is_bad));
                }
                Event::Frame(frame) => {
                    if let Some(arrival) = self.checker.frame(&frame, self.returned()) {
                        self.peer.packet(now, arrival);
                    }
                }
                Event::Completion { pdc, handle } => self.checker.completed(pdc, handle, now),
                Event::Failure(qp) => self.failures.push((now, qp)),
                Event::Response(response) => self.response = Some(response),
                Event::PathResponse(response) => self.path_response = Some(response),
                Event::PathEvent(event) => {
                    let of = &mut self.path_events;
                    of.failed += u64::from(event.failed);
                    of.all_failed += u64::from(event.all_failed);
                    of.congested += u64::from(event.congested);
                    of.saturated += u64::from(event.saturated);
                    self.news.push_back(event);
                }
            }
        }
        while self.brought.front().is_some_and(|(at, ..)| *at <= now) {
            let (_, body, is_bad) = self.brought.pop_front().expect("there is one");
            self.bench.bytes(body, is_bad);
        }
        for answer in self.peer.arrivals(now) {
            self.heard[answer.qp as usize] = answer.said();
            self.checker.named(answer.qp, answer.named);
            self.bench.record(&answer.fields);
            // Records of other frames stand between.
            if self.random.chance(0.2) {
                let qp = self.random.below(QPS);
                let last = self.checker.next_psn(qp).wrapping_sub(1) & 0xFF_FFFF;
                let fields = self.peer.other(qp, last);
                self.bench.record(&fields);
            }
        }
    }

    /// So many clock cycles.
    pub fn steps(&mut self, cycles: u64) {
        (0..cycles).for_each(|_| self.step());
    }

    /// Asks for a message to be sent.
    pub fn request(&mut self, qp: u64, length: u64, is_write: bool) {
        self.request_with(qp, length, is_write, (false, false));
    }

    /// The same, with immediate data or a key that is invalidated, or with both, for which there is no operation.
    pub fn request_with(
        &mut self,
        qp: u64,
        length: u64,
        is_write: bool,
        (with_immediate, with_invalidate): (bool, bool),
    ) {
        let (handle, address) = (self.handle & 0xFFFF, self.random.bits());
        let (remote, rkey) = (self.random.bits(), self.random.bits() & 0xFFFF_FFFF);
        self.handle += 1;
        let write = is_write.then_some(Write { address: remote, rkey });
        let immediate = self.random.bits() & 0xFFFF_FFFF;
        let asked = Asked { handle, address, length, write, with_immediate, with_invalidate, immediate };
        self.asked.push_back((qp, asked));
        // What a SEND has of WRITE means nothing, nor has an immediate that is not asked for.
        let fields = [
            ("pdc", qp),
            ("handle", handle),
            ("address", address),
            ("length", length),
            ("write", is_write.into()),
            ("remote_address", remote),
            ("rkey", rkey),
            ("with_immediate", with_immediate.into()),
            ("with_invalidate", with_invalidate.into()),
            ("immediate", immediate),
        ];
        self.bench.request(&fields);
    }

    /// Asks for a message of any kind.
    pub fn request_any(&mut self, qp: u64) {
        let (length, is_write) = (self.length(), self.random.chance(0.5));
        let with = match self.random.below(4) {
            0 => (true, false),
            1 => (false, !is_write),
            _ => (false, false),
        };
        self.request_with(qp, length, is_write, with);
    }

    /// All requests have been answered.
    pub fn is_answered(&self) -> bool {
        self.asked.is_empty()
    }

    /// A length: often that of a few packets, or a few bytes from it.
    fn length(&mut self) -> u64 {
        let packets = self.random.below(6);
        match self.random.below(4) {
            0 => self.random.below(256 * 12),
            1 => 256 * packets + self.random.below(4),
            2 => 256 * packets,
            _ => self.random.below(300),
        }
    }

    /// Traffic for so many clock cycles, with a request for each of the QPs now and then.
    pub fn traffic(&mut self, cycles: u64, chance: f64) {
        let end = self.bench.cycle() + cycles;
        while self.bench.cycle() < end {
            self.traffic_step(chance);
        }
    }

    /// One clock cycle of it.
    pub fn traffic_step(&mut self, chance: f64) {
        if self.asked.len() < 4 && self.random.chance(chance) {
            let qp = self.random.below(QPS);
            self.request_any(qp);
        }
        self.step();
    }

    /// Runs until all messages are complete.
    pub fn until_done(&mut self) {
        let end = self.bench.cycle() + PATIENCE;
        while !(self.asked.is_empty() && self.checker.is_done()) {
            self.step();
            assert!(self.bench.cycle() < end, "messages are never complete: {}", self.state());
        }
    }

    fn state(&self) -> String {
        let left: Vec<_> = (0..QPS).map(|qp| (self.checker.under_way(qp), self.checker.next_psn(qp))).collect();
        format!("{left:?}, cycle {}", self.bench.cycle())
    }

    fn command(&mut self, qp: u64, fields: &[(&str, u64)]) -> Response {
        self.changing = Some(qp);
        let end = self.bench.cycle() + PATIENCE;
        self.bench.command(fields);
        loop {
            self.step();
            if let Some(response) = self.response.take() {
                self.changing = None;
                let op = fields.iter().find(|(name, _)| *name == "op").map(|(_, op)| *op);
                assert_eq!((Some(response.op), response.pdc), (op, qp));
                return response;
            }
            assert!(self.bench.cycle() < end, "no response: {}", self.state());
        }
    }

    /// Opens a QP, but not its sub-paths; `more` are fields of the command.
    pub fn open(&mut self, qp: u64, psn: u64, more: &[(&str, u64)]) -> Response {
        let destination = Destination::random(&mut self.random);
        let mut fields = vec![("op", 1), ("pdc", qp), ("psn", psn), ("weight", 1 + qp % 4)];
        fields.extend(destination.fields());
        fields.extend(more);
        let was_open = self.checker.is_open(qp);
        // Requests are accepted as soon as it is open, which may be before the response is seen.
        let response = self.command(qp, &fields);
        if response.done {
            assert!(!was_open, "it was open");
            self.checker.open(qp, psn, destination);
            self.peer.open(qp, psn);
            self.heard[qp as usize] = None;
        }
        response
    }

    /// Closes a QP, but not its sub-paths.
    pub fn close(&mut self, qp: u64, force: bool) -> Response {
        let was_open = self.checker.is_open(qp);
        let response = self.command(qp, &[("op", 2), ("pdc", qp), ("force", force.into())]);
        if response.done {
            assert!(was_open && (force || self.checker.under_way(qp) == 0), "QP {qp} could not be closed");
            self.checker.close(qp);
        }
        response
    }

    /// Reads the state of a QP.
    pub fn read(&mut self, qp: u64) -> Response {
        self.command(qp, &[("op", 0), ("pdc", qp)])
    }

    /// *Resize* to another weight, with the window as it is (row TX35).
    pub fn resize(&mut self, qp: u64, weight: u64) -> Response {
        let dscp = self.checker.dscp(qp);
        self.command(qp, &[("op", 3), ("pdc", qp), ("weight", weight), ("dscp", dscp)])
    }

    /// *Resize* to another DSCP, while nothing of the QP is under way.
    pub fn remark(&mut self, qp: u64, dscp: u64) -> Response {
        let response = self.command(qp, &[("op", 3), ("pdc", qp), ("dscp", dscp)]);
        if response.done {
            self.checker.remarked(qp, dscp);
        }
        response
    }

    /// *Lose*: what is in flight on a sub-path (row TX36).
    pub fn lose(&mut self, qp: u64, path: u64) -> Response {
        self.command(qp, &[("op", 4), ("pdc", qp), ("ev", path)])
    }

    /// A command of `path_scheduler`. Traffic goes on meanwhile.
    pub fn path_command(&mut self, command: &Command) -> PathResponse {
        let end = self.bench.cycle() + PATIENCE;
        if command.op != op::READ {
            self.checker.path_offered(self.bench.cycle(), command);
        }
        self.bench.path_command(&command.fields());
        loop {
            self.step();
            let now = self.bench.cycle();
            if let Some(response) = self.path_response.take() {
                let Command { op, qp, path, .. } = *command;
                assert_eq!((response.op, response.qp, response.path), (op, qp, path));
                if op != op::READ {
                    self.checker.path_answered(now, command, response.done, self.returned());
                }
                self.look(now, &response);
                return response;
            }
            assert!(self.bench.cycle() < end, "no response of path_scheduler: {}", self.state());
        }
    }

    /// A sub-path has the state that the host has given it, or has failed.
    fn look(&mut self, now: u64, response: &PathResponse) {
        let PathResponse { qp, path, state, .. } = *response;
        let known = self.checker.paths(qp);
        assert_eq!((response.open, response.granularity), (known.open, known.granularity), "{response:?}");
        let of = known.paths[path as usize % PATHS];
        if of.active && state != ACTIVE {
            self.checker.path_failed(now, qp, path);
        }
        assert!(of.active || state != ACTIVE, "{response:?} is active");
        if state != ABSENT {
            assert!(response.limit == of.limit && response.weight <= of.limit, "{response:?}, {of:?}");
        }
    }

    /// The same without most of its fields.
    pub fn path_op(&mut self, op: u64, qp: u64, path: u64) -> PathResponse {
        self.path_command(&Command { op, qp, path, ..Command::default() })
    }

    /// An entropy that no other sub-path of the QP has, neither in the UDP source port.
    fn entropy(&mut self, qp: u64) -> u64 {
        let known = self.checker.paths(qp).paths;
        loop {
            let entropy = self.random.bits() & 0xF_FFFF;
            if known.iter().all(|path| (path.entropy ^ entropy) & 0xFFFF != 0) {
                return entropy;
            }
        }
    }

    /// Adds a sub-path and starts it, with this weight and limit.
    pub fn start(&mut self, qp: u64, path: u64, (weight, limit): (u64, u64)) {
        let entropy = self.entropy(qp);
        let add = Command { op: op::ADD, qp, path, entropy, weight: limit, ..Command::default() };
        assert!(self.path_command(&add).done, "sub-path {path} of QP {qp} is not added");
        let start = Command { op: op::START, qp, path, weight, force: true, ..Command::default() };
        let started = self.path_command(&start);
        assert!(started.done && started.state == ACTIVE, "{started:?}");
    }

    /// Changes the entropy of a sub-path.
    pub fn set_entropy(&mut self, qp: u64, path: u64) -> PathResponse {
        let entropy = self.entropy(qp);
        self.path_command(&Command { op: op::SET_ENTROPY, qp, path, entropy, ..Command::default() })
    }
}
