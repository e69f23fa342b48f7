// SPDX-License-Identifier: MIT OR Apache-2.0
//! V11 and W7 against the same in floating point: how far the rates in fixed point are off.

use super::scheduler_help::*;
use golden_vectors::elab::rate;
use golden_vectors::elab::scheduler::oracle::{Op, Settings};
use proptest::collection::vec;
use proptest::prelude::*;

/// Above by less than 1/128; below by less than 1/65536, as the quotient of V11 is rounded down, and by less than 1.
fn near(rate: f64, exact: f64) -> bool {
    rate <= exact * (1.0 + 1.0 / 128.0) && rate > exact * (1.0 - 1.0 / 65536.0) - 1.0
}

/// Counts and times that are random, small, great, and about powers of two.
fn any(below: u32) -> impl Strategy<Value = u64> {
    let about = (0..below, 0..3_u64).prop_map(|(bits, one)| (1_u64 << bits) + one - 1);
    prop_oneof![0..1_u64 << below, about, (0..below).prop_flat_map(|bits| 0..2_u64 << bits)]
        .prop_map(move |x| x.min((1 << below) - 1))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: tier::cases(20_000), ..ProptestConfig::default() })]

    #[test]
    fn v11_newest_rate(count in any(16), time in any(24)) {
        let time = time.max(2);
        let exact = count as f64 * 65536.0 / time as f64;
        prop_assert!(near(rate(count, time) as f64, exact), "{count} in {time}: {} for {exact}", rate(count, time));
    }

    #[test]
    fn w7_rate_of_a_burst(packets in 1..65_535_u64, unit in 8..65_536_u64, span in any(24)) {
        let span = span.max(1);
        let exact = packets as f64 * unit as f64 / span as f64 * 65536.0;
        prop_assert!(near(rate(packets * unit, span) as f64, exact));
    }
}

/// All spans at the counts that go through V11's steps, and how far the worst of them is off.
#[test]
fn v11_every_span_at_extreme_counts() {
    let (mut above, mut below, mut most_below): (f64, f64, f64) = (0.0, 0.0, 0.0);
    for time in 2..1 << 20 {
        for count in [1, 255, 256 * time, 65_534, 65_535] {
            let exact = count.min(65_535) as f64 * 65536.0 / time as f64;
            let is = rate(count.min(65_535), time) as f64;
            assert!(near(is, exact), "{count} in {time}: {is} for {exact}");
            above = above.max(is / exact - 1.0);
            below = below.max((exact - is) / exact - 1.0 / exact);
            // Where it is not held at its limit.
            if exact < 16_777_215.0 {
                most_below = most_below.max(exact - is);
            }
        }
    }
    println!("above by 1/{:.1}, below by 1/{:.0} and 1, or by {most_below:.1} in all", 1.0 / above, 1.0 / below);
    assert!(above > 1.0 / 130.0, "the bound is nearly reached");
    assert!(most_below > 1.0, "1 alone does not bound it");
}

#[test]
fn v11_by_hand() {
    // In units of 8 cycles: T is 2, 3 and 300, so m is 128, 192 and 150.
    for (time, packets, newest) in [(2, 10, 327_680), (3, 10, 218_452), (300, 1000, 218_453), (2, 512, 0xFF_FFFF)] {
        let answer = run(&[0xFF_FFFF], &[count(800, 0, 0), count(800 + 8 * time, 0, packets), op(5000, Op::Read, 0)]);
        let read = response(&answer, 5000);
        assert_eq!(
            (read.rate, read.bandwidth, read.probe_armed),
            (newest / 2, 0xFF_FFFF, false),
            "{packets} in {time}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: tier::cases(200), ..ProptestConfig::default() })]

    /// V11: the rate of a VP follows equation 3 of the paper. Each update rounds down once more, of which alpha/256 is
    /// forgotten with each next one: that is 256/alpha in all.
    #[test]
    fn v11_rate_of_a_vp(alpha in 1..256_u64, updates in vec((2..40_u64, 0..400_u64), 1..60)) {
        let (mut events, mut at, mut exact) = (vec![count(800, 0, 0)], 800, 0.0);
        for (time, packets) in updates {
            at += 8 * time;
            events.push(count(at, 0, packets));
            let newest = (packets as f64 * 65536.0 / time as f64).min(16_777_215.0);
            exact += alpha as f64 / 256.0 * (newest - exact);
        }
        events.push(op(at + 20, Op::Read, 0));
        let answer = run_with(Settings { alpha, ..SETTINGS }, &[0xFF_FFFF], &events);
        let rate = response(&answer, at + 20).rate as f64;
        prop_assert!(rate <= exact * (1.0 + 1.0 / 128.0), "{rate} for {exact}");
        prop_assert!(rate > exact * (1.0 - 1.0 / 65536.0) - 1.0 - 256.0 / alpha as f64, "{rate} for {exact}");
    }
}
