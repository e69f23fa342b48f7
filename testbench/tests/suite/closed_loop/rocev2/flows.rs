// SPDX-License-Identifier: MIT OR Apache-2.0
//! Flows without losses: over one path, over several, both ways, and through one bottleneck.

use super::super::setup::{OVERHEAD, RTT, SEGMENT, count, one_leaf, pdc, report, us};
use super::setup::{HEADERS, RETH, Sizes, closed_loop, gbps, nic, settle, shares, took, two_leaves};
use testbench::closed_loop::ClosedLoop;
use testbench::network::Impairment;

/// The time that these bytes take on the wire.
fn wire(bytes: u32) -> u64 {
    let packets = u64::from(bytes.div_ceil(SEGMENT));
    (u64::from(bytes) + packets * (HEADERS + OVERHEAD) + RETH) / 64
}

/// Nothing has been sent twice, nor taken for lost.
fn nothing_is_lost(run: &ClosedLoop) {
    for name in ["packet_tracker_timeouts", "packet_tracker_inferred_losses", "duplicates", "below_window"] {
        assert_eq!(count(run, name), 0, "{name}");
    }
    for nic in &run.nics {
        assert_eq!((nic.sender.counts.again, nic.sent.suspects, nic.sent.nacks), (0, 0, 0), "{:?}", nic.sent);
    }
}

#[test]
fn a_single_flow_is_as_fast_as_its_link() {
    const BYTES: u32 = 2_000_000;
    let sizes = Sizes::paths(1, 64);
    let mut run = closed_loop(&one_leaf(2, false), &sizes, &[pdc(0, 0, 1, 0)]);
    run.send(0, 0, BYTES);
    run.until_done(100_000).expect("it is delivered");
    report("single flow", &run);
    let took = took(&run, (0, 0), 0);
    let (packets, least) = (u64::from(BYTES.div_ceil(SEGMENT)), wire(BYTES) + RTT);
    println!("{packets} packets, {} ACKs, {:.1} us; at least {:.1} us", run.nics[1].sent.acks, us(took), us(least));
    nothing_is_lost(&run);
    assert_eq!((run.nics[0].sent.data, run.nics[1].sent.acks), (packets, packets));
    assert!(took < least + RTT / 5, "{took} of {least}");
    settle(&mut run, &sizes, &[(0, 0), (1, 8)]);
}

/// 2,000,000 bytes over these paths, one after the other of each QP: the time.
fn over(paths: &[(u64, u64)], window: u64) -> (ClosedLoop, Sizes) {
    let sizes = Sizes::paths(paths.len(), window);
    let mut run = closed_loop(&two_leaves(2, paths, Impairment::default()), &sizes, &[pdc(0, 0, 1, 0)]);
    run.send(0, 0, 2_000_000);
    run.until_done(400_000).expect("it is delivered");
    report(&format!("{} paths", paths.len()), &run);
    (run, sizes)
}

/// Rows M96, M97: four paths of a quarter of the link's rate, with other delays, against one.
#[test]
fn four_paths_are_four_times_as_fast() {
    const PATHS: [(u64, u64); 4] = [(300, 16), (350, 16), (450, 16), (700, 16)];
    let (mut run, sizes) = over(&PATHS, 24);
    let four = took(&run, (0, 0), 0);
    let shares = shares(&run, &sizes, 0, 0);
    let state = run.command(1, vec![("pdc", 8)]).expect("there is a response");
    let state = ["reordered", "depth", "duration"].map(|name| state[name]);
    nothing_is_lost(&run);
    settle(&mut run, &sizes, &[(0, 0), (1, 8)]);
    let (one, _) = over(&PATHS[..1], 24);
    let one = took(&one, (0, 0), 0);
    let [one_gbps, four_gbps] = [one, four].map(|time| gbps(2_000_000, time));
    let efficiency = four_gbps / (4.0 * one_gbps);
    println!("{four_gbps:.1} Gb/s with four paths, {one_gbps:.1} with one: efficiency {efficiency:.3}; {shares:?}");
    println!("reordered, held at most, longest gap in units of 64 clock cycles: {state:?}");
    assert!(shares.iter().all(|share| (120..=125).contains(share)), "{shares:?}");
    assert!(efficiency > 0.9, "{efficiency}");
}

/// Both ends of each QP send at the same time: ACKs and data share wires and paths.
#[test]
fn both_directions_at_once() {
    const BYTES: u32 = 1_000_000;
    let paths = [(300, 16), (350, 16), (450, 16), (700, 16)];
    let sizes = Sizes::paths(4, 24);
    let mut run = closed_loop(&two_leaves(2, &paths, Impairment::default()), &sizes, &[pdc(0, 0, 1, 0)]);
    let ends = [(0, 0), (1, nic(&sizes).peer_pdc(0))];
    ends.iter().for_each(|(host, qp)| run.send(*host, *qp, BYTES));
    run.until_done(200_000).expect("it is delivered");
    report("both ways", &run);
    for end in ends {
        let took = took(&run, end, 0);
        println!(
            "{end:?}: {:.1} us, {:.1} Gb/s; {:?}",
            us(took),
            gbps(BYTES.into(), took),
            shares(&run, &sizes, end.0, end.1)
        );
    }
    nothing_is_lost(&run);
    settle(&mut run, &sizes, &ends);
}

/// Four hosts send to one. There is no congestion window: their sub-paths have in flight what their windows let them.
#[test]
fn four_qps_share_a_link() {
    const BYTES: u32 = 500_000;
    let sizes = Sizes::paths(2, 16);
    let pdcs = [0, 1, 2, 3].map(|host| pdc(host, 0, 4, host));
    let mut run = closed_loop(&one_leaf(5, false), &sizes, &pdcs);
    pdcs.iter().for_each(|pdc| run.send(pdc.from, 0, BYTES));
    let half = 4 * wire(BYTES) / 2;
    (0..half).for_each(|_| run.step().expect("the rules hold"));
    let shares: Vec<_> = pdcs.iter().map(|pdc| run.ledger.bytes((pdc.from, 0))).collect();
    run.until_done(200_000).expect("it is delivered");
    report("four to one", &run);
    let least = 4 * wire(BYTES) + RTT;
    let last = pdcs.iter().map(|pdc| took(&run, (pdc.from, 0), 0)).max().expect("four");
    println!("{:.1} us; at least {:.1} us; bytes at half of the time {shares:?}", us(last), us(least));
    assert!(last < least + RTT, "{last} of {least}");
    settle(&mut run, &sizes, &[(0, 0), (1, 0), (2, 0), (3, 0), (4, 8), (4, 9), (4, 10), (4, 11)]);
}
