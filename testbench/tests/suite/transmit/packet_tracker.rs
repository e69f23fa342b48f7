// SPDX-License-Identifier: MIT OR Apache-2.0
//! `packet_tracker`: reference, model and Verilated RTL in lock-step.

use crate::common::{soak, tools};
use pipeline::transmit::packet_tracker::PacketTrackerConfig;
use testbench::Ports;
use testbench::device::drive::RandomDrive;
use testbench::device::random::Random;
use testbench::drives::packet_tracker::{Counts, EXPECTED, MANY, TrackerDrive};
use testbench::lockstep::readings::Readings;
use tier::{is_all, pick};

/// PDCs, window, bits of a PSN, bits of an EV, CCCs and latency of the memories.
type Size = (u64, u64, u32, u32, u64, u32);

const SIZES: [Size; 5] = [
    (4, 64, 32, 8, 16, 2),
    (2, 64, 24, 16, 1, 1),
    (8, 128, 32, 1, 5, 3),
    (2, 256, 24, 15, 1024, 2),
    (64, 64, 32, 8, 64, 1),
];

/// Many PDCs, and large windows.
const MORE: [Size; 3] = [(1024, 64, 32, 8, 1024, 2), (2, 4096, 32, 8, 16, 3), (256, 256, 24, 6, 16_384, 1)];

fn config((pdcs, window, psn_bits, ev_bits, cccs, ram_latency): Size) -> PacketTrackerConfig {
    PacketTrackerConfig { psn_bits, ev_bits, cccs, ram_latency, ..PacketTrackerConfig::new(pdcs, window) }
}

#[test]
fn model_and_rtl_agree_under_lawless_inputs() {
    for (seed, config) in pick(SIZES.map(config).into_iter().enumerate(), 1) {
        let drive = |ports: &Ports| Ok(RandomDrive::new(ports, Random::new(seed as u64)));
        Readings::new(soak::cycles(20_000)).agree(&config, drive).expect("they agree");
    }
}

/// What tools say of the Verilog of all sizes: nothing.
#[test]
fn verilator_and_yosys_take_the_verilog() {
    tools::take_the_verilog(SIZES.into_iter().chain(MORE).map(config));
}

/// Traffic in lock-step, and what of that which must happen has not.
fn missing(config: PacketTrackerConfig, seed: u64) -> Vec<&'static str> {
    let counts = Counts::default();
    let PacketTrackerConfig { pdcs, window, .. } = config;
    let drive = |ports: &Ports| TrackerDrive::new(ports, pdcs, window, Random::new(seed), Counts::clone(&counts));
    let cycles = soak::cycles(if is_all() { 200_000 } else { 100_000 });
    Readings::new(cycles).agree(&config, drive).unwrap_or_else(|e| panic!("{config:?}: {e}"));
    let counts = counts.borrow();
    EXPECTED.into_iter().chain(MANY).filter(|what| !counts.contains_key(*what)).collect()
}

#[test]
fn model_and_rtl_agree_under_traffic() {
    let mut never: Option<Vec<&str>> = None;
    for (seed, config) in pick(SIZES.map(config).into_iter().enumerate(), 1) {
        let missing = missing(config, seed as u64);
        assert!(missing.len() < 6, "{config:?}: {missing:?} have not occurred");
        let all = never.take().unwrap_or_else(|| missing.clone());
        never = Some(all.into_iter().filter(|what| missing.contains(what)).collect());
    }
    assert!(!is_all() || never == Some(Vec::new()), "{never:?} have not occurred at any size");
    // More sizes in `scripts/soak`. With many PDCs not everything happens to one of them.
    for (seed, config) in MORE.map(config).into_iter().enumerate().filter(|_| soak::is_long()) {
        let missing = missing(config, 100 + seed as u64);
        assert!(missing.len() < 16, "{config:?}: {missing:?} have not occurred");
    }
}
