// SPDX-License-Identifier: MIT OR Apache-2.0
//! The queues of sources, and takes from them (rows PC4 and PC6). With memories of latency `l`:
//!
//! ```text
//!  pass in step l + 5      the source to a queue
//!               2 l + 7    there: it can be taken
//!  take in step 0          the first source of the demand queue, or else of the ahead queue
//!               2 l + 16   the next take
//! ```

use super::config::CreditPacerConfig;
use crate::blocks::fifo::Fifo;
use crate::blocks::table::Access;
use rtl_model::{Bits, Logic, Reg, bits, clog2, name_nets, select};

/// A take that is due.
#[derive(Clone, Copy)]
pub struct Take<L: Logic> {
    pub valid: Bits<L>,
    /// It is from the ahead queue.
    pub ahead: Bits<L>,
    pub source: Bits<L>,
}

/// The queues.
#[name_nets]
pub struct Takes<L: Logic> {
    config: CreditPacerConfig,
    demand_queue: Fifo<L, Bits<L>>,
    ahead_queue: Fifo<L, Bits<L>>,
    /// Clock cycles in which there is no take.
    rest: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Takes<L> {
    pub fn new(config: CreditPacerConfig) -> Self {
        // A source is in each queue once at most, so that there is room for all.
        let depth = config.sources.next_power_of_two().max(2);
        Takes {
            config,
            demand_queue: Fifo::new(depth, config.ram_latency, &config.source()),
            ahead_queue: Fifo::new(depth, config.ram_latency, &config.source()),
            rest: Reg::new(&bits(clog2(config.take_interval()))).with_reset(),
        }
    }

    /// The take of this clock cycle, if there may be one.
    pub fn take(&self, may: Bits<L>) -> Take<L> {
        let (demanded, other) = (self.demand_queue.valid(), self.ahead_queue.valid());
        let valid = may & !self.rest.get().any() & (demanded | other);
        let source = select(demanded, self.demand_queue.front(), self.ahead_queue.front());
        Take { valid, ahead: !demanded, source }
    }

    /// One clock cycle: a take; the sources that enter the demand queue and the ahead queue.
    pub fn clock(&self, take: Take<L>, joins: Access<L>, joins_ahead: Access<L>) {
        self.demand_queue.clock(joins.valid, || joins.index, take.valid & !take.ahead);
        self.ahead_queue.clock(joins_ahead.valid, || joins_ahead.index, take.valid & take.ahead);
        let rest = self.rest.get();
        let full = Bits::lit(rest.width(), self.config.take_interval() - 1);
        let less = rest - rest.any().extend(rest.width());
        self.rest.set(select(take.valid, full, less));
    }
}
