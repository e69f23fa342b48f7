// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the sweep sums up (rows LR4 and LR5): *h* times the loads of the local links of other groups, two at a time, and how
//! many own links are saturated. Offset *i* lies *i t* = *k h* + *r* links further, so it loads link *k* with *h* - *r* parts
//! and link *k* + 1 with *r*. With memories of latency `l`, and the steps of a visit:
//!
//! ```text
//!  l + 3    first link, and the one behind the last: k and r
//!  l + 4    parts of the load; own links among those of the group
//!  l + 5    both sums; saturated links; the row of the group to `routes`
//!  l + 6    sums above the threshold?
//!  l + 7    flags of both links
//! ```

use super::config::LiaRouterConfig;
use super::links::{Link, resized};
use super::ports::LINKS_WIDTH;
use super::settings::InForce;
use super::sweep::Visit;
use crate::blocks::pipeline_regs::PipelineRegs;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Signal, bits, clog2, name_nets, select, when};

/// Where the links of an offset are, in step `l` + 4.
#[derive(Bundle)]
#[shape(config: LiaRouterConfig)]
struct Span<L: Reading> {
    first: Link<L>,
    behind: Link<L>,
    /// *k* is one more than before; it is still more, or this is the first one.
    next: Bits<L>,
    further: Bits<L>,
}

/// The parts of a load, in step `l` + 5.
#[derive(Bundle)]
#[shape(config: LiaRouterConfig)]
struct Parts<L: Reading> {
    #[reset]
    valid: Bits<L>,
    /// The first link.
    first: Link<L>,
    /// *k*.
    #[shape(Link::shape(config).switch)]
    jump: Bits<L>,
    next: Bits<L>,
    further: Bits<L>,
    is_first: Bits<L>,
    #[shape(config.remote())]
    near: Bits<L>,
    #[shape(config.remote())]
    far: Bits<L>,
    /// Own links among them.
    #[width(LINKS_WIDTH)]
    own: Bits<L>,
}

/// The sums of two links, in step `l` + 6, or whether they are above the threshold, in step `l` + 7.
#[derive(Bundle)]
#[shape(config: LiaRouterConfig, width: u32)]
struct Pair<L: Reading> {
    #[reset]
    valid: Bits<L>,
    #[shape(Link::shape(config).switch)]
    jump: Bits<L>,
    #[shape(bits(width))]
    near: Bits<L>,
    #[shape(bits(width))]
    far: Bits<L>,
}

/// The sums of a sweep.
#[name_nets]
pub struct Remote<L: Logic> {
    config: LiaRouterConfig,
    /// Step `l` + 3: the first link of this offset, unless it is the first one.
    place: Reg<Link<L>>,
    /// Step `l` + 4.
    span: Reg<Span<L>>,
    /// Step `l` + 5.
    parts: Reg<Parts<L>>,
    /// Step `l` + 6.
    sums: Reg<Pair<L>>,
    saturated: Reg<Bits<L>>,
    /// Step `l` + 7.
    above: Reg<Pair<L>>,
    flags: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Remote<L> {
    pub fn new(config: LiaRouterConfig) -> Self {
        Remote {
            config,
            place: Reg::new(&Link::shape(config)),
            span: Reg::new(&Span::shape(config)),
            parts: Reg::new(&Parts::shape(config)),
            sums: Reg::new(&Pair::shape(config, config.remote().bits())),
            saturated: Reg::new(&bits(LINKS_WIDTH)),
            above: Reg::new(&Pair::shape(config, 1)),
            flags: Reg::new(&bits(config.switches as u32)),
        }
    }

    /// The first link of the group of the visit in step `l` + 5.
    pub fn first(&self) -> Link<L> {
        self.parts.get().first
    }

    /// For each link, whether its load was above the threshold.
    pub fn flags(&self) -> Bits<L> {
        self.flags.get()
    }

    /// How many own links were saturated.
    pub fn saturated(&self) -> Bits<L> {
        self.saturated.get()
    }

    /// Own links from the first one up to that behind the last one.
    fn own_links(&self, span: Span<L>, own: Bits<L>) -> Bits<L> {
        let LiaRouterConfig { global_ports: h, trunks, .. } = self.config;
        let own = own.extend(span.first.switch.width());
        if trunks == 1 {
            return span.first.switch.equals(own).extend(LINKS_WIDTH);
        }
        let begins = span.first.port.extend(LINKS_WIDTH).gate(span.first.switch.equals(own));
        let all = Bits::lit(LINKS_WIDTH, h);
        let ends = select(span.behind.switch.equals(own), span.behind.port.extend(LINKS_WIDTH), all);
        let is_none = span.first.switch.greater(own) | span.behind.switch.less(own);
        (ends - begins).gate(!is_none)
    }

    /// One clock cycle: the visits from step 1 on; the load of the one in step `l` + 4, and whether that in step `l` + 5 is
    /// saturated.
    pub fn clock(
        &self,
        visits: &PipelineRegs<Visit<L>>,
        load: Bits<L>,
        saturates: Bits<L>,
        own: Bits<L>,
        settings: InForce<L>,
    ) {
        let (config, l) = (self.config, self.config.ram_latency);
        let (parts, sums, above, span) = (self.parts.get(), self.sums.get(), self.above.get(), self.span.get());

        // l + 7: the sums grow, so the last word on a link is that of its last visit.
        let width = config.switches as u32;
        let flags = self.flags.get();
        let mut after = Vec::new();
        for jump in 0..config.switches {
            let near = above.jump.equals(jump);
            let far = if jump == 0 { Bits::lit(1, 0) } else { above.jump.equals(jump - 1) };
            after.push(select(near, above.near, select(far, above.far, flags.bit(jump as u32))));
        }
        let after = after.into_iter().rev().reduce(Bits::concat).expect("there are switches");
        when(above.valid, || self.flags.set(after.truncate(width)));
        // l + 6
        let is_above = |sum: Bits<L>| sum.greater(settings.remote_threshold);
        self.above.set(Pair { valid: sums.valid, jump: sums.jump, near: is_above(sums.near), far: is_above(sums.far) });
        // l + 5
        let none = Bits::lit(sums.near.width(), 0);
        let near = select(parts.further, none, select(parts.next, sums.far, sums.near));
        let far = sums.far.gate(!(parts.further | parts.next));
        let saturated = self.saturated.get().gate(!parts.is_first);
        when(parts.valid, || {
            self.sums.set(Pair {
                valid: Bits::lit(1, 1),
                jump: parts.jump,
                near: near + parts.near,
                far: far + parts.far,
            });
            self.saturated.set(saturated + parts.own.gate(saturates));
        })
        .otherwise(|| self.sums.set(Pair { valid: Bits::lit(1, 0), ..sums }));
        // l + 4
        let visit = visits.at(l + 4);
        let h = config.global_ports;
        let shares = clog2(h + 1);
        let far_share = span.behind.port;
        let near_share = Bits::lit(shares, h) - resized(far_share, shares);
        let remote = config.remote().bits();
        self.parts.set(Parts {
            valid: visit.valid,
            first: span.first,
            jump: span.behind.switch,
            next: span.next,
            further: span.further,
            is_first: visit.first,
            near: resized(load * near_share, remote),
            far: resized(load * far_share, remote),
            own: self.own_links(span, own),
        });
        // l + 3
        let visit = visits.at(l + 3);
        let first = Link::gate(self.place.get(), !visit.first);
        let behind = first.further(config, config.trunks);
        // The jump before was the switch of the first link.
        let steps = behind.switch - first.switch;
        self.span.set(Span {
            first,
            behind,
            next: steps.equals(1) & !visit.first,
            further: steps.any() & steps.differs(1) | visit.first,
        });
        when(visit.valid, || self.place.set(behind));
    }
}
