// SPDX-License-Identifier: MIT OR Apache-2.0
//! A reset under load.

use super::bench::{Bench, put};
use pipeline::transmit::packet_tracker::{PacketTrackerConfig, event_kind, kind, op, outcome_kind, send_op};
use std::collections::BTreeSet;
use tier::pick;

/// Clock cycles of load before the reset.
const LOADS: std::ops::Range<u64> = 200..290;

/// D33: nothing accepted before a reset leads to an output after it; counters are 0.
#[test]
fn nothing_before_a_reset_is_seen_after_it() {
    let mut seen = BTreeSet::new();
    for ram_latency in 1..=3 {
        let mut config = PacketTrackerConfig { ram_latency, ..PacketTrackerConfig::new(2, 64) };
        config.settings.tick = 65_535;
        config.settings.rto = 60;
        config.settings.retries = 0;
        config.settings.span = 1;
        for load in pick(LOADS, 9) {
            let mut bench = Bench::new(config);
            bench.open(0, 0, 0);
            bench.open(1, 0, 0);
            for cycle in 0..load {
                bench.stall = cycle % 32 < 4;
                bench.clock(|input| {
                    put(&mut input.send.valid, 1);
                    put(&mut input.send.pdc, cycle / 2);
                    put(
                        &mut input.send.op,
                        [send_op::NEW, send_op::AGAIN, send_op::NEW, send_op::END][cycle as usize % 4],
                    );
                    put(&mut input.send.last, 1);
                    put(&mut input.ack.valid, cycle / 16 % 4);
                    put(&mut input.ack.kind, [kind::NACK, kind::ACK, kind::NACK, kind::CREDIT][cycle as usize / 4 % 4]);
                    put(&mut input.ack.psn, cycle / 12);
                    put(&mut input.ack.triggered, 1);
                    put(&mut input.ack.arrived, cycle);
                    put(&mut input.command.valid, u64::from(cycle % 128 == 127));
                    put(&mut input.command.op, op::LOSE + cycle / 128 % 2);
                    put(&mut input.command.all, 1);
                });
            }
            bench.stage.reset();
            let before = [
                bench.events.len(),
                bench.outcomes.len(),
                bench.failures.len(),
                bench.sent.len(),
                bench.responses.len(),
            ];
            seen.extend(bench.events.iter().map(|(_, event)| ("event", event.kind.value())));
            seen.extend(bench.outcomes.iter().map(|(_, outcome)| ("outcome", outcome.kind.value())));
            seen.extend(bench.failures.iter().map(|_| ("failure", 0)));
            assert_eq!(bench.outputs().quiet.value(), 0);
            bench.stall = false;
            bench.idle(400);
            let after = [
                bench.events.len(),
                bench.outcomes.len(),
                bench.failures.len(),
                bench.sent.len(),
                bench.responses.len(),
            ];
            assert_eq!(after, before, "{config:?} {load}");
            let out = bench.outputs();
            let counts = [
                out.counts.closed_events,
                out.counts.outside_acks,
                out.counts.old_totals,
                out.counts.void_nacks,
                out.counts.bad_times,
                out.counts.late_acks,
                out.counts.refused_sends,
                out.counts.empty_sends,
                out.counts.timeouts,
                out.counts.inferred_losses,
                out.counts.declared_losses,
            ]
            .map(|count| count.value());
            assert_eq!((counts, out.quiet.value(), out.busy.value()), ([0; 11], 1, 0), "{config:?} {load}");
        }
    }
    for expected in [
        ("event", event_kind::ACK),
        ("event", event_kind::NACK),
        ("event", event_kind::CREDIT),
        ("event", event_kind::SEND),
        ("event", event_kind::LOSS),
        ("outcome", outcome_kind::ACKNOWLEDGED),
        ("outcome", outcome_kind::NACK),
        ("outcome", outcome_kind::LOST),
    ] {
        assert!(seen.contains(&expected), "{expected:?} of {seen:?}");
    }
}
