// SPDX-License-Identifier: MIT OR Apache-2.0
//! The script of a case. It is written cycle by cycle, beside a run of the oracle, so that it knows when inputs are
//! accepted, what has been granted, and when the stage is idle.

use super::oracle::{
    Ack, Change, Command, Data, Event, Grant, Inputs, Loss, Oracle, Outputs, PAUSE, Send, Settings, Shape, kind, op,
};
use super::ports;
use crate::collect::timed::Draft;
use crate::schema::timed::Row;
use std::collections::VecDeque;

/// Cycles within which every event is counted (C34).
const COUNTED: u64 = 40;

/// The changes of a case up to the present cycle.
#[derive(Debug)]
pub struct Script {
    shape: Shape,
    oracle: Oracle,
    inputs: Inputs,
    changes: Vec<(u64, Change)>,
    /// What is still to be accepted, by stream.
    events: [VecDeque<Event>; 4],
    commands: VecDeque<Command>,
    /// The settings in force, or those that will be.
    settings: Settings,
    /// Grants transferred since they were last taken from here.
    granted: Vec<Grant>,
    /// Rows driven on a stream while its `ready` is 0. None of them may have an effect.
    hammered: Vec<Event>,
    hammered_commands: Vec<Command>,
}

impl Script {
    /// A script that begins in the first cycle after reset, with the settings after reset.
    pub fn from_reset(shape: Shape) -> Self {
        Script {
            shape,
            oracle: Oracle::new(shape),
            inputs: Inputs::idle(None),
            changes: Vec::new(),
            events: [const { VecDeque::new() }; 4],
            commands: VecDeque::new(),
            settings: shape.reset,
            granted: Vec::new(),
            hammered: Vec::new(),
            hammered_commands: Vec::new(),
        }
    }

    /// A script that begins behind the sweep, with these settings in force.
    pub fn with(shape: Shape, change: impl Fn(Settings) -> Settings) -> Self {
        let mut script = Self::from_reset(shape);
        script.settle(change);
        script.until(shape.sweep());
        script
    }

    /// A script in which CCC 0 is open with NSCC, in class 0 with weight 1. Nothing is adjusted by time.
    pub fn opened(shape: Shape, change: impl Fn(Settings) -> Settings) -> Self {
        let mut script = Self::with(shape, |s| change(Settings { adjust_period: 60_000, ..s }));
        script.open_as(0, true, false, 0, 1);
        script
    }

    /// The stage.
    pub const fn oracle(&self) -> &Oracle {
        &self.oracle
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

    /// The settings in force, or those that will be.
    pub const fn settings(&self) -> Settings {
        self.settings
    }

    /// What has been granted since the last call.
    pub fn granted(&mut self) -> Vec<Grant> {
        std::mem::take(&mut self.granted)
    }

    /// Adds a change in the present cycle. It takes the place of one of its kind.
    fn put(&mut self, change: Change) {
        let cycle = self.cycle();
        let same = |other: &Change| match (&change, other) {
            (Change::Event(one), Change::Event(other)) => one.stream() == other.stream(),
            (one, other) => std::mem::discriminant(one) == std::mem::discriminant(other),
        };
        let now = self.changes.partition_point(|&(at, _)| at < cycle);
        if let Some(at) = self.changes[now..].iter().position(|(_, other)| same(other)) {
            self.changes.remove(now + at);
        }
        self.changes.push((cycle, change));
        self.inputs.apply(change);
    }

    /// One cycle.
    fn step(&mut self) {
        let out = self.outputs();
        if out.command_ready
            && let Some(command) = self.commands.pop_front()
        {
            self.put(Change::Command(command));
        }
        for stream in 0..4 {
            if out.ready[stream]
                && let Some(event) = self.events[stream].pop_front()
            {
                self.put(Change::Event(event));
            }
        }
        if self.inputs.grant_ready {
            self.granted.extend(out.grant);
        }
        self.oracle.step(&self.inputs);
        self.inputs.next();
        if self.inputs.settings.is_some() {
            self.put(Change::Settings(None));
        }
    }

    /// Cycles without anything new.
    pub fn idle(&mut self, cycles: u64) {
        (0..cycles).for_each(|_| self.step());
    }

    /// Up to this cycle.
    pub fn until(&mut self, cycle: u64) {
        self.idle(cycle.saturating_sub(self.cycle()));
    }

    /// Goes on while this holds. It must not hold for ever.
    fn step_while(&mut self, holds: impl Fn(&Self) -> bool) {
        let last = self.cycle() + (1 << 17);
        while holds(self) {
            assert!(self.cycle() < last, "the script waits for ever: {:?}", self.oracle);
            self.step();
        }
    }

    /// Until all that was offered has been accepted.
    pub fn accepted(&mut self) {
        self.step_while(|script| script.events.iter().any(|events| !events.is_empty()) || !script.commands.is_empty());
    }

    /// Until all commands have been answered.
    pub fn answered(&mut self) {
        self.step_while(|script| !script.commands.is_empty() || !script.outputs().command_ready);
    }

    /// Until nothing is under way.
    pub fn drain(&mut self) {
        self.stall(false);
        self.accepted();
        self.step_while(|script| !script.oracle.is_idle() || script.outputs().busy);
    }

    /// An event in the next cycle in which it is accepted; the script does not go on.
    pub fn offer(&mut self, event: Event) {
        self.events[event.stream()].push_back(event);
    }

    /// An event in the next cycle in which it is accepted, and one cycle; back to back if called again.
    pub fn event(&mut self, event: Event) {
        self.offer(event);
        self.accepted();
    }

    /// An event, and the state after it.
    pub fn seen(&mut self, event: Event) {
        self.event(event);
        self.idle(1);
        self.read(event.ccc());
    }

    /// New data.
    pub fn data(&mut self, ccc: u64, bytes: u64) {
        self.event(Event::Data(Data { ccc, bytes }));
    }

    /// So many packets of this size are sent, back to back; no turn ends.
    pub fn send(&mut self, ccc: u64, packets: u64, size: u64) {
        for _ in 0..packets {
            self.event(Event::Send(Send { ccc, size, packet: true, ..Send::default() }));
        }
    }

    /// The turn ends without a packet.
    pub fn end_turn(&mut self, ccc: u64) {
        self.event(Event::Send(Send { ccc, last: true, ..Send::default() }));
    }

    /// The turn ends, as nothing could be sent.
    pub fn block(&mut self, ccc: u64) {
        self.event(Event::Send(Send { ccc, last: true, blocked: true, ..Send::default() }));
    }

    /// Something may be sent again.
    pub fn unblock(&mut self, ccc: u64) {
        self.event(Event::Send(Send { ccc, ..Send::default() }));
    }

    /// A packet is taken for lost.
    pub fn lose(&mut self, ccc: u64, size: u64) {
        self.event(Event::Loss(Loss { ccc, size }));
    }

    /// An ACK of `packets` packets and `quanta`, with a sample of this RTT.
    pub fn ack_of(&self, ccc: u64, packets: u64, quanta: u64, rtt: u64) -> Ack {
        let arrived = self.time();
        let stamp = arrived.wrapping_sub(rtt + 3) % (1 << 20);
        Ack { ccc, kind: kind::ACK, quanta, packets, timed: true, stamp, arrived, service: 3, ..Ack::default() }
    }

    /// A NACK of a packet, with a sample of this RTT. Fields that only an ACK has are not looked at.
    pub fn nack_of(&self, ccc: u64, reason: u64, size: u64, rtt: u64) -> Ack {
        let stamp = self.time().wrapping_sub(rtt) % (1 << 20);
        let ack = self.ack_of(ccc, 9, 77, rtt);
        Ack { kind: kind::NACK, stamp, reason, size, service: 65_535, pend: 5, marked: true, restore: true, ..ack }
    }

    /// Credit. The other fields are not looked at.
    pub fn credit_of(&self, ccc: u64, credit: u64) -> Ack {
        let ack = self.ack_of(ccc, 9, 77, 1);
        Ack { kind: kind::CREDIT, credit, marked: true, pend: 9, restore: true, reason: 1, size: 99, ..ack }
    }

    /// `packets` of 4096 bytes are acknowledged with this RTT and mark.
    pub fn ack(&mut self, ccc: u64, packets: u64, rtt: u64, marked: bool) {
        let ack = self.ack_of(ccc, packets, 16 * packets, rtt);
        self.event(Event::Ack(Ack { marked, ..ack }));
    }

    /// A command in the next cycle in which it is accepted; the script does not go on.
    pub fn issue(&mut self, command: Command) {
        self.commands.push_back(command);
    }

    /// A command, and its answer.
    pub fn command(&mut self, command: Command) {
        self.issue(command);
        self.answered();
    }

    /// *Open* with all algorithms, class 0 and weight 1, and its answer.
    pub fn open(&mut self, ccc: u64) {
        self.open_as(ccc, true, true, 0, 1);
    }

    /// *Open*, and its answer.
    pub fn open_as(&mut self, ccc: u64, nscc: bool, rccc: bool, class: u64, weight: u64) {
        self.command(Command { op: op::OPEN, ccc, nscc, rccc, class, weight, force: false });
    }

    /// *Close*, and its answer.
    pub fn close(&mut self, ccc: u64, force: bool) {
        self.command(Command { op: op::CLOSE, ccc, force, ..Command::default() });
    }

    /// *Read*, and its answer.
    pub fn read(&mut self, ccc: u64) {
        self.command(Command { op: op::READ, ccc, ..Command::default() });
    }

    /// New settings, valid in the present cycle, which is used up.
    pub fn set(&mut self, change: impl Fn(Settings) -> Settings) {
        self.set_beside(change);
        self.step();
    }

    /// New settings, valid in the present cycle only.
    pub fn set_beside(&mut self, change: impl Fn(Settings) -> Settings) {
        self.settings = change(self.settings);
        self.put(Change::Settings(Some(self.settings)));
    }

    /// New settings, and until they are in force.
    pub fn settle(&mut self, change: impl Fn(Settings) -> Settings) {
        self.set(change);
        self.idle(PAUSE + 3);
    }

    /// The output is stalled from now on, or goes on.
    pub fn stall(&mut self, stall: bool) {
        if self.inputs.grant_ready == stall {
            self.put(Change::GrantReady(!stall));
        }
    }

    /// Waits until the window of a CCC may have changed by an adjustment, and by one that follows.
    pub fn adjusted(&mut self) {
        self.idle(self.shape.effect() + 134);
    }

    /// An event on its port whenever its `ready` is 0.
    pub fn hammer(&mut self, event: Event) {
        self.hammered.push(event);
    }

    /// A command on its port whenever `command_ready` is 0.
    pub fn hammer_command(&mut self, command: Command) {
        self.hammered_commands.push(command);
    }
}

impl Draft for Script {
    type Event = Change;

    fn unready(&self) -> Vec<(&'static str, Row)> {
        let events = self.hammered.iter().map(|event| ports::event(self.shape, event));
        let commands = self.hammered_commands.iter().map(|command| ports::command(self.shape).row(command));
        events.chain(commands).collect()
    }

    fn into_events(mut self) -> Vec<(u64, Change)> {
        // The case lasts as long as its script, and ends when all has been counted.
        self.drain();
        self.idle(COUNTED);
        self.put(Change::GrantReady(true));
        self.changes
    }
}
