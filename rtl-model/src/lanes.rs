// SPDX-License-Identifier: MIT OR Apache-2.0
//! Wide values as rows of equal lanes, a power of two wide (1 to 64 bits), so that none straddles two limbs.

use crate::words::Words;

impl<const N: usize> Words<N> {
    /// Lane `index` of `width` bits; 0 beyond the last.
    #[inline(always)]
    pub fn lane(&self, index: u64, width: u32) -> u64 {
        match index < (self.width() / width) as u64 {
            true => self.slice_u64(index as u32 * width, width),
            false => 0,
        }
    }

    /// The same with another value in lane `index`; nothing changes beyond the last.
    #[inline(always)]
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
    #[inline(always)]
    pub fn any_each(&self, width: u32) -> u64 {
        let per_limb = 64 / width;
        let used = self.width().div_ceil(64) as usize;
        let limbs = self.limbs().iter().take(used).enumerate();
        limbs.fold(0, |all, (i, &limb)| all | gather(some(limb, width), width) << (i as u32 * per_limb))
    }

    /// Every one of the `count` low bits repeated `width` times.
    #[inline(always)]
    pub fn spread(bits: u64, count: u32, width: u32) -> Self {
        let per_limb = 64 / width;
        let mut limbs = [0; N];
        for (i, limb) in limbs.iter_mut().enumerate().take((count * width).div_ceil(64) as usize) {
            *limb = scatter(bits >> (i as u32 * per_limb), width).wrapping_mul(!0 >> (64 - width));
        }
        Words::from_limbs(count * width, &limbs)
    }
}

/// 1 in the lowest bit of every lane.
#[inline(always)]
const fn ones(width: u32) -> u64 {
    !0 / (!0 >> (64 - width))
}

/// The lowest bit of every lane that is not 0.
#[inline(always)]
const fn some(x: u64, width: u32) -> u64 {
    let low = !(ones(width) << (width - 1));
    ((((x & low) + low) | x) & !low) >> (width - 1)
}

/// The lowest bits of the lanes side by side. In the products every pair of a bit and a factor has a place of its own.
#[inline(always)]
fn gather(x: u64, width: u32) -> u64 {
    match width {
        64 => x,
        32 => (x | x >> 31) & 3,
        16 => x.wrapping_mul(1 << 60 | 1 << 45 | 1 << 30 | 1 << 15) >> 60,
        8 => x.wrapping_mul(0x0102_0408_1020_4080) >> 56,
        _ => (0..64 / width).fold(0, |bits, i| bits | (x >> (i * width) & 1) << i),
    }
}

/// The reverse of [`gather`]; bits beyond the lanes of a limb are ignored.
#[inline(always)]
fn scatter(bits: u64, width: u32) -> u64 {
    match width {
        64 => bits & 1,
        32 => bits & 1 | (bits >> 1 & 1) << 32,
        16 => (bits & 0xf).wrapping_mul(1 | 1 << 15 | 1 << 30 | 1 << 45) & ones(16),
        _ => (0..64 / width).fold(0, |x, i| x | (bits >> i & 1) << (i * width)),
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
                let x = Words::<4>::from_limbs(total, &limbs);
                let lane = |x: &Words<4>, i: u32| x.slice_u64(i * width, width);
                let expected = if index < count.into() { lane(&x, index as u32) } else { 0 };
                prop_assert_eq!(x.lane(index, width), expected);
                let any = (0..count).fold(0, |bits, i| bits | ((lane(&x, i) != 0) as u64) << i);
                prop_assert_eq!(x.any_each(width), any);
                let changed = x.with_lane(index, width, value);
                let spread = Words::<4>::spread(value, count, width);
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
            prop_assert_eq!(Words::<4>::spread(bits, count, width).any_each(width), bits);
        }
    }
}
