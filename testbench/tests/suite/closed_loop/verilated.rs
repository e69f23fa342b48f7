// SPDX-License-Identifier: MIT OR Apache-2.0
//! The same with the Verilog: clock cycle for clock cycle what the models do.

use super::setup::{RTT, Sizes, models, nic, one_leaf, opened, pdc, report, simulations};
use testbench::closed_loop::{Ledger, SentFrames};

#[test]
fn the_verilog_does_the_same() {
    let sizes = Sizes::default();
    // Windows of 225,000 bytes meet a queue of 150,000: packets are trimmed.
    let pdcs = [pdc(0, 0, 2, 0), pdc(1, 0, 2, 1), pdc(2, 0, 0, 0)];
    let run = |devices: &mut dyn Iterator<Item = _>| -> (Ledger, Vec<SentFrames>, u64) {
        let mut run = opened(&one_leaf(3, true), sizes, &pdcs, devices);
        pdcs.iter().for_each(|pdc| run.send(pdc.from, pdc.pdc, 300_000));
        // And back on the first one.
        run.send(2, nic(sizes).peer_pdc(0), 100_000);
        run.until_done(60 * RTT).expect("it is delivered");
        report("three hosts", &run);
        let sent = run.nics.iter().map(|nic| nic.sent).collect();
        (run.ledger.clone(), sent, run.now())
    };
    let model = run(&mut models(sizes));
    assert_eq!(run(&mut simulations(sizes)), model);
}
