// SPDX-License-Identifier: MIT OR Apache-2.0
//! The script of a case. It is written cycle by cycle, beside a run of the oracle, so that it knows when inputs are
//! accepted, what is in a window, and when the stage is quiet.

use super::oracle::{Ack, Change, Command, Inputs, Oracle, Outputs, Send, Settings, Shape, ack, op, send};
use super::ports;
use crate::collect::timed::Draft;
use crate::schema::timed::Row;
use std::collections::VecDeque;

/// Cycles within which every operation is counted (D31).
const COUNTED: u64 = 40;

/// Nominal size of most packets.
pub const SIZE: u64 = 4160;

/// The changes of a case up to the present cycle.
#[derive(Debug)]
pub struct Script {
    shape: Shape,
    oracle: Oracle,
    inputs: Inputs,
    changes: Vec<(u64, Change)>,
    /// What is still to be accepted.
    acks: VecDeque<Ack>,
    sends: VecDeque<Send>,
    commands: VecDeque<Command>,
    /// The settings in force, or those of the present cycle.
    settings: Settings,
    /// Rows driven on a stream while its `ready` is 0. None of them may have an effect.
    hammered: Vec<(&'static str, Row)>,
}

impl Script {
    /// A script that begins in the first cycle after reset, with the settings after reset.
    pub fn from_reset(shape: Shape) -> Self {
        Script {
            shape,
            oracle: Oracle::new(shape),
            inputs: Inputs::idle(None),
            changes: Vec::new(),
            acks: VecDeque::new(),
            sends: VecDeque::new(),
            commands: VecDeque::new(),
            settings: shape.reset,
            hammered: Vec::new(),
        }
    }

    /// A script that begins behind the sweep, with these settings in force.
    pub fn with(shape: Shape, change: impl Fn(Settings) -> Settings) -> Self {
        let mut script = Self::from_reset(shape);
        script.set(change);
        script.until(shape.sweep());
        script
    }

    /// A script without time-outs and inferred losses, in which PDC 0 is open with this PSN.
    pub fn opened(shape: Shape, psn: u64) -> Self {
        let mut script = Self::with(shape, |s| never(shape, s));
        script.open(0, psn);
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

    /// *B* of a PDC.
    pub fn base(&self, pdc: u64) -> u64 {
        self.oracle.pdc(pdc).base
    }

    /// A PSN that is so far behind *B*, or before it.
    pub fn psn(&self, pdc: u64, offset: i64) -> u64 {
        self.shape.psn(self.base(pdc).wrapping_add_signed(offset))
    }

    /// Adds a change in the present cycle. It takes the place of one of its kind.
    fn put(&mut self, change: Change) {
        let cycle = self.cycle();
        let same = |other: &Change| std::mem::discriminant(&change) == std::mem::discriminant(other);
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
        if out.ack_ready
            && let Some(ack) = self.acks.pop_front()
        {
            self.put(Change::Ack(ack));
        }
        if out.send_ready
            && let Some(send) = self.sends.pop_front()
        {
            self.put(Change::Send(send));
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

    /// So many units of time.
    pub fn pass(&mut self, units: u64) {
        let time = self.time();
        self.step_while(|script| script.time().wrapping_sub(time) % (1 << 20) < units);
    }

    /// Goes on while this holds. It must not hold for ever.
    #[track_caller]
    pub fn step_while(&mut self, holds: impl Fn(&Self) -> bool) {
        let last = self.cycle() + (1 << 21);
        while holds(self) {
            assert!(self.cycle() < last, "the script waits for ever: {:?}", self.outputs());
            self.step();
        }
    }

    /// How much was offered and is not accepted.
    pub fn offered(&self) -> usize {
        self.acks.len() + self.sends.len() + self.commands.len()
    }

    /// Until all that was offered has been accepted.
    #[track_caller]
    pub fn accepted(&mut self) {
        self.step_while(|script| script.offered() > 0);
    }

    /// Until all commands have been answered.
    #[track_caller]
    pub fn answered(&mut self) {
        self.step_while(|script| !script.commands.is_empty() || !script.outputs().command_ready);
    }

    /// Until all that was offered has left, and no visit that has hit is on its way. Outputs are not stalled any more.
    #[track_caller]
    pub fn drain(&mut self) {
        self.stall(true, true, true);
        self.accepted();
        let mut quiet = 0;
        while quiet < self.shape.hit() + 2 {
            self.step_while(|script| !script.outputs().quiet);
            self.step();
            quiet = if self.outputs().quiet { quiet + 1 } else { 0 };
        }
    }

    /// An event of `ack` in the next cycle in which it is accepted; the script does not go on.
    pub fn offer_ack(&mut self, ack: Ack) {
        self.acks.push_back(ack);
    }

    /// An event of `send` in the next cycle in which it is accepted; the script does not go on.
    pub fn offer_send(&mut self, send: Send) {
        self.sends.push_back(send);
    }

    /// An event of `ack` in the next cycle in which it is accepted, and one cycle; back to back if called again.
    pub fn ack(&mut self, ack: Ack) {
        self.offer_ack(ack);
        self.accepted();
    }

    /// The same, until it has left; and the state after it.
    pub fn seen(&mut self, ack: Ack) {
        self.ack(ack);
        self.drain();
        self.read(ack.pdc);
    }

    /// An event of `send` in the next cycle in which it is accepted, and one cycle; back to back if called again.
    pub fn send(&mut self, send: Send) {
        self.offer_send(send);
        self.accepted();
    }

    /// A new packet.
    pub fn new_of(&self, pdc: u64, size: u64, ev: u64) -> Send {
        Send { pdc, op: send::NEW, size, ev, asks: true, last: false }
    }

    /// So many new packets, back to back. Their sizes and EVs differ.
    pub fn packets(&mut self, pdc: u64, packets: u64) {
        let mask = (1 << self.shape.ev_bits) - 1;
        for n in 0..packets {
            self.send(self.new_of(pdc, SIZE - 3 * n % SIZE, (7 * n + 1) & mask));
        }
    }

    /// A packet is sent again, with this EV.
    pub fn again(&mut self, pdc: u64, ev: u64) {
        self.send(Send { pdc, op: send::AGAIN, ev, ..Send::default() });
    }

    /// An ACK of all up to this PSN. It is its own trigger; the packet took 9 units, if it was sent when the present time was so many
    /// units lower.
    pub fn ack_of(&self, pdc: u64, psn: u64) -> Ack {
        let ev = (5 * psn + 0xE003) & 0xFFFF;
        Ack { pdc, kind: ack::ACK, psn, triggered: true, ev, arrived: self.time(), service: 2, ..Ack::default() }
    }

    /// An ACK of all that was sent.
    pub fn ack_all(&self, pdc: u64) -> Ack {
        self.ack_of(pdc, self.psn(pdc, self.oracle.pdc(pdc).length as i64 - 1))
    }

    /// An ACK of what is before the base, with this bitmap; its bit 0 is the packet at this distance from the base.
    pub fn sack_of(&self, pdc: u64, offset: i16, sack: u64) -> Ack {
        let ack = self.ack_of(pdc, self.psn(pdc, -1));
        Ack { triggered: false, sack_offset: offset + 1, sack, ..ack }
    }

    /// A NACK. Fields that only an ACK has are not looked at.
    pub fn nack_of(&self, pdc: u64, psn: u64, reason: u64) -> Ack {
        let (trigger_offset, sack_offset, sack) = (5, 77, u64::MAX);
        let ack = Ack { trigger_offset, sack_offset, sack, counted: true, rcvd_bytes: 99, ..self.ack_of(pdc, psn) };
        Ack { kind: ack::NACK, reason, mpr: 3, pend: 9, restore: true, credit: 55, ..ack }
    }

    /// Credit. The other fields are not looked at.
    pub fn credit_of(&self, pdc: u64, credit: u64) -> Ack {
        Ack { kind: ack::CREDIT, marked: true, retx: true, credit, ..self.nack_of(pdc, self.base(pdc), 1) }
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

    /// *Open* with the whole window, and its answer.
    pub fn open(&mut self, pdc: u64, psn: u64) {
        self.command(Command { op: op::OPEN, pdc, psn, ccc: (3 + pdc) % self.shape.cccs, ..Command::default() });
    }

    /// *Close*, and its answer.
    pub fn close(&mut self, pdc: u64, force: bool) {
        self.command(Command { op: op::CLOSE, pdc, force, ..Command::default() });
    }

    /// *Read*, and its answer.
    pub fn read(&mut self, pdc: u64) {
        self.command(Command { op: op::READ, pdc, ..Command::default() });
    }

    /// *Lose*, and its answer.
    pub fn lose(&mut self, pdc: u64, ev: u64, all: bool) {
        self.command(Command { op: op::LOSE, pdc, ev, all, ..Command::default() });
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

    /// Whether timers stand still from now on.
    pub fn pause(&mut self, paused: bool) {
        if self.inputs.paused != paused {
            self.put(Change::Paused(paused));
        }
    }

    /// Whether events, outcomes and failures are taken from now on.
    pub fn stall(&mut self, event: bool, outcome: bool, failure: bool) {
        if self.inputs.event_ready != event {
            self.put(Change::EventReady(event));
        }
        if self.inputs.outcome_ready != outcome {
            self.put(Change::OutcomeReady(outcome));
        }
        if self.inputs.failure_ready != failure {
            self.put(Change::FailureReady(failure));
        }
    }

    /// An event of `ack` on its port whenever `ack_ready` is 0.
    pub fn hammer_ack(&mut self, ack: &Ack) {
        self.hammered.push(ports::ack(self.shape).row(ack));
    }

    /// An event of `send` on its port whenever `send_ready` is 0.
    pub fn hammer_send(&mut self, send: &Send) {
        self.hammered.push(ports::send(self.shape).row(send));
    }

    /// A command on its port whenever `command_ready` is 0.
    pub fn hammer_command(&mut self, command: &Command) {
        self.hammered.push(ports::command(self.shape).row(command));
    }
}

/// Settings with which nothing is taken for lost.
pub const fn never(shape: Shape, settings: Settings) -> Settings {
    Settings { rto: 0, span: shape.window - 1, tail_probe: 0, ..settings }
}

impl Draft for Script {
    type Event = Change;

    fn unready(&self) -> Vec<(&'static str, Row)> {
        self.hammered.clone()
    }

    fn into_events(mut self) -> Vec<(u64, Change)> {
        // The case lasts as long as its script, and ends when all has been counted. Nothing may time out while counters are read.
        self.stall(true, true, true);
        self.accepted();
        let never = never(self.shape, self.settings);
        if self.settings != never && (0..self.shape.pdcs).any(|pdc| self.oracle.pdc(pdc).length > 0) {
            self.set(|_| never);
        }
        self.drain();
        self.idle(COUNTED);
        self.put(Change::EventReady(true));
        self.changes
    }
}
