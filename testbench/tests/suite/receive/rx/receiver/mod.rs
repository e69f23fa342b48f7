// SPDX-License-Identifier: MIT OR Apache-2.0
//! A receiver without clock cycles: what becomes of each frame in the order of arrival, and which packets each connection
//! delivers. It also sends: frames of all connections, and frames that belong to none.

mod sender;

use pipeline::receive::ack_generator::AckProtocol;
use pipeline::receive::reorder::outcome;
use std::collections::{BTreeMap, BTreeSet};
use testbench::benches::rx_bench::{Delivered, Identified, RxBench, Undelivered};
use testbench::device::random::Random;
use testbench::streams::Frame;

/// DSCP of a trimmed packet, and of one that was trimmed at the last hop.
pub const TRIMMED: u64 = 16;
pub const TRIMMED_LAST_HOP: u64 = 18;
/// The byte of a frame with DSCP and ECN.
const TRAFFIC_CLASS: usize = 15;

/// A connection from an *open* on: what answers may say of it. Packets have numbers from the first one on.
#[derive(Clone, Debug)]
pub struct Noted {
    pub connection: u64,
    pub key: u64,
    /// The PSN of number 0.
    pub first: u64,
    pub expected: u64,
    /// Numbers that the sender has reached.
    pub sent: u64,
    pub received: BTreeSet<u64>,
    /// PSNs behind the window.
    pub refused: BTreeSet<u64>,
}

/// A connection, with its receiver and its sender.
#[derive(Clone, Debug)]
struct Connection {
    /// The place of what is noted.
    opening: usize,
    /// Received behind the expected one, with their handles.
    held: BTreeMap<u64, u64>,
    /// The sender: packets not sent yet, in the order in which they will be.
    next: u64,
    waiting: Vec<u64>,
}

/// How often things have been seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    counts: BTreeMap<&'static str, u64>,
}

impl Seen {
    fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    /// How often this has been seen.
    pub fn of(&self, what: &str) -> u64 {
        self.counts.get(what).copied().unwrap_or(0)
    }

    /// Everything has been seen.
    pub fn covers_all(&self) {
        const ALL: [&str; 11] = [
            "in order",
            "held",
            "duplicate",
            "below",
            "above",
            "unknown",
            "not in sequence, found",
            "not in sequence, not found",
            "dropped",
            "delivered",
            "marked",
        ];
        let missing: Vec<_> = ALL.into_iter().filter(|what| !self.counts.contains_key(what)).collect();
        assert!(missing.is_empty(), "{missing:?} have not been seen: {:?}", self.counts);
    }
}

/// The receiver.
pub struct Receiver {
    protocol: AckProtocol,
    window: u64,
    connections: BTreeMap<u64, Connection>,
    openings: Vec<Noted>,
    used_keys: BTreeSet<u64>,
    /// PSNs of packets of no connection.
    unknown: BTreeSet<u64>,
    /// Frames that are to pass, and what stands beside their records.
    passed: Vec<(Frame, Identified)>,
    /// How many there were before them, for their numbers.
    forgotten: u64,
    delivered: BTreeMap<u64, Vec<Delivered>>,
    /// Those in sequence that are never delivered.
    undelivered: Vec<Undelivered>,
    /// The handles of those that waited when their connection was closed.
    discarded: BTreeSet<u64>,
    seen: Seen,
}

impl Receiver {
    pub fn new(protocol: AckProtocol, window: u64) -> Self {
        Receiver {
            protocol,
            window,
            connections: BTreeMap::new(),
            openings: Vec::new(),
            used_keys: BTreeSet::new(),
            unknown: BTreeSet::new(),
            passed: Vec::new(),
            forgotten: 0,
            delivered: BTreeMap::new(),
            undelivered: Vec::new(),
            discarded: BTreeSet::new(),
            seen: Seen::default(),
        }
    }

    /// A key that no connection has had.
    pub fn free_key(&mut self, random: &mut Random) -> u64 {
        let bits = match self.protocol {
            AckProtocol::Roce => 24,
            AckProtocol::Uet => 16,
        };
        loop {
            let key = random.below(1 << bits);
            if self.used_keys.insert(key) {
                return key;
            }
        }
    }

    pub fn key(&self, connection: u64) -> u64 {
        self.noted(connection).key
    }

    fn noted(&self, connection: u64) -> &Noted {
        &self.openings[self.connections[&connection].opening]
    }

    /// All that has been open, each with its place.
    pub fn openings(&self) -> impl Iterator<Item = (u64, &Noted)> {
        (0..).zip(&self.openings)
    }

    /// The connection that had this key.
    pub fn of_key(&self, key: u64) -> &Noted {
        self.openings.iter().find(|noted| noted.key == key).expect("the key has had a connection")
    }

    pub fn unknown_psns(&self) -> &BTreeSet<u64> {
        &self.unknown
    }

    pub fn seen(&self) -> &Seen {
        &self.seen
    }

    pub fn protocol(&self) -> AckProtocol {
        self.protocol
    }

    pub fn open(&mut self, connection: u64, key: u64, first: u64) {
        let (received, refused) = (BTreeSet::new(), BTreeSet::new());
        let opened = Connection { opening: self.openings.len(), held: BTreeMap::new(), next: 0, waiting: Vec::new() };
        self.openings.push(Noted { connection, key, first, expected: 0, sent: 0, received, refused });
        self.connections.insert(connection, opened);
    }

    pub fn close(&mut self, connection: u64) {
        let closed = self.connections.remove(&connection).expect("it is open");
        self.discarded.extend(closed.held.values());
    }

    /// Makes frames, and notes what is to become of each.
    pub fn traffic(&mut self, random: &mut Random, count: usize) -> Vec<Frame> {
        (0..count).map(|_| self.frame(random)).collect()
    }

    /// A packet of each connection that comes again, which asks for an ACK at once.
    pub fn repetitions(&mut self, random: &mut Random) -> Vec<Frame> {
        let mut frames = Vec::new();
        for connection in self.connections.keys().copied().collect::<Vec<_>>() {
            if let Some(last) = self.noted(connection).expected.checked_sub(1) {
                frames.push(self.packet(random, connection, last));
            }
        }
        frames
    }

    /// The packet with this number.
    fn packet(&mut self, random: &mut Random, connection: u64, number: u64) -> Frame {
        let Noted { key, first, .. } = *self.noted(connection);
        self.arrives(random, key, first.wrapping_add(number) & self.psn_mask(), Some((connection, number)))
    }

    /// The number of the next frame that passes.
    fn handle(&self) -> u64 {
        (self.forgotten + self.passed.len() as u64) & 0xFFFF
    }

    /// Packets for all gaps, so that nothing waits.
    pub fn complete(&mut self, random: &mut Random) -> Vec<Frame> {
        let mut frames = Vec::new();
        for connection in self.connections.keys().copied().collect::<Vec<_>>() {
            while !self.connections[&connection].held.is_empty() {
                frames.push(self.packet(random, connection, self.noted(connection).expected));
            }
        }
        frames
    }

    /// Forgets what has been checked, for traffic without end; nothing may wait.
    pub fn forget(&mut self) {
        self.forgotten += self.passed.len() as u64;
        self.passed.clear();
        self.delivered.clear();
        self.undelivered.clear();
        self.discarded.clear();
        self.unknown.clear();
        self.used_keys = self.openings.iter().map(|noted| noted.key).collect();
        for noted in &mut self.openings {
            noted.received.clear();
            noted.refused.clear();
        }
    }

    fn psn_mask(&self) -> u64 {
        (1 << self.protocol.psn_bits()) - 1
    }

    fn frame(&mut self, random: &mut Random) -> Frame {
        let open: Vec<_> = self.connections.keys().copied().collect();
        let connection = open[random.below(open.len() as u64) as usize];
        match random.below(20) {
            0 => self.other(random, connection),
            1 => self.dropped(random, connection),
            2 => {
                let (key, psn) = (self.free_key(random), random.below(1 << 24));
                self.unknown.insert(psn);
                self.arrives(random, key, psn, None)
            }
            _ => {
                let number = self.next_number(random, connection);
                self.packet(random, connection, number)
            }
        }
    }

    /// The next packet of a sender: packets overtake each other by up to 24, some are lost for a while, some come twice,
    /// and a few are far ahead. Deliveries keep up, so that slots are free within this distance.
    fn next_number(&mut self, random: &mut Random, connection: u64) -> u64 {
        let (window, expected) = (self.window, self.noted(connection).expected);
        let state = self.connections.get_mut(&connection).expect("it is open");
        while state.next < expected + 24 {
            state.waiting.push(state.next);
            state.next += 1;
        }
        self.openings[state.opening].sent = state.next;
        state.waiting.retain(|number| !state.held.contains_key(number) && *number >= expected);
        match random.below(30) {
            0 if expected > 0 => random.below(expected),
            1 => state.held.keys().next().copied().unwrap_or(expected),
            2 => expected + window + random.below(1000),
            _ => state.waiting.swap_remove(random.below(state.waiting.len().min(8) as u64) as usize),
        }
    }

    /// A packet that is in sequence. `place`: its connection and its number, if there is one.
    fn arrives(&mut self, random: &mut Random, key: u64, psn: u64, place: Option<(u64, u64)>) -> Frame {
        let frame = self.request(random, key, psn);
        if frame.bytes[TRAFFIC_CLASS] & 3 == 3 {
            self.seen.count("marked");
        }
        let handle = self.handle();
        let connection = place.map_or(0, |(connection, _)| connection);
        let identified = Identified { in_sequence: true, found: place.is_some(), connection, handle };
        self.passed.push((frame.clone(), identified));
        let Some((connection, number)) = place else {
            self.seen.count("unknown");
            self.undelivered.push(Undelivered { connection, handle, cause: outcome::UNKNOWN });
            return frame;
        };
        let (window, mask) = (self.window, self.psn_mask());
        let state = self.connections.get_mut(&connection).expect("it is open");
        let noted = &mut self.openings[state.opening];
        let outcome = match number {
            _ if number < noted.expected => "below",
            _ if state.held.contains_key(&number) => "duplicate",
            _ if number >= noted.expected + window => "above",
            _ if number == noted.expected => "in order",
            _ => "held",
        };
        self.seen.count(outcome);
        match outcome {
            "in order" | "held" => {
                state.held.insert(number, handle);
                noted.received.insert(number);
            }
            "above" => {
                noted.refused.insert(psn);
                self.undelivered.push(Undelivered { connection, handle, cause: outcome::ABOVE });
            }
            "below" => self.undelivered.push(Undelivered { connection, handle, cause: outcome::BELOW }),
            _ => self.undelivered.push(Undelivered { connection, handle, cause: outcome::DUPLICATE }),
        }
        while let Some(handle) = state.held.remove(&noted.expected) {
            let psn = noted.first.wrapping_add(noted.expected) & mask;
            self.delivered.entry(connection).or_default().push(Delivered { connection, psn, handle });
            self.seen.count("delivered");
            noted.expected += 1;
        }
        frame
    }

    /// Each handle in sequence has one outcome: it is delivered, or named as never to be delivered, or it waited when its connection was
    /// closed (row RX24). Those that still wait have none.
    fn check_handles(&self, run: &RxBench) {
        let undelivered = run.undelivered().expect("the fields are there");
        assert_eq!(undelivered, self.undelivered);
        let mut named: BTreeMap<u64, u64> = BTreeMap::new();
        let delivered = run.delivered().expect("the fields are there").into_iter().map(|packet| packet.handle);
        let waiting = self.connections.values().flat_map(|connection| connection.held.values()).chain(&self.discarded);
        for handle in delivered.chain(undelivered.iter().map(|frame| frame.handle)).chain(waiting.copied()) {
            *named.entry(handle).or_default() += 1;
        }
        let in_sequence = self.passed.iter().filter(|(_, identified)| identified.in_sequence);
        let handles: BTreeMap<_, _> = in_sequence.map(|(_, identified)| (identified.handle, 1)).collect();
        assert!(named == handles, "handles have no outcome or two");
    }

    /// Checks all that has left the device.
    pub fn check(&self, run: &RxBench) -> Seen {
        // If the stage holds frames, those that are in sequence leave in their order only.
        let holds = run.holds_frames();
        let passed = || self.passed.iter().filter(|(_, identified)| !holds || !identified.in_sequence);
        let frames: Vec<_> = passed().map(|(frame, _)| frame.bytes.clone()).collect();
        let seen: Vec<_> = run.frames().expect("they are lawful").into_iter().map(|frame| frame.bytes).collect();
        let enough = if holds { 50 } else { 1000 };
        assert!(frames.len() > enough && seen.len() == frames.len(), "{} of {} frames", seen.len(), frames.len());
        assert!(frames == seen, "frames change");
        let number = |it: &Identified| if holds { 0 } else { it.handle };
        let identified: Vec<_> = passed().map(|(_, it)| Identified { handle: number(it), ..*it }).collect();
        let beside = run.identified().expect("the fields are there");
        let first = beside.iter().zip(&identified).position(|(seen, wanted)| seen != wanted);
        assert_eq!(first.map(|at| (beside[at], identified[at])), None, "frame {first:?}");
        assert_eq!(beside.len(), identified.len());
        let mut delivered: BTreeMap<u64, Vec<Delivered>> = BTreeMap::new();
        if holds {
            let mut wanted = self.delivered.clone();
            for (connection, psn, bytes) in run.delivered_frames().expect("the fields are there") {
                let next =
                    wanted.get_mut(&connection).filter(|packets| !packets.is_empty()).map(|packets| packets.remove(0));
                let next = next.unwrap_or_else(|| panic!("connection {connection} delivers PSN {psn} too"));
                assert_eq!((next.connection, next.psn), (connection, psn));
                let place = next.handle.wrapping_sub(self.forgotten) & 0xFFFF;
                assert!(self.passed[place as usize].0.bytes == bytes, "the frame with PSN {psn} changes");
                delivered.entry(connection).or_default().push(next);
            }
        } else {
            for packet in run.delivered().expect("the fields are there") {
                delivered.entry(packet.connection).or_default().push(packet);
            }
        }
        assert_eq!(delivered, self.delivered);
        if !holds {
            self.check_handles(run);
        }
        let counters = [
            ("unknown", "unknown_connections"),
            ("duplicate", "duplicates"),
            ("below", "below_window"),
            ("above", "above_window"),
            ("dropped", "gate_dropped"),
            ("parser_bad_frame", "parser_bad_frame"),
            ("parser_ip_checksum", "parser_ip_checksum"),
        ];
        for (what, counter) in counters {
            assert_eq!(run.count(counter), Some(self.seen.of(what)), "{counter}");
        }
        assert_eq!(run.count("icrc_bad").unwrap_or(0), self.seen.of("icrc_bad"));
        assert_eq!(run.count("gate_passed"), Some(self.forgotten + self.passed.len() as u64));
        assert_eq!((run.count("no_buffer"), run.count("gate_overflowed")), (Some(0), Some(0)));
        self.seen.clone()
    }
}
