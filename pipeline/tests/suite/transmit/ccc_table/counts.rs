// SPDX-License-Identifier: MIT OR Apache-2.0
//! The order of events, and what they do to the counts.

use super::bench::{Bench, put};
use pipeline::transmit::ccc_table::{CccAlgorithms, CccTableConfig, op};

fn configs() -> impl Iterator<Item = CccTableConfig> {
    let config = CccTableConfig::new(3, CccAlgorithms::Nscc);
    (1..=3).map(move |ram_latency| CccTableConfig { ram_latency, ..config })
}

/// C2: a loss behind the send of its packet, and an ACK behind the loss, are not refused; an ACK before the send of its
/// packet is.
#[test]
fn acks_sends_and_losses_keep_their_order() {
    for config in configs() {
        let mut bench = Bench::new(config);
        bench.open(1, 0, 1);
        bench.data(1, 1 << 20);
        for _ in 0..50 {
            // Data in each clock cycle, so that the others have to wait.
            bench.clock(|input| {
                put(&mut input.send.valid, 1);
                put(&mut input.send.packet, 1);
                put(&mut input.send.ccc, 1);
                put(&mut input.send.size, 500);
                put(&mut input.loss.valid, 1);
                put(&mut input.loss.ccc, 1);
                put(&mut input.loss.size, 500);
                put(&mut input.data.valid, 1);
            });
            bench.ack(1, 0, 2, |input| {
                put(&mut input.ack.rtx_packets, 1);
                put(&mut input.ack.rtx_bytes, 500);
                put(&mut input.data.valid, 1);
            });
            bench.ack(1, 1, 2, |input| {
                put(&mut input.send.valid, 1);
                put(&mut input.send.packet, 1);
                put(&mut input.send.ccc, 1);
                put(&mut input.send.size, 300);
                put(&mut input.data.valid, 1);
            });
            bench.idle(8);
            bench.ack(1, 1, 1, |_| ());
        }
        bench.idle(60);
        let response = bench.command(op::READ, 1, |_| ());
        let counts = [response.inflight_pkts, response.waiting_rtx, response.rtx_backlog].map(|count| count.value());
        assert_eq!(counts, [0, 0, 0], "{config:?}");
        assert_eq!(bench.outputs().counts.excess_acks.value(), 50, "{config:?}");
    }
}

/// C5, C6: *inflight* is bounded, and the rest of the event counts.
#[test]
fn bytes_in_flight_are_bounded() {
    const LOWEST: u64 = (1 << 29) - 65_536;
    for config in configs() {
        let mut bench = Bench::new(config);
        bench.open(1, 0, 1);
        for _ in 0..4 {
            bench.send(1, 4000, false);
        }
        // Back to back: 16000 - 65536 - 15,360 is above the bound, the next one is not.
        bench.ack(1, 1, 256, |_| ());
        bench.ack(1, 1, 60, |_| ());
        bench.idle(60);
        let response = bench.command(op::READ, 1, |_| ());
        assert_eq!(response.inflight.value(), (1 << 29) + 16_000 - 65_536 - 15_360);
        bench.clock(|input| {
            put(&mut input.loss.valid, 1);
            put(&mut input.loss.ccc, 1);
            put(&mut input.loss.size, 4000);
        });
        bench.ack(1, 0, 65_535, |_| ());
        bench.idle(60);
        let response = bench.command(op::READ, 1, |_| ());
        let counts = [response.inflight, response.inflight_pkts, response.waiting_rtx].map(|count| count.value());
        assert_eq!(counts, [LOWEST, 1, 1]);
        assert_eq!(bench.outputs().counts.excess_acks.value(), 0);
        // A loss of the last packet leaves nothing in flight.
        bench.clock(|input| {
            put(&mut input.loss.valid, 1);
            put(&mut input.loss.ccc, 1);
            put(&mut input.loss.size, 4000);
        });
        bench.idle(60);
        let response = bench.command(op::READ, 1, |_| ());
        assert_eq!([response.inflight, response.waiting_rtx].map(|count| count.value()), [0, 2]);
    }
}
