// SPDX-License-Identifier: MIT OR Apache-2.0
//! Both ends of a PDC send at the same time: answers and data share a wire, and one number of a PDC has both directions.

use super::setup::{
    HEADERS, OVERHEAD, RTT, SEGMENT, Sizes, closed_loop, count, nic, one_leaf, pdc, report, two_leaves, us,
};
use testbench::network::Impairment;

/// The PDC at the host that receives first.
fn other_end(connection: u16) -> u16 {
    nic(Sizes::default()).peer_pdc(connection)
}

/// Each wire has the data of one direction and the ACKs of the other one.
#[test]
fn both_directions_are_as_fast_as_their_links() {
    const BYTES: u32 = 1_000_000;
    let mut run = closed_loop(&one_leaf(2, true), Sizes::default(), &[pdc(0, 0, 1, 0)]);
    run.send(0, 0, BYTES);
    run.send(1, other_end(0), BYTES);
    run.until_done(100_000).expect("it is delivered");
    report("both ways", &run);
    let packets = BYTES.div_ceil(SEGMENT) as u64;
    let least = (BYTES as u64 + packets * (HEADERS + OVERHEAD)) / 64 + RTT;
    println!("{:.1} us; at least {:.1} us", us(run.now()), us(least));
    for (nic, other) in [(0, 1), (1, 0)].map(|(nic, other)| (&run.nics[nic].sent, &run.nics[other].sent)) {
        assert_eq!((nic.data, nic.nacks), (packets, 0));
        let of_data = nic.acks - other.probes;
        assert!((packets / 4..=packets / 4 + 3).contains(&of_data), "{nic:?}");
    }
    assert_eq!(count(&run, "packet_tracker_timeouts"), 0);
    // An ACK waits for a packet on the wire, and a packet for ACKs.
    assert!(run.now() < least + RTT / 5, "{} of {least}", run.now());
}

#[test]
fn losses_in_both_directions() {
    let pdcs = [pdc(0, 0, 1, 0), pdc(0, 1, 1, 1)];
    let impairment = Impairment { loss: 0.01, duplication: 0.01 };
    let sizes = Sizes { records_every: 2, ..Sizes::default() };
    let mut run = closed_loop(&two_leaves(2, &[300, 350, 450, 700], impairment), sizes, &pdcs);
    for pdc in &pdcs {
        (0..4).for_each(|_| run.send(pdc.from, pdc.pdc, 200_000));
        (0..4).for_each(|_| run.send(pdc.to, other_end(pdc.connection), 200_000));
    }
    run.until_done(1_500_000).expect("it is delivered");
    report("losses both ways", &run);
    assert!(run.fabric.counts().lost > 4, "{:?}", run.fabric.counts());
    assert!(run.nics.iter().all(|nic| nic.sender.counts.again > 0));
}
