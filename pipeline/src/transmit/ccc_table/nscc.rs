// SPDX-License-Identifier: MIT OR Apache-2.0
//! NSCC: all that a stage without it does not have.

use super::adapt::{Adapt, AdaptIn};
use super::adjustment::{AdjustmentUnit, Due};
use super::base::Base;
use super::bounds::BoundsIn;
use super::config::CccTableConfig;
use super::delays::Delays;
use super::flight::Deed;
use super::increases::{Increases, IncreasesIn};
use super::limit::Limits;
use super::pass::{Kept, Load, PASS, Pass};
use super::ports::TIME_WIDTH;
use super::products::Products;
use super::rtt::Rtts;
use super::settings::InForce;
use super::window::{Moved, Window, Windows};
use crate::blocks::pipeline_regs::PipelineRegs;
use rtl_model::{Bits, Logic, Signal, bits, name_nets};

/// The parts of NSCC.
#[name_nets]
pub struct Nscc<L: Logic> {
    config: CccTableConfig,
    /// The time of passes, in steps 3 to `l` + 16.
    now: PipelineRegs<Bits<L>>,
    rtts: Rtts<L>,
    delays: Delays<L>,
    products: Products<L>,
    adapt: Adapt<L>,
    windows: Windows<L>,
    increases: Increases<L>,
    /// *cwnd* and *sets* in steps `l` + 16 and `l` + 17.
    left: PipelineRegs<Window<L>>,
    unit: AdjustmentUnit<L>,
    /// The adjustments in steps 1 to `l` + 15.
    adjustments: PipelineRegs<Due<L>>,
}

/// The passes in all steps.
pub struct Steps<'a, L: Logic> {
    pub passes: &'a [Pass<L>],
    pub loads: &'a [Load<L>],
    pub kept: &'a [Kept<L>],
    /// From step `l` + 4 on.
    pub deeds: &'a [Deed<L>],
}

#[name_nets]
impl<L: Logic> Nscc<L> {
    pub fn new(config: CccTableConfig) -> Self {
        let windows = Windows::new(config);
        let window = windows.window().shape();
        let last = config.increases();
        Nscc {
            config,
            now: PipelineRegs::new(3..=last, &bits(TIME_WIDTH)).checked(PASS),
            rtts: Rtts::new(config),
            delays: Delays::new(config),
            products: Products::new(config.ram_latency),
            adapt: Adapt::new(config),
            windows,
            increases: Increases::new(config),
            left: PipelineRegs::new(last..=last + 1, &window).checked(PASS),
            unit: AdjustmentUnit::new(config),
            adjustments: PipelineRegs::new(1..=config.window() + 1, &Due::shape(config)).checked(PASS),
        }
    }

    /// The adjustment that is due in this clock cycle.
    pub fn due(&self) -> Due<L> {
        self.unit.due()
    }

    /// The RTTs of passes.
    pub fn rtts(&self) -> &Rtts<L> {
        &self.rtts
    }

    /// Step `l` + 4: the time stamp is from the future, if the event counts.
    pub fn bad_time(&self, deed: Deed<L>) -> Bits<L> {
        let [acks, nacks] = [deed.acks, deed.nacks].map(|kind| kind.expect("an event of NSCC"));
        // With memories of latency 1 step `l` + 4 is step 5.
        (acks | nacks) & self.rtts.at(self.config.base()).bad
    }

    /// Step `l` + 7: the filtered delay.
    pub fn filtered_delay(&self) -> Bits<L> {
        self.delays.filtered()
    }

    /// Step `l` + 13: quick adapt has set the window. A step later than it is known, so that it may travel.
    pub fn fires(&self) -> Bits<L> {
        self.adapt.at(self.config.adapt() + 2).fires
    }

    /// Step `l` + 15.
    pub fn cwnd(&self) -> Bits<L> {
        self.windows.window().cwnd
    }

    /// Step `l` + 15.
    pub fn moved(&self) -> Moved<L> {
        self.windows.moved()
    }

    /// One clock cycle: the passes; the time; what others know of them.
    pub fn clock(&self, steps: &Steps<L>, time: Bits<L>, base: &Base<L>, limits: &Limits<L>, settings: InForce<L>) {
        let Steps { passes, kept, deeds, .. } = *steps;
        let l = self.config.ram_latency;
        let deed = |step: u32| deeds[(l + step) as usize];
        let inflight = |step: u32| limits.waiting(l + step).inflight.expect("bytes in flight of NSCC");
        let [due, amount] = [self.unit.due().valid, self.unit.amount()];
        let start = self.increases.start();
        let left = self.left.last();
        let adjustment = self.adjustments.at(l + 14);
        let down_later = self.adjustments.at(l + 13).down;

        let from = IncreasesIn {
            base_rtt: base.base_rtt_at(l + 14),
            increase: self.products.increase(),
            excluded: self.windows.moved().excluded,
            adjusted: self.windows.moved().adjusted,
            adjustment: self.adjustments.last(),
            now: [self.now.at(l + 15), self.now.at(l + 16)],
            adapted: self.adapt.at(l + 16),
            quadrant: self.delays.quadrant(l + 15),
            filtered: [15, 16].map(|step| self.delays.high(l + step)),
        };
        let entering = Due { valid: due, ..self.unit.due() };
        self.unit.clock(start, passes[l as usize + 17].ccc, (left.cwnd, left.sets), settings);
        self.increases.clock(passes, deeds, kept, from, settings);
        self.left.shift(self.windows.window());
        self.windows.clock(passes, deed(14), adjustment.sets, settings);
        let from = BoundsIn {
            pend_bytes: self.products.pend_bytes(),
            fast_bytes: self.products.fast_bytes(),
            adjustment: amount,
            max_wnd: [11, 13].map(|step| base.max_wnd(l + step)),
            inflight: [11, 12].map(inflight),
            adapted: [12, 13].map(|step| self.adapt.at(l + step)),
            quadrant: self.delays.quadrant(l + 13),
            goes_down: down_later,
        };
        self.windows.bounds().clock(passes, deeds, kept, from, settings);
        self.adjustments.shift(entering);
        let from = AdaptIn {
            max_wnd: base.max_wnd(l + 9),
            base_rtt: base.base_rtt_at(l + 9),
            now: self.now.at(l + 10),
            quadrant: self.delays.quadrant(l + 10),
            due: self.now.at(l + 11),
            inflight: inflight(11),
        };
        self.adapt.clock(passes, deeds, kept, from, settings);
        self.products.clock(kept, self.delays.below_target(), self.delays.quadrant(l + 12), settings);
        let rtt = self.rtts.at(l + 5);
        self.delays.clock(passes, (deed(5), deed(6)), kept[l as usize + 6], rtt, base.base_rtt(), settings);
        self.now.shift(time);
    }

    /// One clock cycle of the RTTs, after all that read them.
    pub fn clock_rtts(&self, steps: &Steps<L>, settings: InForce<L>) {
        self.rtts.clock(steps.passes[1], steps.loads[1], settings);
    }
}
