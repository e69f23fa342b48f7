// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random numbers of a run: the same for a seed on every machine.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// A source of random numbers.
#[derive(Clone, Debug)]
pub struct Random(ChaCha8Rng);

impl Random {
    /// The source of a seed for one purpose. Sources of other purposes do not depend on it.
    #[must_use]
    pub fn new(seed: u64, purpose: u64) -> Self {
        let mut source = ChaCha8Rng::seed_from_u64(seed);
        source.set_stream(purpose);
        Random(source)
    }

    /// 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `n`, which must not be 0.
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(n)) >> 64) as u64
    }

    /// One of two.
    pub fn coin(&mut self) -> bool {
        self.0.next_u32() & 1 == 1
    }

    /// True `part` times out of `whole`.
    pub fn chance(&mut self, part: u64, whole: u64) -> bool {
        self.below(whole.max(1)) < part
    }

    /// A number from 0 on, below 1.
    pub fn real(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Mixes bits, so that each of the input changes half of the output (the finalizer of SplitMix64).
#[must_use]
pub const fn mixed(value: u64) -> u64 {
    let mut mixed = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}
