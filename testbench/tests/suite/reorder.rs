// SPDX-License-Identifier: MIT OR Apache-2.0
//! `reorder`: reference, model and Verilated RTL in lock-step under random events with resets.

use crate::common::soak;
use pipeline::reorder::ReorderConfig;
use testbench::Ports;
use testbench::drive::RandomDrive;
use testbench::random::Random;
use testbench::readings::Readings;

#[test]
fn model_and_rtl_agree_in_every_cycle() {
    for (seed, window, psn_bits, ram_latency) in [(1, 64, 24, 1), (2, 128, 32, 2), (3, 64, 24, 3)] {
        let config = ReorderConfig { psn_bits, paths: 2, ram_latency, ..ReorderConfig::new(2, window) };
        let drive = |ports: &Ports| Ok(RandomDrive::new(ports, Random::new(seed)));
        Readings::new(soak::cycles(20_000)).agree(&config, drive).expect("they agree");
    }
}
