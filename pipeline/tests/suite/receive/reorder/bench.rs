// SPDX-License-Identifier: MIT OR Apache-2.0
//! Drives the stage and compares every answer and every delivery with a plain reference: per connection a set of received
//! PSNs.

use pipeline::receive::reorder::{
    Answer, Arrival, Command, Event, Reorder, ReorderConfig, ReorderIn, Response, Settings, op, outcome,
};
use rtl_model::model::Instance;
use rtl_model::{Bits, Design, Model, Stage};
use std::collections::{BTreeMap, VecDeque};

/// A packet that arrives.
#[derive(Clone, Copy, Debug, Default)]
pub struct Packet {
    pub connection: u64,
    pub psn: u64,
    pub path: u64,
    pub flags: u64,
    pub unknown: bool,
}

/// What happens in one clock cycle.
#[derive(Clone, Copy, Default)]
pub struct Drive {
    pub packet: Option<Packet>,
    pub stall: bool,
    pub stall_event: bool,
    /// Code, connection, PSN, sub-path.
    pub command: Option<(u64, u64, u64, u64)>,
    pub settings: Option<(u64, u64)>,
}

/// The reference of a connection. PSNs are counted from the one of *open*, without wrap.
#[derive(Clone, Default)]
struct Connection {
    open: bool,
    start: u64,
    /// Handles of received packets that have not been delivered.
    handles: BTreeMap<u64, u64>,
    expected: u64,
    /// One above the highest.
    end: u64,
    held: u64,
    delivered: u64,
}

/// An arrival that has been accepted.
struct Pending {
    cycle: u64,
    packet: Packet,
    handle: u64,
    /// Packets that had been delivered then.
    delivered: u64,
}

/// What has been seen.
#[derive(Default)]
pub struct Seen {
    pub outcomes: [u64; 8],
    pub delivered: Vec<(u64, u64, u64)>,
    pub events: Vec<(u64, Event<Model>)>,
    pub responses: Vec<(u64, Response<Model>)>,
    pub answers: Vec<(u64, Answer<Model>)>,
}

pub struct Bench {
    pub config: ReorderConfig,
    pub stage: Instance<Reorder<Model>>,
    pub cycle: u64,
    connections: Vec<Connection>,
    pending: VecDeque<Pending>,
    pub seen: Seen,
    next_handle: u64,
}

fn bit(value: bool) -> Bits<Model> {
    Bits::lit(1, value.into())
}

impl Bench {
    /// A stage after its sweep.
    pub fn new(config: ReorderConfig) -> Bench {
        let stage = Instance::new(|| config.build::<Model>());
        let connections = vec![Connection::default(); config.connections as usize];
        let mut bench = Bench {
            config,
            stage,
            cycle: 0,
            connections,
            pending: VecDeque::new(),
            seen: Seen::default(),
            next_handle: 1,
        };
        while bench.stage.outputs().busy.value() == 1 {
            bench.clock(Drive::default());
        }
        bench
    }

    /// A reset, and the sweep.
    pub fn reset(&mut self) {
        self.stage.reset();
        self.connections.fill(Connection::default());
        self.pending.clear();
        while self.stage.outputs().busy.value() == 1 {
            self.clock(Drive::default());
        }
    }

    fn modulus(&self) -> u64 {
        1 << self.config.psn_bits
    }

    /// PSN minus the expected one.
    fn ahead(&self, connection: &Connection, psn: u64) -> u64 {
        psn.wrapping_sub(connection.start + connection.expected) & (self.modulus() - 1)
    }

    /// The next PSN that is expected on a connection.
    pub fn expected(&self, connection: u64) -> u64 {
        let connection = &self.connections[connection as usize];
        (connection.start + connection.expected) % self.modulus()
    }

    /// One clock cycle. The result is 1 if the packet was taken.
    pub fn clock(&mut self, drive: Drive) -> bool {
        let out = self.stage.outputs();
        self.answer(out.answer);
        let (valid, handle) = (out.delivery.valid.expect("handles"), out.delivery.handle.expect("handles"));
        if valid.value() == 1 && !drive.stall {
            let (number, psn, handle) = (out.delivery.connection.value(), out.delivery.psn.value(), handle.value());
            self.seen.delivered.push((self.cycle, number, psn));
            let modulus = self.modulus();
            let connection = &mut self.connections[number as usize];
            let index = connection.delivered;
            assert_eq!(psn, (connection.start + index) % modulus, "cycle {}, connection {number}", self.cycle);
            assert!(index < connection.expected, "cycle {}: not received", self.cycle);
            assert_eq!(connection.handles.remove(&index), Some(handle), "cycle {}, PSN {psn}", self.cycle);
            connection.delivered += 1;
        }
        if out.event.valid.value() == 1 && !drive.stall_event {
            self.seen.events.push((self.cycle, out.event));
        }
        if out.response.valid.value() == 1 {
            self.seen.responses.push((self.cycle, out.response));
        }
        let handle = self.next_handle % (1 << self.config.handle_bits);
        let taken = drive.packet.is_some() && out.arrival_ready.expect("handles").value() == 1;
        self.stage.clock(&self.input(drive, handle));
        if let Some(packet) = drive.packet.filter(|_| taken) {
            let delivered = self.connections[packet.connection as usize].delivered;
            self.pending.push_back(Pending { cycle: self.cycle, packet, handle, delivered });
            self.next_handle += 1;
        }
        self.cycle += 1;
        taken
    }

    fn input(&self, drive: Drive, handle: u64) -> ReorderIn<Model> {
        let shape = self.stage.input_shape();
        let packet = drive.packet.unwrap_or_default();
        let (op, connection, psn, path) = drive.command.unwrap_or_default();
        let (span, time) = drive.settings.unwrap_or_default();
        let psn_bits = self.config.psn_bits;
        let index = |value: u64| Bits::lit(shape.arrival.connection.bits(), value);
        ReorderIn {
            s_axis: None,
            m_axis: None,
            arrival: Arrival {
                valid: Some(bit(drive.packet.is_some())),
                connection: index(packet.connection),
                found: bit(!packet.unknown),
                psn: Bits::lit(psn_bits, packet.psn % self.modulus()),
                path: Bits::lit(8, packet.path),
                flags: Bits::lit(8, packet.flags),
                length: Bits::lit(16, handle & 0xFFFF),
                handle: Some(Bits::lit(self.config.handle_bits, handle)),
            },
            command: Command {
                valid: bit(drive.command.is_some()),
                op: Bits::lit(2, op),
                connection: index(connection),
                path: Bits::lit(8, path),
                psn: Bits::lit(psn_bits, psn % self.modulus()),
                own_tolerance: bit(false),
                span: Bits::lit(shape.settings.span.bits(), 0),
                time: Bits::lit(shape.settings.time.bits(), 0),
            },
            settings: Settings {
                valid: bit(drive.settings.is_some()),
                span: Bits::lit(shape.settings.span.bits(), span),
                time: Bits::lit(shape.settings.time.bits(), time),
                quota: None,
                reserve: None,
            },
            delivery_ready: Some(bit(!drive.stall)),
            event_ready: bit(!drive.stall_event),
        }
    }

    /// R2 to R5: the answer to the oldest arrival.
    fn answer(&mut self, answer: Answer<Model>) {
        let due = self
            .pending
            .front()
            .is_some_and(|oldest| oldest.cycle + u64::from(self.config.answer_latency()) == self.cycle);
        assert_eq!(answer.valid.value() == 1, due, "cycle {}", self.cycle);
        if !due {
            return;
        }
        let Pending { packet, handle, delivered, .. } = self.pending.pop_front().expect("an arrival");
        let (window, modulus, cycle) = (self.config.window, self.modulus(), self.cycle);
        let got = answer.outcome.value();
        self.seen.outcomes[got as usize] += 1;
        self.seen.answers.push((cycle, answer));
        let mut connection = self.connections[packet.connection as usize].clone();
        let ahead = self.ahead(&connection, packet.psn);
        let index = connection.expected + ahead;
        let mut late = false;
        let outcome = if packet.unknown || !connection.open {
            outcome::UNKNOWN
        } else if packet.flags & 4 != 0 {
            outcome::PROBE
        } else if ahead >= modulus / 2 {
            outcome::BELOW
        } else if connection.handles.contains_key(&index) {
            outcome::DUPLICATE
        } else if ahead >= window {
            outcome::ABOVE
        } else if index >= delivered + window && got == outcome::NO_BUFFER {
            outcome::NO_BUFFER
        } else {
            // R9: what is read ahead has no slot any more.
            let base = (delivered + 16 + 16).min(connection.expected);
            assert!(index < base + window, "cycle {cycle}: a slot that is occupied");
            late = index < connection.end;
            connection.handles.insert(index, handle);
            connection.end = connection.end.max(index + 1);
            connection.held += 1;
            while connection.handles.contains_key(&connection.expected) {
                connection.expected += 1;
                connection.held -= 1;
            }
            if ahead == 0 { outcome::IN_ORDER } else { outcome::HELD }
        };
        assert_eq!(got, outcome, "cycle {cycle}, {packet:?}, expected {}", connection.start + connection.expected);
        assert_eq!(answer.connection.value(), packet.connection);
        assert_eq!(answer.psn.value(), packet.psn % modulus);
        assert_eq!(answer.path.value(), packet.path);
        assert_eq!(answer.flags.value(), packet.flags);
        assert_eq!(answer.length.value(), handle & 0xFFFF);
        if outcome == outcome::UNKNOWN {
            let rest = [answer.expected, answer.highest, answer.held, answer.late, answer.sack_base, answer.sack];
            assert_eq!(rest.map(Bits::value), [0; 6]);
            return;
        }
        let number = |index: u64| (connection.start + index) % modulus;
        assert_eq!(answer.expected.value(), number(connection.expected), "cycle {cycle}, {packet:?}");
        assert_eq!(answer.highest.value(), number(connection.end + modulus - 1), "cycle {cycle}, {packet:?}");
        assert_eq!(answer.held.value(), connection.held, "cycle {cycle}, {packet:?}");
        assert_eq!(answer.late.value(), u64::from(late), "cycle {cycle}, {packet:?}");
        let base = (packet.psn % modulus) & !63;
        assert_eq!(answer.sack_base.value(), base);
        let sack = (0..64).filter(|i| {
            let ahead = self.ahead(&connection, base + i);
            ahead >= modulus / 2 || connection.handles.contains_key(&(connection.expected + ahead))
        });
        let sack = if outcome == outcome::PROBE { 0 } else { sack.fold(0, |word, i| word | 1_u64 << i) };
        assert_eq!(answer.sack.value(), sack, "cycle {cycle}, {packet:?}: {:x} {sack:x}", answer.sack.value());
        self.connections[packet.connection as usize] = connection;
    }

    /// A packet that is offered until it is taken.
    pub fn send(&mut self, packet: Packet, stall: bool) {
        while !self.clock(Drive { packet: Some(packet), stall, ..Drive::default() }) {}
    }

    /// Idle clock cycles.
    pub fn idle(&mut self, cycles: u64) {
        self.repeat(cycles, Drive::default());
    }

    /// The same for this many clock cycles.
    pub fn repeat(&mut self, cycles: u64, drive: Drive) {
        for _ in 0..cycles {
            self.clock(drive);
        }
    }

    /// A command without arrivals beside it; the reference follows.
    pub fn command(&mut self, code: u64, connection: u64, psn: u64, path: u64) -> Response<Model> {
        let command = Some((code, connection, psn, path));
        while self.stage.outputs().command_ready.value() == 0 {
            self.clock(Drive::default());
        }
        let before = self.seen.responses.len();
        let accepted = self.cycle;
        self.clock(Drive { command, ..Drive::default() });
        while self.seen.responses.len() == before {
            self.clock(Drive::default());
        }
        let (cycle, response) = *self.seen.responses.last().expect("a response");
        assert_eq!(cycle - accepted, self.config.response_latency().into());
        let at = &mut self.connections[connection as usize];
        if response.done.value() == 1 {
            match code {
                op::OPEN => *at = Connection { open: true, start: psn, ..Connection::default() },
                op::CLOSE => at.open = false,
                _ => {}
            }
        }
        assert_eq!(response.open.value(), u64::from(at.open));
        response
    }

    pub fn open(&mut self, connection: u64, psn: u64) {
        let response = self.command(op::OPEN, connection, psn, 0);
        assert_eq!(response.done.value(), 1);
        assert_eq!(response.state.expected.value(), psn);
    }

    /// Until everything that is in order has been delivered.
    pub fn drain(&mut self) {
        self.idle(100);
        while self.connections.iter().any(|connection| connection.delivered < connection.expected) {
            let before = self.seen.delivered.len();
            self.idle(64);
            assert!(self.seen.delivered.len() > before, "delivery has stopped");
        }
    }

    /// Nothing is held.
    pub fn all_delivered(&self) -> bool {
        self.connections.iter().all(|connection| connection.handles.is_empty())
    }
}

/// A plain generator of random numbers.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
}
