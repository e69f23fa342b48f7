// SPDX-License-Identifier: MIT OR Apache-2.0
//! `ack_generator`: cases of the contract, one by one.

mod bench;
mod roce;
mod uet;

use bench::{Bench, put};
use pipeline::receive::ack_generator::{AckGeneratorConfig, AckProtocol, op, outcome};
use rtl_model::elaborate;

#[test]
fn elaborates_at_every_size() {
    for protocol in [AckProtocol::Roce, AckProtocol::Uet] {
        for (connections, window, ram_latency) in [(2, 64, 1), (16, 256, 2), (4, 1024, 3)] {
            let config = AckGeneratorConfig { ram_latency, ..AckGeneratorConfig::new(protocol, connections, window) };
            elaborate(&config).unwrap_or_else(|report| panic!("{report}"));
        }
    }
}

/// G26: nothing accepted before a reset leads to an output or a count after it.
#[test]
fn a_reset_discards_what_is_under_way() {
    let mut sent = 0;
    for protocol in [AckProtocol::Roce, AckProtocol::Uet] {
        for (ram_latency, under_way) in (1..=3).flat_map(|latency| (0..34).map(move |cycles| (latency, cycles))) {
            let config = AckGeneratorConfig { ram_latency, ..AckGeneratorConfig::new(protocol, 4, 64) };
            let mut bench = Bench::new(config);
            bench.command(op::OPEN, 1, 5, true);
            for outcome in [outcome::PROBE, outcome::BELOW, outcome::ABOVE, outcome::IN_ORDER, outcome::UNKNOWN] {
                bench.arrive([1, outcome, 5, 5], |_| ());
            }
            bench.clock(|input| {
                put(&mut input.command.valid, 1);
                put(&mut input.event.valid, 1);
                put(&mut input.event.connection, 1);
                put(&mut input.event.first, 5);
                put(&mut input.event.last, 9);
                put(&mut input.arrival.valid, 1);
                if protocol == AckProtocol::Uet {
                    put(&mut input.arrival.packet.trimmed, 1);
                }
            });
            bench.idle(under_way);
            sent += bench.acks.len();
            let out = bench.outputs();
            if out.ack.valid.value() == 1 {
                bench.idle(1);
            }
            bench.stage.reset();
            let (acks, responses) = (bench.acks.len(), bench.responses.len());
            bench.idle(120);
            assert_eq!((bench.acks.len(), bench.responses.len()), (acks, responses), "{config:?}, {under_way}");
            let out = bench.outputs();
            let counts = [
                out.counts.merged_causes,
                out.counts.expired,
                out.counts.dropped_replies,
                out.counts.void_events,
                out.counts.busy_arrivals,
            ];
            assert!(counts.iter().all(|count| count.value() == 0), "{config:?}, {under_way}");
            assert_eq!(out.counts.refused_arrivals.map_or(0, |count| count.value()), 0, "{config:?}, {under_way}");
        }
    }
    assert!(sent > 100, "{sent}");
}
