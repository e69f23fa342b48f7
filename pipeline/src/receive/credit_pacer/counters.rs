// SPDX-License-Identifier: MIT OR Apache-2.0
//! The counters (rows PC3, PC7 and PC8).

use super::credits::Deed;
use super::ports::COUNT_WIDTH;
use super::targets::Aim;
use crate::blocks::counter::Counter;
use rtl_model::{Bits, Logic, name_nets};

/// Counters of what has happened.
#[name_nets]
pub struct Counters<L: Logic> {
    closed_demands: Counter<L>,
    stale_demands: Counter<L>,
    credits: Counter<L>,
    void_turns: Counter<L>,
}

#[name_nets]
impl<L: Logic> Counters<L> {
    pub fn new() -> Self {
        Counters {
            closed_demands: Counter::new(COUNT_WIDTH),
            stale_demands: Counter::new(COUNT_WIDTH),
            credits: Counter::new(COUNT_WIDTH),
            void_turns: Counter::new(COUNT_WIDTH),
        }
    }

    /// The counters before this clock cycle, in the order of the ports.
    pub fn counts(&self) -> [Bits<L>; 4] {
        [&self.closed_demands, &self.stale_demands, &self.credits, &self.void_turns].map(Counter::get)
    }

    /// One clock cycle: the pass in step `l` + 3 has found this; that in step `l` + 4 does this.
    pub fn clock(&self, aim: Aim<L>, deed: Deed<L>) {
        self.closed_demands.count(aim.closed_demand);
        self.stale_demands.count(aim.stale_demand);
        self.credits.count(deed.grants | deed.repeats);
        self.void_turns.count(deed.void_turn);
    }
}
