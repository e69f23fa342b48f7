// SPDX-License-Identifier: MIT OR Apache-2.0
//! The intermediate group, and the way from there on (row LR6). The steps are those of `requests`:
//!
//! ```text
//!  e + 5    the offset of the intermediate group
//!  e + 6    that from there to the destination
//!  e + 7    both modulo the number of groups
//!  e + 8    the link between them
//!  e + 9    its switch
//! ```

use super::config::LiaRouterConfig;
use super::flows::Distance;
use super::links::{divided, resized};
use crate::blocks::pipeline_regs::PipelineRegs;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, clog2, name_nets, select};

/// Sums before they are taken modulo the number of groups.
#[derive(Bundle)]
#[shape(config: LiaRouterConfig)]
struct Sums<L: Reading> {
    rest: Distance<L>,
    #[shape(bits(config.group().bits() + 1))]
    group: Bits<L>,
}

/// The ways of the requests.
#[name_nets]
pub struct Onward<L: Logic> {
    config: LiaRouterConfig,
    /// Step `e` + 6: the row of the intermediate group.
    between: Reg<Bits<L>>,
    /// Step `e` + 7.
    sums: Reg<Sums<L>>,
    /// Step `e` + 8: the row of the destination, as the intermediate group has it.
    rest: Reg<Bits<L>>,
    /// Steps `e` + 8 to `e` + 13: the intermediate group.
    groups: PipelineRegs<Bits<L>>,
    /// Step `e` + 9.
    switch: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Onward<L> {
    pub fn new(config: LiaRouterConfig) -> Self {
        let e = config.routed();
        Onward {
            config,
            between: Reg::new(&config.group()),
            sums: Reg::new(&Sums::shape(config)),
            rest: Reg::new(&config.group()),
            groups: PipelineRegs::new(e + 8..=e + 13, &config.group()),
            switch: Reg::new(&config.switch()),
        }
    }

    /// The intermediate group of the request in step `e` + 13.
    pub fn group(&self) -> Bits<L> {
        self.groups.last()
    }

    /// The switch of its group from which the request in step `e` + 9 goes on.
    pub fn switch(&self) -> Bits<L> {
        self.switch.get()
    }

    /// One clock cycle: the link of the request in step `e` + 5, the row of the destination in step `e` + 6, one of the links
    /// between two groups in step `e` + 8; the own group.
    pub fn clock(&self, link: Bits<L>, row: Bits<L>, trunk: Bits<L>, own: Bits<L>) {
        let config = self.config;
        let (width, link_width) = (own.width(), config.link().bits());
        let links = config.switches * config.global_ports;
        // e + 8
        let rest = self.rest.get();
        let number = if config.trunks == 1 {
            resized(rest, link_width)
        } else {
            let first = rest * Bits::lit(clog2(config.trunks + 1), config.trunks);
            resized(first, link_width) + resized(trunk, link_width)
        };
        let (switch, _) = divided(number, config.global_ports, links);
        self.switch.set(resized(switch, config.switch().bits()));
        // e + 7
        let Sums { rest, group } = self.sums.get();
        self.rest.set(rest.row(config));
        let groups = Bits::lit(width + 1, config.groups());
        // Negative if it is below.
        let less = group - groups;
        self.groups.shift(select(less.bit(width), group, less).truncate(width));
        // e + 6
        let between = self.between.get();
        let group = own.extend(width + 1) + between.extend(width + 1) + 1;
        self.sums.set(Sums { rest: Distance::between(row, between), group });
        // e + 5
        let (between, _) = divided(link, config.trunks, links);
        self.between.set(resized(between, width));
    }
}
