// SPDX-License-Identifier: MIT OR Apache-2.0
//! Two flows through one bottleneck.

use super::setup::{RTT, Sizes, closed_loop, one_leaf, pdc, report};

#[test]
fn two_flows_share_a_link() {
    let mut run = closed_loop(&one_leaf(3, true), Sizes::default(), &[pdc(0, 0, 2, 0), pdc(1, 0, 2, 1)]);
    for host in 0..2 {
        for _ in 0..6 {
            run.send(host, 0, 1_000_000);
        }
    }
    let bytes = |run: &testbench::closed_loop::ClosedLoop| [0, 1].map(|host| run.ledger.bytes((host, 0)));
    let mut before = bytes(&run);
    let mut shares = Vec::new();
    for period in 0..8 {
        for _ in 0..10 * RTT {
            run.step().expect("the rules hold");
        }
        let after = bytes(&run);
        let [a, b] = [after[0] - before[0], after[1] - before[1]];
        println!("RTT {} to {}: {a} and {b} bytes, {:.3}", 10 * period, 10 * period + 10, a as f64 / (a + b) as f64);
        shares.push((a, b));
        before = after;
    }
    report("two flows", &run);
    // From RTT 20 on.
    let [a, b] = [0, 1].map(|which| shares[2..].iter().map(|share| [share.0, share.1][which]).sum::<u64>());
    let part = a as f64 / (a + b) as f64;
    assert!((part - 0.5).abs() < 0.025, "{part}");
    // Of 64 bytes per clock cycle.
    let whole = 64 * 60 * RTT;
    assert!(a + b > whole * 94 / 100, "the link is not full: {} of {whole}", a + b);
}
