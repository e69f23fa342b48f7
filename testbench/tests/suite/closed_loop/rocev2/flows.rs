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

/// 1,000,000 bytes for each of these paths, all of one QP.
fn over(paths: &[(u64, u64)]) -> (ClosedLoop, Sizes, u64) {
    let sizes = Sizes::paths(paths.len(), 24);
    let mut run = closed_loop(&two_leaves(2, paths, Impairment::default()), &sizes, &[pdc(0, 0, 1, 0)]);
    paths.iter().for_each(|_| run.send(0, 0, 1_000_000));
    run.until_done(400_000).expect("it is delivered");
    report(&format!("{} paths", paths.len()), &run);
    nothing_is_lost(&run);
    let took = run.ledger.messages((0, 0)).iter().filter_map(|message| message.completed).max();
    (run, sizes, took.expect("they are complete"))
}

/// Rows M96, M97: four paths of a quarter of the link's rate, with different delays, against one of them.
#[test]
fn four_paths_are_four_times_as_fast() {
    const PATHS: [(u64, u64); 4] = [(300, 16), (350, 16), (450, 16), (700, 16)];
    let (mut run, sizes, four) = over(&PATHS);
    let shares = shares(&run, &sizes, 0, 0);
    let state = run.command(1, vec![("pdc", 8)]).expect("there is a response");
    let state = ["reordered", "depth", "duration"].map(|name| state[name]);
    settle(&mut run, &sizes, &[(0, 0), (1, 8)]);
    let (_, _, one) = over(&PATHS[3..]);
    let [one, four] = [gbps(1_000_000, one), gbps(4_000_000, four)];
    let efficiency = four / (4.0 * one);
    println!("{four:.1} Gb/s with four paths, {one:.1} with one: efficiency {efficiency:.3}; {shares:?}");
    println!("reordered, held at most, longest gap in units of 64 clock cycles: {state:?}");
    let packets = 4 * 1_000_000_u64.div_ceil(SEGMENT.into());
    let even = packets / 4 - 4..=packets / 4 + 4;
    assert!(shares.iter().all(|share| even.contains(share)), "{shares:?}");
    assert!(efficiency > 0.93, "{efficiency}");
    // Packets overtake each other by more than the paths differ, and by less than what is tolerated.
    assert!(state[0] > packets / 10 && state[2] < sizes.tolerance, "{state:?}");
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
    // Four paths have together the rate of the link.
    let least = wire(BYTES) + RTT;
    for (host, qp) in ends {
        let (took, shares) = (took(&run, (host, qp), 0), shares(&run, &sizes, host, qp));
        println!("{:.1} us, at least {:.1} us; {shares:?}", us(took), us(least));
        assert!(took < least + RTT / 2, "{took} of {least}");
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
    assert!(last < least + RTT / 4, "{last} of {least}");
    let quarter = shares.iter().sum::<u64>() / 4;
    assert!(shares.iter().all(|share| share.abs_diff(quarter) < quarter / 20), "{shares:?}");
    settle(&mut run, &sizes, &[(0, 0), (1, 0), (2, 0), (3, 0), (4, 8), (4, 9), (4, 10), (4, 11)]);
}
