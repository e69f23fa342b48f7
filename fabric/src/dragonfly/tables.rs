// SPDX-License-Identifier: MIT OR Apache-2.0
//! LIA and TPR by the tables of the stage `lia_router`, one for each switch (L10 to L20).

use super::policy::{Decision, Keep, Rules};
use super::route::{Detour, Place, Route};
use super::shape::Shape;
use crate::random::{Random, mixed};
use golden_vectors::routing::lia_router::oracle as stage;
use std::cell::RefCell;
use std::sync::Arc;

/// What the table of a switch was told, and what it has answered. A compiled model that is told the same must answer the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Flits for a group come into an injection queue.
    Enqueue {
        /// The group.
        group: u32,
        /// How many.
        flits: u32,
    },
    /// Flits leave one.
    Dequeue {
        /// The group.
        group: u32,
        /// How many.
        flits: u32,
    },
    /// A sweep, and whether an interval ends with it.
    Sweep {
        /// It does.
        ends: bool,
    },
    /// A packet is routed.
    Request {
        /// The group of its destination.
        group: u32,
        /// The switch of its destination.
        switch: u32,
        /// Ports that the table has asked for, as the stage numbers them, with their occupancies in flits.
        queues: Vec<(u64, u32)>,
        /// What it has answered.
        answer: stage::Answer,
    },
}

/// All events of the switches of a group: the cycle, the place in the group, and the event.
#[derive(Clone, Debug)]
pub struct Log {
    /// The group.
    pub group: u32,
    /// The seeds of its tables.
    pub seeds: Vec<u32>,
    /// The settings of its tables.
    pub settings: stage::Settings,
    /// Events in the order of time.
    pub events: Vec<(u32, u32, Event)>,
}

/// The tables of all switches.
#[derive(Debug)]
pub struct Tables {
    shape: Shape,
    tables: Vec<stage::Table>,
    seeds: Vec<u32>,
    settings: stage::Settings,
    sweeps: u64,
    interval: u64,
    now: u32,
    log: Option<Log>,
}

/// How a local hop is kept.
const fn hop(keep: Keep) -> stage::Hop {
    match keep {
        Keep::Always => stage::Hop::Kept,
        Keep::Never => stage::Hop::Dropped,
        Keep::Counters | Keep::Acor => stage::Hop::Rule,
    }
}

/// The settings of the stage: loads as flits of an interval.
fn settings(shape: &Shape, rules: &Rules) -> stage::Settings {
    let flits = |load: f64| (load * f64::from(rules.interval)).round() as u64;
    let bias = |flits: f64| (flits as i64).clamp(i64::from(i16::MIN) + 1, i64::from(i16::MAX) - 1);
    let [benign, mixed] = rules.thresholds;
    stage::Settings {
        weight: (rules.weight * 16.0).round() as u64,
        limits: rules.limits.map(flits),
        biases: [bias(benign), bias(mixed), i64::from(i16::MIN)],
        link_threshold: flits(rules.global),
        saturated_links: rules.saturated.into(),
        remote_threshold: flits(rules.remote * f64::from(shape.links)),
        interval: (rules.interval / rules.sweep).into(),
        first_hop: hop(rules.first),
        second_hop: hop(rules.second),
        corrected: false,
    }
}

impl Tables {
    /// The shape as the stage has it; `None` if its trunks are not links that follow one another.
    #[must_use]
    pub fn shape(shape: &Shape) -> Option<stage::Shape> {
        let (h, a) = (u64::from(shape.links), u64::from(shape.switches));
        let of_stage = stage::Shape::balanced(h).switches(a).trunks(shape.trunk.into());
        (shape.trunks == super::shape::Trunks::Neighbours && of_stage.exists()).then_some(of_stage)
    }

    /// Tables that have counted nothing. There are none of a shape that the stage does not have.
    #[must_use]
    pub fn new(shape: Shape, rules: &Rules, random: &mut Random) -> Self {
        let seeds: Vec<_> = (0..shape.all_switches()).map(|_| mixed(random.bits()) as u32).collect();
        let settings = settings(&shape, rules);
        let arrangement = Self::shape(&shape).map(stage::Arrangement::palmtree).map(Arc::new);
        let table = |arrangement: &Arc<stage::Arrangement>, switch: u32, seed: u32| {
            let (group, switch) = (switch / shape.switches, switch % shape.switches);
            let place = stage::Place { group: group.into(), switch: switch.into() };
            stage::Table::new(Arc::clone(arrangement), place, seed, settings)
        };
        let all = |arrangement| (0..).zip(&seeds).map(|(switch, &seed)| table(&arrangement, switch, seed)).collect();
        let tables = arrangement.map(all).unwrap_or_default();
        let interval = u64::from(rules.interval / rules.sweep).max(1);
        Tables { shape, tables, seeds, settings, sweeps: 0, interval, now: 0, log: None }
    }

    /// From now on all events of this group are kept.
    pub fn record(&mut self, group: u32) {
        let first = (group * self.shape.switches) as usize;
        let seeds = self.seeds[first..first + self.shape.switches as usize].to_vec();
        self.log = Some(Log { group, seeds, settings: self.settings, events: Vec::new() });
    }

    /// What was kept.
    #[must_use]
    pub const fn log(&self) -> Option<&Log> {
        self.log.as_ref()
    }

    /// A cycle begins.
    pub const fn tick(&mut self, now: u32) {
        self.now = now;
    }

    fn keep(&mut self, switch: usize, event: impl FnOnce() -> Event) {
        let (group, place) = (switch as u32 / self.shape.switches, switch as u32 % self.shape.switches);
        if let Some(log) = self.log.as_mut().filter(|log| log.group == group) {
            log.events.push((self.now, place, event()));
        }
    }

    /// Flits come into an injection queue.
    pub fn enqueue(&mut self, switch: usize, group: u32, flits: u32) {
        self.tables[switch].enqueue(group.into(), flits.into());
        self.keep(switch, || Event::Enqueue { group, flits });
    }

    /// Flits leave one.
    pub fn dequeue(&mut self, switch: usize, group: u32, flits: u32) {
        self.tables[switch].dequeue(group.into(), flits.into());
        self.keep(switch, || Event::Dequeue { group, flits });
    }

    /// All tables make of their counters what requests read.
    pub fn sweep(&mut self) {
        self.sweeps += 1;
        let ends = self.sweeps.is_multiple_of(self.interval);
        self.tables.iter_mut().for_each(|table| table.sweep(ends));
        if self.log.is_some() {
            (0..self.tables.len()).for_each(|switch| self.keep(switch, || Event::Sweep { ends }));
        }
    }

    /// Asks the table of a switch. `queue` is the occupancy of a port, `which` draws one of the links of a trunk.
    pub fn decide(
        &mut self,
        switch: usize,
        to: Place,
        queue: impl Fn(u32) -> u32,
        mut which: impl FnMut(u32, u32) -> u32,
    ) -> Decision {
        let shape = self.shape;
        let (group, place) = (switch as u32 / shape.switches, switch as u32 % shape.switches);
        let ours = |port: u64| {
            let port = port as u32;
            if port < shape.switches { shape.local_port(place, port) } else { shape.hosts + port - 1 }
        };
        let (keeps, queues) = (self.log.is_some(), RefCell::new(Vec::new()));
        let asked = |port| {
            let queue = queue(ours(port));
            if keeps {
                queues.borrow_mut().push((port, queue));
            }
            u64::from(queue)
        };
        let answer = self.tables[switch].request_by(to.group.into(), to.switch.into(), asked);
        let queues = queues.into_inner();
        self.keep(switch, || Event::Request { group: to.group, switch: to.switch, queues, answer });
        if answer.minimal {
            // One of the links behind the port that the table has chosen.
            let offset = shape.distance(group, to.group);
            let through = |which: &u32| {
                let link = shape.link(offset, *which);
                let (owner, own) = (link / shape.links, shape.global_port(link));
                if owner == place { own == ours(answer.port) } else { u64::from(owner) == answer.port }
            };
            let which = if group == to.group { 0 } else { (0..shape.trunk).find(through).unwrap_or(0) };
            return Decision::minimal(Route::minimal(&shape, group, place, to, which));
        }
        let through = answer.l2.then_some(answer.switch as u32);
        let detour = Detour { link: answer.link as u32, through };
        let route = Route::over(&shape, group, place, to, detour, which(answer.group as u32, answer.switch as u32));
        Decision::detour(route, answer.l1, answer.l2)
    }
}
