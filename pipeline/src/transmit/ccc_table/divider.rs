// SPDX-License-Identifier: MIT OR Apache-2.0
//! A pipelined divider: a quotient of 24 bits, one bit per step. A quotient that would have more bits is all ones.
//!
//! ```text
//!  0        the high part of the numerator is the first remainder; is the quotient too large?
//!  1 to 24  remainder and next bit of the numerator, less the denominator if that is not negative
//!  25       quotient
//! ```

use super::ports::WINDOW_WIDTH;
use crate::blocks::pipeline_regs::PipelineRegs;
use rtl_model::{Bits, Bundle, Logic, Reading, bits, name_nets, select};

/// Width of a quotient, and number of its steps.
pub const QUOTIENT_WIDTH: u32 = 24;
/// Width of a numerator.
pub const NUMERATOR_WIDTH: u32 = 40;

/// A division.
#[derive(Clone, Copy)]
pub struct Division<L: Logic> {
    pub numerator: Bits<L>,
    /// Not 0.
    pub denominator: Bits<L>,
}

/// A step.
#[derive(Bundle)]
#[shape]
struct Partial<L: Reading> {
    /// Less than the denominator, unless the quotient is too large.
    #[width(WINDOW_WIDTH)]
    remainder: Bits<L>,
    /// Bits of the numerator that are left, and those of the quotient behind them.
    #[width(QUOTIENT_WIDTH)]
    rest: Bits<L>,
    #[width(WINDOW_WIDTH)]
    denominator: Bits<L>,
    too_large: Bits<L>,
}

/// The divider.
#[name_nets]
pub struct Divider<L: Logic> {
    /// Steps 1 to 25.
    partial: PipelineRegs<Partial<L>>,
}

#[name_nets]
impl<L: Logic> Divider<L> {
    pub fn new() -> Self {
        let bytes = bits(WINDOW_WIDTH);
        let shape = Partial::shape();
        Divider { partial: PipelineRegs::new(1..=QUOTIENT_WIDTH + 1, &shape) }
    }

    /// The quotient of 25 clock cycles ago.
    pub fn quotient(&self) -> Bits<L> {
        let Partial { rest, too_large, .. } = self.partial.last();
        rest | too_large.extend_signed(QUOTIENT_WIDTH)
    }

    /// One clock cycle.
    pub fn clock(&self, division: Division<L>) {
        let wide = WINDOW_WIDTH + 2;
        for step in (1..=QUOTIENT_WIDTH).rev() {
            let Partial { remainder, rest, denominator, too_large } = self.partial.at(step);
            let doubled = remainder.concat(rest.bit(QUOTIENT_WIDTH - 1));
            let difference = doubled.extend(wide) - denominator.extend(wide);
            let fits = !difference.bit(wide - 1);
            let left = select(fits, difference.truncate(WINDOW_WIDTH), doubled.truncate(WINDOW_WIDTH));
            let rest = rest.truncate(QUOTIENT_WIDTH - 1).concat(fits);
            self.partial.set(step + 1, Partial { remainder: left, rest, denominator, too_large });
        }
        let Division { numerator, denominator } = division;
        let remainder = numerator.slice(QUOTIENT_WIDTH, NUMERATOR_WIDTH - QUOTIENT_WIDTH).extend(WINDOW_WIDTH);
        let too_large = remainder.at_least(denominator);
        self.partial.set(1, Partial { remainder, rest: numerator.truncate(QUOTIENT_WIDTH), denominator, too_large });
    }
}
