// SPDX-License-Identifier: MIT OR Apache-2.0
//! The loop itself: a NIC that does something wrong is found.

use super::faulty::{Fault, Faulty};
use super::setup::{Device, Sizes, models, one_leaf, opened, pdc};

/// Messages from one host to another, both ways, over a network that loses nothing.
fn run(fault: Fault) -> Result<(), String> {
    let devices = models(Sizes::default()).map(|nic| -> Device { Box::new(Faulty::new(nic, fault)) });
    let pdcs = [pdc(0, 0, 1, 0), pdc(0, 1, 1, 1), pdc(1, 0, 0, 3)];
    let mut run = opened(&one_leaf(2, true), Sizes::default(), &pdcs, devices);
    for pdc in &pdcs {
        [100_000, 0, 1, 4096, 30_000].into_iter().for_each(|length| run.send(pdc.from, pdc.pdc, length));
    }
    run.until_done(60_000).map_err(|error| error.to_string())
}

#[test]
fn faults_are_found() {
    let faults = [
        (Fault::Byte, "a wrong CRC"),
        (Fault::Early, "is complete: Message"),
        (Fault::Lost, "is not complete"),
        (Fault::Twice, "that is not under way is complete"),
        (Fault::Fetch, "the bytes are not in the message"),
        (Fault::Order, "expected is"),
    ];
    for (fault, expected) in faults {
        let error = run(fault).expect_err("it is wrong");
        assert!(error.contains(expected), "{fault:?}: {error}");
    }
}
