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
//!  l + 7    flags of the links that are behind
//! ```
//!
//! Visits go from link to link, so flags are shifted in: as many as *k* grows by. Over a sweep these are *a*, which leaves the
//! flag of link *k* at bit *k*.

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
    /// *h* - *r*.
    #[shape(bits(clog2(config.global_ports + 1)))]
    near: Bits<L>,
}

/// The parts of a load, in step `l` + 5.
#[derive(Bundle)]
#[shape(config: LiaRouterConfig)]
struct Parts<L: Reading> {
    #[reset]
    valid: Bits<L>,
    /// The first link.
    first: Link<L>,
    /// *k* has grown by one more than the least.
    advances: Bits<L>,
    /// *k* is one more than before; it is still more, or this is the first one.
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
#[shape(width: u32)]
struct Pair<L: Reading> {
    #[reset]
    valid: Bits<L>,
    /// *k* has grown by one more than the least.
    advances: Bits<L>,
    #[shape(bits(width))]
    near: Bits<L>,
    #[shape(bits(width))]
    far: Bits<L>,
}

/// The flags after so many links more: of the two that the visit before has summed up, and of such that no offset asks for.
#[name_nets]
fn shifted_in<L: Logic>(flags: Bits<L>, before: Pair<L>, advance: u32) -> Bits<L> {
    let width = flags.width();
    let new = before.far.concat(before.near);
    match advance {
        0 => flags,
        _ if advance >= width => resized(new, width),
        _ => resized(new, advance).concat(flags.slice(advance, width - advance)),
    }
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
    /// Step `l` + 7, and the visit before.
    above: Reg<Pair<L>>,
    above_before: Reg<Pair<L>>,
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
            sums: Reg::new(&Pair::shape(config.remote().bits())),
            saturated: Reg::new(&bits(LINKS_WIDTH)),
            above: Reg::new(&Pair::shape(1)),
            above_before: Reg::new(&Pair::shape(1)),
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

        // l + 7: a link is behind when its sum is complete. Between two visits there are two such at most that any offset asks for.
        let (flags, before) = (self.flags.get(), self.above_before.get());
        let least = config.trunks / config.global_ports;
        for advance in [least, least + 1] {
            when(above.valid & above.advances.equals(advance - least), || {
                self.flags.set(shifted_in(flags, before, advance as u32));
            });
        }
        when(above.valid, || self.above_before.set(above));
        // l + 6
        let is_above = |sum: Bits<L>| sum.greater(settings.remote_threshold);
        self.above.set(Pair {
            valid: sums.valid,
            advances: sums.advances,
            near: is_above(sums.near),
            far: is_above(sums.far),
        });
        // l + 5
        let none = Bits::lit(sums.near.width(), 0);
        let near = select(parts.further, none, select(parts.next, sums.far, sums.near));
        let far = sums.far.gate(!(parts.further | parts.next));
        let saturated = self.saturated.get().gate(!parts.is_first);
        when(parts.valid, || {
            self.sums.set(Pair {
                valid: Bits::lit(1, 1),
                advances: parts.advances,
                near: near + parts.near,
                far: far + parts.far,
            });
            self.saturated.set(saturated + parts.own.gate(saturates));
        })
        .otherwise(|| self.sums.set(Pair { valid: Bits::lit(1, 0), ..sums }));
        // l + 4: the jump before was the switch of the first link.
        let visit = visits.at(l + 4);
        let remote = config.remote().bits();
        let steps = span.behind.switch - span.first.switch;
        self.parts.set(Parts {
            valid: visit.valid,
            first: span.first,
            advances: steps.differs(least),
            next: steps.equals(1) & !visit.first,
            further: steps.any() & steps.differs(1) | visit.first,
            is_first: visit.first,
            near: resized(load * span.near, remote),
            far: resized(load * span.behind.port, remote),
            own: self.own_links(span, own),
        });
        // l + 3
        let visit = visits.at(l + 3);
        let first = Link::gate(self.place.get(), !visit.first);
        let behind = first.further(config, config.trunks);
        let shares = clog2(config.global_ports + 1);
        let near = Bits::lit(shares, config.global_ports) - resized(behind.port, shares);
        self.span.set(Span { first, behind, near });
        when(visit.valid, || self.place.set(behind));
    }
}
