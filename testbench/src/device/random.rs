// SPDX-License-Identifier: MIT OR Apache-2.0
//! A small random generator with a seed, so that a failure can be repeated from the printed seed.

/// A SplitMix64 generator.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Makes a generator from any seed.
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// Returns 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below `n`, or 0 if `n` is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        ((self.bits() as u128 * n as u128) >> 64) as u64
    }

    /// Returns a number from `low` to `high`, both included.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high - low + 1)
    }

    /// Returns true with probability `p`.
    pub fn chance(&mut self, p: f64) -> bool {
        ((self.bits() >> 11) as f64) < p * (1u64 << 53) as f64
    }

    /// Writes a random value of the port. Corner values (0, 1, all ones, the sign bit alone, few bits) come far more
    /// often than by chance, because operators are most likely to differ there.
    pub fn value(&mut self, port: &crate::device::Port, row: &mut [u64]) {
        let kind = self.below(8);
        let top = port.width - 1;
        for (i, limb) in port.of_mut(row).iter_mut().enumerate() {
            *limb = port.mask(i)
                & match kind {
                    0 => 0,
                    1 => !0,
                    2 => (i == 0) as u64,
                    3 if top / 64 == i as u32 => 1 << (top % 64),
                    3 => 0,
                    4 => self.bits() & self.bits() & self.bits(),
                    5 if i > 0 => 0,
                    5 => self.bits() & 0xff,
                    _ => self.bits(),
                };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_repeats_and_chances_hold() {
        let (mut a, mut b) = (Random::new(7), Random::new(7));
        assert!((0..100).all(|_| a.bits() == b.bits()));
        let hits = (0..10_000).filter(|_| a.chance(0.25)).count();
        assert!((2300..2700).contains(&hits), "{hits}");
        assert!((0..1000).all(|_| a.between(3, 5) - 3 < 3));
        assert_eq!(a.below(0), 0);
    }
}
