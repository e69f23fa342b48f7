// SPDX-License-Identifier: MIT OR Apache-2.0
//! Outputs that are stalled: D4, D13.

use super::bench::{Bench, put};
use pipeline::transmit::packet_tracker::{PacketTrackerConfig, kind, send_op};

fn configs() -> impl Iterator<Item = PacketTrackerConfig> {
    let config = PacketTrackerConfig::new(4, 128);
    (1..=3).map(move |ram_latency| PacketTrackerConfig { ram_latency, ..config })
}

/// D4: 32 operations enter while events are stalled; no event is lost.
#[test]
fn events_that_are_stalled_stop_what_enters() {
    for config in configs() {
        let mut bench = Bench::new(config);
        bench.open(1, 7, 0);
        bench.settle();
        bench.stall = true;
        let mut accepted = 0;
        for _ in 0..200 {
            accepted += bench.outputs().send_ready.value();
            bench.clock(|input| {
                put(&mut input.send.valid, 1);
                put(&mut input.send.pdc, 1);
                put(&mut input.send.op, send_op::NEW);
            });
        }
        // Two more wait.
        assert_eq!((accepted, bench.sent.len()), (34, 32), "{config:?}");
        assert_eq!(bench.outputs().quiet.value(), 0);
        bench.stall = false;
        bench.settle();
        let cycles: Vec<_> = bench.events.iter().map(|(cycle, _)| *cycle).collect();
        assert_eq!(cycles.len(), 34);
        assert!(cycles[..32].windows(2).all(|pair| pair[1] == pair[0] + 1), "{cycles:?}");
        // The transfer of the first one lets the next operation enter in the clock cycle behind it, and its event is
        // then behind those that were there.
        assert_eq!(cycles[32], cycles[31] + 1);
    }
}

/// D4: operations without an event are open, too: back to back there are more than 32 in none of the latencies.
#[test]
fn an_operation_per_clock_cycle_is_never_stopped() {
    for config in configs() {
        let mut bench = Bench::new(config);
        for _ in 0..300 {
            assert_eq!(bench.outputs().send_ready.value(), 1);
            bench.clock(|input| {
                put(&mut input.send.valid, 1);
                put(&mut input.send.op, send_op::END);
            });
        }
        bench.settle();
        assert_eq!((bench.outputs().counts.closed_events.value(), bench.events.len()), (300, 0));
    }
}

/// D13: a walk reads 32 packets while outcomes are stalled, and the others as they leave.
#[test]
fn outcomes_that_are_stalled_stop_a_walk() {
    for config in configs() {
        let mut bench = Bench::new(config);
        bench.open(1, 7, 30);
        bench.settle();
        bench.news(1, 100);
        bench.settle();
        bench.stall = true;
        bench.ack(kind::ACK, 1, 129, |_| ());
        bench.idle(400);
        assert!(bench.outcomes.is_empty());
        assert_eq!(bench.outputs().quiet.value(), 0);
        bench.stall = false;
        bench.settle();
        assert_eq!(bench.kinds(0), (30..130).map(|psn| (0, psn)).collect::<Vec<_>>());
        let event = bench.events[bench.events.len() - 1].1;
        assert_eq!((event.packets.value(), event.room.value()), (100, 128));
        let response = bench.read(1);
        assert_eq!([response.base, response.in_flight].map(|field| field.value()), [130, 0]);
    }
}

/// D13: the packets of the second block wait at the read, and are read from the clock cycle behind the first transfer on.
#[test]
fn a_stalled_walk_goes_on_at_once() {
    for config in configs() {
        let mut bench = Bench::new(config);
        let l = bench.l();
        bench.open(1, 7, 32);
        bench.settle();
        bench.news(1, 64);
        bench.settle();
        bench.stall = true;
        bench.ack(kind::ACK, 1, 95, |_| ());
        bench.idle(200);
        bench.stall = false;
        let (first, events) = (bench.cycle, bench.events.len());
        bench.settle();
        let cycles: Vec<_> = bench.outcomes.iter().map(|(cycle, _)| *cycle).collect();
        assert_eq!(cycles, (first..first + 64).collect::<Vec<_>>());
        // 32 reads, and then the end.
        assert_eq!(bench.events[events].0, first + 33 + 3 * l + 12, "{config:?}");
    }
}
