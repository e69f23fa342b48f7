// SPDX-License-Identifier: MIT OR Apache-2.0
//! A path that is marked gets less.

use super::super::setup::{RTT, count, pdc, report, us};
use super::setup::{Sizes, closed_loop, settle, shares, sub_path, two_leaves};
use testbench::network::Impairment;

/// Rows M68, M69: one of four paths has a third of the rate of the others. Its queue grows until it marks; the weight of
/// its sub-path falls, and no other.
#[test]
fn a_path_that_marks_gets_less() {
    let paths = [(400, 18), (400, 18), (400, 6), (400, 18)];
    let sizes = Sizes::paths(4, 32);
    let mut run = closed_loop(&two_leaves(2, &paths, Impairment::default()), &sizes, &[pdc(0, 0, 1, 0)]);
    (0..6).for_each(|_| run.send(0, 0, 1_000_000));
    let mut before = vec![0; 4];
    let mut weights = Vec::new();
    while !run.ledger.is_done() {
        (0..5 * RTT).for_each(|_| run.step().expect("the rules hold"));
        let now = shares(&run, &sizes, 0, 0);
        let sent: Vec<_> = now.iter().zip(&before).map(|(now, before)| now - before).collect();
        weights = (0..4).map(|path| sub_path(&mut run, 0, 0, path)["weight"]).collect();
        println!("{:.1} us: {sent:?}, weights {weights:?}", us(run.now()));
        before = now;
    }
    report("marks", &run);
    for path in 0..4 {
        println!("path {path}: {:?}", run.fabric.path(0, 1, path).counts());
    }
    println!("{} ACKs with BECN; events {:?}", run.nics[1].sent.becn, run.nics[0].events);
    assert_eq!(count(&run, "packet_tracker_timeouts"), 0);
    assert!(weights[2] < 32, "{weights:?}");
    settle(&mut run, &sizes, &[(0, 0), (1, 8)]);
}
