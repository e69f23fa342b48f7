// SPDX-License-Identifier: MIT OR Apache-2.0
//! The link to the intermediate group (rows LR5 and LR6). The steps are those of `requests`:
//!
//! ```text
//!  e        the links to the destination, and that of the minimal path
//!  e + 1    L1? L2?
//!  e + 2    drawn from all links, or from the own ones
//!  e + 3    the one behind, instead of those to the destination
//!  e + 4    chosen
//! ```

use super::config::LiaRouterConfig;
use super::draws::Draws;
use super::links::Link;
use super::verdicts::Flags;
use crate::blocks::pipeline_regs::PipelineRegs;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, name_nets, select};

/// The links to the destination: the first one, and the one behind the last one.
#[derive(Bundle)]
#[shape(config: LiaRouterConfig)]
struct Exits<L: Reading> {
    first: Link<L>,
    behind: Link<L>,
}

/// Which local hops are kept.
#[derive(Bundle)]
#[shape]
pub struct Kept<L: Reading> {
    pub l1: Bits<L>,
    pub l2: Bits<L>,
}

/// The flag of a link: a tree of multiplexers, which takes fewer look-up tables than a shift. Behind the last one there is none.
#[name_nets]
fn flag<L: Logic>(flags: Bits<L>, link: Bits<L>, what: &str) -> Bits<L> {
    let mut level: Vec<_> = (0..flags.width()).map(|at| flags.bit(at)).collect();
    for at in 0..link.width() {
        let choose = link.bit(at);
        let mut next = Vec::with_capacity(level.len().div_ceil(2));
        for (number, pair) in level.chunks(2).enumerate() {
            let chosen = match *pair {
                [even, odd] => select(choose, odd, even),
                _ => pair[0] & !choose,
            };
            next.push(chosen.named(&format!("{what}_{at}_{number}")));
        }
        level = next;
    }
    level[0]
}

/// The links of the requests.
#[name_nets]
pub struct Choice<L: Logic> {
    config: LiaRouterConfig,
    /// Steps `e` + 1 to `e` + 3.
    exits: PipelineRegs<Exits<L>>,
    /// Steps `e` + 1 to `e` + 4: the link of the minimal path.
    minimal: PipelineRegs<Link<L>>,
    /// Step `e` + 2.
    kept: Reg<Kept<L>>,
    /// Step `e` + 3.
    drawn: Reg<Link<L>>,
    from_all: Reg<Bits<L>>,
    /// Step `e` + 4.
    chosen: Reg<Link<L>>,
}

#[name_nets]
impl<L: Logic> Choice<L> {
    pub fn new(config: LiaRouterConfig) -> Self {
        let (e, link) = (config.routed(), Link::shape(config));
        Choice {
            config,
            exits: PipelineRegs::new(e + 1..=e + 3, &Exits::shape(config)),
            minimal: PipelineRegs::new(e + 1..=e + 4, &link),
            kept: Reg::new(&Kept::shape()),
            drawn: Reg::new(&link),
            from_all: Reg::new(&rtl_model::bits(1)),
            chosen: Reg::new(&link),
        }
    }

    /// Which local hops the request in step `e` + 2 keeps.
    pub fn kept(&self) -> Kept<L> {
        self.kept.get()
    }

    /// The link of the minimal path of the request in step `e` + 4, and the one to its intermediate group.
    pub fn links(&self) -> (Link<L>, Link<L>) {
        (self.minimal.last(), self.chosen.get())
    }

    /// All own links lead to the destination.
    fn leads_only_there(&self, exits: Exits<L>, own: Link<L>) -> Bits<L> {
        if self.config.trunks < self.config.global_ports {
            return Bits::lit(1, 0);
        }
        let behind = Link { switch: own.switch + 1, ..own };
        own.key().at_least(exits.first.key()) & exits.behind.key().at_least(behind.key())
    }

    /// By the rule, always or never.
    fn keeps(&self, code: Bits<L>, rule: Bits<L>) -> Bits<L> {
        code.equals(1) | !code.any() & rule
    }

    /// One clock cycle: the first link to the destination of the request in step `e`; the flags of the last sweep; what was
    /// drawn; the own switch.
    pub fn clock(&self, first: Link<L>, flags: Flags<L>, draws: &Draws<L>, own: Bits<L>) {
        let (config, e) = (self.config, self.config.routed());
        let own = Link { switch: own.extend(first.switch.width()), port: Bits::lit(first.port.width(), 0) };
        let (kept, drawn) = (self.kept.get(), self.drawn.get());

        // e + 3
        let exits = self.exits.at(e + 3);
        let leads = drawn.key().at_least(exits.first.key()) & drawn.key().less(exits.behind.key());
        let from_all = self.from_all.get();
        let is_last =
            select(from_all, exits.behind.switch.equals(config.switches), exits.behind.switch.differs(own.switch));
        let begin = Link { switch: own.switch.gate(!from_all), ..own };
        self.chosen.set(select(leads, select(is_last, begin, exits.behind), drawn));
        // e + 2
        let draw = draws.draw(e + 2);
        self.drawn.set(select(kept.l1, draw.link, Link { switch: own.switch, port: draw.own }));
        self.from_all.set(kept.l1);
        // e + 1
        let exits = self.exits.at(e + 1);
        let (k, r) = (exits.behind.switch, exits.behind.port);
        let near = flag(flags.remote, k, "flag_of_k") & k.any();
        let far = flag(flags.remote >> 1, k, "flag_behind_k") & r.any();
        self.kept.set(Kept {
            l1: self.keeps(flags.hops.first, flags.saturated) | self.leads_only_there(exits, own),
            l2: self.keeps(flags.hops.second, near | far),
        });
        // e
        self.minimal.shift(first.further_by(config, draws.trunk(e), config.trunks));
        self.exits.shift(Exits { first, behind: first.further(config, config.trunks) });
    }
}
