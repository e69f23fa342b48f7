// SPDX-License-Identifier: MIT OR Apache-2.0
//! Each QP has a DSCP of its own, which *resize* changes (rows TX25, TX31); the checker of all runs compares that of each frame.

use super::paths::PACKET;
use super::run::{Conditions, QPS, Run};
use super::setup::{CLEAN, Plan, UNQUIET, all_is_settled, config, limits, open_all};
use super::{model, rtl};
use pipeline::headers::protocols::MpehIndicator::Bit;
use pipeline::transmit::tx::TxConfig;
use testbench::Dut;

fn changes(dut: &mut dyn Dut, config: &TxConfig) {
    let conditions = Conditions { network: CLEAN, pause: &|_| 0.0, host_delay: 10, bad: 0.0 };
    let mut run = Run::new(dut, limits(config, UNQUIET), 1, &conditions);
    open_all(&mut run, &[Plan::even(PACKET, 8); QPS as usize]);
    for round in 1..=3 {
        for qp in 0..QPS {
            let dscp = run.checker.dscp(qp) ^ (round * 21);
            assert!(run.remark(qp, dscp).done);
            (0..QPS).for_each(|qp| run.request(qp, 700, qp % 2 == 0));
            run.until_done();
        }
    }
    assert_eq!(all_is_settled(&mut run).counts.frames, 3 * QPS * QPS * 3);
}

#[test]
fn each_qp_has_its_own_dscp() {
    let config = config(128, 4, 2, Bit);
    changes(&mut *model(&config), &config);
}

#[test]
fn that_of_the_verilog_has_it_too() {
    let config = config(256, 4, 2, Bit);
    changes(&mut rtl(&config, 50_000), &config);
}
