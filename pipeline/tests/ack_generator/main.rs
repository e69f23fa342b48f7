// SPDX-License-Identifier: MIT OR Apache-2.0
//! `ack_generator`: cases of the contract, one by one.

mod bench;
mod roce;
mod uet;

use pipeline::ack_generator::{AckGeneratorConfig, AckProtocol};
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
