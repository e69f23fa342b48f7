// SPDX-License-Identifier: MIT OR Apache-2.0
//! From what is left on each VP to weights (row V6), for all VPs of a pair at once, one bit each:
//!
//! ```text
//!  step 0  candidates; the highest bit of the largest exponent, and which have it
//!       1  the next two bits
//!       2  the lowest
//!       3  mantissas shifted down by how far their exponents are below it
//!       4  weights; the first VP that has one
//! ```

use super::records::VpView;
use crate::elab::ElabSizes;
use crate::iwrr::{WEIGHT_WIDTH, Weights, weighted};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Shape, bits, name_nets, select, when};

/// The candidates of a pair, and the largest exponent among them as far as it is known.
#[derive(Bundle)]
struct Candidates<L: Reading> {
    mantissa: [Bits<L>; 4],
    exponent: [Bits<L>; 4],
    all: Bits<L>,
    /// Those that still may have the largest.
    largest: Bits<L>,
    /// The bits of the largest.
    bits: [Bits<L>; 4],
}

#[name_nets]
impl<L: Logic> Candidates<L> {
    /// The bit `i` of the largest exponent, and who has it.
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
    /// The first that has one.
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

    /// Of what went in five clocks ago.
    pub fn pair_weights(&self) -> PairWeights<L> {
        self.pair_weights.get()
    }

    /// One clock; `valid` says in which of the steps there is something.
    pub fn clock(&self, valid: [Bits<L>; 5], vp_view: &VpView<L>) {
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
            let has_available = vp_view.present & vp_view.has_available;
            let all = select(has_available.any(), has_available, vp_view.present);
            let VpView { mantissa, exponent, .. } = *vp_view;
            let start = Candidates { mantissa, exponent, all, largest: all, bits: [Bits::lit(1, 0); 4] };
            self.candidates[0].set(start.bit(3));
        });
    }
}

/// Mantissas shifted down by how far their exponents are below the largest; nothing is left of one that is 4 below.
#[name_nets]
fn shifted<L: Logic>(at: &Candidates<L>) -> Weights<L> {
    let each = at.all.width();
    let [a, b, c, d] = at.bits;
    let largest = d.concat(c).concat(b).concat(a);
    // Whose exponent is the largest less this much. None has one so small that this wraps.
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
