// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which way a packet takes: the source switch decides, when the packet is first in its injection queue (L10, L20).

use super::congestion::{Acor, Saturation};
use super::counters::Counters;
use super::packet::Packet;
use super::route::{Detour, Place, Route, port};
use super::shape::Shape;
use super::switches::Switches;
use super::tables::Tables;
use crate::random::Random;

/// Whether a local hop of a detour is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// On every detour.
    Always,
    /// On none.
    Never,
    /// As the counters say (L17, L18).
    Counters,
    /// As the level of ACOR says.
    Acor,
}

/// Whether a packet takes the shortest way, or a detour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Choice {
    /// The shortest way (MIN).
    Minimal,
    /// Always a detour (Valiant).
    Detour,
    /// By queues: the shortest way if its queue times its hops is not more than that of the detour, plus a threshold in flits (L11).
    Ugal(f64),
    /// The same, and a detour if the switch that has the shortest link has said that it is saturated.
    Piggyback(f64),
    /// The threshold depends on the level of the traffic to the group (L19).
    Levels,
}

/// What the occupancy of a port is: for a packet that is first in its queue there is more than one reading of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occupancy {
    /// All for which there is no credit: also what is on the link, and credits on their way back.
    Credits,
    /// The same without flits on the link.
    Landed,
    /// What waits: before the link, and behind it as it was a delay of the link ago.
    Waiting,
}

/// What a policy is made of. Loads are in flits a cycle, so 1 is a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// Between the shortest way and a detour.
    pub choice: Choice,
    /// First local hop.
    pub first: Keep,
    /// Second local hop.
    pub second: Keep,
    /// What counts as the queue of a port.
    pub occupancy: Occupancy,
    /// The tables of the stage `lia_router` decide; otherwise the rules are those of this module.
    pub tables: bool,
    /// A packet that waits is decided anew.
    pub again: bool,
    /// Weight of flits that wait in injection queues (w, L13).
    pub weight: f64,
    /// Length of an interval.
    pub interval: u32,
    /// Cycles from a sweep of the tables to the next; it divides the interval.
    pub sweep: u32,
    /// Loads above which traffic is mixed, and adversarial (L19).
    pub limits: [f64; 2],
    /// Thresholds of benign and of mixed traffic; adversarial traffic takes detours.
    pub thresholds: [f64; 2],
    /// Load above which a global link is about to be saturated (GPSTh, L17).
    pub global: f64,
    /// If more than so many are, the first local hop is kept (SGC, L17).
    pub saturated: u32,
    /// Load above which a remote local link is congested (RCTh, L18).
    pub remote: f64,
    /// Not of LIA: so many links are drawn for a detour, and the one with the shortest queue is taken.
    pub draws: u32,
    /// Not of LIA: the second local hop is dropped for as many packets as the remote local links still carry.
    pub partial: bool,
}

/// A way, and how it came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The way.
    pub route: Route,
    /// Bits: a detour, with the first local hop kept, with the second one.
    pub kind: u8,
}

impl Decision {
    /// A detour.
    pub const DETOUR: u8 = 1;
    /// With the first local hop kept, whether or not the link is the own one.
    pub const FIRST: u8 = 2;
    /// With the second one.
    pub const SECOND: u8 = 4;

    /// The shortest way.
    #[must_use]
    pub const fn minimal(route: Route) -> Self {
        Decision { route, kind: 0 }
    }

    /// A detour, and which local hops are kept.
    #[must_use]
    pub const fn detour(route: Route, first: bool, second: bool) -> Self {
        let kind = Self::DETOUR | if first { Self::FIRST } else { 0 } | if second { Self::SECOND } else { 0 };
        Decision { route, kind }
    }
}

/// The policy of all switches.
#[derive(Debug)]
pub struct Policy {
    shape: Shape,
    rules: Rules,
    counters: Counters,
    tables: Option<Tables>,
    saturation: Saturation,
    /// Of ACOR.
    pub acor: Acor,
    random: Random,
}

impl Policy {
    /// The policy of a network.
    #[must_use]
    pub fn new(shape: Shape, rules: Rules, mut random: Random) -> Self {
        let counters = Counters::new(&shape, rules.weight);
        let tables = rules.tables.then(|| Tables::new(shape, &rules, &mut random));
        Policy { shape, rules, counters, tables, saturation: Saturation::new(&shape), acor: Acor::new(&shape), random }
    }

    /// What the policy is made of.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The tables of the stage, if they decide.
    pub const fn tables(&mut self) -> Option<&mut Tables> {
        self.tables.as_mut()
    }

    /// Whether decisions depend on anything but chance, so that it is of use to decide anew.
    #[must_use]
    pub fn adapts(&self) -> bool {
        let fixed = |keep| matches!(keep, Keep::Always | Keep::Never);
        let oblivious = matches!(self.rules.choice, Choice::Minimal | Choice::Detour);
        !(oblivious && fixed(self.rules.first) && fixed(self.rules.second))
    }

    /// Whether levels of ACOR count.
    #[must_use]
    pub fn uses_acor(&self) -> bool {
        self.rules.first == Keep::Acor || self.rules.second == Keep::Acor
    }

    /// Flits for a group come into an injection queue, or leave one.
    pub fn count(&mut self, switch: usize, offset: u16, flits: u32, enters: bool) {
        if offset == 0 {
            return;
        }
        let group = (switch as u32 / self.shape.switches + u32::from(offset)) % self.shape.groups;
        match (&mut self.tables, enters) {
            (Some(tables), true) => tables.enqueue(switch, group, flits),
            (Some(tables), false) => tables.dequeue(switch, group, flits),
            (None, true) => self.counters.enqueue(switch, offset, flits),
            (None, false) => self.counters.dequeue(switch, offset, flits),
        }
    }

    /// What happens before a cycle: intervals of counters, and what switches tell one another.
    pub fn tick(&mut self, switches: &Switches, now: u32) {
        if let Some(tables) = &mut self.tables {
            tables.tick(now);
        }
        if now == 0 {
            return;
        }
        match &mut self.tables {
            Some(tables) if now.is_multiple_of(self.rules.sweep) => tables.sweep(),
            None if now.is_multiple_of(self.rules.interval) => self.counters.end(),
            _ => {}
        }
        let told = switches.hardware.local_delay.max(1);
        if matches!(self.rules.choice, Choice::Piggyback(_)) && now.is_multiple_of(told) {
            let occupancy = self.rules.occupancy;
            self.saturation.look(switches.ports, |output| switches.occupancy(occupancy, output, now));
        }
        if self.uses_acor() && now.is_multiple_of(Acor::PERIOD) {
            self.acor.end();
        }
    }

    /// Decides the way of a packet.
    pub fn decide(&mut self, switches: &Switches, now: u32, switch: usize, packet: &mut Packet) {
        let decision = self.decision(switches, now, switch, packet);
        packet.hops = decision.route.hops;
        packet.links = decision.route.links() as u8;
        packet.kind = decision.kind;
        packet.at = 0;
    }

    fn decision(&mut self, switches: &Switches, now: u32, switch: usize, packet: &Packet) -> Decision {
        let shape = self.shape;
        let (group, place) = (switch as u32 / shape.switches, switch as u32 % shape.switches);
        let to = Place::of(&shape, packet.destination);
        if let (Some(tables), true) = (&mut self.tables, packet.offset > 0) {
            let queue = |port| switches.occupancy(self.rules.occupancy, switch * switches.ports + port as usize, now);
            let random = &mut self.random;
            return tables
                .decide(switch, to, queue, |between, enters| trunk(&shape, random, between, enters, to.group));
        }
        let which = trunk(&shape, &mut self.random, group, place, to.group);
        let minimal = Route::minimal(&shape, group, place, to, which);
        if packet.offset == 0 || self.rules.choice == Choice::Minimal {
            return Decision::minimal(minimal);
        }
        let offset = u32::from(packet.offset);
        let first = self.keeps_first(switch, place, offset);
        let second = self.keeps_second(switch, offset);
        let link = self.best_link(switches, now, switch, offset, first);
        let through = second.then(|| self.random.below(u64::from(shape.switches)) as u32);
        let between = (group + shape.offset(link)) % shape.groups;
        let enters = through.unwrap_or(shape.far(link) / shape.links);
        let which = trunk(&shape, &mut self.random, between, enters, to.group);
        let detour = Route::over(&shape, group, place, to, Detour { link, through }, which);
        if self.prefers_minimal(switches, now, switch, offset, [&minimal, &detour]) {
            return Decision::minimal(minimal);
        }
        Decision::detour(detour, first, second)
    }

    /// L17: links that this switch's hosts would saturate are not for detours.
    fn keeps_first(&self, switch: usize, place: u32, offset: u32) -> bool {
        let (shape, rules) = (&self.shape, &self.rules);
        let own = place * shape.links..(place + 1) * shape.links;
        let keeps = match rules.first {
            Keep::Always => true,
            Keep::Never => false,
            Keep::Acor => self.acor.level(switch) >= 2,
            Keep::Counters => {
                let limit = rules.global * f64::from(rules.interval);
                let load = |link| self.counters.offered(switch, shape.offset(link) as usize);
                own.clone().filter(|&link| load(link) > limit).count() as u32 > rules.saturated
            }
        };
        keeps || own.into_iter().all(|link| shape.offset(link) == offset)
    }

    /// L18.
    fn keeps_second(&mut self, switch: usize, offset: u32) -> bool {
        let rules = self.rules;
        match rules.second {
            Keep::Always => true,
            Keep::Never => false,
            Keep::Acor => self.acor.level(switch) >= 1,
            Keep::Counters if rules.partial => {
                let share = self.droppable(switch, offset);
                share < 1.0 && self.random.real() >= share
            }
            Keep::Counters => {
                let limit = rules.remote * f64::from(rules.interval);
                self.counters.remote_worst(switch, offset as usize) > limit
            }
        }
    }

    /// The share of packets that may drop the second local hop, so that the local link that most of them take carries no more than
    /// RCTh: with RC = *h x* of a load *x* it has *f* (*h* - 1) *x* of those that drop it, and *x* / 2 of each other hop.
    fn droppable(&self, switch: usize, offset: u32) -> f64 {
        let (rules, h) = (&self.rules, f64::from(self.shape.links));
        let worst = self.counters.remote_worst(switch, offset as usize) / f64::from(rules.interval);
        if worst <= rules.remote {
            return 1.0;
        }
        let others = 1.5 * worst / h;
        ((rules.remote - others) / (worst * (1.0 - 1.0 / h)).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0)
    }

    /// Of some links that are drawn, the one behind the shortest queue.
    fn best_link(&mut self, switches: &Switches, now: u32, switch: usize, offset: u32, of_group: bool) -> u32 {
        let (shape, occupancy) = (self.shape, self.rules.occupancy);
        let place = switch as u32 % shape.switches;
        let queue = |link: u32| {
            let owner = link / shape.links;
            let port = if owner == place { shape.global_port(link) } else { shape.local_port(place, owner) };
            switches.occupancy(occupancy, switch * switches.ports + port as usize, now)
        };
        let mut best = self.link(place, offset, of_group);
        for _ in 1..self.rules.draws {
            let other = self.link(place, offset, of_group);
            if queue(other) < queue(best) {
                best = other;
            }
        }
        best
    }

    /// A link for a detour, of the group or of the switch. There is one that does not lead to the destination.
    fn link(&mut self, place: u32, offset: u32, of_group: bool) -> u32 {
        let shape = &self.shape;
        let (begin, count) = if of_group { (0, shape.group_links()) } else { (place * shape.links, shape.links) };
        loop {
            let link = begin + self.random.below(u64::from(count)) as u32;
            if shape.offset(link) != offset {
                return link;
            }
        }
    }

    /// L11, L19. The ways are the shortest one and the detour.
    fn prefers_minimal(&self, switches: &Switches, now: u32, switch: usize, offset: u32, ways: [&Route; 2]) -> bool {
        let rules = &self.rules;
        let threshold = match rules.choice {
            Choice::Minimal => return true,
            Choice::Detour => return false,
            Choice::Ugal(threshold) => threshold,
            Choice::Piggyback(threshold) => {
                if self.saturation.of(switch, offset) {
                    return false;
                }
                threshold
            }
            Choice::Levels => {
                let load = self.counters.offered(switch, offset as usize) / f64::from(rules.interval);
                match rules.limits.iter().position(|&limit| load < limit) {
                    Some(level) => rules.thresholds[level],
                    None => return false,
                }
            }
        };
        let cost = |way: &Route| {
            let output = switch * switches.ports + port(way.hops[0]);
            let queue = switches.occupancy(rules.occupancy, output, now);
            f64::from(queue * way.links())
        };
        cost(ways[0]) <= cost(ways[1]) + threshold
    }
}

/// One of the *t* links from a switch's group to another: its own, if it has one, otherwise any (Y10).
fn trunk(shape: &Shape, random: &mut Random, group: u32, place: u32, to: u32) -> u32 {
    if shape.trunk == 1 || group == to {
        return 0;
    }
    let offset = shape.distance(group, to);
    let own = |which: &u32| shape.link(offset, *which) / shape.links == place;
    let owned = (0..shape.trunk).filter(own).count() as u64;
    if owned == 0 {
        return random.below(u64::from(shape.trunk)) as u32;
    }
    let drawn = if owned > 1 { random.below(owned) as usize } else { 0 };
    (0..shape.trunk).filter(own).nth(drawn).unwrap_or(0)
}
