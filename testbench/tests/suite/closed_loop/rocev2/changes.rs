// SPDX-License-Identifier: MIT OR Apache-2.0
//! Paths change under load: windows follow the new rate of a path (M66 to M69), and weights the delay of one that is slow (M64).

use super::super::setup::{OVERHEAD, RTT, SEGMENT, count, pdc, report};
use super::setup::{HEADERS, Sizes, UNIT, closed_loop, shares, sub_path, two_leaves};
use testbench::closed_loop::ClosedLoop;
use testbench::network::{FabricConfig, Impairment, Marking, Rate};

/// Bytes of a packet on the wire.
const PACKET: u64 = SEGMENT as u64 + HEADERS + OVERHEAD;

/// Two paths of these delays and rates in bytes per clock cycle, whose queues hold 100 packets and mark above 7.
fn fabric(paths: [(u64, u64); 2]) -> FabricConfig {
    let mut fabric = two_leaves(2, &paths, Impairment::default());
    fabric.path_queue.capacity = 100 * PACKET;
    fabric.path_queue.marking = Some(Marking { low: 7 * PACKET, high: 7 * PACKET + 1 });
    fabric
}

/// The part of this rate, in bytes per clock cycle, that is delivered in each of so many RTTs.
fn delivered(run: &mut ClosedLoop, rtts: u64, rate: u64) -> Vec<f64> {
    let packets = |run: &ClosedLoop| run.ledger.delivered_packets((0, 0));
    let in_rtt = |_| {
        let before = packets(run);
        (0..RTT).for_each(|_| run.step().expect("the rules hold"));
        ((packets(run) - before) * PACKET) as f64 / (RTT * rate) as f64
    };
    (0..rtts).map(in_rtt).collect()
}

/// The first RTT from which on the mean of five is at least this part.
fn reached(parts: &[f64], part: f64) -> Option<usize> {
    parts.windows(5).position(|five| five.iter().sum::<f64>() / 5.0 >= part)
}

/// A path of 31.3 Gb/s beside one of the same falls to 10.9 Gb/s and returns.
#[test]
fn windows_follow_a_rate() {
    let [full, slow] = [20, 7];
    let sizes = Sizes { initial: 4, tolerance: 6 * RTT / UNIT, ..Sizes::paths(2, 128) };
    let mut run = closed_loop(&fabric([(300, full), (300, full)]), &sizes, &[pdc(0, 0, 1, 0)]);
    (0..8).for_each(|_| run.send(0, 0, 8_000_000));
    let before = delivered(&mut run, 40, 2 * full);
    let mut parts = Vec::new();
    for rate in [slow, full] {
        run.fabric.path_mut(0, 1, 0).set_rate(Rate { bytes: rate, cycles: 1 });
        parts.push(delivered(&mut run, 60, rate + full));
        println!("{rate}: {:.2?}, {:?}", parts[parts.len() - 1], sub_path(&mut run, 0, 0, 0));
    }
    report("windows follow a rate", &run);
    let [falls, rises] = [&parts[0], &parts[1]].map(|parts| reached(parts, 0.95));
    println!(
        "95 % from RTT {:?} at first, {falls:?} after the fall, {rises:?} after the return",
        reached(&before, 0.95)
    );
    assert_eq!((run.fabric.counts().queue.dropped, count(&run, "packet_tracker_timeouts")), (0, 0));
    assert!(falls.is_some_and(|rtt| rtt <= 5) && rises.is_some_and(|rtt| rtt <= 5), "{falls:?}, {rises:?}");
}

/// A path of 26 us beside one of 12 us, above the delay of the settings of 18 us: its weight falls, and its packets
/// become few.
#[test]
fn weights_follow_a_delay() {
    let sizes = Sizes { tolerance: 6 * RTT / UNIT, ..Sizes::paths(2, 128) };
    let mut run = closed_loop(&fabric([(300, 80), (300 + 4512, 80)]), &sizes, &[pdc(0, 0, 1, 0)]);
    (0..8).for_each(|_| run.send(0, 0, 4_000_000));
    delivered(&mut run, 20, 64);
    let before = shares(&run, &sizes, 0, 0);
    delivered(&mut run, 80, 64);
    let sent: Vec<_> = shares(&run, &sizes, 0, 0).iter().zip(before).map(|(now, before)| now - before).collect();
    report("weights follow a delay", &run);
    let weights = [0, 1].map(|path| sub_path(&mut run, 0, 0, path)["weight"]);
    println!("weights {weights:?}, packets {sent:?}");
    assert!(weights[0] > 8 * weights[1] && sent[0] > 8 * sent[1], "{weights:?}, {sent:?}");
}
