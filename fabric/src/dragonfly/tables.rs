// SPDX-License-Identifier: MIT OR Apache-2.0
//! LIA and TPR by the tables of the stage `lia_router`, one for each switch (L10 to L20).

use super::policy::{Decision, Keep, Rules};
use super::route::{Detour, Place, Route};
use super::shape::Shape;
use crate::random::{Random, mixed};
use golden_vectors::routing::lia_router::oracle as stage;
use std::sync::Arc;

/// The tables of all switches.
#[derive(Debug)]
pub struct Tables {
    shape: Shape,
    tables: Vec<stage::Table>,
    sweeps: u64,
    interval: u64,
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

    /// Tables that have counted nothing.
    #[must_use]
    pub fn new(shape: Shape, rules: &Rules, random: &mut Random) -> Self {
        let arrangement = Self::shape(&shape).map(stage::Arrangement::palmtree).map(Arc::new);
        let table = |switch: u32, arrangement: &Arc<stage::Arrangement>| {
            let place =
                stage::Place { group: (switch / shape.switches).into(), switch: (switch % shape.switches).into() };
            let seed = mixed(random.bits()) as u32;
            stage::Table::new(Arc::clone(arrangement), place, seed, settings(&shape, rules))
        };
        let all = 0..shape.all_switches();
        let tables = arrangement.map(|arrangement| {
            all.map({
                let mut table = table;
                move |switch| table(switch, &arrangement)
            })
            .collect()
        });
        let interval = u64::from(rules.interval / rules.sweep).max(1);
        Tables { shape, tables: tables.unwrap_or_default(), sweeps: 0, interval }
    }

    /// Flits come into an injection queue.
    pub fn enqueue(&mut self, switch: usize, group: u32, flits: u32) {
        self.tables[switch].enqueue(group.into(), flits.into());
    }

    /// Flits leave one.
    pub fn dequeue(&mut self, switch: usize, group: u32, flits: u32) {
        self.tables[switch].dequeue(group.into(), flits.into());
    }

    /// All tables make of their counters what requests read.
    pub fn sweep(&mut self) {
        self.sweeps += 1;
        let ends = self.sweeps.is_multiple_of(self.interval);
        self.tables.iter_mut().for_each(|table| table.sweep(ends));
    }

    /// Asks the table of a switch. `queue` is the occupancy of a port, `which` draws one of the links of a trunk.
    pub fn decide(
        &mut self,
        switch: usize,
        to: Place,
        queue: impl Fn(u32) -> u32,
        mut which: impl FnMut(u32, u32) -> u32,
    ) -> Decision {
        let shape = &self.shape;
        let (group, place) = (switch as u32 / shape.switches, switch as u32 % shape.switches);
        let ours = |port: u64| {
            let port = port as u32;
            if port < shape.switches { shape.local_port(place, port) } else { shape.hosts + port - 1 }
        };
        let answer = self.tables[switch].request_by(to.group.into(), to.switch.into(), |port| queue(ours(port)).into());
        if answer.minimal {
            // One of the links behind the port that the table has chosen.
            let offset = shape.distance(group, to.group);
            let through = |which: &u32| {
                let link = shape.link(offset, *which);
                let (owner, own) = (link / shape.links, shape.global_port(link));
                if owner == place { own == ours(answer.port) } else { u64::from(owner) == answer.port }
            };
            let which = if group == to.group { 0 } else { (0..shape.trunk).find(through).unwrap_or(0) };
            return Decision::minimal(Route::minimal(shape, group, place, to, which));
        }
        let through = answer.l2.then_some(answer.switch as u32);
        let detour = Detour { link: answer.link as u32, through };
        let route = Route::over(shape, group, place, to, detour, which(answer.group as u32, answer.switch as u32));
        Decision::detour(route, answer.l1, answer.l2)
    }
}
