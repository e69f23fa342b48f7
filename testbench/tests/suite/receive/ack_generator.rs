// SPDX-License-Identifier: MIT OR Apache-2.0
//! `ack_generator`: reference, model and Verilated RTL in lock-step.

use crate::common::soak;
use pipeline::receive::ack_generator::{AckGeneratorConfig, AckProtocol};
use testbench::Ports;
use testbench::device::drive::RandomDrive;
use testbench::device::random::Random;
use testbench::drives::ack_generator::{AckDrive, Counts, ROCE, UET};
use testbench::lockstep::readings::Readings;
use tier::pick;

/// Connections, window, replies and latency of the memories.
const SIZES: [(u64, u64, u64, u32); 3] = [(4, 64, 8, 2), (2, 64, 4, 1), (2, 128, 4, 3)];

fn configs() -> impl Iterator<Item = AckGeneratorConfig> {
    let of = |protocol, (connections, window, replies, ram_latency)| {
        let config = AckGeneratorConfig::new(protocol, connections, window);
        AckGeneratorConfig { replies, ram_latency, ..config }
    };
    [AckProtocol::Roce, AckProtocol::Uet].into_iter().flat_map(move |protocol| SIZES.map(|size| of(protocol, size)))
}

#[test]
fn model_and_rtl_agree_under_lawless_inputs() {
    for (seed, config) in pick(configs().enumerate(), 1) {
        let drive = |ports: &Ports| Ok(RandomDrive::new(ports, Random::new(seed as u64)));
        Readings::new(soak::cycles(20_000)).agree(&config, drive).expect("they agree");
    }
}

#[test]
fn model_and_rtl_agree_under_traffic() {
    for (seed, config) in pick(configs().enumerate(), 1) {
        let counts = Counts::default();
        let AckGeneratorConfig { window, ram_latency, protocol, .. } = config;
        let drive = |ports: &Ports| {
            AckDrive::new(ports, window, ram_latency.into(), Random::new(seed as u64), Counts::clone(&counts))
        };
        Readings::new(soak::cycles(150_000)).agree(&config, drive).expect("they agree");
        let counts = counts.borrow();
        let expected: &[&str] = if protocol == AckProtocol::Roce { &ROCE } else { &UET };
        let missing: Vec<_> = expected.iter().filter(|what| !counts.contains_key(**what)).collect();
        assert!(missing.is_empty(), "{config:?}: {missing:?} have not occurred; {counts:#?}");
    }
}
