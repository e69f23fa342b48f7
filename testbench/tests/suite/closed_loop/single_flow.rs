// SPDX-License-Identifier: MIT OR Apache-2.0
//! One flow of 2,000,000 bytes. uet.md 5.2: 490 data packets, 124 ACKs, 176.2 us, without headers of Ethernet on the wire.

use super::setup::{BDP, HEADERS, OVERHEAD, RTT, SEGMENT, Sizes, closed_loop, count, one_leaf, pdc, report, us};

/// From the request to the completion of a message of one packet: the RTT, and what the NICs take.
#[test]
fn an_rtt_is_12_us() {
    let mut run = closed_loop(&one_leaf(2, true), Sizes::default(), &[pdc(0, 0, 1, 0)]);
    run.send(0, 0, SEGMENT);
    run.until_done(4 * RTT).expect("it is delivered");
    let message = run.ledger.messages((0, 0))[0];
    let took = message.completed.zip(message.requested).map(|(end, start)| end - start);
    report("one packet", &run);
    let took = took.expect("it is complete");
    println!("{took} clock cycles, {:.2} us", us(took));
    // The window begins with 1.5 x rate x 12 us, and max_wnd follows the shortest RTT.
    assert!((RTT..RTT + 200).contains(&took), "{took}");
}

#[test]
fn a_single_flow_is_as_fast_as_its_link() {
    const BYTES: u32 = 2_000_000;
    let mut run = closed_loop(&one_leaf(2, true), Sizes::default(), &[pdc(0, 0, 1, 0)]);
    run.send(0, 0, BYTES);
    run.until_done(100_000).expect("it is delivered");
    report("single flow", &run);
    let message = run.ledger.messages((0, 0))[0];
    let took = message.completed.zip(message.requested).map(|(end, start)| end - start).expect("it is complete");
    let packets = BYTES.div_ceil(SEGMENT) as u64;
    let acks = run.nics[1].sent.acks - run.nics[0].sent.probes;
    let least = (BYTES as u64 + packets * (HEADERS + OVERHEAD)) / 64 + RTT;
    println!("{packets} packets, {acks} ACKs, {:.1} us; at least {:.1} us", us(took), us(least));
    assert_eq!((run.nics[0].sent.data, run.nics[0].sender.counts.again), (packets, 0));
    assert_eq!((count(&run, "packet_tracker_timeouts"), run.nics[1].sent.nacks), (0, 0));
    // One for 16 KiB, the first and the last packet.
    assert!((packets / 4..=packets / 4 + 3).contains(&acks), "{acks}");
    assert!(took < least + RTT / 10, "{took} of {least}");
    assert!(run.fabric.downlink(1).counts().queue.peak < BDP / 2);
}
