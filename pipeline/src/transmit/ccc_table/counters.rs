// SPDX-License-Identifier: MIT OR Apache-2.0
//! The counters (rows C4, C11, C12, C16, C24 and C29).

use super::flight::Refusals;
use super::ports::COUNT_WIDTH;
use crate::blocks::counter::Counter;
use rtl_model::{Bits, Logic, Reg, bits, name_nets};

/// What is counted in a clock cycle, of passes in several steps.
#[derive(Clone, Copy)]
pub struct Happened<L: Logic> {
    pub refusals: Refusals<L>,
    pub bad_time: Bits<L>,
    pub adjusted: Bits<L>,
    pub void_adjustment: Bits<L>,
    pub quick_adapt: Bits<L>,
    pub unready: Bits<L>,
}

/// Counters of what has happened.
#[name_nets]
pub struct Counters<L: Logic> {
    closed_events: Counter<L>,
    excess_acks: Counter<L>,
    excess_sends: Counter<L>,
    short_backlogs: Counter<L>,
    refused_data: Counter<L>,
    stale_credits: Counter<L>,
    bad_times: Counter<L>,
    adjustments: Counter<L>,
    void_adjustments: Counter<L>,
    quick_adapts: Counter<L>,
    unready_turns: Counter<L>,
    /// A time stamp from the future, one clock cycle ago.
    bad_time: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Counters<L> {
    pub fn new() -> Self {
        Counters {
            closed_events: Counter::new(COUNT_WIDTH),
            excess_acks: Counter::new(COUNT_WIDTH),
            excess_sends: Counter::new(COUNT_WIDTH),
            short_backlogs: Counter::new(COUNT_WIDTH),
            refused_data: Counter::new(COUNT_WIDTH),
            stale_credits: Counter::new(COUNT_WIDTH),
            bad_times: Counter::new(COUNT_WIDTH),
            adjustments: Counter::new(COUNT_WIDTH),
            void_adjustments: Counter::new(COUNT_WIDTH),
            quick_adapts: Counter::new(COUNT_WIDTH),
            unready_turns: Counter::new(COUNT_WIDTH),
            bad_time: Reg::new(&bits(1)).with_reset(),
        }
    }

    /// The counters before this clock cycle, in the order of the ports.
    pub fn counts(&self) -> [Bits<L>; 11] {
        [
            &self.closed_events,
            &self.excess_acks,
            &self.excess_sends,
            &self.short_backlogs,
            &self.refused_data,
            &self.stale_credits,
            &self.bad_times,
            &self.adjustments,
            &self.void_adjustments,
            &self.quick_adapts,
            &self.unready_turns,
        ]
        .map(Counter::get)
    }

    /// One clock cycle.
    pub fn clock(&self, happened: Happened<L>) {
        let Happened { refusals, bad_time, adjusted, void_adjustment, quick_adapt, unready } = happened;
        self.closed_events.count(refusals.closed_events);
        self.excess_acks.count(refusals.excess_acks);
        self.excess_sends.count(refusals.excess_sends);
        self.short_backlogs.count(refusals.short_backlogs);
        self.refused_data.count(refusals.refused_data);
        self.stale_credits.count(refusals.stale_credits);
        self.bad_times.count(self.bad_time.get());
        self.bad_time.set(bad_time);
        self.adjustments.count(adjusted);
        self.void_adjustments.count(void_adjustment);
        self.quick_adapts.count(quick_adapt);
        self.unready_turns.count(unready);
    }
}
