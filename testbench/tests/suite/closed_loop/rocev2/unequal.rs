// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sub-paths of unequal rate and delay: each has its packets acknowledged by name, whatever the others do (rows M66 to M68, TX33).

use super::super::setup::{OVERHEAD, RTT, SEGMENT, count, pdc, report, us};
use super::setup::{HEADERS, Sizes, UNIT, closed_loop, settle, shares, sub_path, two_leaves};
use testbench::network::{FabricConfig, Impairment, Marking};
use tier::pick;

/// Bytes of a packet on the wire.
const PACKET: u64 = SEGMENT as u64 + HEADERS + OVERHEAD;

/// Paths of these delays and rates in bytes per clock cycle, whose queues hold 100 packets and mark above 7.
fn fabric(paths: &[(u64, u64)]) -> FabricConfig {
    let mut fabric = two_leaves(2, paths, Impairment::default());
    fabric.path_queue.capacity = 100 * PACKET;
    fabric.path_queue.marking = Some(Marking { low: 7 * PACKET, high: 7 * PACKET + 1 });
    fabric
}

/// The part of the sum of the rates that data use, from RTT 20 to RTT 120, and what each path carries of it.
fn used(paths: &[(u64, u64)], sizes: &Sizes) -> (f64, Vec<f64>) {
    let mut run = closed_loop(&fabric(paths), sizes, &[pdc(0, 0, 1, 0)]);
    (0..8).for_each(|_| run.send(0, 0, 2_000_000));
    let steps = |run: &mut testbench::closed_loop::ClosedLoop, rtts: u64| {
        (0..rtts * RTT).for_each(|_| run.step().expect("the rules hold"));
    };
    steps(&mut run, 20);
    let before = shares(&run, sizes, 0, 0);
    steps(&mut run, 100);
    let now = shares(&run, sizes, 0, 0);
    let sent: Vec<_> = now.iter().zip(&before).map(|(now, before)| (now - before) * PACKET).collect();
    let of_path: Vec<_> =
        sent.iter().zip(paths).map(|(sent, (_, rate))| *sent as f64 / (100 * RTT * rate) as f64).collect();
    let sum: u64 = paths.iter().map(|(_, rate)| rate).sum();
    let all = sent.iter().sum::<u64>() as f64 / (100 * RTT * sum) as f64;
    run.until_done(400 * RTT).expect("it is delivered");
    report("unequal", &run);
    for path in 0..paths.len() as u64 {
        println!("  {:?}", sub_path(&mut run, 0, 0, path));
    }
    println!("{paths:?}: {all:.3} of the sum, {of_path:.3?} of each; {:.1} us", us(run.now()));
    assert_eq!(count(&run, "packet_tracker_timeouts"), 0);
    settle(&mut run, sizes, &[(0, 0), (1, 8)]);
    (all, of_path)
}

/// Paths of 46.9 and 15.6 Gb/s, of 52 and 10 Gb/s: with windows that let each path have what it carries, and with such that follow marks.
#[test]
fn two_paths_carry_their_sum() {
    for (rates, initial) in pick([([30, 10], 0), ([34, 7], 0), ([34, 7], 4), ([30, 10], 4)], 2) {
        let window = if initial == 0 { 24 } else { 128 };
        let sizes = Sizes { initial, tolerance: 6 * RTT / UNIT, ..Sizes::paths(2, window) };
        let (all, _) = used(&rates.map(|rate| (300, rate)), &sizes);
        assert!(all > 0.95, "{rates:?}: {all}");
    }
}
