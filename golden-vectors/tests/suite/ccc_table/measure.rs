// SPDX-License-Identifier: MIT OR Apache-2.0
//! How far the window of the oracle is from that of the pseudocode with real numbers.

use super::pseudocode::{Apart, Reading, Traffic, trace};
use golden_vectors::ccc_table::oracle::Link;

const RATES: [f64; 4] = [100.0, 200.0, 400.0, 800.0];

/// So many traces, each of so many events, at each rate in turn, with and without trimming.
fn measure(reading: Reading, traffic: Traffic, traces: u64, events: u64) -> Apart {
    let mut all = Apart::default();
    for seed in 0..traces {
        let gbps = RATES[(seed % 4) as usize];
        let link = Link { mhz: 322.265_625, gbps, rtt_us: 12.0, mtu: 4096.0, trim: seed / 4 % 2 == 0 };
        let one = trace(seed, link, reading, events, traffic);
        all.compared += one.compared;
        all.above += one.above;
        all.most = all.most.max(one.most);
        all.sum += one.sum;
        all.bias += one.bias;
        all.adjustments += one.adjustments;
        all.quick_adapts += one.quick_adapts;
    }
    println!("{reading:?}, {traffic:?}: {all:?}");
    let (count, above) = (all.compared as f64, all.above as f64);
    println!("  mean {:.3} %, bias {:.3} %, above {:.2} %", 100.0 * all.sum / count, 100.0 * all.bias / count, 100.0 * above / count);
    all
}

#[test]
fn probe() {
    for reading in [Reading::Letter, Reading::Page, Reading::Late] {
        for bursts in [false, true] {
            for penalties in [false, true] {
                measure(reading, Traffic { bursts, penalties }, 64, 10_000);
            }
        }
    }
}
