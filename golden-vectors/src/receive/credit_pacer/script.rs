// SPDX-License-Identifier: MIT OR Apache-2.0
//! The script of a case. It is written cycle by cycle, beside a run of the oracle, so that it knows when inputs are
//! accepted, what waits in a queue, and when a grant is on the ports.

use super::oracle::{Change, Command, Demand, Grant, Inputs, Oracle, Outputs, Settings, Shape, Source, behind, op};
use super::ports;
use crate::collect::timed::Draft;
use crate::schema::timed::Row;
use std::collections::{BTreeMap, VecDeque};

/// Cycles within which every event is counted (PC12).
const COUNTED: u64 = 40;

/// The changes of a case up to the present cycle.
#[derive(Debug)]
pub struct Script {
    shape: Shape,
    oracle: Oracle,
    inputs: Inputs,
    changes: Vec<(u64, Change)>,
    /// What is still to be accepted.
    demands: VecDeque<Demand>,
    commands: VecDeque<Command>,
    /// The target of each source that was offered last.
    targets: BTreeMap<u64, u64>,
    /// The settings in force, or those of the present cycle.
    settings: Settings,
    /// The case ends with a grant that is not taken.
    unfinished: bool,
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
            demands: VecDeque::new(),
            commands: VecDeque::new(),
            targets: BTreeMap::new(),
            settings: shape.reset,
            unfinished: false,
            hammered: Vec::new(),
        }
    }

    /// A script that begins behind the sweep, with these settings in force.
    pub fn with(shape: Shape, settings: Settings) -> Self {
        let mut script = Self::from_reset(shape);
        script.set(|_| settings);
        script.until(shape.sweep());
        script
    }

    /// The same, with these sources open, their credit at this number.
    pub fn opened(shape: Shape, settings: Settings, sources: &[u64], number: u64) -> Self {
        let mut script = Self::with(shape, Settings { burst: 0, ..settings });
        for &source in sources {
            script.open(source, number);
        }
        script.set(|_| settings);
        script
    }

    /// The present cycle.
    pub const fn cycle(&self) -> u64 {
        self.oracle.cycle()
    }

    /// What is on the output ports in the present cycle.
    pub fn outputs(&self) -> Outputs {
        self.oracle.outputs()
    }

    /// The state of a source.
    pub fn source(&self, source: u64) -> Source {
        self.oracle.source(source)
    }

    /// Grants up to now.
    pub fn credits(&self) -> u64 {
        self.outputs().counters.credits
    }

    /// Takes up to now.
    pub fn takes(&self) -> u64 {
        self.credits() + self.outputs().counters.void_turns
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

    /// One cycle. Returns the grant on the ports.
    pub fn step(&mut self) -> Option<Grant> {
        let out = self.outputs();
        if out.command_ready
            && let Some(command) = self.commands.pop_front()
        {
            self.put(Change::Command(command));
        }
        if out.demand_ready
            && let Some(demand) = self.demands.pop_front()
        {
            self.put(Change::Demand(demand));
        }
        self.oracle.step(&self.inputs);
        self.inputs.next();
        if self.inputs.settings.is_some() {
            self.put(Change::Settings(None));
        }
        out.grant
    }

    /// Cycles without anything new.
    pub fn idle(&mut self, cycles: u64) {
        (0..cycles).for_each(|_| {
            self.step();
        });
    }

    /// Up to this cycle.
    pub fn until(&mut self, cycle: u64) {
        self.idle(cycle.saturating_sub(self.cycle()));
    }

    /// Goes on while this holds. It must not hold for ever.
    pub fn step_while(&mut self, holds: impl Fn(&Self) -> bool) {
        let last = self.cycle() + (1 << 18);
        while holds(self) {
            assert!(self.cycle() < last, "the script waits for ever: {:?}", self.outputs());
            self.step();
        }
    }

    /// How much was offered and is not accepted.
    pub fn offered(&self) -> usize {
        self.demands.len() + self.commands.len()
    }

    /// Until all that was offered has been accepted.
    pub fn accepted(&mut self) {
        self.step_while(|script| script.offered() > 0);
    }

    /// Until all commands have been answered.
    pub fn answered(&mut self) {
        self.step_while(|script| !script.commands.is_empty() || !script.outputs().command_ready);
    }

    /// So many takes more. A grant may still be on the ports.
    pub fn turns(&mut self, takes: u64) {
        let last = self.takes() + takes;
        self.step_while(|script| script.takes() < last);
    }

    /// Until the next take has entered; the present cycle is the one after it.
    pub fn taken(&mut self) {
        let before = self.oracle.taken();
        self.step_while(|script| script.oracle.taken() == before);
    }

    /// Until the present grant has been taken, and what has been accepted has its effect.
    pub fn settled(&mut self) {
        self.accepted();
        self.idle(self.shape.there() + 1);
        self.step_while(|script| script.outputs().grant.is_some());
    }

    /// Until nothing is due to any source.
    pub fn served(&mut self) {
        self.settled();
        self.step_while(|script| (0..script.shape.sources).any(|source| script.source(source).is_due()));
    }

    /// A demand in the next cycle in which it is accepted; the script does not go on.
    pub fn offer(&mut self, source: u64, target: u64) {
        self.demands.push_back(Demand { source, target, repeat: false });
        self.targets.insert(source, target);
    }

    /// A demand in the next cycle in which it is accepted, and one cycle; back to back if called again.
    pub fn demand(&mut self, source: u64, target: u64) {
        self.offer(source, target);
        self.step_while(|script| !script.demands.is_empty());
    }

    /// The same, for so much more than the target that was offered before it. It may be less: that is old.
    pub fn more(&mut self, source: u64, quanta: i64) {
        self.offer_more(source, quanta);
        self.step_while(|script| !script.demands.is_empty());
    }

    /// The same; the script does not go on. An old target is not remembered.
    pub fn offer_more(&mut self, source: u64, quanta: i64) {
        self.offer_further(source, quanta, false);
    }

    /// The same as [`Self::more`], with `repeat`.
    pub fn repeat(&mut self, source: u64, quanta: i64) {
        self.offer_repeat(source, quanta);
        self.step_while(|script| !script.demands.is_empty());
    }

    /// The same as [`Self::offer_more`], with `repeat`.
    pub fn offer_repeat(&mut self, source: u64, quanta: i64) {
        self.offer_further(source, quanta, true);
    }

    fn offer_further(&mut self, source: u64, quanta: i64, repeat: bool) {
        let before = self.targets.get(&source).copied().unwrap_or_default();
        let target = behind(before, quanta as u64);
        self.demands.push_back(Demand { source, target, repeat });
        let new = (0..1 << 23).contains(&quanta);
        self.targets.insert(source, if new { target } else { before });
    }

    /// A command in the next cycle in which it is accepted; the script does not go on.
    pub fn issue(&mut self, op: u64, source: u64, number: u64) {
        self.commands.push_back(Command { op, source, number });
        if op == op::OPEN {
            self.targets.insert(source, number);
        }
    }

    /// A command, and its answer.
    pub fn command(&mut self, op: u64, source: u64, number: u64) {
        self.issue(op, source, number);
        self.answered();
    }

    /// *Open*, and its answer.
    pub fn open(&mut self, source: u64, number: u64) {
        self.command(op::OPEN, source, number);
    }

    /// *Close*, and its answer. The number is not looked at.
    pub fn close(&mut self, source: u64) {
        self.command(op::CLOSE, source, 0x5A_5A5A);
    }

    /// *Read*, and its answer. The number is not looked at.
    pub fn read(&mut self, source: u64) {
        self.command(op::READ, source, 0xA5_A5A5);
    }

    /// *Read* of every source.
    pub fn read_all(&mut self) {
        (0..self.shape.sources).for_each(|source| self.read(source));
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

    /// Nothing is taken any more; *level* is 0 if it was above.
    pub fn hold(&mut self) {
        self.set(|s| Settings { burst: 0, ..s });
        self.idle(self.shape.there());
        self.step_while(|script| script.outputs().grant.is_some());
    }

    /// Whether grants are taken from now on.
    pub fn stall(&mut self, ready: bool) {
        if self.inputs.grant_ready != ready {
            self.put(Change::GrantReady(ready));
        }
    }

    /// The case ends while a grant is on the ports and sources wait; the next case begins with a reset.
    pub fn leave_unfinished(&mut self) {
        self.stall(false);
        self.step_while(|script| script.outputs().grant.is_none());
        self.unfinished = true;
    }

    /// A demand on its port whenever `demand_ready` is 0, with `repeat`: it would be seen even if its target were not new.
    pub fn hammer_demand(&mut self, source: u64, target: u64) {
        self.hammered.push(ports::demand(self.shape).row(&Demand { source, target, repeat: true }));
    }

    /// A command on its port whenever `command_ready` is 0.
    pub fn hammer_command(&mut self, op: u64, source: u64, number: u64) {
        self.hammered.push(ports::command(self.shape).row(&Command { op, source, number }));
    }
}

impl Draft for Script {
    type Event = Change;

    fn unready(&self) -> Vec<(&'static str, Row)> {
        self.hammered.clone()
    }

    fn into_events(mut self) -> Vec<(u64, Change)> {
        // The case lasts as long as its script. Nothing may be taken while counters are read.
        self.accepted();
        self.answered();
        if !self.unfinished {
            self.stall(true);
            self.hold();
        }
        self.idle(COUNTED);
        let ready = self.inputs.grant_ready;
        self.put(Change::GrantReady(ready));
        self.changes
    }
}
