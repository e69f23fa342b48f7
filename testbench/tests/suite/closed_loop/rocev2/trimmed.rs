// SPDX-License-Identifier: MIT OR Apache-2.0
//! Trimmed packets of multipath RoCEv2: the receiver names each in a NAK, and it is sent again (rows G4 and TX33).

use super::super::setup::{self, Device, RTT, SEGMENT, count, pdc, report, us};
use super::super::trimmed::{FORMS, PACKETS, TRIMMED, burst, spread, trims};
use super::setup::{Sizes, models, opened, settle, simulations, two_leaves};
use testbench::closed_loop::{ClosedLoop, Pdc};
use testbench::network::{FabricConfig, Impairment, Lengths};

/// Four paths of 25 Gb/s, of the same delay.
const PATHS: [(u64, u64); 4] = [(390, 16); 4];
/// From the UDP header on: UDP, BTH and the first word of the MPEH; or all headers of most packets.
const KEEP: [usize; 2] = [24, 90];

/// Four sub-paths.
fn sizes() -> Sizes {
    Sizes::paths(4, 256)
}

fn fabric(keep: usize, lengths: Lengths) -> FabricConfig {
    let mut fabric = two_leaves(2, &PATHS, Impairment::default());
    fabric.downlink.queue = setup::one_leaf(2, true).downlink.queue;
    trims(fabric, keep, lengths)
}

/// 150 packets, of which those with these numbers are trimmed in front of the host that receives them.
fn run(
    what: &str,
    fabric: &FabricConfig,
    ipv6: bool,
    numbers: Vec<u64>,
    devices: &mut dyn Iterator<Item = Device>,
) -> ClosedLoop {
    let mut run = opened(fabric, &sizes(), &[Pdc { ipv6, ..pdc(0, 0, 1, 0) }], devices);
    run.fabric.downlink_mut(1).refuse(numbers);
    run.send(0, 0, PACKETS * SEGMENT);
    run.until_done(200 * RTT).expect("it is delivered");
    report(what, &run);
    let again = run.nics[0].sender.counts.again;
    println!("{what}: {:.1} us, {again} sent again", us(run.now()));
    assert_eq!(run.fabric.counts().queue.trimmed, TRIMMED, "{what}");
    assert_eq!(count(&run, "parser_trimmed"), TRIMMED, "{what}");
    // One that was trimmed once more is sent again once more.
    assert_eq!((count(&run, "packet_tracker_timeouts"), again), (0, TRIMMED), "{what}");
    // Each time that a packet is trimmed takes a round trip, and its sub-path gets less.
    assert!(us(run.now()) <= 85.0, "{what}");
    run
}

#[test]
fn trimmed_packets_are_asked_for_again() {
    for (keep, lengths, ipv6) in FORMS.into_iter().flat_map(|form| [(KEEP[0], form, false), (KEEP[1], form, true)]) {
        let what = format!("RoCEv2, {lengths:?}, {keep} bytes from UDP on, IPv{}", if ipv6 { 6 } else { 4 });
        for (name, numbers) in [("one in nine", spread().collect::<Vec<_>>()), ("in a row", burst().collect())] {
            let mut run = run(&format!("{what}, {name}"), &fabric(keep, lengths), ipv6, numbers, &mut models(&sizes()));
            settle(&mut run, &sizes(), &[(0, 0), (1, 8)]);
        }
    }
}

#[test]
fn the_verilog_asks_for_them_too() {
    let end = |devices: &mut dyn Iterator<Item = Device>| {
        let run = run("Verilog or model", &fabric(KEEP[0], Lengths::Kept), false, burst().collect(), devices);
        (run.ledger.clone(), run.nics.iter().map(|nic| nic.sent).collect::<Vec<_>>(), run.now())
    };
    let model = end(&mut models(&sizes()));
    assert_eq!(end(&mut simulations(&sizes())), model);
}
