// SPDX-License-Identifier: MIT OR Apache-2.0
//! The script of a case. It is written cycle by cycle, beside a run of the oracle, so that it knows when inputs are
//! accepted and when the stage is idle.

use super::oracle::{Arrival, Command, Event, Inputs, Oracle, Outcome, Outputs, Report, Settings, Shape, op};
use super::ports;
use super::receiver::Receiver;
use crate::collect::timed::Draft;
use crate::schema::timed::Row;

/// Cycles within which every event is counted (G25).
const COUNTED: u64 = 24;

/// The events of a case up to the present cycle.
#[derive(Debug)]
pub struct Script {
    shape: Shape,
    oracle: Oracle,
    inputs: Inputs,
    events: Vec<(u64, Event)>,
    /// What is still to be accepted.
    commands: Vec<Command>,
    reports: Vec<Report>,
    /// Reports so far.
    reported: u64,
    /// What `reorder` answers.
    receivers: Vec<Receiver>,
    /// The settings in force, or those that will be.
    settings: Settings,
    /// Number of the next packet; its fields are made of it.
    next: u64,
    /// Events driven with `event_valid` while `event_ready` is 0. None of them may have an effect.
    pub hammered: Vec<Report>,
    /// Commands driven in the same way.
    pub hammered_commands: Vec<Command>,
}

impl Script {
    /// A script that begins in the first cycle after reset, with the settings after reset.
    pub fn from_reset(shape: Shape) -> Self {
        Script {
            shape,
            oracle: Oracle::new(shape),
            inputs: Inputs::idle(None),
            events: Vec::new(),
            commands: Vec::new(),
            reports: Vec::new(),
            reported: 0,
            receivers: vec![Receiver::new(shape, 0); shape.connections as usize],
            settings: shape.reset,
            next: 1,
            hammered: Vec::new(),
            hammered_commands: Vec::new(),
        }
    }

    /// A script that begins behind the sweep. Nothing expires, and only what is urgent without a count is due at once.
    pub fn new(shape: Shape) -> Self {
        let mut script = Self::from_reset(shape);
        script.set(|s| Settings { time: 0, count: 200, count_multipath: 200, trigger: 0xFFFF, ..s });
        script.until(shape.sweep());
        script
    }

    /// A script in which connection 0 is open with this PSN, for RoCE with multipath.
    pub fn opened(shape: Shape, psn: u64) -> Self {
        let mut script = Self::new(shape);
        script.open(0, psn);
        script
    }

    /// The same, where RoCE is without multipath.
    pub fn single(shape: Shape, psn: u64) -> Self {
        let mut script = Self::new(shape);
        script.open_single(0, psn);
        script
    }

    /// The present cycle.
    pub const fn cycle(&self) -> u64 {
        self.oracle.cycle()
    }

    /// `time` of the present cycle.
    pub const fn time(&self) -> u64 {
        self.oracle.time()
    }

    /// What is on the output ports in the present cycle.
    pub fn outputs(&self) -> Outputs {
        self.oracle.outputs()
    }

    /// The PSN that a connection expects.
    pub fn expected(&self, connection: u64) -> u64 {
        self.receivers[connection as usize].expected()
    }

    /// Adds an event in the present cycle. It takes the place of one of its kind.
    fn put(&mut self, event: Event) {
        let (cycle, kind) = (self.cycle(), std::mem::discriminant(&event));
        let now = self.events.partition_point(|&(at, _)| at < cycle);
        if let Some(at) = self.events[now..].iter().position(|(_, other)| std::mem::discriminant(other) == kind) {
            self.events.remove(now + at);
        }
        self.events.push((cycle, event));
        self.inputs.apply(event);
    }

    /// One cycle.
    fn step(&mut self) {
        if !self.commands.is_empty() && self.outputs().command_ready {
            let command = self.commands.remove(0);
            self.put(Event::Command(command));
        }
        if !self.reports.is_empty() && self.outputs().event_ready {
            let report = self.reports.remove(0);
            self.put(Event::Report(report));
        }
        self.oracle.step(&self.inputs);
        self.inputs.next();
        if self.inputs.settings.is_some() {
            self.put(Event::Settings(None));
        }
    }

    /// Cycles without arrivals.
    pub fn idle(&mut self, cycles: u64) {
        (0..cycles).for_each(|_| self.step());
    }

    /// Up to this cycle.
    pub fn until(&mut self, cycle: u64) {
        self.idle(cycle.saturating_sub(self.cycle()));
    }

    /// Gives an arrival the fields that do not depend on what has been received. They are all different from those of the
    /// packet before.
    fn dress(&mut self, connection: u64, arrival: Arrival) -> Arrival {
        let next = self.next;
        self.next += 1;
        let mixed = next.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let word = |shift: u32| mixed >> shift & 0xFFFF;
        Arrival {
            connection,
            ..if self.shape.is_uet() {
                Arrival {
                    length: 64 + word(3) % 1400,
                    ev: word(20),
                    opaque: word(31),
                    handle: mixed >> (64 - self.shape.handle_bits),
                    suspected: false,
                    late: false,
                    highest: 0,
                    ..arrival
                }
            } else {
                // A time stamp not long ago.
                let stamp = self.time().wrapping_sub(word(40) % 50) & 0xFFFF;
                let (path, flowlet) = (next % 256, word(20));
                Arrival {
                    path,
                    flowlet,
                    last: next.is_multiple_of(3),
                    stamped: true,
                    stamp,
                    sack_base: 0,
                    sack: 0,
                    ..arrival
                }
            }
        }
    }

    /// A packet with this PSN, as `reorder` answers it.
    pub fn packet(&mut self, connection: u64, psn: u64) -> Arrival {
        let arrival = self.receivers[connection as usize].receive(psn % self.shape.psns());
        self.dress(connection, arrival)
    }

    /// A packet so far ahead of the expected PSN.
    pub fn ahead(&mut self, connection: u64, ahead: u64) -> Arrival {
        self.packet(connection, self.expected(connection).wrapping_add(ahead))
    }

    /// A packet that is not received, so far ahead of the expected PSN, with this outcome.
    pub fn refused(&mut self, connection: u64, ahead: u64, outcome: Outcome) -> Arrival {
        let psn = self.expected(connection).wrapping_add(ahead);
        let arrival = self.receivers[connection as usize].refuse(psn % self.shape.psns(), outcome);
        self.dress(connection, arrival)
    }

    /// A probe.
    pub fn probe(&mut self, connection: u64) -> Arrival {
        self.refused(connection, 3, Outcome::Probe)
    }

    /// RoCE: a request that is not served, so far ahead of the expected PSN.
    pub fn unserved(&mut self, connection: u64, ahead: u64) -> Arrival {
        Arrival { unserved: true, ..self.refused(connection, ahead, Outcome::Probe) }
    }

    /// A trimmed packet, so far ahead of the expected PSN.
    pub fn trimmed(&mut self, connection: u64, ahead: u64) -> Arrival {
        Arrival { trimmed: true, ..self.refused(connection, ahead, Outcome::Probe) }
    }

    /// A packet for which there was no room in front of `reorder`, this far ahead of the expected PSN.
    pub fn no_room(&mut self, connection: u64, ahead: u64) -> Arrival {
        Arrival { no_room: true, ..self.refused(connection, ahead, Outcome::Probe) }
    }

    /// A reply in both protocols: a probe.
    pub fn reply(&mut self, connection: u64) {
        let probe = self.probe(connection);
        self.arrive(probe);
    }

    /// An arrival in the present cycle.
    pub fn arrive(&mut self, arrival: Arrival) {
        self.put(Event::Arrival(arrival));
        self.step();
    }

    /// Packets in order, in consecutive cycles.
    pub fn send(&mut self, connection: u64, packets: u64) {
        for _ in 0..packets {
            let packet = self.ahead(connection, 0);
            self.arrive(packet);
        }
    }

    /// A packet in order that asks for an ACK.
    pub fn urgent(&mut self, connection: u64) {
        let packet = self.ahead(connection, 0);
        self.arrive(Arrival { ack_request: true, ..packet });
    }

    /// A packet that leaves a gap of so many PSNs.
    pub fn gap(&mut self, connection: u64, missing: u64) {
        let packet = self.ahead(connection, missing);
        self.arrive(packet);
    }

    /// The event for the gap of a connection, in the next cycle in which it is accepted; the script goes on.
    pub fn report(&mut self, connection: u64) {
        let report = self.receivers[connection as usize].report(connection);
        if let Some(report) = report {
            let report = self.next_report(report);
            self.reports.push(report);
        }
    }

    /// Any event.
    pub fn report_gap(&mut self, connection: u64, first: u64, last: u64) {
        let psns = self.shape.psns();
        let report = self.next_report(Report { connection, first: first % psns, last: last % psns, repeated: false });
        self.reports.push(report);
    }

    /// With RoCE every third one is a repetition.
    fn next_report(&mut self, report: Report) -> Report {
        self.reported += 1;
        Report { repeated: !self.shape.is_uet() && self.reported.is_multiple_of(3), ..report }
    }

    /// A command in the next cycle in which it is accepted; the script goes on.
    pub fn issue(&mut self, op: u64, connection: u64, psn: u64, multipath: bool) {
        let multipath = multipath && !self.shape.is_uet();
        let psn = psn % self.shape.psns();
        self.commands.push(Command { op, connection, psn, multipath, ..Command::default() });
    }

    /// RoCE: *open* with multipath, or *change*, in the same way; it says which timer code RNR NAKs have.
    pub fn issue_rnr_code(&mut self, op: u64, connection: u64, psn: u64, rnr_code: Option<u64>) {
        let (own_rnr_code, rnr_code) = (rnr_code.is_some(), rnr_code.unwrap_or(7));
        self.commands.push(Command { op, connection, psn, multipath: true, own_rnr_code, rnr_code });
    }

    /// What `reorder` answers from here on begins with this PSN.
    pub fn begin(&mut self, connection: u64, psn: u64) {
        self.receivers[connection as usize] = Receiver::new(self.shape, psn);
    }

    /// Goes on while this holds. It must not hold for ever.
    fn step_while(&mut self, holds: impl Fn(&Self) -> bool) {
        let last = self.cycle() + (1 << 17);
        while holds(self) {
            assert!(self.cycle() < last, "the script waits for ever: {self:?}");
            self.step();
        }
    }

    /// Until all commands have been answered.
    pub fn answered(&mut self) {
        self.step_while(|script| !script.commands.is_empty() || !script.outputs().command_ready);
    }

    /// *Open*, and its answer.
    pub fn open(&mut self, connection: u64, psn: u64) {
        self.begin(connection, psn);
        self.issue(op::OPEN, connection, psn, true);
        self.answered();
    }

    /// The same without multipath.
    pub fn open_single(&mut self, connection: u64, psn: u64) {
        self.begin(connection, psn);
        self.issue(op::OPEN, connection, psn, false);
        self.answered();
    }

    /// *Close*, and its answer.
    pub fn close(&mut self, connection: u64) {
        self.issue(op::CLOSE, connection, 0, false);
        self.answered();
    }

    /// *Read*, and its answer.
    pub fn read(&mut self, connection: u64) {
        self.issue(op::READ, connection, 0, true);
        self.answered();
    }

    /// New settings, valid in the present cycle, which is used up.
    pub fn set(&mut self, change: impl Fn(Settings) -> Settings) {
        self.set_beside(change);
        self.step();
    }

    /// New settings, valid in the present cycle only.
    pub fn set_beside(&mut self, change: impl Fn(Settings) -> Settings) {
        self.settings = change(self.settings);
        self.put(Event::Settings(Some(self.settings)));
    }

    /// `pressure` from now on; UET.
    pub fn press(&mut self, pressure: u64) {
        if self.shape.is_uet() {
            self.put(Event::Pressure(pressure));
        }
    }

    /// The output is stalled from now on, or goes on.
    pub fn stall(&mut self, stall: bool) {
        self.put(Event::AckReady(!stall));
    }

    /// Until an ACK is on the stalled ports, so that there is no take.
    pub fn block(&mut self, connection: u64) {
        self.stall(true);
        self.urgent(connection);
        self.step_while(|script| script.outputs().ack.is_none());
    }

    /// Until nothing is under way.
    pub fn drain(&mut self) {
        self.stall(false);
        self.step_while(|script| {
            let offered = !script.commands.is_empty() || !script.reports.is_empty();
            offered || !script.oracle.is_idle() || script.outputs().busy
        });
    }
}

impl Draft for Script {
    type Event = Event;

    fn unready(&self) -> Vec<(&'static str, Row)> {
        let reports = self.hammered.iter().map(|report| ports::report(self.shape).row(report));
        let commands = self.hammered_commands.iter().map(|command| ports::command(self.shape).row(command));
        reports.chain(commands).collect()
    }

    fn into_events(mut self) -> Vec<(u64, Event)> {
        // The case lasts as long as its script, and ends when all has been counted.
        self.drain();
        self.idle(COUNTED);
        self.put(Event::AckReady(true));
        self.events
    }
}
