// SPDX-License-Identifier: MIT OR Apache-2.0
//! Each PDC has a DSCP of its own, which *resize* changes (rows TX11, TX25); the checker of all runs compares that of each frame.

use super::run::Run;
use super::scenarios::{CLEAN, PDCS, checker, config, credits, open_all};
use super::{model, rtl};
use pipeline::transmit::ccc_table::CccAlgorithms;
use pipeline::transmit::tx::TxConfig;
use testbench::Dut;

fn changes(dut: &mut dyn Dut, config: &TxConfig) {
    let mut run = Run::new(dut, checker(config, None), (PDCS, 1), (CLEAN, credits(config)), |_| 0.0, 10);
    open_all(&mut run);
    let before: Vec<_> = (0..PDCS).map(|pdc| run.checker.dscp(pdc)).collect();
    for round in 1..=3 {
        for pdc in 0..PDCS {
            assert!(run.remark(pdc, before[pdc as usize] ^ (round * 21)).done);
            (0..PDCS).for_each(|pdc| run.request(pdc, 700));
            run.until_done();
        }
    }
    assert_eq!(run.checker.frames, 3 * PDCS * PDCS * 3);
    // A *resize* that is refused changes nothing: there is no such class.
    let refused = run.bench.output("refused_requests");
    assert!(!run.resize_class(0, 3).done);
    run.request(0, 700);
    run.until_done();
    assert_eq!(run.bench.output("refused_requests"), refused);
}

#[test]
fn each_pdc_has_its_own_dscp() {
    let config = config(CccAlgorithms::Nscc, 128, 4, 2);
    changes(&mut *model(&config), &config);
}

#[test]
fn that_of_the_verilog_has_it_too() {
    let config = config(CccAlgorithms::Nscc, 256, 4, 2);
    changes(&mut rtl(&config, 50_000), &config);
}
