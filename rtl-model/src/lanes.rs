// SPDX-License-Identifier: MIT OR Apache-2.0
//! Wide values as sequences of equal lanes, a power of two wide (1 to 64 bits), so that none straddles two limbs.

use crate::words::Words;

impl Words {
    /// Lane `index` of `width` bits; 0 beyond the last.
    pub fn lane(&self, index: u64, width: u32) -> u64 {
        match index < (self.width() / width) as u64 {
            true => self.slice_u64(index as u32 * width, width),
            false => 0,
        }
    }

    /// The same with another value in lane `index`; nothing changes beyond the last.
    pub fn with_lane(&self, index: u64, width: u32, value: u64) -> Self {
        if index >= (self.width() / width) as u64 {
            return *self;
        }
        let (limb, shift) = (index as usize * width as usize / 64, index as u32 * width % 64);
        let mut limbs = *self.limbs();
        let hole = !0 >> (64 - width) << shift;
        limbs[limb] = limbs[limb] & !hole | value << shift & hole;
        Words::from_limbs(self.width(), &limbs)
    }

    /// Bit `i` is 1 if lane `i` is not 0.
    pub fn any_each(&self, width: u32) -> u64 {
        (0..self.width() / width).fold(0, |all, i| all | u64::from(self.lane(i.into(), width) != 0) << i)
    }

    /// Every one of the `count` low bits repeated `width` times.
    pub fn spread(bits: u64, count: u32, width: u32) -> Self {
        let ones = (0..count).filter(|i| bits >> i & 1 == 1);
        ones.fold(Words::zero(count * width), |all, i| all.with_lane(i.into(), width, u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lanes_are_slices(limbs: [u64; 4], log in 0u32..7, index in 0u64..70, value: u64) {
            let width = 1 << log;
            for total in [width, 64.max(width), 256] {
                let count = total / width;
                if total % width != 0 || count > 64 {
                    continue;
                }
                let x = Words::from_limbs(total, &limbs);
                let lane = |x: &Words, i: u32| x.slice_u64(i * width, width);
                let expected = if index < count.into() { lane(&x, index as u32) } else { 0 };
                prop_assert_eq!(x.lane(index, width), expected);
                let any = (0..count).fold(0, |bits, i| bits | ((lane(&x, i) != 0) as u64) << i);
                prop_assert_eq!(x.any_each(width), any);
                let changed = x.with_lane(index, width, value);
                let spread = Words::spread(value, count, width);
                prop_assert_eq!(spread.width(), total);
                for i in 0..count {
                    let new = if u64::from(i) == index { value & (!0 >> (64 - width)) } else { lane(&x, i) };
                    prop_assert_eq!(lane(&changed, i), new);
                    prop_assert_eq!(lane(&spread, i), if value >> i & 1 == 1 { !0 >> (64 - width) } else { 0 });
                }
            }
        }

        #[test]
        fn sparse_lanes_are_seen(bits: u64, log in 0u32..7) {
            let width = 1 << log;
            let count = (256 / width).min(64);
            let bits = if count == 64 { bits } else { bits & ((1 << count) - 1) };
            prop_assert_eq!(Words::spread(bits, count, width).any_each(width), bits);
        }
    }
}
