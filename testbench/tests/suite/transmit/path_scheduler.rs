// SPDX-License-Identifier: MIT OR Apache-2.0
//! The path scheduler: reference, model and Verilated RTL in lock-step.

use crate::common::soak;
use pipeline::transmit::path_scheduler::{EntropyRule, PathSchedulerConfig};
use testbench::Ports;
use testbench::device::drive::RandomDrive;
use testbench::device::random::Random;
use testbench::drives::path_scheduler::SchedulerDrive;
use testbench::lockstep::readings::Readings;
use tier::pick;

const SIZES: [PathSchedulerConfig; 8] = [
    PathSchedulerConfig::new(1, 2),
    PathSchedulerConfig::new(5, 8),
    PathSchedulerConfig::new(16, 64),
    PathSchedulerConfig::new(3, 4).ram_latency(1),
    PathSchedulerConfig::new(2, 16).ram_latency(1).entropy(EntropyRule::Xor),
    PathSchedulerConfig::new(5, 8).ram_latency(3),
    PathSchedulerConfig::new(4, 4).weight_bits(4).in_flight_bits(8).entropy(EntropyRule::Xor),
    PathSchedulerConfig::new(3, 8).weight_bits(5).in_flight_bits(24).ram_latency(3),
];

#[test]
fn model_and_rtl_agree_under_lawless_inputs() {
    for (seed, config) in pick(SIZES.iter().enumerate(), 1) {
        let drive = |ports: &Ports| Ok(RandomDrive::new(ports, Random::new(seed as u64)));
        Readings::new(soak::cycles(30_000)).agree(config, drive).expect("they agree");
    }
}

#[test]
fn model_and_rtl_agree_under_traffic() {
    for (seed, config) in pick(SIZES.iter().enumerate(), 1) {
        let drive = |ports: &Ports| SchedulerDrive::new(ports, config.qps, config.paths, Random::new(seed as u64));
        Readings::new(soak::cycles(100_000)).agree(config, drive).expect("they agree");
    }
}
