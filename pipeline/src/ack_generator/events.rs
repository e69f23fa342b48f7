// SPDX-License-Identifier: MIT OR Apache-2.0
//! The port of events: one at a time, which waits until its pass can enter, and stays until it is done (row G12).

use super::config::AckGeneratorConfig;
use super::ports::Event;
use rtl_model::{Bits, Logic, Reg, bits, name_nets, select, when};

/// The event in progress.
#[name_nets]
pub struct Events<L: Logic> {
    /// Its pass has not entered.
    waits: Reg<Bits<L>>,
    in_progress: Reg<Bits<L>>,
    event: Reg<Event<L>>,
    /// Its first PSN is not greater than the last one.
    ascends: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Events<L> {
    pub fn new(config: AckGeneratorConfig) -> Self {
        let flag = bits(1);
        Events {
            waits: Reg::new(&flag).with_reset(),
            in_progress: Reg::new(&flag).with_reset(),
            event: Reg::new(&config.input_shape().event),
            ascends: Reg::new(&flag),
        }
    }

    /// An event can be taken, but for the sweep.
    pub fn idle(&self) -> Bits<L> {
        !self.in_progress.get()
    }

    /// Its pass has not entered.
    pub fn waits(&self) -> Bits<L> {
        self.waits.get()
    }

    /// The event in progress.
    pub fn event(&self) -> Event<L> {
        self.event.get()
    }

    /// 1 if this PSN is not before the first PSN of the gap, and not behind the last: (PSN - first) is at most (last - first).
    pub fn has(&self, psn: Bits<L>) -> Bits<L> {
        let (Event { first, last, .. }, ascends) = (self.event.get(), self.ascends.get());
        let (from, to) = (psn.at_least(first), psn.at_most(last));
        select(ascends, from & to, from | to)
    }

    /// One clock cycle: an event is accepted, its pass enters, or it is done.
    pub fn clock(&self, accepts: Bits<L>, event: Event<L>, enters: Bits<L>, done: Bits<L>) {
        let (yes, no) = (Bits::lit(1, 1), Bits::lit(1, 0));
        let Event { first, last, .. } = self.event.get();
        self.ascends.set(first.at_most(last));
        when(enters, || self.waits.set(no));
        when(done, || self.in_progress.set(no));
        when(accepts, || {
            self.event.set(event);
            self.waits.set(yes);
            self.in_progress.set(yes);
        });
    }
}
