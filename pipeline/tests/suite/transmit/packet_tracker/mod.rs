// SPDX-License-Identifier: MIT OR Apache-2.0
//! `packet_tracker`: cases of the contract, one by one.

mod bench;
mod examples;
mod random;
mod resets;
mod stalls;
mod timeouts;

use pipeline::transmit::packet_tracker::PacketTrackerConfig;
use rtl_model::elaborate;

#[test]
fn elaborates_at_every_size() {
    for (pdcs, window, psn_bits, ev_bits, cccs, ram_latency) in
        [(2, 64, 24, 1, 1, 1), (256, 256, 32, 8, 1024, 2), (4, 4096, 32, 16, 3, 3), (8, 128, 24, 16, 16, 2)]
    {
        let config = PacketTrackerConfig::new(pdcs, window);
        let config = PacketTrackerConfig { psn_bits, ev_bits, cccs, ram_latency, ..config };
        elaborate(&config).unwrap_or_else(|report| panic!("{config:?}: {report}"));
    }
}
