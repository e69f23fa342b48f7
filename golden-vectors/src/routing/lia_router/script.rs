// SPDX-License-Identifier: MIT OR Apache-2.0
//! The script of a case. It is written cycle by cycle, beside a run of the oracle, so that it knows where the sweep is.

use super::oracle::{
    Change, Command, Flits, Inputs, Occupancy, Oracle, Outputs, Place, Request, Settings, Shape, Size, op,
};
use super::ports;
use crate::collect::timed::Draft;
use crate::schema::timed::Row;

/// Cycles within which every event is counted, and every packet answered.
const COUNTED: u64 = 40;

/// The changes of a case up to the present cycle.
#[derive(Debug)]
pub struct Script {
    size: Size,
    oracle: Oracle,
    inputs: Inputs,
    changes: Vec<(u64, Change)>,
    /// The settings in force from the next sweep on.
    settings: Settings,
    /// Rows driven on a stream while its `ready` is 0. None of them may have an effect.
    hammered: Vec<(&'static str, Row)>,
    /// The case ends amid what happens.
    unfinished: bool,
}

impl Script {
    /// A script that begins in the first cycle after reset, with the settings after reset.
    pub fn from_reset(size: Size) -> Self {
        Script {
            size,
            oracle: Oracle::new(size),
            inputs: Inputs::idle(None),
            changes: Vec::new(),
            settings: size.reset,
            hammered: Vec::new(),
            unfinished: false,
        }
    }

    /// A script that begins in the first cycle that is not busy, with these settings in force, and a switch at this place.
    pub fn with(size: Size, settings: Settings, place: Place) -> Self {
        let mut script = Self::from_reset(size);
        script.set(|_| settings);
        script.until(size.ready());
        script.place(place, 0x9E37_79B9);
        script
    }

    /// The size of the network.
    pub const fn shape(&self) -> Shape {
        self.size.shape
    }

    /// The present cycle.
    pub const fn cycle(&self) -> u64 {
        self.oracle.cycle()
    }

    /// What is on the output ports in the present cycle.
    pub fn outputs(&self) -> Outputs {
        self.oracle.outputs()
    }

    /// The group that is so far behind the own one.
    pub const fn group(&self, offset: u64) -> u64 {
        self.size.shape.group(self.oracle.table().place().group, offset)
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
    pub fn step(&mut self) {
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

    /// Up to so many cycles after a sweep begins.
    pub fn swept(&mut self, cycles: u64) {
        let last = self.cycle() + 4 * self.size.sweep();
        while self.oracle.swept() != Some(cycles) {
            assert!(self.cycle() < last, "there is no sweep");
            self.step();
        }
    }

    /// Up to the first cycle of the next sweep but so many.
    pub fn sweeps(&mut self, sweeps: u64) {
        for _ in 0..sweeps {
            self.step();
            self.swept(0);
        }
    }

    /// Until everything counted is in force, and an interval has ended.
    pub fn measured(&mut self) {
        self.idle(self.size.counted());
        self.sweeps(self.settings.interval.max(1) + 2);
    }

    /// Flits enter the queues in the present cycle.
    pub fn enter_beside(&mut self, group: u64, flits: u64) {
        self.put(Change::Enqueue(Flits { group, flits }));
    }

    /// Flits leave them in the present cycle.
    pub fn leave_beside(&mut self, group: u64, flits: u64) {
        self.put(Change::Dequeue(Flits { group, flits }));
    }

    /// So many flits for an offset enter the queues, in as few cycles as they fit in.
    pub fn enter(&mut self, offset: u64, flits: u64) {
        self.in_parts(flits, |script, part| script.enter_beside(script.group(offset), part));
    }

    /// So many leave them.
    pub fn leave(&mut self, offset: u64, flits: u64) {
        self.in_parts(flits, |script, part| script.leave_beside(script.group(offset), part));
    }

    /// So many enter and leave them in the same cycles.
    pub fn pass(&mut self, offset: u64, flits: u64) {
        self.in_parts(flits, |script, part| {
            script.enter_beside(script.group(offset), part);
            script.leave_beside(script.group(offset), part);
        });
    }

    fn in_parts(&mut self, flits: u64, put: impl Fn(&mut Self, u64)) {
        let mut left = flits;
        while left > 0 {
            let part = left.min(255);
            put(self, part);
            self.step();
            left -= part;
        }
    }

    /// The occupancy of a port, in the present cycle.
    pub fn occupy_beside(&mut self, port: u64, flits: u64, in_flight: u64) {
        self.put(Change::Occupancy(Occupancy { port, flits, in_flight }));
    }

    /// The same, and one cycle.
    pub fn occupy(&mut self, port: u64, flits: u64, in_flight: u64) {
        self.occupy_beside(port, flits, in_flight);
        self.step();
    }

    /// A packet in the present cycle.
    pub fn request_beside(&mut self, group: u64, switch: u64) {
        self.put(Change::Request(Request { group, switch }));
    }

    /// A packet for an offset, and one cycle.
    pub fn request(&mut self, offset: u64, switch: u64) {
        self.request_beside(self.group(offset), switch);
        self.step();
    }

    /// A packet for each offset, the own group too, and one of its switches.
    pub fn request_all(&mut self) {
        let shape = self.shape();
        for offset in 0..shape.groups() {
            self.request(offset, offset % shape.switches);
        }
    }

    /// A command in the present cycle.
    pub fn command_beside(&mut self, command: Command) {
        self.put(Change::Command(command));
    }

    /// A command, as soon as it is accepted, and its answer.
    pub fn command(&mut self, command: Command) {
        self.ready();
        self.command_beside(command);
        self.step();
        self.ready();
    }

    /// Until commands are accepted.
    pub fn ready(&mut self) {
        let last = self.cycle() + (1 << 18);
        while !self.outputs().command_ready {
            assert!(self.cycle() < last, "the script waits for ever: {:?}", self.outputs());
            self.step();
        }
    }

    /// *Place*, and its answer.
    pub fn place(&mut self, place: Place, seed: u64) {
        let Place { group, switch } = place;
        self.command(Command { op: op::PLACE, group, switch, seed });
    }

    /// *Read* of an offset, and its answer.
    pub fn read(&mut self, offset: u64) {
        self.command(Command { op: op::READ, group: offset, switch: 1, seed: 0x5A5A_5A5A });
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

    /// A command on its port whenever `command_ready` is 0.
    pub fn hammer_command(&mut self, command: Command) {
        self.hammered.push(ports::command(self.shape()).row(&command));
    }

    /// The case ends in the present cycle; the next one begins with a reset.
    pub const fn leave_unfinished(&mut self) {
        self.unfinished = true;
    }
}

impl Draft for Script {
    type Event = Change;

    fn unready(&self) -> Vec<(&'static str, Row)> {
        self.hammered.clone()
    }

    fn into_events(mut self) -> Vec<(u64, Change)> {
        // The case lasts as long as its script.
        if !self.unfinished {
            self.ready();
        }
        self.idle(COUNTED);
        self.put(Change::Settings(None));
        self.changes
    }
}
