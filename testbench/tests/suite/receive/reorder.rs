// SPDX-License-Identifier: MIT OR Apache-2.0
//! `reorder`: reference, model and Verilated RTL in lock-step.

use crate::common::soak;
use pipeline::receive::reorder::ReorderConfig;
use testbench::Ports;
use testbench::device::drive::RandomDrive;
use testbench::device::random::Random;
use testbench::drives::reorder::{Counts, OCCURRENCES, ReorderDrive};
use testbench::lockstep::readings::Readings;
use tier::pick;

/// Connections, window, width of a PSN and latency of the memories.
const SIZES: [(u64, u64, u32, u32); 4] = [(2, 64, 24, 1), (4, 128, 32, 2), (2, 64, 24, 3), (8, 256, 24, 2)];

fn config((connections, window, psn_bits, ram_latency): (u64, u64, u32, u32)) -> ReorderConfig {
    ReorderConfig { psn_bits, paths: 2, ram_latency, ..ReorderConfig::new(connections, window) }
}

#[test]
fn model_and_rtl_agree_under_lawless_inputs() {
    for (seed, size) in pick(SIZES.into_iter().enumerate(), 1) {
        let drive = |ports: &Ports| Ok(RandomDrive::new(ports, Random::new(seed as u64)));
        Readings::new(soak::cycles(20_000)).agree(&config(size), drive).expect("they agree");
    }
}

#[test]
fn model_and_rtl_agree_under_traffic() {
    for (seed, size) in pick(SIZES.into_iter().enumerate(), 1) {
        let counts = Counts::default();
        let config = config(size);
        let drive =
            |ports: &Ports| ReorderDrive::new(ports, config.window, Random::new(seed as u64), Counts::clone(&counts));
        Readings::new(soak::cycles(150_000)).agree(&config, drive).expect("they agree");
        let counts = counts.borrow();
        let missing: Vec<_> = OCCURRENCES.into_iter().filter(|what| !counts.contains_key(what)).collect();
        assert!(missing.is_empty(), "size {size:?}: {missing:?} have not occurred; {counts:#?}");
    }
}
