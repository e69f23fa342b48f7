// SPDX-License-Identifier: MIT OR Apache-2.0
//! 8 to 1 with trimming.

use super::setup::{HEADERS, OVERHEAD, RTT, SEGMENT, Sizes, closed_loop, count, one_leaf, pdc, report, us};
use tier::pick;

#[test]
fn an_incast_needs_no_timeout() {
    for tolerance in pick([3, 2, 1], 1) {
        incast(tolerance);
    }
}

/// With a tolerance of so many RTTs: what is trimmed is sent again behind a full queue, and is no loss meanwhile.
fn incast(tolerance: u64) {
    const BYTES: u32 = 400_000;
    let pdcs: Vec<_> = (0..8).map(|host| pdc(host, 0, 8, host)).collect();
    let sizes = Sizes { tolerance: tolerance * RTT / 64, ..Sizes::default() };
    let mut run = closed_loop(&one_leaf(9, true), sizes, &pdcs);
    (0..8).for_each(|host| run.send(host, 0, BYTES));
    let packets = 8 * BYTES.div_ceil(SEGMENT) as u64;
    let least = (8 * BYTES as u64 + packets * (HEADERS + OVERHEAD)) / 64 + RTT;
    run.until_done(2 * least).expect("it is delivered");
    report("incast", &run);
    let again: u64 = run.nics.iter().map(|nic| nic.sender.counts.again).sum();
    let trimmed = run.fabric.counts().queue.trimmed;
    println!(
        "tolerance {tolerance}: {packets} packets, {trimmed} trimmed, {again} again, {:.1} us; at least {:.1}",
        us(run.now()),
        us(least)
    );
    assert!(trimmed > 0, "the windows at the start are larger than the queue");
    assert_eq!((count(&run, "packet_tracker_timeouts"), run.fabric.counts().queue.dropped), (0, 0));
    // Each trimmed packet again, and few others: those that come again late are reported as gaps.
    let most = trimmed + trimmed / if tolerance > 1 { 10 } else { 2 };
    assert!((trimmed..=most).contains(&again), "{again} of {trimmed}");
}
