// SPDX-License-Identifier: MIT OR Apache-2.0
//! [`Rate`]: packets divided by a span of time (rows V11 and W7), one division per clock cycle, in six steps, or in seven
//! for counts of more than 18 bits:
//!
//! ```text
//!  0, 1  normalise the span; keep its 8 leading bits; packets times the clock cycles of a unit
//!  2     look up their reciprocal
//!        (only with seven steps: a register behind the table, which two multipliers read)
//!  3     multiply by the packets, in two parts
//!  4, 5  add the parts; shift right to 16 fraction bits; saturate
//!  6     rate
//! ```
//!
//! The span is truncated to 8 bits, so a rate is too large by up to 1/128.

use crate::elab::POINT;
use crate::elab::normalize::normalize;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Shape, Table, bits, clog2, name_nets, when};

/// Width of a span in bits.
pub const SPAN_WIDTH: u32 = 24;
/// Leading bits of a span that are used.
const LEADING: u32 = 8;
/// Reciprocals are scaled by 2 to this power.
const ONE: u32 = 24;
/// Width of a reciprocal in bits: the largest is 2^24 / 128.
const RECIPROCAL_WIDTH: u32 = ONE - LEADING + 2;
/// Width of the lower part of a count, for multipliers of 18 bits.
const PART: u32 = 18;

/// Packets and the span in which they came, as far as it is normalised.
#[derive(Bundle)]
struct Shifted<L: Reading> {
    #[reset]
    valid: Bits<L>,
    count: Bits<L>,
    span: Bits<L>,
    /// Bits by which `span` has been shifted left so far.
    shift: Bits<L>,
}

/// A quotient before and while it is shifted right.
#[derive(Bundle)]
struct Quotient<L: Reading> {
    #[reset]
    valid: Bits<L>,
    value: Bits<L>,
    /// Bits by which `value` has still to be shifted right.
    right_shift: Bits<L>,
}

/// Divides packets by time, one division per clock cycle.
#[name_nets]
pub struct Rate<L: Logic> {
    reciprocals: Table,
    width: u32,
    /// Clock cycles per unit of the span.
    unit: u64,
    normalizing: Reg<Shifted<L>>,
    leading: Reg<Shifted<L>>,
    factors: Reg<Shifted<L>>,
    factors_again: Option<Reg<Shifted<L>>>,
    product: Reg<Quotient<L>>,
    /// What `product` lacks for counts of more than 18 bits, divided by 2^18.
    upper_product: Option<Reg<Bits<L>>>,
    aligned: Reg<Quotient<L>>,
    rate: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Rate<L> {
    /// For packet counts of this shape, spans of which `unit` are a unit of time, and rates of `width` bits.
    pub fn new(count: Bits<Shape>, unit: u64, width: u32) -> Self {
        let half = 1 << (LEADING - 1);
        let reciprocals =
            Table::new(RECIPROCAL_WIDTH, (half..2 * half).map(|leading| (1 << ONE) / leading)).named("reciprocal");
        let (valid, span) = (bits(1), bits(SPAN_WIDTH));
        let scaled = bits(count.bits() + if unit > 1 { clog2(unit + 1) } else { 0 });
        let shifted = |count, span, shift| Shifted { valid, count, span, shift: bits(shift) };
        // At least one bit more than the rate, to detect overflow.
        let product = bits((scaled.bits() + RECIPROCAL_WIDTH).max(width + 1));
        let upper = scaled.bits().saturating_sub(PART);
        Rate {
            reciprocals,
            width,
            unit,
            normalizing: Reg::new(&shifted(count, span, 2)),
            leading: Reg::new(&shifted(scaled, bits(LEADING), 5)),
            factors: Reg::new(&shifted(scaled, bits(RECIPROCAL_WIDTH), 5)),
            factors_again: (upper > 0).then(|| Reg::new(&shifted(scaled, bits(RECIPROCAL_WIDTH), 5))),
            product: Reg::new(&Quotient { valid, value: product, right_shift: bits(5) }),
            upper_product: (upper > 0).then(|| Reg::new(&bits(upper + RECIPROCAL_WIDTH))),
            aligned: Reg::new(&Quotient { valid, value: product, right_shift: bits(3) }),
            rate: Reg::new(&bits(width)),
        }
    }

    /// The rate of the packets that entered six clock cycles ago, or seven.
    pub fn rate(&self) -> Bits<L> {
        self.rate.get()
    }

    /// One clock cycle: `count` packets in a `span` that is not 0.
    pub fn clock(&self, valid: Bits<L>, count: Bits<L>, span: Bits<L>) {
        let (normalizing, leading, factors) = (self.normalizing.get(), self.leading.get(), self.factors.get());
        let (product, aligned) = (self.product.get(), self.aligned.get());

        // 5
        when(aligned.valid, || {
            let value = aligned.value >> aligned.right_shift;
            let (low, high) = (value.truncate(self.width), value.slice(self.width, value.width() - self.width));
            self.rate.set(low | high.any().extend_signed(self.width));
        });

        // 4
        let (eights, ones) = (product.right_shift.slice(3, 2), product.right_shift.truncate(3));
        let value = match &self.upper_product {
            None => product.value,
            Some(upper) => {
                let above = product.value.width() - PART;
                let sum = product.value.slice(PART, above) + upper.get().extend(above);
                sum.concat(product.value.truncate(PART))
            }
        };
        let value = value >> eights.concat(Bits::lit(3, 0));
        self.aligned.set(Quotient { valid: product.valid, value, right_shift: ones });

        let latest = factors;
        let factors = self.factors_again.as_ref().map_or(factors, Reg::get);

        // 3: the reciprocal is that of span / 2^(16 - shift), scaled by 2^24; the rate has 16 fraction bits.
        let right_shift = Bits::lit(5, u64::from(ONE + SPAN_WIDTH - LEADING - POINT)) - factors.shift;
        let low = match &self.upper_product {
            None => factors.count,
            Some(upper) => {
                let part = factors.count.slice(PART, factors.count.width() - PART);
                upper.set(part * factors.span);
                factors.count.truncate(PART)
            }
        };
        let value = (low * factors.span).extend(product.value.width());
        self.product.set(Quotient { valid: factors.valid, value, right_shift });

        if let Some(again) = &self.factors_again {
            again.set(latest);
        }

        // 2
        let reciprocal = leading.span.truncate(LEADING - 1).look_up(&self.reciprocals);
        self.factors.set(Shifted { span: reciprocal, ..leading });

        // 1
        let (shifted, ones) = normalize(normalizing.span, [4, 2, 1]);
        let front = shifted.slice(SPAN_WIDTH - LEADING, LEADING);
        let scaled = match self.unit {
            1 => normalizing.count,
            unit => normalizing.count * Bits::lit(clog2(unit + 1), unit),
        };
        self.leading.set(Shifted {
            count: scaled,
            span: front,
            shift: normalizing.shift.concat(ones),
            valid: normalizing.valid,
        });

        // 0
        let (span, shift) = normalize(span, [16, 8]);
        self.normalizing.set(Shifted { valid, count, span, shift });
    }
}
