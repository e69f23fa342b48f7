// SPDX-License-Identifier: MIT OR Apache-2.0
//! Paths with different delays that lose and repeat frames.

use super::setup::{PDCS, Sizes, closed_loop, pdc, report, two_leaves};
use testbench::network::Impairment;

/// Messages both ways over these paths.
fn over(delays: &[u64], impairment: Impairment, bytes: u32) {
    let pdcs: Vec<_> = (0..2).flat_map(|host| (0..2).map(move |number| pdc(host, number, 1 - host, number))).collect();
    // The host is slow with records, so that the transmit path takes them before it, and behind it.
    let sizes = Sizes { records_every: 3, ..Sizes::default() };
    let mut run = closed_loop(&two_leaves(2, delays, impairment), sizes, &pdcs);
    for pdc in &pdcs {
        (0..4).for_each(|_| run.send(pdc.from, pdc.pdc, bytes / 4));
    }
    run.until_done(1_500_000).expect("it is delivered");
    report("lossy", &run);
    assert!(pdcs.len() <= PDCS as usize);
    let counts = run.fabric.counts();
    let expected = (impairment.loss * 4.0 * bytes as f64 / 4096.0) as u64;
    assert!(counts.lost > expected / 2, "{counts:?}");
    let again: u64 = run.nics.iter().map(|nic| nic.sender.counts.again).sum();
    assert!(again > 0 && (counts.duplicated > 0) == (impairment.duplication > 0.0), "{again}, {counts:?}");
}

#[test]
fn losses_over_four_paths() {
    over(&[300, 350, 450, 700], Impairment { loss: 0.01, duplication: 0.0 }, 1_000_000);
}

#[test]
fn losses_and_repetitions_over_eight_paths() {
    let delays = [300, 310, 330, 370, 450, 600, 800, 1000];
    over(&delays, Impairment { loss: 0.01, duplication: 0.01 }, 1_000_000);
}
