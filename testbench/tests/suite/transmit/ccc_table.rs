// SPDX-License-Identifier: MIT OR Apache-2.0
//! `ccc_table`: reference, model and Verilated RTL in lock-step.

use crate::common::{soak, tools};
use pipeline::transmit::ccc_table::{CccAlgorithms, CccTableConfig};
use testbench::Ports;
use testbench::device::drive::RandomDrive;
use testbench::device::random::Random;
use testbench::drives::ccc_table::{ALWAYS, CccDrive, Counts, NSCC, RCCC};
use testbench::lockstep::readings::Readings;
use tier::{is_all, pick};

/// Algorithms, CCCs, classes, shift of delays and latency of the memories.
type Size = (CccAlgorithms, u64, u64, u32, u32);

const SIZES: [Size; 7] = [
    (CccAlgorithms::Nscc, 3, 2, 6, 2),
    (CccAlgorithms::Nscc, 1, 1, 4, 1),
    (CccAlgorithms::Rccc, 3, 2, 6, 2),
    (CccAlgorithms::Rccc, 64, 2, 6, 3),
    (CccAlgorithms::Both, 3, 2, 7, 3),
    (CccAlgorithms::Both, 5, 4, 8, 1),
    (CccAlgorithms::None, 3, 2, 6, 2),
];

/// One CCC, some and many, with each of the algorithms and latencies.
const MORE: [Size; 9] = [
    (CccAlgorithms::Nscc, 1, 2, 6, 2),
    (CccAlgorithms::Rccc, 1, 2, 6, 3),
    (CccAlgorithms::Both, 1, 2, 6, 1),
    (CccAlgorithms::Nscc, 64, 2, 6, 3),
    (CccAlgorithms::Rccc, 64, 2, 6, 1),
    (CccAlgorithms::Both, 64, 2, 6, 2),
    (CccAlgorithms::Nscc, 1024, 2, 6, 1),
    (CccAlgorithms::Rccc, 1024, 2, 6, 2),
    (CccAlgorithms::Both, 1024, 2, 6, 3),
];

fn config((algorithms, cccs, classes, delay_shift, ram_latency): Size) -> CccTableConfig {
    CccTableConfig { classes, delay_shift, ram_latency, ..CccTableConfig::new(cccs, algorithms) }
}

/// Credit in the smallest and in the largest unit.
fn units() -> [CccTableConfig; 2] {
    [(CccAlgorithms::Rccc, 64), (CccAlgorithms::Both, 4096)]
        .map(|(algorithms, credit_unit)| CccTableConfig { credit_unit, ..CccTableConfig::new(3, algorithms) })
}

#[test]
fn model_and_rtl_agree_under_lawless_inputs() {
    for (seed, config) in pick(SIZES.map(config).into_iter().chain(units()).enumerate(), 1) {
        let drive = |ports: &Ports| Ok(RandomDrive::new(ports, Random::new(seed as u64)));
        Readings::new(soak::cycles(20_000)).agree(&config, drive).expect("they agree");
    }
}

/// What tools say of the Verilog of all sizes: nothing.
#[test]
fn verilator_and_yosys_take_the_verilog() {
    tools::take_the_verilog(SIZES.into_iter().chain(MORE).map(config).chain(units()));
}

/// Traffic in lock-step, and what has happened in it.
fn under_traffic(config: CccTableConfig, seed: u64) -> Counts {
    let counts = Counts::default();
    let drive = |ports: &Ports| CccDrive::new(ports, config.cccs, Random::new(seed), Counts::clone(&counts));
    let cycles = soak::cycles(if is_all() { 200_000 } else { 100_000 });
    Readings::new(cycles).agree(&config, drive).unwrap_or_else(|e| panic!("{config:?}: {e}"));
    counts
}

/// What must happen with these algorithms.
fn expected(config: CccTableConfig) -> Vec<&'static str> {
    let nscc = matches!(config.algorithms, CccAlgorithms::Nscc | CccAlgorithms::Both);
    let rccc = matches!(config.algorithms, CccAlgorithms::Rccc | CccAlgorithms::Both);
    let several = |what: &&str| config.cccs > 1 || *what != "C28 grants of several CCCs";
    let mut expected: Vec<&str> = ALWAYS.into_iter().filter(several).collect();
    expected.extend(NSCC.iter().filter(|_| nscc));
    expected.extend(RCCC.iter().filter(|_| rccc));
    expected
}

/// What need not happen with each size.
const RARE: &str = "C32 not closed as it is in turn";

#[test]
fn model_and_rtl_agree_under_traffic() {
    let mut rare = 0;
    for (seed, config) in pick(SIZES.map(config).into_iter().enumerate(), 1) {
        let counts = under_traffic(config, seed as u64);
        let counts = counts.borrow();
        rare += u64::from(counts.contains_key(RARE));
        let absent = |what: &&str| *what != RARE && !counts.contains_key(*what);
        let missing: Vec<_> = expected(config).into_iter().filter(absent).collect();
        assert!(missing.is_empty(), "{config:?}: {missing:?} have not occurred; {counts:#?}");
    }
    assert!(rare > 0 || !is_all(), "{RARE}");
    // More sizes in `scripts/soak`. With many CCCs not everything happens to one of them.
    for (seed, config) in MORE.map(config).into_iter().enumerate().filter(|_| soak::is_long()) {
        let counts = under_traffic(config, 100 + seed as u64);
        let counts = counts.borrow();
        let happened = expected(config).into_iter().filter(|what| counts.contains_key(*what)).count();
        assert!(happened * 4 >= expected(config).len() * 3, "{config:?}: {counts:#?}");
    }
}
