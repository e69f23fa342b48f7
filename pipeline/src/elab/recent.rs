// SPDX-License-Identifier: MIT OR Apache-2.0
//! [`Recent`]: the times that are less than a duration before now. It is computed one clock cycle before it is used, so
//! that a loop that compares times contains no adder.

use super::TIME_WIDTH;
use rtl_model::{Bits, Bundle, Logic, Reading, name_nets};

/// The times that are less than a duration before `time`.
#[derive(Bundle)]
#[shape]
pub struct Recent<L: Reading> {
    #[width(TIME_WIDTH)]
    pub time: Bits<L>,
    /// `time` minus the duration; the times of interest are behind it.
    #[width(TIME_WIDTH)]
    start: Bits<L>,
    /// 1 if the time has wrapped within the duration, so that `start` is above `time`.
    wraps: Bits<L>,
}

#[name_nets]
impl<L: Logic> Recent<L> {
    pub fn of(time: Bits<L>, duration: Bits<L>) -> Self {
        Recent { time, start: time - duration, wraps: time.less(duration) }
    }

    /// 1 if it is one of these times.
    pub fn has(&self, from: Bits<L>) -> Bits<L> {
        let (behind, up_to) = (from.greater(self.start), from.at_most(self.time));
        behind & up_to | self.wraps & (behind | up_to)
    }
}
