// SPDX-License-Identifier: MIT OR Apache-2.0
//! How far the window of the oracle is from that of the pseudocode with real numbers.

use super::pseudocode::{Apart, Reading, trace};
use golden_vectors::ccc_table::oracle::Link;

const RATES: [f64; 4] = [100.0, 200.0, 400.0, 800.0];

/// So many traces for each rate, with and without trimming, of so many events each.
fn measure(reading: Reading, bursts: bool, traces: u64, events: u64) -> Apart {
    let mut all = Apart::default();
    for seed in 0..traces {
        let gbps = RATES[(seed % 4) as usize];
        let link = Link { mhz: 322.265_625, gbps, rtt_us: 12.0, mtu: 4096.0, trim: seed / 4 % 2 == 0 };
        let one = trace(seed, link, reading, events, bursts);
        println!("{gbps} {one:?}");
        all.compared += one.compared;
        all.above += one.above;
        all.most = all.most.max(one.most);
        all.sum += one.sum;
        all.adjustments += one.adjustments;
        all.quick_adapts += one.quick_adapts;
    }
    println!("{reading:?}, bursts {bursts}: {all:?}");
    all
}

#[test]
fn probe() {
    for reading in [Reading::Letter, Reading::Page] {
        for bursts in [false, true] {
            measure(reading, bursts, 16, 10_000);
        }
    }
}
