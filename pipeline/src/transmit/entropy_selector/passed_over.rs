// SPDX-License-Identifier: MIT OR Apache-2.0
//! The EV that a request in mode `penalty` has passed over first (rule K3): the EV after the one in which its walk
//! started, if the request is granted another EV or is saturated. Beside the walk:
//!
//! ```text
//!  step l + 4  the EV in which the walk starts
//!       l + 5  the EV after it
//!       l + 6  another EV granted? then it is sent to the feedback side, in the cycle of the grant, blocked or not
//! ```

use super::config::EntropySelectorConfig;
use super::penalties::PassedOver;
use super::request::EvPosition;
use rtl_model::{Bits, Bundle, Delay, Logic, Reading, Reg, bits, name_nets, select};

/// Request in step `l` + 5 whose walk has ended.
#[derive(Bundle)]
#[shape(config: EntropySelectorConfig)]
pub struct Walked<L: Reading> {
    /// 1 if there is a request for an open CCC.
    #[reset]
    pub valid: Bits<L>,
    #[shape(config.ccc())]
    pub ccc: Bits<L>,
    /// EV that it gets, blocked or not.
    #[width(config.ev_bits())]
    pub ev: Bits<L>,
    /// 1 if its CCC is saturated.
    pub saturated: Bits<L>,
}

/// Request side of mode `penalty`: finds the first EV that a request passed over.
#[name_nets]
pub struct PassedOverTracker<L: Logic> {
    /// 1 if the CCC is in mode `penalty`; valid in step `l` + 6.
    uses_penalties: Delay<Bits<L>>,
    /// EV in which the walk started; valid in step `l` + 5.
    start: Reg<Bits<L>>,
    /// EV after it, the first one that the walk looks at; valid in step `l` + 6.
    first: Reg<Bits<L>>,
    /// Request in step `l` + 6.
    walked: Reg<Walked<L>>,
}

#[name_nets]
impl<L: Logic> PassedOverTracker<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        let ev = bits(config.ev_bits());
        PassedOverTracker {
            uses_penalties: Delay::new(&bits(1), 6),
            start: Reg::new(&ev),
            first: Reg::new(&ev),
            walked: Reg::new(&Walked::shape(config)),
        }
    }

    /// The EV that the request in step `l` + 6 has passed over.
    pub fn passed(&self) -> PassedOver<L> {
        let (first, walked) = (self.first.get(), self.walked.get());
        let over = walked.saturated | walked.ev.differs(first);
        PassedOver {
            valid: (walked.valid & self.uses_penalties.get() & over).named("passed_over"),
            ccc: walked.ccc,
            ev: first,
        }
    }

    /// One cycle. `uses_penalties` is that of the request in step `l`; `place` is where the walk of the request in step
    /// `l` + 4 starts; `walked` is the request in step `l` + 5, and `space_mask` its EV space (rule S17).
    pub fn clock(&self, uses_penalties: Bits<L>, place: EvPosition<L>, walked: Walked<L>, space_mask: Bits<L>) {
        let start = self.start.get();
        let index_valid = !(start & !space_mask).any();
        self.first.set(select(index_valid, (start + 1) & space_mask, Bits::lit(start.width(), 0)));
        self.start.set(place.word.concat(place.candidates.first_set()));
        self.walked.set(walked);
        self.uses_penalties.shift(uses_penalties);
    }
}
