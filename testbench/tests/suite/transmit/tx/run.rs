// SPDX-License-Identifier: MIT OR Apache-2.0
//! A transmit path with a host that brings the bytes, and peers that answer.

use super::bench::{Bench, Event, Fetch, Response};
use super::checker::{Checker, Destination, Left, bytes};
use super::peer::{Answer, Credits, Network, Peer};
use super::place::Place;
use std::collections::VecDeque;
use testbench::Dut;
use testbench::device::random::Random;

/// Clock cycles within which a command is done, and all traffic ends.
const PATIENCE: u64 = 600_000;

/// A host that takes its time to bring bytes: so many clock cycles at most.
pub struct Run<'a> {
    pub bench: Bench<'a>,
    pub checker: Checker,
    pub peer: Peer,
    pub random: Random,
    pdcs: u64,
    /// Requests without an answer.
    asked: VecDeque<(u64, (u64, u64, u64))>,
    /// Bytes that are brought, from a clock cycle on.
    brought: VecDeque<(u64, Fetch)>,
    host_delay: u64,
    handle: u64,
    response: Option<Response>,
    /// The PDC whose state a command changes.
    changing: Option<u64>,
    /// The clock cycle and the PDC of each failure.
    pub failures: Vec<(u64, u64)>,
    /// All fetches, with their clock cycles.
    pub fetches: Vec<(u64, Fetch)>,
    /// The last ACK with state that each PDC was given.
    pub heard: Vec<Option<Answer>>,
    credits: Credits,
    /// The device has RCCC.
    asks: bool,
    /// When credit is offered, and for which PDC.
    granting: Random,
}

/// How often credit is offered.
const GRANTS: f64 = 0.01;

impl<'a> Run<'a> {
    pub fn new(
        dut: &'a mut dyn Dut,
        checker: Checker,
        (pdcs, seed): (u64, u64),
        (network, credits): (Network, Credits),
        pause: impl Fn(&str) -> f64,
        host_delay: u64,
    ) -> Self {
        let bench = Bench::new(dut, seed, pause);
        Run {
            asks: bench.has("credit_requests"),
            bench,
            checker,
            peer: Peer::new(pdcs, network, credits, seed + 1),
            random: Random::new(seed + 2),
            pdcs,
            asked: VecDeque::new(),
            brought: VecDeque::new(),
            host_delay,
            handle: 0,
            response: None,
            changing: None,
            failures: Vec::new(),
            fetches: Vec::new(),
            heard: vec![None; pdcs as usize],
            credits,
            granting: Random::new(seed + 3),
        }
    }

    /// A clock cycle of all.
    pub fn step(&mut self) {
        let now = self.bench.cycle();
        let events = self.bench.step();
        if self.asks {
            self.checker.asked(now, self.bench.output("credit_requests"));
        }
        for event in events {
            match event {
                Event::Accepted { pdc, handle, done } => {
                    let (asked, message) = self.asked.pop_front().expect("there was a request");
                    assert_eq!((pdc, handle), (asked, message.0), "the answer to another request");
                    self.checker.answered(pdc, message, done, (self.changing == Some(pdc), now));
                }
                Event::Fetch(fetch) => {
                    self.fetches.push((now, fetch));
                    self.checker.fetched(fetch, now);
                    let at = now + self.random.below(self.host_delay + 1);
                    self.brought.push_back((at, fetch));
                }
                Event::Frame(frame) => {
                    assert_eq!(frame.user, 0, "a good frame");
                    match self.checker.frame(&frame.bytes) {
                        Some(Left::Packet(arrival)) => self.peer.packet(now, arrival),
                        Some(Left::Request(request)) => self.peer.request(now, request.pdc, request.target),
                        Some(Left::Probe(probe)) => self.peer.probe(now, probe),
                        None => {}
                    }
                }
                Event::Completion { pdc, handle } => self.checker.completed(pdc, handle, now),
                Event::Failure(pdc) => self.failures.push((now, pdc)),
                Event::Response(response) => self.response = Some(response),
                Event::PathResponse(_) | Event::PathEvent(_) => panic!("UET has no sub-paths"),
            }
        }
        while let Some(&(at, fetch)) = self.brought.front()
            && at <= now
        {
            self.brought.pop_front();
            self.bench.bytes(bytes(&fetch), false);
        }
        for answer in self.peer.arrivals(now) {
            let pdc = answer.pdc;
            self.checker.named(pdc, answer.named.iter().copied(), now);
            if let Some(credit) = answer.credit {
                self.checker.credited(pdc, credit);
            }
            self.bench.record(&answer.fields);
            if answer.has_state() {
                self.heard[pdc as usize] = Some(answer);
            }
            // Records of other frames stand between.
            if self.random.chance(0.2) {
                let words = [("found", 1), ("connection", pdc), ("transport", 3), ("header_0", 2 << 27)];
                self.bench.record(&words);
            }
        }
    }

    /// Offers credit for the peer of an open PDC now and then.
    pub fn grant(&mut self) {
        let (pdc, credit) = (self.granting.below(self.pdcs), self.granting.bits() & 0xFF_FFFF);
        if self.asks && self.granting.chance(GRANTS) && self.checker.is_open(pdc) {
            self.bench.credit(pdc, credit);
            self.checker.grants(pdc, credit);
        }
    }

    /// Asks for a message to be sent.
    pub fn request(&mut self, pdc: u64, length: u64) {
        let (handle, address) = (self.handle & 0xFFFF, self.random.bits());
        self.handle += 1;
        self.asked.push_back((pdc, (handle, address, length)));
        let fields = [("pdc", pdc), ("handle", handle), ("address", address), ("length", length)];
        self.bench.request(&fields);
    }

    /// All requests have been answered.
    pub fn is_answered(&self) -> bool {
        self.asked.is_empty()
    }

    /// Requests that have not been answered.
    pub fn unanswered(&self) -> usize {
        self.asked.len()
    }

    /// A length: often that of a few packets, or one byte from it.
    pub fn length(&mut self) -> u64 {
        let packets = self.random.below(6);
        match self.random.below(4) {
            0 => self.random.below(256 * 12),
            1 => 256 * packets + 1,
            2 => 256 * packets,
            _ => self.random.below(300),
        }
    }

    /// Traffic for so many clock cycles, with a request for each of `pdcs` now and then.
    pub fn traffic(&mut self, cycles: u64, chance: f64) {
        let end = self.bench.cycle() + cycles;
        while self.bench.cycle() < end {
            if self.asked.len() < 4 && self.random.chance(chance) {
                let (pdc, length) = (self.random.below(self.pdcs), self.length());
                self.request(pdc, length);
            }
            self.grant();
            self.step();
        }
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
        let left: Vec<_> =
            (0..self.pdcs).map(|pdc| (self.checker.under_way(pdc), self.checker.next_psn(pdc))).collect();
        format!("{left:?}, cycle {}", self.bench.cycle())
    }

    fn command(&mut self, pdc: u64, fields: &[(&str, u64)]) -> Response {
        self.changing = Some(pdc);
        let end = self.bench.cycle() + PATIENCE;
        // Credit that is offered is for a PDC that is open (TX27).
        while self.asks && !self.bench.has_no_credit() {
            self.step();
        }
        self.bench.command(fields);
        loop {
            self.step();
            if let Some(response) = self.response.take() {
                self.changing = None;
                let op = fields.iter().find(|(name, _)| *name == "op").map(|(_, op)| *op);
                assert_eq!((Some(response.op), response.pdc), (op, pdc));
                return response;
            }
            assert!(self.bench.cycle() < end, "no response: {}", self.state());
        }
    }

    /// A destination at random.
    pub fn destination(&mut self) -> Destination {
        let place = Place::random(&mut self.random);
        Destination { place, pdcids: [self.random.bits() & 0xFFFF, self.random.bits() & 0xFFFF] }
    }

    /// Opens a PDC; `more` are fields of the command.
    pub fn open(&mut self, pdc: u64, psn: u64, more: &[(&str, u64)]) -> Response {
        let destination = self.destination();
        let mut fields = vec![
            ("op", 1),
            ("pdc", pdc),
            ("psn", psn),
            ("weight", 1 + pdc % 4),
            ("nscc", (self.credits == Credits::None).into()),
            ("rccc", (self.credits != Credits::None).into()),
        ];
        fields.extend(destination.fields());
        fields.extend(more);
        let (was_open, now) = (self.checker.is_open(pdc), self.bench.cycle());
        // Requests are accepted as soon as it is open, which may be before the response is seen.
        let response = self.command(pdc, &fields);
        if response.done {
            assert!(!was_open, "it was open");
            self.checker.open(pdc, psn, destination, now);
            self.peer.open(pdc, psn);
            self.heard[pdc as usize] = None;
        }
        response
    }

    /// Closes a PDC.
    pub fn close(&mut self, pdc: u64, force: bool) -> Response {
        let was_open = self.checker.is_open(pdc);
        let response = self.command(pdc, &[("op", 2), ("pdc", pdc), ("force", force.into())]);
        if response.done {
            assert!(was_open && (force || self.checker.under_way(pdc) == 0), "PDC {pdc} could not be closed");
            self.checker.close(pdc);
        }
        response
    }

    /// *Resize* to another window, with all else as it is (row TX25).
    pub fn resize(&mut self, pdc: u64, window: u64) -> Response {
        let dscp = self.checker.dscp(pdc);
        self.command(pdc, &[("op", 3), ("pdc", pdc), ("window", window), ("dscp", dscp)])
    }

    /// *Resize* to another DSCP, while nothing of the PDC is under way.
    pub fn remark(&mut self, pdc: u64, dscp: u64) -> Response {
        let response = self.command(pdc, &[("op", 3), ("pdc", pdc), ("dscp", dscp)]);
        if response.done {
            self.checker.remarked(pdc, dscp);
        }
        response
    }

    /// *Resize* to another class, and to another DSCP, which must not be done if the class is refused.
    pub fn resize_class(&mut self, pdc: u64, class: u64) -> Response {
        let dscp = self.checker.dscp(pdc) ^ 1;
        self.command(pdc, &[("op", 3), ("pdc", pdc), ("class", class), ("weight", 1), ("dscp", dscp)])
    }

    /// *Lose*: all that is in flight (row TX36), or what is on an EV.
    pub fn lose(&mut self, pdc: u64, ev: Option<u64>) -> Response {
        let (ev, all) = (ev.unwrap_or(0), ev.is_none().into());
        self.command(pdc, &[("op", 4), ("pdc", pdc), ("ev", ev), ("all", all)])
    }

    /// Reads the state of a PDC.
    pub fn read(&mut self, pdc: u64) -> Response {
        self.command(pdc, &[("op", 0), ("pdc", pdc)])
    }
}
