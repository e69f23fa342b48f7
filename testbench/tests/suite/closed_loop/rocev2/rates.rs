// SPDX-License-Identifier: MIT OR Apache-2.0
//! Windows that follow marks (T31): QPs share a bottleneck, without a drop, and use it.

use super::super::setup::{Device, OVERHEAD, RTT, SEGMENT, count, one_leaf, pdc, report, us};
use super::setup::{HEADERS, Sizes, closed_loop, models, opened, simulations};
use testbench::closed_loop::{ClosedLoop, Pdc};
use testbench::network::{FabricConfig, Marking, Rate};
use tier::pick;

/// Bytes of a packet on the wire.
const PACKET: u64 = SEGMENT as u64 + HEADERS + OVERHEAD;
/// Bytes per clock cycle of the bottleneck: 95.3 Gb/s.
const RATE: u64 = 61;

/// Hosts and one more that they all send to, over a port with room for 60 packets that marks above 7.
fn fabric(hosts: usize) -> FabricConfig {
    let mut fabric = one_leaf(hosts + 1, false);
    fabric.downlink.link.rate = Rate { bytes: RATE, cycles: 1 };
    fabric.downlink.queue.capacity = 60 * PACKET;
    fabric.downlink.queue.marking = Some(Marking { low: 7 * PACKET, high: 7 * PACKET + 1 });
    fabric
}

/// QPs of so many sub-paths.
fn sizes(paths: usize) -> Sizes {
    Sizes { initial: 2, ..Sizes::paths(paths, 64) }
}

fn steps(run: &mut ClosedLoop, rtts: u64) {
    (0..rtts * RTT).for_each(|_| run.step().expect("the rules hold"));
}

/// They use the bottleneck, from RTT 20 to 120 or, if there are many, to 220, and share it within a tenth.
fn share(hosts: u16, of_each: u16, paths: usize) {
    let qps = hosts * of_each;
    let pdcs: Vec<Pdc> = (0..qps).map(|n| pdc(n % hosts, n / hosts, hosts, n)).collect();
    let mut run = closed_loop(&fabric(hosts.into()), &sizes(paths), &pdcs);
    for pdc in &pdcs {
        (0..8).for_each(|_| run.send(pdc.from, pdc.pdc, 4_000_000));
    }
    let bytes = |run: &ClosedLoop| pdcs.iter().map(|pdc| run.ledger.bytes((pdc.from, pdc.pdc))).collect::<Vec<_>>();
    let rtts = if qps < 8 { 100 } else { 200 };
    steps(&mut run, 20);
    let before = bytes(&run);
    steps(&mut run, rtts);
    let sent: Vec<_> = bytes(&run).iter().zip(&before).map(|(now, before)| now - before).collect();
    let queue = run.fabric.counts().queue;
    let sum = sent.iter().sum::<u64>();
    let used = (sum * PACKET / u64::from(SEGMENT)) as f64 / (rtts * RTT * RATE) as f64;
    let shares: Vec<_> = sent.iter().map(|sent| *sent as f64 * f64::from(qps) / sum as f64).collect();
    println!(
        "{hosts} hosts, {of_each} QPs each of {paths} sub-paths: {used:.3} of the rate, shares {shares:.3?}, peak {:.1} packets, {} of {} marked, {:.1} us",
        queue.peak as f64 / PACKET as f64,
        queue.marked,
        queue.arrived,
        us(run.now()),
    );
    report("rates", &run);
    assert_eq!((queue.dropped, count(&run, "packet_tracker_timeouts")), (0, 0));
    assert!(used > 0.95, "{used}");
    assert!(shares.iter().all(|share| (0.9..1.1).contains(share)), "{shares:?}");
}

#[test]
fn qps_share_a_bottleneck() {
    let all =
        [(2, 1, 8), (1, 4, 4), (3, 1, 4), (1, 1, 4), (2, 1, 4), (1, 8, 4), (4, 2, 4), (8, 1, 4), (4, 1, 8), (1, 2, 2)];
    for (hosts, of_each, paths) in pick(all, 1) {
        share(hosts, of_each, paths);
    }
}

/// The Verilog in place of the models: the same frames in the same clock cycles, while windows grow and meet marks.
#[test]
fn the_verilog_follows_marks_in_the_same_cycles() {
    let run = |devices: Box<dyn Iterator<Item = Device>>| {
        let pdcs = [pdc(0, 0, 2, 0), pdc(1, 0, 2, 1)];
        let mut run = opened(&fabric(2), &sizes(4), &pdcs, devices);
        (0..2).for_each(|host| run.send(host, 0, 1_000_000));
        steps(&mut run, 8);
        assert!(run.fabric.counts().queue.marked > 0, "{:?}", run.fabric.counts());
        (run.ledger.clone(), run.nics.iter().map(|nic| nic.sent).collect::<Vec<_>>())
    };
    assert_eq!(run(Box::new(simulations(&sizes(4)))), run(Box::new(models(&sizes(4)))));
}
