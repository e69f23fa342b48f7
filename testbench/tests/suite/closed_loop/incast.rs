// SPDX-License-Identifier: MIT OR Apache-2.0
//! 8 to 1 with trimming.

use super::setup::{HEADERS, OVERHEAD, RTT, SEGMENT, Sizes, closed_loop, count, one_leaf, pdc, report, us};

#[test]
fn an_incast_needs_no_timeout() {
    const BYTES: u32 = 400_000;
    let pdcs: Vec<_> = (0..8).map(|host| pdc(host, 0, 8, host)).collect();
    let mut run = closed_loop(&one_leaf(9, true), Sizes::default(), &pdcs);
    (0..8).for_each(|host| run.send(host, 0, BYTES));
    let packets = 8 * BYTES.div_ceil(SEGMENT) as u64;
    let least = (8 * BYTES as u64 + packets * (HEADERS + OVERHEAD)) / 64 + RTT;
    run.until_done(2 * least).expect("it is delivered");
    report("incast", &run);
    let again: u64 = run.nics.iter().map(|nic| nic.sender.counts.again).sum();
    let trimmed = run.fabric.counts().queue.trimmed;
    println!("{packets} packets, {trimmed} trimmed, {again} again, {:.1} us; at least {:.1}", us(run.now()), us(least));
    assert!(trimmed > 0, "the windows at the start are larger than the queue");
    assert_eq!((count(&run, "packet_tracker_timeouts"), run.fabric.counts().queue.dropped), (0, 0));
    // Each trimmed packet again, and few others: those that come again late are reported as gaps.
    assert!((trimmed..=trimmed + trimmed / 10).contains(&again), "{again} of {trimmed}");
}
