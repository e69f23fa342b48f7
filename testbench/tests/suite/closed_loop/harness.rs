// SPDX-License-Identifier: MIT OR Apache-2.0
//! The loop itself: with a sender in plain Rust everything arrives, and a sender that does something wrong is found.

use super::plain_tx::{Fault, PlainTx};
use super::setup::{Devices, Sizes, one_leaf, opened, pdc, report, rx_models};
use testbench::closed_loop::ClosedLoop;

/// Messages from one host to another, both ways, over a network that loses nothing.
fn run(fault: Fault) -> (ClosedLoop, Result<(), String>) {
    let devices = rx_models().map(|rx| -> Devices { (Box::new(PlainTx::new(fault)), rx) });
    let pdcs = [pdc(0, 0, 1, 0), pdc(0, 1, 1, 1), pdc(1, 0, 0, 3)];
    let mut run = opened(&one_leaf(2, true), Sizes::default(), &pdcs, devices);
    for pdc in &pdcs {
        [100_000, 0, 1, 4096, 30_000].into_iter().for_each(|length| run.send(pdc.from, pdc.pdc, length));
    }
    let result = run.until_done(60_000).map_err(|error| error.to_string());
    (run, result)
}

#[test]
fn everything_arrives() {
    let (run, result) = run(Fault::None);
    report("plain sender", &run);
    assert_eq!(result, Ok(()));
    let packets = 25 + 1 + 1 + 1 + 8;
    let [sender, receiver] = [&run.nics[0], &run.nics[1]];
    assert_eq!((sender.sender.counts.new, receiver.receiver.counts.delivered), (2 * packets, 2 * packets));
    assert!(receiver.sent.acks > 10 && receiver.sent.nacks == 0 && sender.sent.acks > 5);
}

#[test]
fn faults_are_found() {
    let faults = [
        (Fault::Byte, "is not as it was sent"),
        (Fault::Early, "is complete: Message"),
        (Fault::Twice, "is not complete"),
        (Fault::Fetch, "the bytes are not in the message"),
    ];
    for (fault, expected) in faults {
        let (_, result) = run(fault);
        let error = result.expect_err("it is wrong");
        assert!(error.contains(expected), "{fault:?}: {error}");
    }
}
