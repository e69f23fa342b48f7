// SPDX-License-Identifier: MIT OR Apache-2.0
//! `credit_pacer`: reference, model and Verilated RTL in lock-step.

use crate::common::{soak, tools};
use pipeline::receive::credit_pacer::CreditPacerConfig;
use testbench::Ports;
use testbench::device::drive::RandomDrive;
use testbench::device::random::Random;
use testbench::drives::credit_pacer::{Counts, EXPECTED, MANY, PacerDrive};
use testbench::lockstep::readings::Readings;
use tier::pick;

/// Sources and latency of the memories.
type Size = (u64, u32);

const SIZES: [Size; 5] = [(4, 2), (1, 1), (3, 3), (64, 1), (5, 2)];

/// Many sources.
const MORE: [Size; 3] = [(1024, 2), (16_384, 3), (1000, 1)];

fn config((sources, ram_latency): Size) -> CreditPacerConfig {
    CreditPacerConfig { ram_latency, ..CreditPacerConfig::new(sources) }
}

#[test]
fn model_and_rtl_agree_under_lawless_inputs() {
    for (seed, config) in pick(SIZES.map(config).into_iter().enumerate(), 1) {
        let drive = |ports: &Ports| Ok(RandomDrive::new(ports, Random::new(seed as u64)));
        // So many that a reset meets a pass between its two tables whose source does not exist.
        let agree = Readings::new(soak::cycles(100_000)).whole().agree(&config, drive);
        agree.unwrap_or_else(|e| panic!("{config:?}: {e}"));
    }
}

/// What tools say of the Verilog of all sizes: nothing.
#[test]
fn verilator_and_yosys_take_the_verilog() {
    tools::take_the_verilog(SIZES.into_iter().chain(MORE).map(config));
}

/// Traffic in lock-step, and what of that which must happen has not.
fn missing(config: CreditPacerConfig, seed: u64) -> Vec<&'static str> {
    let counts = Counts::default();
    let CreditPacerConfig { sources, ram_latency, .. } = config;
    let drive =
        |ports: &Ports| PacerDrive::new(ports, sources, ram_latency.into(), Random::new(seed), Counts::clone(&counts));
    Readings::new(soak::cycles(200_000)).agree(&config, drive).unwrap_or_else(|e| panic!("{config:?}: {e}"));
    let counts = counts.borrow();
    let expected = EXPECTED.into_iter().chain(MANY.into_iter().filter(|_| sources > 1));
    expected.filter(|what| !counts.contains_key(*what)).collect()
}

#[test]
fn model_and_rtl_agree_under_traffic() {
    for (seed, config) in pick(SIZES.map(config).into_iter().enumerate(), 1) {
        let missing = missing(config, seed as u64);
        assert!(missing.is_empty(), "{config:?}: {missing:?} have not occurred");
    }
    // More sizes in `scripts/soak`. The traffic has phases with a few sources, so the same happens there.
    for (seed, config) in MORE.map(config).into_iter().enumerate().filter(|_| soak::is_long()) {
        let missing = missing(config, 100 + seed as u64);
        assert!(missing.is_empty(), "{config:?}: {missing:?} have not occurred");
    }
}
