// SPDX-License-Identifier: MIT OR Apache-2.0
//! `ccc_table`: cases of the contract, one by one.

mod bench;
mod counts;
mod nscc;
mod resets;

use pipeline::transmit::ccc_table::{CccAlgorithms, CccTableConfig};
use rtl_model::elaborate;

const ALGORITHMS: [CccAlgorithms; 4] =
    [CccAlgorithms::Nscc, CccAlgorithms::Rccc, CccAlgorithms::Both, CccAlgorithms::None];

#[test]
fn elaborates_at_every_size() {
    for algorithms in ALGORITHMS {
        for (cccs, ram_latency, classes, delay_shift) in [(1, 1, 1, 4), (3, 2, 2, 6), (1024, 3, 4, 8), (16, 2, 3, 5)] {
            let config = CccTableConfig::new(cccs, algorithms);
            let config = CccTableConfig { ram_latency, classes, delay_shift, ..config };
            elaborate(&config).unwrap_or_else(|report| panic!("{config:?}: {report}"));
        }
    }
}
