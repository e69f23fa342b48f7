// SPDX-License-Identifier: MIT OR Apache-2.0
//! `ccc_table`: reference, model and Verilated RTL in lock-step.

use crate::common::soak;
use pipeline::ccc_table::{CccAlgorithms, CccTableConfig};
use testbench::Ports;
use testbench::ccc_drive::{ALWAYS, CccDrive, Counts, NSCC, RCCC};
use testbench::drive::RandomDrive;
use testbench::random::Random;
use testbench::readings::Readings;

/// CCCs, classes, shift of delays and latency of the memories.
const SIZES: [(CccAlgorithms, u64, u64, u32, u32); 6] = [
    (CccAlgorithms::Nscc, 3, 2, 6, 2),
    (CccAlgorithms::Nscc, 2, 1, 4, 1),
    (CccAlgorithms::Rccc, 3, 2, 6, 2),
    (CccAlgorithms::Both, 3, 2, 7, 3),
    (CccAlgorithms::Both, 5, 4, 8, 1),
    (CccAlgorithms::None, 3, 2, 6, 2),
];

fn configs() -> impl Iterator<Item = CccTableConfig> {
    SIZES.into_iter().map(|(algorithms, cccs, classes, delay_shift, ram_latency)| {
        let config = CccTableConfig::new(cccs, algorithms);
        CccTableConfig { classes, delay_shift, ram_latency, ..config }
    })
}

#[test]
fn model_and_rtl_agree_under_lawless_inputs() {
    for (seed, config) in configs().enumerate() {
        let drive = |ports: &Ports| Ok(RandomDrive::new(ports, Random::new(seed as u64)));
        Readings::new(soak::cycles(20_000)).agree(&config, drive).expect("they agree");
    }
}

#[test]
fn model_and_rtl_agree_under_traffic() {
    for (seed, config) in configs().enumerate() {
        let counts = Counts::default();
        let drive =
            |ports: &Ports| CccDrive::new(ports, config.cccs, Random::new(seed as u64), Counts::clone(&counts));
        Readings::new(soak::cycles(150_000)).agree(&config, drive).expect("they agree");
        let counts = counts.borrow();
        let nscc = matches!(config.algorithms, CccAlgorithms::Nscc | CccAlgorithms::Both);
        let rccc = matches!(config.algorithms, CccAlgorithms::Rccc | CccAlgorithms::Both);
        let mut expected: Vec<&str> = ALWAYS.to_vec();
        expected.extend(NSCC.iter().filter(|_| nscc));
        expected.extend(RCCC.iter().filter(|_| rccc));
        let missing: Vec<_> = expected.iter().filter(|what| !counts.contains_key(**what)).collect();
        assert!(missing.is_empty(), "{config:?}: {missing:?} have not occurred; {counts:#?}");
    }
}
