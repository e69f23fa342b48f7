// SPDX-License-Identifier: MIT OR Apache-2.0
//! Weights from available bandwidth (row V6), for all VPs of a pair at once with one bit per VP:
//!
//! ```text
//!  step 0  candidates, dead VPs apart; the top bit of the largest exponent, and the candidates that have it
//!       1  the next two bits
//!       2  the lowest bit
//!       3  mantissas shifted right by how far their exponents are below the largest
//!       4  weights; the first VP with a weight above 0
//! ```

use super::records::VpView;
use crate::blocks::iwrr::{WEIGHT_WIDTH, Weights, weighted};
use crate::elab::ElabSizes;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Shape, bits, name_nets, select, when};

/// The candidates of a pair, and the bits of their largest exponent found so far.
#[derive(Bundle)]
struct Candidates<L: Reading> {
    mantissa: [Bits<L>; 4],
    exponent: [Bits<L>; 4],
    all: Bits<L>,
    /// The candidates that may still have the largest exponent.
    largest: Bits<L>,
    /// The bits of the largest exponent.
    bits: [Bits<L>; 4],
}

#[name_nets]
impl<L: Logic> Candidates<L> {
    /// Finds bit `i` of the largest exponent, and the candidates that have it.
    fn bit(self, i: usize) -> Self {
        let holders = self.largest & self.exponent[i];
        let any = holders.any();
        let mut bits = self.bits;
        bits[i] = any;
        Candidates { largest: select(any, holders, self.largest), bits, ..self }
    }
}

/// Weights of the VPs of a pair.
#[derive(Bundle)]
pub struct PairWeights<L: Reading> {
    pub weights: Weights<L>,
    /// The first VP with a weight above 0.
    pub first: Bits<L>,
}

/// Computes the weights of all VPs of a pair in five steps.
#[name_nets]
pub struct WeightPipeline<L: Logic> {
    first_width: u32,
    candidates: [Reg<Candidates<L>>; 3],
    /// Weights in step 4, before the first VP is known.
    shifted: Reg<Weights<L>>,
    pair_weights: Reg<PairWeights<L>>,
}

#[name_nets]
impl<L: Logic> WeightPipeline<L> {
    pub fn new(sizes: ElabSizes) -> Self {
        let (each, flag) = (sizes.each(), bits(1));
        let candidates =
            Candidates { mantissa: [each; 4], exponent: [each; 4], all: each, largest: each, bits: [flag; 4] };
        let weights: Weights<Shape> = [each; WEIGHT_WIDTH as usize];
        WeightPipeline {
            first_width: sizes.vp_bits(),
            candidates: [1, 2, 3].map(|i| Reg::numbered(i, &candidates)),
            shifted: Reg::new(&weights),
            pair_weights: Reg::new(&PairWeights { weights, first: sizes.vp() }),
        }
    }

    /// The weights of the pair that entered five clock cycles ago.
    pub fn pair_weights(&self) -> PairWeights<L> {
        self.pair_weights.get()
    }

    /// One clock cycle; `valid` has one bit per step, 1 if there is a pair in the step. `live` are the VPs that are present and not
    /// dead.
    pub fn clock(&self, valid: [Bits<L>; 5], vp_view: &VpView<L>, live: Bits<L>) {
        let [one, two, three] = Reg::get_all(&self.candidates);
        when(valid[4], || {
            let weights = self.shifted.get();
            let first = weighted(&weights).first_set().truncate(self.first_width);
            self.pair_weights.set(PairWeights { weights, first });
        });
        when(valid[3], || self.shifted.set(shifted(&three)));
        when(valid[2], || self.candidates[2].set(two.bit(0)));
        when(valid[1], || self.candidates[1].set(one.bit(2).bit(1)));
        when(valid[0], || {
            let has_available = live & vp_view.has_available;
            let rest = select(live.any(), live, vp_view.present);
            let all = select(has_available.any(), has_available, rest);
            let VpView { mantissa, exponent, .. } = *vp_view;
            let start = Candidates { mantissa, exponent, all, largest: all, bits: [Bits::lit(1, 0); 4] };
            self.candidates[0].set(start.bit(3));
        });
    }
}

/// Mantissas shifted right by how far their exponents are below the largest; one that is 4 or more below becomes 0.
#[name_nets]
fn shifted<L: Logic>(at: &Candidates<L>) -> Weights<L> {
    let each = at.all.width();
    let [a, b, c, d] = at.bits;
    let largest = d.concat(c).concat(b).concat(a);
    // The candidates whose exponent is the largest minus `less`. If that wraps, no candidate has such an exponent.
    let below = |less: u64| {
        let exponent = largest - less;
        let mut same = at.all;
        for (i, &plane) in at.exponent.iter().enumerate() {
            same = same & !(plane ^ exponent.bit(i as u32).extend_signed(each));
        }
        same
    };
    let [zero, one, two, three] = [below(0), below(1), below(2), below(3)];
    let [m0, m1, m2, m3] = at.mantissa;
    [m0 & zero | m1 & one | m2 & two | m3 & three, m1 & zero | m2 & one | m3 & two, m2 & zero | m3 & one, m3 & zero]
}
