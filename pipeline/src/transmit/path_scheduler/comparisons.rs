// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is compared with the numbers in the row of a sub-path. The row may be that of the event before, so it is in a loop
//! of one clock cycle; comparisons are made for both rows that it may be, before the choice.

use super::records::{DEADLINE_WIDTH, SubPath};
use super::weight::{Offer, WeightOrder, weight_order};
use super::window::{InFlight, WindowOrder, window_order};
use rtl_model::{Bits, Bundle, Logic, Reading, name_nets};

/// What comparisons say of a row.
#[derive(Bundle)]
pub struct Comparisons<L: Reading> {
    /// The deadline has not been reached.
    pub waits: Bits<L>,
    /// The deadline before which no NACK makes the sub-path fail has not been reached.
    pub spares: Bits<L>,
    pub weight: WeightOrder<L>,
    pub window: WindowOrder<L>,
}

/// What an event compares with the row.
pub struct Compared<L: Reading> {
    /// The time of this clock cycle, as deadlines have it.
    pub time: Bits<L>,
    pub offer: Offer<L>,
    pub in_flight: InFlight<L>,
    /// The largest window that may grow.
    pub most: Bits<L>,
}

/// Compares a row.
#[name_nets]
pub fn comparisons<L: Logic>(row: SubPath<L>, compared: &Compared<L>) -> Comparisons<L> {
    Comparisons {
        waits: (compared.time - row.deadline).bit(DEADLINE_WIDTH - 1),
        spares: (compared.time - row.fail_deadline).bit(DEADLINE_WIDTH - 1),
        weight: weight_order(row, compared.offer),
        window: window_order(row, compared.in_flight, compared.most),
    }
}
