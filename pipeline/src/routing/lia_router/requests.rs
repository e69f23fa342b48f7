// SPDX-License-Identifier: MIT OR Apache-2.0
//! The paths of packets (rows LR5 to LR7). With memories of latency `l` and `e` = `l` + 2:
//!
//! ```text
//!  0        known? how many groups behind the own one?     e + 5   offset of the intermediate group
//!  1        the row                                        e + 8   the link from there to the destination
//!  2        to `routes`                                    e + 9   hops; ports to the occupancies
//!  e        level, links to the destination                e + 11  occupancies x hops
//!  e + 3    the link to the intermediate group             e + 13  minimal?
//!  e + 4    ports; intermediate switch; minimal hops       e + 14  response
//! ```

use super::balance::Balance;
use super::choice::{Choice, Kept};
use super::commands::Place;
use super::config::LiaRouterConfig;
use super::draws::Draws;
use super::flows::Distance;
use super::links::{Link, resized};
use super::onward::Onward;
use super::ports::{HOPS_WIDTH, LEVEL_WIDTH, Request, Response};
use super::settings::Biases;
use super::verdicts::Flags;
use crate::blocks::bounds::exists;
use crate::blocks::pipeline_regs::PipelineRegs;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, name_nets, select};

/// What goes with a packet all the way.
#[derive(Bundle)]
#[shape(config: LiaRouterConfig)]
struct Tag<L: Reading> {
    #[reset]
    valid: Bits<L>,
    known: Bits<L>,
    /// Its destination is in the own group.
    local: Bits<L>,
    #[shape(config.switch())]
    switch: Bits<L>,
}

/// The first ports of both paths, and the path to the intermediate switch.
#[derive(Bundle)]
#[shape(config: LiaRouterConfig)]
struct Paths<L: Reading> {
    #[shape(config.port())]
    minimal: Bits<L>,
    #[shape(config.port())]
    other: Bits<L>,
    #[shape(config.link())]
    link: Bits<L>,
    #[shape(config.switch())]
    via: Bits<L>,
    /// Hops of the minimal path.
    #[width(2)]
    hops: Bits<L>,
}

/// How a packet comes to the intermediate switch, in step `e` + 5.
#[derive(Bundle)]
#[shape(config: LiaRouterConfig)]
struct Way<L: Reading> {
    /// There is a first local hop.
    local: Bits<L>,
    /// The switch at which the link arrives.
    #[shape(config.switch())]
    arrival: Bits<L>,
}

/// What requests read elsewhere in this clock cycle.
#[derive(Clone, Copy)]
pub struct Sources<'a, L: Logic> {
    pub place: Place<L>,
    /// Level and first link of the request in step `e`.
    pub route: (Bits<L>, Link<L>),
    pub flags: Flags<L>,
    pub draws: &'a Draws<L>,
    /// The occupancies that were read one clock cycle ago.
    pub occupancies: [Bits<L>; 2],
    pub biases: Biases<L>,
}

/// The packets in all steps.
#[name_nets]
pub struct Requests<L: Logic> {
    config: LiaRouterConfig,
    /// Steps 1 to `e` + 13.
    tags: PipelineRegs<Tag<L>>,
    unknown: Reg<Bits<L>>,
    /// Step 1.
    distance: Reg<Distance<L>>,
    /// Steps 2 to `e` + 6.
    rows: PipelineRegs<Bits<L>>,
    /// Steps `e` + 1 to `e` + 13.
    levels: PipelineRegs<Bits<L>>,
    choice: Choice<L>,
    /// Steps `e` + 3 to `e` + 13.
    kept: PipelineRegs<Kept<L>>,
    /// Steps `e` + 5 to `e` + 13.
    paths: PipelineRegs<Paths<L>>,
    /// Step `e` + 5.
    way: Reg<Way<L>>,
    /// Steps `e` + 6 to `e` + 9: local hops to the intermediate switch.
    there: PipelineRegs<Bits<L>>,
    onward: Onward<L>,
    /// Steps `e` + 10 to `e` + 13: hops of the other path.
    hops: PipelineRegs<Bits<L>>,
    balance: Balance<L>,
    response: Reg<Response<L>>,
}

#[name_nets]
impl<L: Logic> Requests<L> {
    pub fn new(config: LiaRouterConfig) -> Self {
        let e = config.routed();
        Requests {
            config,
            tags: PipelineRegs::new(1..=e + 13, &Tag::shape(config)),
            unknown: Reg::new(&bits(1)).with_reset(),
            distance: Reg::new(&Distance::shape(config)),
            rows: PipelineRegs::new(2..=e + 6, &config.group()),
            levels: PipelineRegs::new(e + 1..=e + 13, &bits(LEVEL_WIDTH)),
            choice: Choice::new(config),
            kept: PipelineRegs::new(e + 3..=e + 13, &Kept::shape()),
            paths: PipelineRegs::new(e + 5..=e + 13, &Paths::shape(config)),
            way: Reg::new(&Way::shape(config)),
            there: PipelineRegs::new(e + 6..=e + 9, &bits(2)),
            onward: Onward::new(config),
            hops: PipelineRegs::new(e + 10..=e + 13, &bits(HOPS_WIDTH)),
            balance: Balance::new(),
            response: Reg::new(&Response::shape(config)),
        }
    }

    /// The response.
    pub fn response(&self) -> Response<L> {
        self.response.get()
    }

    /// The packet of the clock cycle before is for a group or a switch that does not exist.
    pub fn unknown(&self) -> Bits<L> {
        self.unknown.get()
    }

    /// The row that is read from `routes` in this clock cycle.
    pub fn row(&self) -> Bits<L> {
        self.rows.at(2)
    }

    /// The ports of which the occupancies are read in this clock cycle.
    pub fn reads(&self) -> [Bits<L>; 2] {
        let Paths { minimal, other, .. } = self.paths.at(self.config.weighed());
        [minimal, other]
    }

    /// The switch at which the links of a switch arrive.
    fn arrival(&self, switch: Bits<L>) -> Bits<L> {
        let switch = switch.truncate(self.config.switch().bits());
        Bits::lit(switch.width(), self.config.switches - 1) - switch
    }

    /// The first port to a link, and whether that is on another switch.
    fn port(&self, link: Link<L>, own: Bits<L>) -> (Bits<L>, Bits<L>) {
        let width = self.config.port().bits();
        let elsewhere = link.switch.differs(own.extend(link.switch.width()));
        let global = resized(link.port, width) + self.config.switches;
        (select(elsewhere, resized(link.switch, width), global), elsewhere)
    }

    /// The response to the packet in step `e` + 13.
    fn respond(&self, own: Bits<L>) -> Response<L> {
        let step = self.config.routed() + 13;
        let Tag { valid, known, local, switch } = self.tags.at(step);
        let (paths, kept, is_minimal) = (self.paths.at(step), self.kept.at(step), self.balance.is_minimal());
        let global = known & !local;
        let of_paths = select(is_minimal, paths.minimal, paths.other);
        let hops = select(is_minimal, paths.hops.extend(HOPS_WIDTH), self.hops.at(step));
        let elsewhere = switch.differs(own).extend(HOPS_WIDTH);
        Response {
            valid,
            known,
            minimal: known & (local | is_minimal),
            port: select(local, resized(switch, of_paths.width()), of_paths).gate(known),
            group: self.onward.group().gate(global),
            switch: paths.via.gate(global),
            link: paths.link.gate(global),
            l1: kept.l1 & global,
            l2: kept.l2 & global,
            level: self.levels.at(step).gate(global),
            hops: select(local, elsewhere, hops).gate(known),
        }
    }

    /// One clock cycle: a packet, unless there is none to be taken.
    pub fn clock(&self, request: Request<L>, taken: Bits<L>, sources: Sources<'_, L>) {
        let (config, e, place) = (self.config, self.config.routed(), sources.place);
        let draws = sources.draws;
        // e + 13
        self.response.set(self.respond(place.switch));
        // e + 10 to e + 12
        let minimal_hops = self.paths.at(e + 11).hops.extend(HOPS_WIDTH);
        let hops = [minimal_hops, self.hops.at(e + 11)];
        self.balance.clock(sources.occupancies, hops, self.levels.at(e + 12), sources.biases);
        // e + 9
        let (via, second) = (self.paths.at(e + 9).via, self.onward.switch());
        let last = self.arrival(second).differs(self.tags.at(e + 9).switch);
        let there = self.there.last().extend(HOPS_WIDTH);
        self.hops.shift(there + 2 + via.differs(second).extend(HOPS_WIDTH) + last.extend(HOPS_WIDTH));
        // e + 5 to e + 8
        let path = self.paths.at(e + 5);
        let Way { local, arrival } = self.way.get();
        self.there.shift(local.extend(2) + path.via.differs(arrival).extend(2));
        self.onward.clock(path.link, self.rows.at(e + 6), draws.trunk(e + 8), place.group);
        // e + 4
        self.leave(draws, place.switch);
        // e to e + 3
        let (level, first) = sources.route;
        self.kept.shift(self.choice.kept());
        self.choice.clock(first, sources.flags, draws, place.switch);
        self.levels.shift(level);
        // 0 and 1
        self.rows.shift(self.distance.get().row(config));
        let known = exists(request.group, config.groups()) & exists(request.switch, config.switches);
        let (valid, local) = (request.valid & taken, request.group.equals(place.group));
        self.tags.shift(Tag { valid, known, local, switch: request.switch });
        self.unknown.set(valid & !known);
        self.distance.set(Distance::between(request.group, place.group));
    }

    /// `e` + 4: ports, the intermediate switch, and the hops of the minimal path.
    fn leave(&self, draws: &Draws<L>, own: Bits<L>) {
        let (config, e) = (self.config, self.config.routed());
        let (minimal, chosen) = self.choice.links();
        let ((port, local), (other, other_local)) = (self.port(minimal, own), self.port(chosen, own));
        let last = self.arrival(minimal.switch).differs(self.tags.at(e + 4).switch);
        let arrival = self.arrival(chosen.switch);
        self.way.set(Way { local: other_local, arrival });
        self.paths.shift(Paths {
            minimal: port,
            other,
            link: chosen.number(config),
            via: select(self.kept.at(e + 4).l2, draws.draw(e + 4).via, arrival),
            hops: local.extend(2) + last.extend(2) + 1,
        });
    }
}
