// SPDX-License-Identifier: MIT OR Apache-2.0
//! The table of cycles, and G1 to G3, G16 to G18: when passes enter and takes are, and what they see.

use super::help::{Bench, ROCE, UET, other, packet};
use golden_vectors::receive::ack_generator::oracle::{Arrival, Outcome, Settings, Shape, op};

const LATENCIES: [(u64, [u64; 4]); 3] = [(1, [16, 6, 9, 7]), (2, [19, 7, 10, 8]), (3, [22, 8, 11, 9])];

#[test]
fn the_table_of_cycles() {
    for (ram_latency, [idle, apart, response, event]) in LATENCIES {
        for shape in [ROCE.ram_latency(ram_latency), UET.ram_latency(ram_latency)] {
            let mut bench = Bench::opened(shape, 100, true);
            let arrival = bench.urgent(0, 100);
            bench.quiet();
            assert_eq!(bench.acks[0].0, arrival + idle);
            // A reply too, then both: one at a time.
            let arrival = bench.arrive(other(Outcome::Probe, 0));
            bench.quiet();
            assert_eq!(bench.acks[1].0, arrival + idle);
            let arrival = bench.urgent(0, 101);
            bench.urgent(1, 100);
            bench.quiet();
            assert_eq!([bench.acks[2].0, bench.acks[3].0], [arrival + idle, arrival + idle + apart]);
            let command = bench.oracle.cycle();
            bench.command(op::READ, 0, 0, false);
            // Accepted, enters one cycle later.
            assert_eq!(bench.responses.last().unwrap().0, command + 1 + response);
            assert!(bench.oracle.outputs().command_ready);
            // An event that is void is ready again behind its effect.
            let accepted = bench.report(0, 0, 0);
            while !bench.oracle.outputs().event_ready {
                bench.step();
            }
            assert_eq!(bench.oracle.cycle(), accepted + 1 + event + 1);
        }
    }
}

/// A pass with effect in the cycle of the take is in the ACK; one with effect in the next cycle is in the next ACK.
#[test]
fn g16_a_take_sees_what_came_up_to_its_cycle() {
    for (ram_latency, _) in LATENCIES {
        // Effect is l + 6 behind the pass, the take l + 3 behind the effect.
        for (distance, psns) in
            [(ram_latency + 2, vec![101]), (ram_latency + 3, vec![101]), (ram_latency + 4, vec![100, 101])]
        {
            let mut bench = Bench::opened(ROCE.ram_latency(ram_latency), 100, true);
            let first = bench.urgent(0, 100);
            bench.until(first + distance);
            bench.urgent(0, 101);
            let found: Vec<u64> = bench.sent().iter().map(|ack| ack.psn).collect();
            assert_eq!(found, psns, "{ram_latency} {distance}");
        }
    }
}

/// A connection that waits and is closed, and opened in the cycles around the take.
#[test]
fn g22_open_sees_the_take_one_cycle_later() {
    for (late, done) in [(0, false), (1, true)] {
        let mut bench = Bench::opened(ROCE, 100, true);
        bench.send(0, 100);
        bench.block();
        bench.command(op::CLOSE, 0, 0, false);
        bench.idle(40);
        // Transferred in cycle t, so the take is in t + 1. The command is accepted 9 cycles before its effect.
        let transfer = bench.oracle.cycle() + 20;
        bench.until(transfer + 1 + late - 9);
        bench.inputs.command = Some(golden_vectors::receive::ack_generator::oracle::Command {
            op: op::OPEN,
            connection: 0,
            psn: 7,
            multipath: true,
            ..Default::default()
        });
        bench.step();
        bench.until(transfer);
        let acks = bench.release();
        assert_eq!(acks.iter().map(|ack| ack.psn).collect::<Vec<_>>(), [100]);
        let response = bench.responses.last().unwrap().1;
        assert_eq!((response.done, response.open, response.draining), (done, done, !done), "{late}");
        assert_eq!(response.expected, if done { 7 } else { 101 });
    }
}

/// Replies and due connections in turn; a reply first, as there was no take.
#[test]
fn g16_turns() {
    let mut bench = Bench::new(ROCE);
    (0..4).for_each(|connection| bench.open(connection, 100, true));
    bench.inputs.ack_ready = false;
    for connection in [2, 0, 1] {
        bench.urgent(connection, 100);
    }
    for connection in [3, 3, 2, 1] {
        bench.arrive(Arrival { connection, ..other(Outcome::Probe, 0) });
    }
    bench.inputs.ack_ready = true;
    // The first connection is there before the first reply.
    let order: Vec<_> = bench.sent().iter().map(|ack| (ack.connection, ack.flags)).collect();
    assert_eq!(order, [(2, 0), (3, 4), (0, 0), (3, 4), (1, 0), (2, 4), (1, 4)]);
    // The last take was of a reply: a connection comes first.
    bench.arrive(other(Outcome::Probe, 0));
    bench.quiet();
    bench.arrive(Arrival { outcome: Outcome::Below, ..packet(1, 0, 1000) });
    bench.quiet();
    bench.acks.clear();
    bench.block();
    bench.urgent(0, 101);
    bench.arrive(Arrival { connection: 3, ..other(Outcome::Probe, 0) });
    bench.idle(30);
    let order: Vec<_> = bench.release().iter().map(|ack| (ack.connection, ack.flags)).collect();
    assert_eq!(order, [(3, 4), (0, 0)]);
}

/// The values stay while the output is stalled, and show nothing of what comes.
#[test]
fn g18_stalled() {
    let mut bench = Bench::opened(ROCE, 100, true);
    bench.inputs.ack_ready = false;
    let arrival = bench.urgent(0, 100);
    bench.until(arrival + 19);
    let ack = bench.oracle.outputs().ack.unwrap();
    for psn in 101..130 {
        bench.urgent(0, psn);
        bench.set(|s| Settings { credits: psn & 15, ..s });
        assert_eq!(bench.oracle.outputs().ack, Some(ack));
    }
    bench.idle(20);
    let before = bench.counters().acks;
    let acks = bench.release();
    assert_eq!((ack.psn, acks[0].psn, acks.len(), bench.counters().acks), (100, 129, 1, before + 2));
}

/// G1: an arrival, a command, an event, in this order. With an arrival in every cycle nothing else enters.
#[test]
fn g1_who_enters() {
    let mut bench = Bench::opened(ROCE, 100, true);
    bench.arrive(Arrival { held: 1, ..other(Outcome::Held, 105) });
    let begun = bench.oracle.cycle();
    bench.inputs.command = Some(golden_vectors::receive::ack_generator::oracle::Command {
        op: op::READ,
        connection: 0,
        psn: 0,
        multipath: false,
        ..Default::default()
    });
    bench.inputs.report = Some(golden_vectors::receive::ack_generator::oracle::Report {
        connection: 0,
        first: 100,
        last: 104,
        repeated: false,
    });
    bench.responses.clear();
    for n in 0..30 {
        bench.arrive(Arrival { held: 1, suspected: false, ..packet(1, 100 + n, 101 + n) });
    }
    assert_eq!((bench.responses.len(), bench.oracle.outputs().event_ready), (0, false));
    bench.quiet();
    // The first cycle without arrival is the command's, the next one the event's.
    assert_eq!(bench.responses[0].0, begun + 30 + 10);
    // Its reply is decided a cycle after it takes effect.
    assert_eq!(bench.acks.last().unwrap().0, begun + 31 + 20);
    assert_eq!((bench.acks.last().unwrap().1.flags, bench.acks.last().unwrap().1.tag), (0b011, 0x4000));
}

/// Settings in force in cycle p + 4, x = p + 8, and b + 3 = p + 16: valid one cycle before.
#[test]
fn g3_g18_settings() {
    let take = |at: u64, change: fn(Settings) -> Settings, arrival: Arrival, shape: Shape| {
        let mut bench = Bench::opened(shape, 100, true);
        let first = bench.arrive(arrival);
        bench.until(first + at);
        bench.set(change);
        bench.idle(60);
        bench.acks.first().map(|&(_, ack)| ack)
    };
    let plain = packet(0, 100, 101);
    let marked = Arrival { ecn: true, ..plain };
    for (at, late) in [(3, false), (4, true)] {
        let off = take(at, |s| Settings { on_ecn: false, ..s }, marked, ROCE);
        assert_eq!(off.is_some(), late, "on_ecn {at}");
        let retx = take(at, |s| Settings { on_retx: false, ..s }, Arrival { retx: true, ..plain }, UET);
        assert_eq!(retx.is_some(), late, "on_retx {at}");
        let each = take(at, |s| Settings { per_packet: true, ..s }, plain, UET);
        assert_eq!(each.is_none(), late, "per_packet {at}");
        let min = take(at, |s| Settings { trigger: 2000, min: 2000, ..s }, plain, UET);
        assert_eq!(min.is_none(), late, "min {at}");
        let stamped = Arrival { stamped: true, stamp: 0, ack_request: true, ..plain };
        let tags = [0, 5000].map(|_| take(at, |s| Settings { offset: 5000, ..s }, stamped, ROCE).unwrap().tag);
        assert_eq!(tags[0] < 5000, late, "offset {at}");
    }
    for (at, late) in [(7, false), (8, true)] {
        let count = take(at, |s| Settings { count_multipath: 1, ..s }, plain, ROCE);
        assert_eq!(count.is_none(), late, "count_multipath {at}");
        let trigger = take(at, |s| Settings { trigger: 5, ..s }, plain, UET);
        assert_eq!(trigger.is_none(), late, "trigger {at}");
    }
    let request = Arrival { ack_request: true, ..plain };
    for (at, late) in [(15, false), (16, true)] {
        let credits = take(at, |s| Settings { credits: 3, ..s }, request, ROCE).unwrap().syndrome;
        assert_eq!(credits == 31, late, "credits {at}");
        let mpr = take(at, |s| Settings { mpr: 9, cc: true, ..s }, request, UET).unwrap().mpr;
        assert_eq!(mpr != 9, late, "mpr {at}");
    }
}
