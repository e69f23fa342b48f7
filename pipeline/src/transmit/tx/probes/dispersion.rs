// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bandwidth of a sub-path from the dispersion of a train of packets (row TX47): the time in which they left, divided by the time in which
//! they arrived.
//!
//! ```text
//!  cycle n               the last answer: both times are there
//!        n + 1 .. n + 8  one bit of the quotient in each
//!        n + 9           the bandwidth
//! ```

use rtl_model::{Bits, Logic, Reg, bits, clog2, name_nets, select, when};

/// Width of a bandwidth; the largest one is that of the own link.
pub const BANDWIDTH_WIDTH: u32 = 8;
/// Width of a time, in units of 128 ns.
pub const TIME_WIDTH: u32 = 16;

/// The division.
#[name_nets]
pub struct Dispersion<L: Logic> {
    /// What is left of the time in which they left.
    rest: Reg<Bits<L>>,
    /// The time in which they arrived.
    arrival: Reg<Bits<L>>,
    quotient: Reg<Bits<L>>,
    /// Bits that are still to come.
    left: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Dispersion<L> {
    pub fn new() -> Self {
        let time = bits(TIME_WIDTH);
        Dispersion {
            rest: Reg::new(&bits(TIME_WIDTH + 1)),
            arrival: Reg::new(&time),
            quotient: Reg::new(&bits(BANDWIDTH_WIDTH)),
            left: Reg::new(&bits(clog2(u64::from(BANDWIDTH_WIDTH) + 1))).with_reset(),
        }
    }

    /// It is over.
    pub fn is_over(&self) -> Bits<L> {
        !self.left.get().any()
    }

    /// 255 for packets that arrive as fast as they leave.
    pub fn bandwidth(&self) -> Bits<L> {
        self.quotient.get()
    }

    /// One clock cycle: a division begins. Without a time in which they left nothing is known, and nothing limits.
    pub fn clock(&self, begins: Bits<L>, departure: Bits<L>, arrival: Bits<L>) {
        let (rest, quotient, left) = (self.rest.get(), self.quotient.get(), self.left.get());
        let twice = rest << 1;
        let of_arrival = self.arrival.get().extend(TIME_WIDTH + 1);
        let fits = twice.at_least(of_arrival);
        when(begins, || {
            let is_full = !departure.any() | departure.at_least(arrival);
            self.rest.set(departure.extend(TIME_WIDTH + 1));
            self.arrival.set(arrival);
            self.quotient.set(Bits::lit(1, 1).extend_signed(BANDWIDTH_WIDTH));
            let all = Bits::lit(left.width(), BANDWIDTH_WIDTH.into());
            self.left.set(all.gate(!is_full));
        })
        .or_when(left.any(), || {
            self.rest.set(select(fits, twice - of_arrival, twice));
            self.quotient.set(quotient << 1 | fits.extend(BANDWIDTH_WIDTH));
            self.left.set(left - 1);
        });
    }
}
