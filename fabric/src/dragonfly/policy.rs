// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which way a packet takes: the source switch decides, when the packet is first in its injection queue (L10, L20).

use super::congestion::{Acor, Saturation};
use super::counters::Counters;
use super::packet::Packet;
use super::route::{Detour, Place, Route, port};
use super::shape::Shape;
use super::switches::Switches;
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

/// What a policy is made of. Loads are in flits a cycle, so 1 is a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// Between the shortest way and a detour.
    pub choice: Choice,
    /// First local hop.
    pub first: Keep,
    /// Second local hop.
    pub second: Keep,
    /// Flits on a link count as if they waited.
    pub in_flight: bool,
    /// Weight of flits that wait in injection queues (w, L13).
    pub weight: f64,
    /// Length of an interval.
    pub interval: u32,
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
}

/// What was decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Decided {
    /// The shortest way.
    pub minimal: u64,
    /// A detour.
    pub detours: u64,
    /// Of these with the first local hop kept, whether or not the link was the own one.
    pub first: u64,
    /// Of these with the second one.
    pub second: u64,
}

/// The policy of all switches.
#[derive(Debug)]
pub struct Policy {
    shape: Shape,
    rules: Rules,
    /// What switches count.
    pub counters: Counters,
    /// Of piggyback.
    pub saturation: Saturation,
    /// Of ACOR.
    pub acor: Acor,
    random: Random,
    /// What was decided since this was set to zero.
    pub decided: Decided,
}

impl Policy {
    /// The policy of a network.
    #[must_use]
    pub fn new(shape: Shape, rules: Rules, random: Random) -> Self {
        let counters = Counters::new(&shape, rules.weight);
        let (saturation, acor) = (Saturation::new(&shape), Acor::new(&shape));
        Policy { shape, rules, counters, saturation, acor, random, decided: Decided::default() }
    }

    /// What the policy is made of.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Decides the way of a packet.
    pub fn decide(&mut self, switches: &Switches, now: u32, switch: usize, packet: &mut Packet) {
        let route = self.route(switches, now, switch, packet);
        packet.hops = route.hops;
        packet.links = route.links() as u8;
        packet.at = 0;
    }

    fn route(&mut self, switches: &Switches, now: u32, switch: usize, packet: &Packet) -> Route {
        let shape = self.shape;
        let (group, place) = (switch as u32 / shape.switches, switch as u32 % shape.switches);
        let to = Place::of(&shape, packet.destination);
        let which = self.trunk(group, place, to.group);
        let minimal = Route::minimal(&shape, group, place, to, which);
        if packet.offset == 0 {
            return minimal;
        }
        if self.rules.choice == Choice::Minimal {
            self.decided.minimal += 1;
            return minimal;
        }
        let offset = u32::from(packet.offset);
        let first = self.keeps_first(switch, place, offset);
        let second = self.keeps_second(switch, offset);
        let link = self.link(place, offset, first);
        let through = second.then(|| self.random.below(u64::from(shape.switches)) as u32);
        let between = (group + shape.offset(link)) % shape.groups;
        let enters = through.unwrap_or(shape.far(link) / shape.links);
        let which = self.trunk(between, enters, to.group);
        let detour = Route::over(&shape, group, place, to, Detour { link, through }, which);
        if self.prefers_minimal(switches, now, switch, offset, [&minimal, &detour]) {
            self.decided.minimal += 1;
            return minimal;
        }
        self.decided.detours += 1;
        self.decided.first += u64::from(first);
        self.decided.second += u64::from(second);
        detour
    }

    /// One of the *t* links from a switch's group to another: its own, if it has one, otherwise any (Y10).
    fn trunk(&mut self, group: u32, place: u32, to: u32) -> u32 {
        let shape = &self.shape;
        if shape.trunk == 1 || group == to {
            return 0;
        }
        let offset = shape.distance(group, to);
        let own = (0..shape.trunk).filter(|&which| shape.link(offset, which) / shape.links == place);
        let (owned, count) = (own.clone().next(), own.count() as u32);
        let draw = |below: u32, random: &mut Random| random.below(u64::from(below)) as u32;
        match owned {
            Some(owned) => owned + if count > 1 { draw(count, &mut self.random) } else { 0 },
            None => draw(shape.trunk, &mut self.random),
        }
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
    fn keeps_second(&self, switch: usize, offset: u32) -> bool {
        let rules = &self.rules;
        match rules.second {
            Keep::Always => true,
            Keep::Never => false,
            Keep::Acor => self.acor.level(switch) >= 1,
            Keep::Counters => {
                self.counters.crowded(switch, offset as usize, rules.remote * f64::from(rules.interval))
            }
        }
    }

    /// A link for a detour, of the group or of the switch; the next one, if it leads to the destination.
    fn link(&mut self, place: u32, offset: u32, of_group: bool) -> u32 {
        let shape = &self.shape;
        let (begin, count) =
            if of_group { (0, shape.group_links()) } else { (place * shape.links, shape.links) };
        if std::env::var("NX").is_err() || (std::env::var("NX2").is_ok() && of_group) {
            loop {
                let drawn = begin + self.random.below(u64::from(count)) as u32;
                if shape.offset(drawn) != offset { return drawn; }
            }
        }
        let drawn = self.random.below(u64::from(count)) as u32;
        let links = (0..count).map(|next| begin + (drawn + next) % count);
        links.into_iter().find(|&link| shape.offset(link) != offset).unwrap_or(begin + drawn)
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
            let queue =
                if rules.in_flight { switches.credits_used(output) } else { switches.occupancy(output, now) };
            f64::from(queue * way.links())
        };
        cost(ways[0]) <= cost(ways[1]) + threshold
    }
}
