// SPDX-License-Identifier: MIT OR Apache-2.0
//! R20: nothing that was accepted before a reset leads to an output after it.

use super::bench::{Bench, Drive, Packet};
use pipeline::receive::reorder::ReorderConfig;
use tier::pick;

/// A reset in every cycle after a packet in order, and after one that starts a gap above the tolerance.
#[test]
fn nothing_comes_out_after_a_reset() {
    let mut resets = 0;
    for ram_latency in 1..=3 {
        let mut bench = Bench::new(ReorderConfig { ram_latency, ..ReorderConfig::new(4, 64) });
        for cycles in pick(0..60, 15) {
            for ahead in [0, 9] {
                bench.open(0, 50);
                bench.clock(Drive { settings: Some((5, (1 << 20) - 1)), ..Drive::default() });
                bench.send(Packet { psn: 50 + ahead, ..Packet::default() }, true);
                let stalled = Drive { stall: true, stall_event: true, ..Drive::default() };
                bench.repeat(cycles, stalled);
                bench.reset();
                let seen = (bench.seen.delivered.len(), bench.seen.events.len(), bench.seen.answers.len());
                bench.idle(100);
                let after = (bench.seen.delivered.len(), bench.seen.events.len(), bench.seen.answers.len());
                assert_eq!(seen, after, "a reset after {cycles} cycles");
                resets += 1;
            }
        }
    }
    assert_eq!(resets, 3 * 2 * pick(0..60, 15).len());
}
