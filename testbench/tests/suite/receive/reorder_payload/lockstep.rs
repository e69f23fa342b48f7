// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reference, model and Verilated RTL in lock-step.

use super::bench::config;
use super::{pool, wide_pool};
use crate::common::soak;
use pipeline::receive::reorder::{PayloadConfig, ReorderConfig};
use testbench::Ports;
use testbench::device::drive::RandomDrive;
use testbench::device::random::Random;
use testbench::drives::reorder::Counts;
use testbench::drives::reorder_frames::{FrameDrive, OCCURRENCES};
use testbench::lockstep::readings::Readings;
use tier::pick;

fn configs() -> [(PayloadConfig, ReorderConfig); 3] {
    [(pool(64), 2, 1), (wide_pool(32), 4, 2), (pool(128), 2, 3)]
        .map(|(pool, connections, ram_latency)| (pool, config(pool, connections, ram_latency)))
}

#[test]
fn model_and_rtl_agree_under_lawless_inputs() {
    for (seed, (_, config)) in pick(configs().into_iter().enumerate(), 1) {
        let drive = |ports: &Ports| Ok(RandomDrive::new(ports, Random::new(seed as u64)));
        Readings::new(soak::cycles(20_000)).agree(&config, drive).expect("they agree");
    }
}

#[test]
fn model_and_rtl_agree_under_traffic() {
    for (seed, (pool, config)) in pick(configs().into_iter().enumerate(), 1) {
        let counts = Counts::default();
        let cell = pool.cell_bytes * 8 / u64::from(pool.data_width);
        let drive =
            |ports: &Ports| FrameDrive::new(ports, pool.cells, cell, Random::new(seed as u64), Counts::clone(&counts));
        Readings::new(soak::cycles(150_000)).agree(&config, drive).expect("they agree");
        let counts = counts.borrow();
        let missing: Vec<_> = OCCURRENCES.into_iter().filter(|what| !counts.contains_key(what)).collect();
        assert!(missing.is_empty(), "{pool:?}: {missing:?} have not occurred; {counts:#?}");
        println!("{pool:?}: {counts:?}");
    }
}
