// SPDX-License-Identifier: MIT OR Apache-2.0
//! The load of each other group (rows LR3 to LR5). A visit, with memories of latency `l`:
//!
//! ```text
//!  0        row to the counters and to the counters of the last interval
//!  l        flits queued, and injected in the last full interval
//!  l + 1    counters of the interval written; weight x queued
//!  l + 2    + injected
//!  l + 3    at most the largest number: the extended counter
//!  l + 4    level, saturated?
//! ```

use super::config::LiaRouterConfig;
use super::ports::{LEVEL_WIDTH, WEIGHT_FRACTION};
use super::settings::InForce;
use super::sweep::Visit;
use crate::blocks::pipeline_regs::PipelineRegs;
use rtl_model::{Bits, Bundle, Logic, Ram, RamShape, Reading, Reg, bits, name_nets, select, when};

/// The counters of an interval.
#[derive(Bundle)]
#[shape(config: LiaRouterConfig)]
struct Interval<L: Reading> {
    /// The counter of what has left, at the end of the last interval.
    #[shape(config.load())]
    left: Bits<L>,
    /// What left in the last full interval.
    #[shape(config.load())]
    injected: Bits<L>,
}

/// What is known of a row in step `l` + 1.
#[derive(Bundle)]
#[shape(config: LiaRouterConfig)]
pub struct Found<L: Reading> {
    #[shape(config.load())]
    pub queued: Bits<L>,
    #[shape(config.load())]
    pub injected: Bits<L>,
    #[shape(config.load())]
    left: Bits<L>,
}

/// What a row has in step `l` + 5.
#[derive(Bundle)]
#[shape]
pub struct Standing<L: Reading> {
    #[width(LEVEL_WIDTH)]
    pub level: Bits<L>,
    /// It is above the threshold of own links.
    pub saturated: Bits<L>,
}

/// The loads of the visits in all steps.
#[name_nets]
pub struct Loads<L: Logic> {
    config: LiaRouterConfig,
    intervals: Ram<Interval<L>>,
    /// Step `l` + 1.
    found: Reg<Found<L>>,
    /// Step `l` + 2.
    weighted: Reg<Bits<L>>,
    injected: Reg<Bits<L>>,
    /// Step `l` + 3.
    sum: Reg<Bits<L>>,
    /// Step `l` + 4.
    extended: Reg<Bits<L>>,
    /// Step `l` + 5.
    standing: Reg<Standing<L>>,
}

#[name_nets]
impl<L: Logic> Loads<L> {
    pub fn new(config: LiaRouterConfig) -> Self {
        let (load, l) = (config.load(), config.ram_latency);
        let ram = RamShape::new(config.rows()).unused_on_collision().latency(l);
        Loads {
            config,
            intervals: Ram::new(ram, &Interval::shape(config)),
            found: Reg::new(&Found::shape(config)),
            weighted: Reg::new(&bits(load.bits() + WEIGHT_FRACTION)),
            injected: Reg::new(&load),
            sum: Reg::new(&bits(load.bits() + WEIGHT_FRACTION + 1)),
            extended: Reg::new(&load),
            standing: Reg::new(&Standing::shape()),
        }
    }

    /// What the visit in step `l` + 1 has found.
    pub fn found(&self) -> Found<L> {
        self.found.get()
    }

    /// The extended counter of the visit in step `l` + 4.
    pub fn extended(&self) -> Bits<L> {
        self.extended.get()
    }

    /// The standing of the visit in step `l` + 5.
    pub fn standing(&self) -> Standing<L> {
        self.standing.get()
    }

    /// One clock cycle: the visits from step 0 on; the counters of the visit in step `l`.
    pub fn clock(
        &self,
        visit: Visit<L>,
        visits: &PipelineRegs<Visit<L>>,
        counters: [Bits<L>; 2],
        settings: InForce<L>,
    ) {
        let (l, width) = (self.config.ram_latency, self.config.counter_bits);
        let (found, extended, sum) = (self.found.get(), self.extended.get(), self.sum.get());
        let (weighted, injected_before) = (self.weighted.get(), self.injected.get());

        // l + 4
        let above_1 = extended.greater(settings.limit_1);
        let above_2 = extended.greater(settings.limit_2);
        let level = (above_1 & above_2).concat(above_1 ^ above_2);
        self.standing.set(Standing { level, saturated: extended.greater(settings.link_threshold) });
        // l + 3
        let over = sum.slice(width, WEIGHT_FRACTION + 1).any();
        self.extended.set(sum.truncate(width) | over.extend_signed(width));
        // l + 2
        let wide = width + WEIGHT_FRACTION + 1;
        self.sum.set(weighted.extend(wide) + injected_before.extend(wide));
        // l + 1
        let product = settings.weight * found.queued;
        self.weighted.set(product.slice(WEIGHT_FRACTION, width + WEIGHT_FRACTION));
        self.injected.set(found.injected);
        let visited = visits.at(l + 1);
        when(visited.valid, || {
            self.intervals.write(visited.row, Interval { left: found.left, injected: found.injected });
        });
        // l
        let [entered, left] = counters;
        let Visit { ends_interval: ends, starts, .. } = visits.at(l);
        let before = self.intervals.data();
        let difference = entered - left;
        self.found.set(Found {
            // What leaves may be reported before it has entered.
            queued: difference.gate(!difference.bit(width - 1)),
            injected: select(ends, left - before.left, before.injected).gate(!starts),
            left: select(ends, left, before.left),
        });
        // 0
        self.intervals.read(visit.row);
        self.intervals.clock();
    }
}
