// SPDX-License-Identifier: MIT OR Apache-2.0
//! `reorder` against a plain reference: the outcome of every arrival, and the order of delivery.

mod bench;
mod delivery;
mod order;
mod reset;
mod tolerance;

use pipeline::receive::reorder::ReorderConfig;
use rtl_model::elaborate;

#[test]
fn elaborates_at_every_size() {
    for (window, psn_bits, paths, ram_latency) in [(64, 24, 2, 1), (256, 24, 8, 2), (1024, 32, 256, 3)] {
        let config = ReorderConfig { psn_bits, paths, ram_latency, ..ReorderConfig::new(16, window) };
        elaborate(&config).unwrap_or_else(|report| panic!("{report}"));
    }
}
