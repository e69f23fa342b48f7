// SPDX-License-Identifier: MIT OR Apache-2.0
//! The router of a switch without a clock: one event at a time.

use super::{Answer, Arrangement, Generator, Hop, Load, Loads, Place, Settings, Shape, scaled};
use std::sync::Arc;

/// The router of a switch. It allocates in [`Table::new`] only, and a request reads flags that a sweep has made.
#[derive(Clone, Debug)]
pub struct Table {
    arrangement: Arc<Arrangement>,
    shape: Shape,
    place: Place,
    settings: Settings,
    generator: Generator,
    loads: Loads,
    /// Q of each port (L11).
    occupancies: Box<[u64]>,
}

/// The first port of a path, and its hops.
#[derive(Clone, Copy, Debug)]
pub struct Path {
    port: u64,
    hops: u64,
}

/// What was drawn for a packet.
#[derive(Clone, Copy, Debug)]
pub enum Draw {
    /// There is nothing to decide.
    Settled(Answer),
    /// One of two paths.
    Paths {
        /// The minimal one.
        minimal: Path,
        /// The other one.
        other: Path,
        /// *T*.
        bias: i64,
        /// The answer, but for what is decided.
        path: Answer,
    },
}

impl Draw {
    /// L11: the decision, with the occupancies of the first ports.
    #[must_use]
    pub fn decide(&self, occupancy: impl Fn(u64) -> u64) -> Answer {
        match *self {
            Draw::Settled(answer) => answer,
            Draw::Paths { minimal, other, bias, path } => {
                let weighted = |path: Path| (occupancy(path.port) * path.hops) as i64;
                let is_minimal = weighted(minimal) <= weighted(other) + bias;
                let Path { port, hops } = if is_minimal { minimal } else { other };
                Answer { minimal: is_minimal, port, hops, ..path }
            }
        }
    }
}

impl Table {
    /// A router at this place, where nothing waits.
    #[must_use]
    pub fn new(arrangement: Arc<Arrangement>, place: Place, seed: u32, settings: Settings) -> Self {
        let shape = arrangement.shape();
        Table {
            shape,
            place,
            settings,
            generator: Generator::new(seed),
            loads: Loads::new(shape),
            occupancies: vec![0; shape.ports() as usize].into(),
            arrangement,
        }
    }

    /// The size of the network.
    #[must_use]
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// Where the switch is.
    #[must_use]
    pub const fn place(&self) -> Place {
        self.place
    }

    /// The settings in force.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The counters, and the results of the last sweep.
    #[must_use]
    pub const fn loads(&self) -> &Loads {
        &self.loads
    }

    /// New settings.
    pub const fn set(&mut self, settings: Settings) {
        self.settings = settings;
    }

    /// The counters of this group, unless it is the own one; false if there is no such group.
    fn counted(&self, group: u64) -> (bool, Option<u64>) {
        let known = group < self.shape.groups();
        let offset = if known { self.shape.offset(group, self.place.group) } else { 0 };
        (known, (offset > 0).then_some(offset))
    }

    /// Flits for a group enter the injection queues. Returns whether there is such a group.
    pub fn enqueue(&mut self, group: u64, flits: u64) -> bool {
        let (known, counted) = self.counted(group);
        if let Some(offset) = counted {
            self.loads.enter(offset, flits);
        }
        known
    }

    /// Flits for a group leave the injection queues. Returns whether there is such a group.
    pub fn dequeue(&mut self, group: u64, flits: u64) -> bool {
        let (known, counted) = self.counted(group);
        if let Some(offset) = counted {
            self.loads.leave(offset, flits);
        }
        known
    }

    /// So many flits wait for a port or are on their way, of which so many are in flight on its link. Returns whether
    /// there is such a port.
    pub fn occupancy(&mut self, port: u64, flits: u64, in_flight: u64) -> bool {
        self.occupied(port, self.waiting(flits, in_flight))
    }

    /// Q (L11): whether flits in flight count is a setting.
    #[must_use]
    pub const fn waiting(&self, flits: u64, in_flight: u64) -> u64 {
        if self.settings.corrected { flits.saturating_sub(in_flight) } else { flits }
    }

    /// Q of a port. Returns whether there is such a port.
    pub fn occupied(&mut self, port: u64, occupancy: u64) -> bool {
        let place = self.occupancies.get_mut(port as usize);
        let known = place.is_some();
        if let Some(place) = place {
            *place = occupancy;
        }
        known
    }

    /// A sweep begins.
    pub fn begin_sweep(&mut self) {
        self.loads.begin();
    }

    /// The sweep comes to an offset; it visits all, in their order. With `end` an interval ends for it.
    pub fn visit(&mut self, offset: u64, end: bool) -> Load {
        self.loads.visit(offset, &self.arrangement, self.place, &self.settings, end)
    }

    /// The sweep is over, and what it has found is in force.
    pub fn end_sweep(&mut self) {
        self.loads.end(&self.settings);
    }

    /// A whole sweep at once.
    pub fn sweep(&mut self, end: bool) {
        self.begin_sweep();
        for offset in 1..self.shape.groups() {
            self.visit(offset, end);
        }
        self.end_sweep();
    }

    /// Everything is 0 again, at this place, and the generator begins with this number.
    pub fn restart(&mut self, place: Place, seed: u32) {
        self.place = place;
        self.generator = Generator::new(seed);
        self.loads = Loads::new(self.shape);
        self.occupancies.fill(0);
    }

    /// Routes a packet, with the occupancies reported before.
    pub fn request(&mut self, group: u64, switch: u64) -> Answer {
        let draw = self.draw(group, switch);
        self.decide(&draw)
    }

    /// Routes a packet, with occupancies that are asked for: of the first ports of the two paths.
    pub fn request_by(&mut self, group: u64, switch: u64, occupancy: impl Fn(u64) -> u64) -> Answer {
        self.draw(group, switch).decide(occupancy)
    }

    /// Decides for a packet with the occupancies reported before.
    #[must_use]
    pub fn decide(&self, draw: &Draw) -> Answer {
        draw.decide(|port| self.occupancies[port as usize])
    }

    /// Draws a path for a packet.
    pub fn draw(&mut self, group: u64, switch: u64) -> Draw {
        let number = self.generator.draw();
        let (shape, own) = (self.shape, self.place);
        if group >= shape.groups() || switch >= shape.switches {
            return Draw::Settled(Answer::default());
        }
        let offset = shape.offset(group, own.group);
        if offset == 0 {
            let hops = u64::from(switch != own.switch);
            return Draw::Settled(Answer { known: true, minimal: true, port: switch, hops, ..Answer::default() });
        }
        let first = self.arrangement.first(offset);
        let trunk = scaled(number >> 8, shape.trunks);
        let minimal = self.minimal(first + trunk, switch);

        // L17, L18.
        let keeps = |hop, rule| hop == Hop::Kept || hop == Hop::Rule && rule;
        let l1 = keeps(self.settings.first_hop, self.loads.keeps_first()) || self.leads_only_there(first);
        let l2 = keeps(self.settings.second_hop, self.loads.keeps_second(offset));
        let link = self.draw_link(number >> 16, first, l1);
        let (between, arrival) = (self.arrangement.offset(link), self.arrangement.arrival(link));
        let via = if l2 { scaled(number, shape.switches) } else { arrival };
        let rest = (offset + shape.groups() - between) % shape.groups();
        let onward = self.remote_hops(rest, trunk, via, switch);
        let there = 1 + u64::from(self.arrangement.switch(link) != own.switch) + u64::from(via != arrival);
        let other = Path { port: self.port(link), hops: there + onward };

        // L19.
        let level = self.loads.level(offset);
        let bias = self.settings.biases[level as usize];
        let group = shape.group(own.group, between);
        let path = Answer { known: true, group, switch: via, link, l1, l2, level, ..Answer::default() };
        Draw::Paths { minimal, other, bias, path }
    }

    /// The minimal path over this link (L05).
    fn minimal(&self, link: u64, switch: u64) -> Path {
        let arrival = self.arrangement.arrival(link);
        let local = self.arrangement.switch(link) != self.place.switch;
        Path { port: self.port(link), hops: 1 + u64::from(local) + u64::from(arrival != switch) }
    }

    /// Hops from a switch of the intermediate group to the destination, over this one of the links.
    fn remote_hops(&self, offset: u64, trunk: u64, from: u64, switch: u64) -> u64 {
        let link = self.arrangement.first(offset) + trunk;
        let arrival = self.arrangement.arrival(link);
        1 + u64::from(self.arrangement.switch(link) != from) + u64::from(arrival != switch)
    }

    /// The first port to a link of the group.
    fn port(&self, link: u64) -> u64 {
        let switch = self.arrangement.switch(link);
        if switch == self.place.switch { self.shape.switches + link % self.shape.global_ports } else { switch }
    }

    /// All own links lead to the destination group.
    const fn leads_only_there(&self, first: u64) -> bool {
        let own = self.place.switch * self.shape.global_ports;
        first <= own && own + self.shape.global_ports <= first + self.shape.trunks
    }

    /// A link of the group, or of the switch, that does not lead to the destination group: the one behind those that do.
    fn draw_link(&self, bits: u32, first: u64, all: bool) -> u64 {
        let h = self.shape.global_ports;
        let (from, many) = if all { (0, self.shape.links()) } else { (self.place.switch * h, h) };
        let link = from + scaled(bits, many);
        let behind = first + self.shape.trunks;
        if !(first..behind).contains(&link) {
            link
        } else if behind < from + many {
            behind
        } else {
            from
        }
    }
}
