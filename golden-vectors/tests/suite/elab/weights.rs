// SPDX-License-Identifier: MIT OR Apache-2.0
//! V4 to V6: shares against those of the paper, in floating point, and draws by hand.

use super::scheduler_help::*;
use golden_vectors::elab::scheduler::oracle::{Estimate, weights};
use proptest::collection::vec;
use proptest::prelude::*;

/// Weights of VPs of which so much is left.
fn of(left: &[u64]) -> Vec<u64> {
    weights(&left.iter().map(|&bandwidth| Some(Estimate { bandwidth, rate: 0 })).collect::<Vec<_>>())
}

/// What is left of a VP: any number of leading zeros is as likely.
fn left() -> impl Strategy<Value = u64> {
    (0..24_u32).prop_flat_map(|bits| 1 << bits..2_u64 << bits)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: tier::cases(5000), ..ProptestConfig::default() })]

    /// V6: with *u* a step, between 1/16 and 1/8 of the greatest *A*, each weight is *A* / *u*, rounded down. Of the
    /// exact share *A* / sum(*A*) a VP so lacks at most *u* / sum(*A*), which is 1/8 of the greatest share. What others
    /// lack it has too much: with *n* VPs and *W* the sum of their weights, at least 8, that is a part of its own share
    /// below *n* / (*W* + *n*).
    #[test]
    fn v6_shares(left in vec(prop_oneof![left(), (8_u64..16).prop_map(|x| (x << 20) - 1)], 1..9)) {
        let most = *left.iter().max().unwrap();
        prop_assume!(most >= 512);
        let step = (5..21).map(|bits| 1_u64 << bits).find(|u| 8 * u <= most && most < 16 * u).unwrap();
        let weights = of(&left);
        let (all, sum) = (left.iter().sum::<u64>() as f64, weights.iter().sum::<u64>() as f64);
        for (&left, &weight) in left.iter().zip(&weights) {
            prop_assert_eq!(weight, left / step);
            let (share, exact) = (weight as f64 / sum, left as f64 / all);
            prop_assert!(share > exact - step as f64 / all && step as f64 / all <= most as f64 / all / 8.0);
            let n = weights.len() as f64;
            prop_assert!(share <= exact + share * n / (sum + n), "{left:?} {weights:?}");
        }
    }

    /// Of so little that there is no such step, a step is 32, and everything weighs 1 at least.
    #[test]
    fn v6_shares_of_little(left in vec(1..512_u64, 1..9)) {
        let expected: Vec<_> = left.iter().map(|&left| (left / 32).max(1)).collect();
        prop_assert_eq!(of(&left), expected);
    }

    /// V6: bandwidths decide in the same way where nothing is left, and do not matter where anything is.
    #[test]
    fn v6_candidates(vps in vec((0..3_u64, left(), left()), 1..9)) {
        let estimate = |&(kind, a, b): &(u64, u64, u64)| match kind {
            0 => None,
            1 => Some(Estimate { bandwidth: a.min(b), rate: a.max(b) }),
            _ => Some(Estimate { bandwidth: a + b, rate: b }),
        };
        let estimates: Vec<_> = vps.iter().map(estimate).collect();
        let some = estimates.iter().flatten().any(|vp| vp.bandwidth > vp.rate);
        let of_left = estimates.iter().map(|vp| vp.filter(|vp| vp.bandwidth > vp.rate || !some));
        let alone: Vec<_> = of_left
            .map(|vp| vp.map(|vp| Estimate { bandwidth: if some { vp.bandwidth - vp.rate } else { vp.bandwidth }, rate: 0 }))
            .collect();
        prop_assert_eq!(weights(&estimates), weights(&alone));
    }
}

/// How far shares are off at worst: one VP of weight 8, and all others just below a step. By V6's bounds a share then is 1
/// instead of 8 / (8 + *n* - 1).
#[test]
fn v6_worst_shares() {
    for n in [2_u64, 4, 8] {
        let (mut worst, bound): (f64, f64) = (0.0, (n - 1) as f64 / (n + 7) as f64);
        let tried = (0..1 << 16).map(|x: u64| {
            let digit = |at: u64| x.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(at as u32 * 8) % 1024;
            (0..n).map(|at| if at == 0 { 0x80_0000 + (x << 7) } else { 1 + digit(at) * 0x4000 }).collect::<Vec<_>>()
        });
        let just_below = (8..16).map(|m| (0..n).map(|at| if at == 0 { m << 20 } else { 0xF_FFFF }).collect());
        for left in tried.chain(just_below) {
            let weights = of(&left);
            let (all, sum) = (left.iter().sum::<u64>() as f64, weights.iter().sum::<u64>() as f64);
            let off = weights.iter().zip(&left).map(|(&w, &a)| (w as f64 / sum - a as f64 / all).abs());
            worst = off.fold(worst, f64::max);
        }
        println!("{n} VPs: a share is off by at most {worst:.3}");
        assert!(worst < bound && worst > 0.99 * bound, "{n}: {worst}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: tier::cases(64), ..ProptestConfig::default() })]

    /// V4: with constant weights every row of draws as long as their sum has each VP as often as its weight says.
    #[test]
    fn v4_every_window_of_draws_is_in_proportion(bandwidths in vec(prop_oneof![Just(0), left()], 1..9)) {
        prop_assume!(bandwidths.iter().any(|&bandwidth| bandwidth > 0));
        let present: Vec<_> = bandwidths
            .iter()
            .map(|&bandwidth| (bandwidth > 0).then_some(Estimate { bandwidth, rate: 0 }))
            .collect();
        let weights = weights(&present);
        let sum = weights.iter().sum::<u64>();
        let vps = column(&run(&bandwidths, &stream(400, 3 * sum)), |grant| grant.vp);
        for window in vps.windows(sum as usize) {
            for (vp, &weight) in (0..).zip(&weights) {
                prop_assert_eq!(window.iter().filter(|&&at| at == vp).count() as u64, weight);
            }
        }
    }
}

#[test]
fn v4_rounds_by_hand() {
    // Weights 8, 2 and 3 in steps of 2^20; before the first draw it is as if VP 0 had been drawn in round 0.
    let bandwidths = [0x80_0000, 0x2F_FFFF, 0, 0x30_0000];
    let vps = column(&run(&bandwidths, &stream(400, 16)), |grant| (grant.vp, grant.sport - PORT, grant.burst));
    let expected = [1, 3, 0, 1, 3, 0, 3, 0, 0, 0, 0, 0, 0, 1, 3, 0].map(|vp| (vp, vp, 0));
    assert_eq!(vps, expected);
    assert_eq!(column(&run(&[77], &stream(400, 2)), |grant| grant.vp), [0, 0]);
}

#[test]
fn v6_what_is_left_by_hand() {
    // Rates 163840 and 0 in 16 parts of 2^24: 2.5 packets a unit.
    let rated = |bandwidth: u64| {
        let mut events = vec![count(800, 0, 0), count(816, 0, 10), count(801, 1, 0), count(817, 1, 0)];
        events.extend(stream(840, 18));
        column(&run(&[bandwidth, 0x4_0000], &events), |grant| grant.vp)
    };
    // 196608 - 163840 = 32768 is an eighth of 262144: weights 1 and 8.
    assert_eq!(rated(0x3_0000).iter().filter(|&&vp| vp == 0).count(), 2);
    assert_eq!(rated(0x2_8000), [1; 18], "nothing is left of the first one");
    assert_eq!(rated(0x2_8001), [1; 18], "of 1 the weight is 0");
}
