// SPDX-License-Identifier: MIT OR Apache-2.0
//! Products, each in two parts of at most 18 x 18 bits with registers on both sides. With memories of latency `l`:
//!
//! ```text
//!  l + 4  alpha x quanta          l + 8  pend x quanta, fi_scale x quanta
//!  l + 5  sum                     l + 9  28 bits
//!  l + 6  36 bits                 l + 9  fi x quanta
//!  l + 7  x (target - delay)      l + 10 sum
//!  l + 8  sum                     l + 11 36 bits
//!  l + 9  36 bits                 l + 12 that of the quadrant
//! ```
//!
//! *inc_bytes* has 36 bits and saturates, so that a factor with more than 36 bits may be cut to that before the next product,
//! whose other factor is at least 1.

use super::delays::Quadrant;
use super::pass::{Kept, PASS};
use super::ports::{QUANTA_WIDTH, WAIT_WIDTH, WINDOW_WIDTH};
use super::settings::InForce;
use crate::blocks::pipeline_regs::PipelineRegs;
use rtl_model::{Bits, Logic, Reg, bits, name_nets, select};

/// Width of *inc_bytes*.
pub const INC_WIDTH: u32 = 36;
/// Width of a factor rcv_cwnd_pend.
const PEND_WIDTH: u32 = 7;

/// A product in two parts, which are added in the next clock cycle.
#[name_nets]
pub struct Product<L: Logic> {
    half: u32,
    parts: [Reg<Bits<L>>; 2],
    sum: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Product<L> {
    /// Of a factor of `width` bits, an even number, with one of `other` bits.
    pub fn new(width: u32, other: u32) -> Self {
        let half = width / 2;
        Product {
            half,
            parts: [0, 1].map(|part| Reg::numbered(part, &bits(half + other))),
            sum: Reg::new(&bits(width + other)),
        }
    }

    /// The product of two clock cycles ago.
    pub fn get(&self) -> Bits<L> {
        self.sum.get()
    }

    /// One clock cycle: two factors.
    pub fn clock(&self, factor: Bits<L>, other: Bits<L>) {
        let [low, high] = [0, 1].map(|part| self.parts[part].get());
        let high = high.concat(Bits::lit(self.half, 0));
        self.sum.set(high + low.extend(high.width()));
        for (part, product) in self.parts.iter().enumerate() {
            product.set(factor.slice(part as u32 * self.half, self.half) * other);
        }
    }
}

/// A number with fewer bits: the largest one if it does not fit.
#[name_nets]
pub fn saturated<L: Logic>(value: Bits<L>, width: u32) -> Bits<L> {
    let beyond = value.slice(width, value.width() - width).any();
    value.truncate(width) | beyond.extend_signed(width)
}

/// The products of a pass.
#[name_nets]
pub struct Products<L: Logic> {
    latency: u32,
    /// Step `l` + 9.
    pend: Reg<Bits<L>>,
    fast: Reg<Bits<L>>,
    /// Step `l` + 10.
    pend_bytes: Reg<Bits<L>>,
    fast_bytes: Reg<Bits<L>>,
    alpha: Product<L>,
    /// Step `l` + 7.
    alpha_quanta: Reg<Bits<L>>,
    rises: Product<L>,
    /// Steps `l` + 10 to `l` + 12.
    proportional: PipelineRegs<Bits<L>>,
    fi: Product<L>,
    /// Step `l` + 12.
    fair: Reg<Bits<L>>,
    /// Steps `l` + 13 to `l` + 15.
    increase: PipelineRegs<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Products<L> {
    pub fn new(latency: u32) -> Self {
        let (bytes, inc) = (bits(WINDOW_WIDTH), bits(INC_WIDTH));
        Products {
            latency,
            pend: Reg::new(&bits(PEND_WIDTH + QUANTA_WIDTH)),
            fast: Reg::new(&bits(2 * QUANTA_WIDTH)),
            pend_bytes: Reg::new(&bytes),
            fast_bytes: Reg::new(&bytes),
            alpha: Product::new(26, QUANTA_WIDTH),
            alpha_quanta: Reg::new(&inc),
            rises: Product::new(INC_WIDTH, WAIT_WIDTH),
            proportional: PipelineRegs::new(latency + 10..=latency + 12, &inc).checked(PASS),
            fi: Product::new(24, QUANTA_WIDTH),
            fair: Reg::new(&inc),
            increase: PipelineRegs::new(latency + 13..=latency + 15, &inc).checked(PASS),
        }
    }

    /// Step `l` + 10: what rcv_cwnd_pend takes from the window.
    pub fn pend_bytes(&self) -> Bits<L> {
        PASS.at(self.latency + 10, self.pend_bytes.get())
    }

    /// Step `l` + 10: what a fast increase adds.
    pub fn fast_bytes(&self) -> Bits<L> {
        PASS.at(self.latency + 10, self.fast_bytes.get())
    }

    /// Step `l` + 15: what is added to *inc_bytes*, unless the ACK is limited or fast.
    pub fn increase(&self) -> Bits<L> {
        self.increase.last()
    }

    /// One clock cycle: what is kept of the passes in all steps; target less delay in step `l` + 7, and the quadrant in step
    /// `l` + 12.
    pub fn clock(&self, kept: &[Kept<L>], below_target: Bits<L>, quadrant: Quadrant<L>, settings: InForce<L>) {
        let l = self.latency as usize;
        let none = Bits::lit(8, 0);

        // l + 12
        let (fair, proportional) = (self.fair.get(), self.proportional.last());
        self.increase.shift(fair.gate(quadrant.fair) | proportional.gate(quadrant.proportional));

        // l + 9 on: fair
        self.fair.set(saturated(self.fi.get().concat(none), INC_WIDTH));
        self.fi.clock(settings.fi, kept[l + 9].quanta);

        // l + 4 on: proportional
        self.proportional.shift(saturated(self.rises.get(), INC_WIDTH));
        self.rises.clock(self.alpha_quanta.get(), below_target);
        self.alpha_quanta.set(saturated(self.alpha.get(), INC_WIDTH));
        self.alpha.clock(settings.alpha, kept[l + 4].quanta);

        // l + 8 and l + 9
        let pend = self.pend.get().concat(Bits::lit(1, 0));
        self.pend_bytes.set(pend.extend(WINDOW_WIDTH));
        self.fast_bytes.set(saturated(self.fast.get(), WINDOW_WIDTH));
        let Kept { pend, quanta, .. } = kept[l + 8];
        self.pend.set(pend * quanta);
        self.fast.set(settings.fi_scale * quanta);
    }
}

/// The larger one of two numbers.
#[name_nets]
pub fn larger<L: Logic>(a: Bits<L>, b: Bits<L>) -> Bits<L> {
    select(a.less(b), b, a)
}

/// The smaller one of two numbers.
#[name_nets]
pub fn smaller<L: Logic>(a: Bits<L>, b: Bits<L>) -> Bits<L> {
    select(a.less(b), a, b)
}
