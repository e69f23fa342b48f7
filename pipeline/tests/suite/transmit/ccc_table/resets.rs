// SPDX-License-Identifier: MIT OR Apache-2.0
//! A reset under load.

use super::ALGORITHMS;
use super::bench::{Bench, put};
use pipeline::transmit::ccc_table::{CccTableConfig, kind};
use tier::pick;

/// Clock cycles of load before the reset: each of its last passes is in each step.
const LOADS: std::ops::Range<u64> = 100..160;

/// C34: nothing accepted before a reset leads to an output after it; counters are 0.
#[test]
fn nothing_before_a_reset_is_seen_after_it() {
    let (mut resets, mut counted) = (0, std::collections::BTreeSet::new());
    for algorithms in ALGORITHMS {
        for ram_latency in 1..=3 {
            let mut config = CccTableConfig { ram_latency, ..CccTableConfig::new(1, algorithms) };
            // Every ACK starts an adjustment or makes quick adapt look.
            config.settings.adjust_bytes = 0;
            config.settings.tick = 65_535;
            config.settings.config_base_rtt = 1;
            config.settings.target = 1;
            config.settings.qa_gate = 0;
            for load in pick(LOADS, 6) {
                let mut bench = Bench::new(config);
                bench.open(0, 0, 1);
                for cycle in 0..load {
                    bench.clock(|input| {
                        for valid in [&mut input.ack.valid, &mut input.send.valid, &mut input.loss.valid] {
                            put(valid, 1);
                        }
                        put(&mut input.ack.kind, [kind::ACK, kind::NACK, kind::CREDIT, kind::ACK][cycle as usize % 4]);
                        put(&mut input.ack.quanta, 1);
                        put(&mut input.ack.packets, cycle % 2);
                        put(&mut input.ack.reason, 1);
                        put(&mut input.ack.size, 1);
                        put(&mut input.ack.timed, 1);
                        put(&mut input.ack.marked, cycle / 8 % 2);
                        put(&mut input.ack.stamp, if cycle % 16 == 0 { 9 } else { 0 });
                        put(&mut input.ack.arrived, 5);
                        put(&mut input.ack.credit, 1 << 23);
                        put(&mut input.send.packet, 1);
                        put(&mut input.send.size, 9);
                        put(&mut input.loss.size, 7);
                        put(&mut input.loss.ccc, cycle / 4 % 2);
                        put(&mut input.command.valid, 1);
                    });
                }
                let count = |bench: &Bench| {
                    let out = bench.outputs();
                    [
                        ("closed_events", out.counts.closed_events),
                        ("excess_acks", out.counts.excess_acks),
                        ("excess_sends", out.counts.excess_sends),
                        ("short_backlogs", out.counts.short_backlogs),
                        ("refused_data", out.counts.refused_data),
                        ("stale_credits", out.counts.stale_credits),
                        ("bad_times", out.counts.bad_times),
                        ("adjustments", out.counts.adjustments),
                        ("void_adjustments", out.counts.void_adjustments),
                        ("quick_adapts", out.counts.quick_adapts),
                        ("unready_turns", out.counts.unready_turns),
                    ]
                    .map(|(name, count)| (name, count.value()))
                };
                counted.extend(count(&bench).iter().filter(|(_, count)| *count > 0).map(|(name, _)| *name));
                bench.stage.reset();
                let seen = (bench.grants.len(), bench.responses.len());
                bench.idle(200);
                assert_eq!((bench.grants.len(), bench.responses.len()), seen, "{config:?} {load}");
                assert!(count(&bench).iter().all(|(_, count)| *count == 0), "{config:?} {load}: {:?}", count(&bench));
                resets += 1;
            }
        }
    }
    assert_eq!(resets, 4 * 3 * pick(LOADS, 6).len());
    // New data is not refused here, and no window is set while an adjustment is under way without a quick adapt.
    assert!(counted.len() >= 7, "{counted:?}");
}
