// SPDX-License-Identifier: MIT OR Apache-2.0
//! The steps of a turn.

use rtl_model::{Bits, Bundle, Logic, Reading, name_nets};

/// Where the sequence is, one bit per step; none between turns.
#[derive(Bundle)]
#[shape]
pub struct Steps<L: Reading> {
    /// The rows of the PDC are read.
    #[reset]
    pub looks: Bits<L>,
    #[reset]
    pub decides: Bits<L>,
    /// An EV or a sub-path is awaited.
    #[reset]
    pub asks: Bits<L>,
    /// The packet is offered to `packet_tracker`.
    #[reset]
    pub sends: Bits<L>,
    /// Its answer is awaited.
    #[reset]
    pub waits: Bits<L>,
    /// The message of a retransmission is looked for.
    #[reset]
    pub finds: Bits<L>,
    /// Its row is read.
    #[reset]
    pub plans: Bits<L>,
    #[reset]
    pub fetches: Bits<L>,
    /// The end of the turn is offered.
    #[reset]
    pub ends: Bits<L>,
}

#[name_nets]
impl<L: Logic> Steps<L> {
    /// No step.
    pub fn none() -> Self {
        let no = Bits::lit(1, 0);
        Steps { looks: no, decides: no, asks: no, sends: no, waits: no, finds: no, plans: no, fetches: no, ends: no }
    }

    /// There is a step.
    pub fn any(&self) -> Bits<L> {
        let Steps { looks, decides, asks, sends, waits, finds, plans, fetches, ends } = *self;
        looks | decides | asks | sends | waits | finds | plans | fetches | ends
    }
}
