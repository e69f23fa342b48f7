// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the mark monitor must do, cycle by cycle: the contract row by row.
//!
//! "Cn" is row n of the table in `docs/stages/mark_monitor.md`.

use crate::blocks::fifo::oracle::{Fifo, Shape as FifoShape};
use crate::blocks::queue::Queue;
use crate::collect::ports::named;
use std::collections::{BTreeMap, VecDeque};

/// The size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Number of paths, a power of two.
    pub paths: u64,
    /// Rows of the FIFO of alarms, a power of two.
    pub alarms: u64,
    /// Clock cycles from address to row of the memories. The rows call it *l*.
    pub ram_latency: u64,
}

impl Shape {
    /// The size as the parameters of a group of vectors.
    #[must_use]
    pub fn configuration(self) -> BTreeMap<String, u64> {
        let Shape { paths, alarms, ram_latency } = self;
        let parameters = [("paths", paths), ("alarms", alarms), ("ram_latency", ram_latency)];
        named(parameters)
    }
}

/// The inputs that keep their value until they change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Marks that make an alarm.
    pub limit: u64,
    /// The receiver of alarms is ready.
    pub ready: bool,
}

/// An event in a clock cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The settings from this cycle on.
    Settings(Settings),
    /// A marked packet on this path.
    Mark(u64),
}

/// The outputs in a clock cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outputs {
    /// The alarm that is offered.
    pub alarm: Option<u64>,
    /// Alarms lost so far.
    pub lost_alarms: u64,
}

/// Paths that arrive at a step of the pipeline, each with the cycle of its arrival.
#[derive(Default)]
struct Arrivals(VecDeque<(u64, u64)>);

impl Arrivals {
    /// The path that arrives in this cycle.
    fn of(&mut self, cycle: u64) -> Option<u64> {
        if self.0.front().is_some_and(|(at, _)| *at == cycle) { self.0.pop_front().map(|(_, path)| path) } else { None }
    }
}

/// The outputs in each of the first `cycles` cycles after reset, and in the one after them.
#[must_use]
pub fn run(shape: Shape, first: Settings, events: &[(u64, Event)], cycles: u64) -> Vec<Outputs> {
    let Shape { paths, alarms, ram_latency: l } = shape;
    let mut settings = first;
    let mut events = events.iter().peekable();
    let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
    // Paths on their way to the count, and to the FIFO.
    let (mut counting, mut raised) = (Arrivals::default(), Arrivals::default());
    let mut fifo = Fifo::new(FifoShape::new(alarms, 1, l));
    let mut lost_alarms = 0;
    let mut outputs = Vec::new();
    for cycle in 0..=cycles {
        outputs.push(Outputs { alarm: fifo.front(), lost_alarms });
        let mut mark = None;
        while let Some((_, event)) = events.next_if(|(at, _)| *at <= cycle) {
            match *event {
                Event::Settings(new) => settings = new,
                Event::Mark(path) => mark = Some(path),
            }
        }
        // C3, C4
        let push = raised.of(cycle);
        lost_alarms += u64::from(push.is_some() && !fifo.ready());
        fifo.clock(push, settings.ready);
        // C2
        if let Some(path) = counting.of(cycle) {
            let count = counts.entry(path).or_default();
            *count += 1;
            if *count >= settings.limit {
                *count = 0;
                raised.0.push_back((cycle + 1, path));
            }
        }
        // C1, C5
        if let Some(path) = mark.filter(|_| cycle >= paths) {
            counting.0.push_back((cycle + l + 1, path));
        }
    }
    outputs
}
