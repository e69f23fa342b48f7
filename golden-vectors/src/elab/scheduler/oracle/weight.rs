// SPDX-License-Identifier: MIT OR Apache-2.0
//! Weights from the available bandwidth of each VP (V5, V6).

/// Bandwidth limit and rate of a VP.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Estimate {
    /// *B*: the bandwidth limit.
    pub bandwidth: u64,
    /// *R*: the rate.
    pub rate: u64,
}

impl Estimate {
    /// *A*: the available bandwidth.
    #[must_use]
    pub const fn left(self) -> u64 {
        self.bandwidth.saturating_sub(self.rate)
    }

    /// *m* and *e* (V5).
    fn form(self) -> (u64, u32) {
        let x = if self.left() > 0 { self.left() } else { self.bandwidth };
        let e = x.checked_ilog2().map_or(0, |log| log.saturating_sub(8));
        ((x / 2_u64.pow(e + 5)).max(1), e)
    }
}

/// The weight of each VP; `None` for one that is not present or is dead (V6).
#[must_use]
pub fn weights(vps: &[Option<Estimate>]) -> Vec<u64> {
    let left = vps.iter().flatten().any(|vp| vp.left() > 0);
    let candidates: Vec<_> = vps.iter().map(|vp| vp.filter(|vp| !left || vp.left() > 0)).collect();
    weights_of_all(&candidates)
}

/// The same if all of them are candidates (V23).
#[must_use]
pub fn weights_of_all(candidates: &[Option<Estimate>]) -> Vec<u64> {
    let forms: Vec<_> = candidates.iter().map(|vp| vp.map(Estimate::form)).collect();
    let most = forms.iter().flatten().map(|&(_, e)| e).max().unwrap_or_default();
    forms.into_iter().map(|form| form.map_or(0, |(m, e)| m / 2_u64.pow(most - e))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Weights of VPs with these bandwidth limits and rates.
    fn of<const N: usize>(vps: [(u64, u64); N]) -> Vec<u64> {
        weights(&vps.map(|(bandwidth, rate)| Some(Estimate { bandwidth, rate })))
    }

    #[test]
    fn the_largest_has_8_to_15_and_small_ones_1() {
        assert_eq!(
            of([(0xFF_FFFF, 0), (0x80_0000, 0), (0x7F_FFFF, 0), (0x10_0000, 0), (0xF_FFFF, 0)]),
            [15, 8, 7, 1, 0]
        );
        assert_eq!(of([(511, 0), (256, 0), (255, 0), (63, 0), (31, 0), (1, 0)]), [15, 8, 7, 1, 1, 1]);
        assert_eq!(of([(512, 0), (511, 0), (256, 0), (31, 0)]), [8, 7, 4, 0]);
    }

    #[test]
    fn nothing_left_is_no_candidate_but_where_all_are_so() {
        assert_eq!(of([(300, 300), (300, 299), (0, 5)]), [0, 1, 0]);
        assert_eq!(of([(300, 300), (600, 601), (0, 5)]), [4, 9, 0]);
        assert_eq!(of([(0, 0), (0, 5)]), [1, 1]);
        assert_eq!(weights(&[None, Some(Estimate::default()), None]), [0, 1, 0]);
    }
}
