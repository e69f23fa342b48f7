// SPDX-License-Identifier: MIT OR Apache-2.0
//! NICs that hold frames in a pool, and deliver them whole and in order on `m_delivery` (rows RX16 and RX17).

use super::no_room::{Cost, cost};
use super::rocev2::setup as rocev2;
use super::setup::{self, Device, RTT, pdc};
use testbench::closed_loop::{ClosedLoop, Ledger, NicConfig, SentFrames};
use testbench::network::{FabricConfig, Impairment};

/// Cells of 256 bytes: 128 KB, and 32 KB for a connection.
const CELLS: u64 = 512;

fn uet() -> setup::Sizes {
    setup::Sizes { cells: Some(CELLS), ..setup::Sizes::default() }
}

fn rocev2() -> rocev2::Sizes {
    rocev2::Sizes { cells: Some(CELLS), ..rocev2::Sizes::paths(2, 64) }
}

/// Messages both ways over two paths that lose and repeat packets.
fn deliver(
    name: &str,
    fabric: &FabricConfig,
    nic: &NicConfig,
    devices: impl Iterator<Item = Device>,
) -> (Ledger, Vec<SentFrames>, u64) {
    let mut run = ClosedLoop::new(fabric, nic, devices.take(2)).expect("the ports are there");
    let pdcs: Vec<_> = (0..2).flat_map(|host| (0..2).map(move |number| pdc(host, number, 1 - host, number))).collect();
    for pdc in &pdcs {
        run.open(nic, *pdc).expect("it opens");
        [100_000, 0, 50, 60_001].into_iter().for_each(|length| run.send(pdc.from, pdc.pdc, length));
    }
    run.until_done(400 * RTT).expect("it is delivered");
    setup::report(name, &run);
    let counts = run.fabric.counts();
    assert!(counts.lost > 0 && counts.duplicated > 0, "{name}: {counts:?}");
    assert!(run.nics.iter().all(|nic| nic.count("low_water") < Some(CELLS)), "{name}: nothing has been held");
    // No cell is lost.
    (0..2 * RTT).for_each(|_| run.step().expect("the rules hold"));
    assert!(run.nics.iter().all(|nic| nic.count("free_cells") == Some(CELLS)), "{name}");
    let sent = run.nics.iter().map(|nic| nic.sent).collect();
    (run.ledger.clone(), sent, run.now())
}

#[test]
fn everything_is_delivered_once_and_intact() {
    let impairment = Impairment { loss: 0.02, duplication: 0.02 };
    let (sizes, fabric) = (uet(), setup::two_leaves(2, &[300, 450], impairment));
    let nic = setup::nic(sizes);
    let model = deliver("UET", &fabric, &nic, setup::models(sizes));
    assert_eq!(deliver("UET, Verilog", &fabric, &nic, setup::simulations(sizes)), model);
    let (sizes, fabric) = (rocev2(), rocev2::two_leaves(2, &[(300, 64), (450, 64)], impairment));
    let nic = rocev2::nic(&sizes);
    let model = deliver("RoCEv2", &fabric, &nic, rocev2::models(&sizes));
    assert_eq!(deliver("RoCEv2, Verilog", &fabric, &nic, rocev2::simulations(&sizes)), model);
}

/// The host takes nothing for so long: the pool is full, and another receiver gets what it can, so many Gb/s at least.
fn stands_still(
    name: &str,
    nic: &NicConfig,
    devices: impl Iterator<Item = Device>,
    microseconds: u64,
    least: f64,
) -> Cost {
    let cost = cost(nic, microseconds, devices);
    println!("{name}, {microseconds} us: {cost:?}");
    assert!(cost.again <= 50 && cost.other > least && cost.no_buffer > 0, "{name}, {microseconds} us: {cost:?}");
    assert_eq!(cost.timeouts, 0, "{name}, {microseconds} us: {cost:?}");
    cost
}

/// The first bytes of the other one come after an RTT and a half.
#[test]
fn a_full_pool_costs_its_sender_few_packets() {
    stands_still("UET", &setup::nic(uet()), setup::models(uet()), 200, 85.0);
    stands_still("RoCEv2", &rocev2::nic(&rocev2()), rocev2::models(&rocev2()), 200, 85.0);
}

#[test]
fn a_pool_of_uet_that_is_full_for_long_does_too() {
    stands_still("UET", &setup::nic(uet()), setup::models(uet()), 10_000, 90.0);
}

#[test]
fn a_pool_of_rocev2_that_is_full_for_long_does_too() {
    stands_still("RoCEv2", &rocev2::nic(&rocev2()), rocev2::models(&rocev2()), 10_000, 90.0);
}

/// The Verilog sends and counts the same as the models in 1 ms, with an RNR NAK of 80 us.
#[test]
fn the_verilog_of_a_full_pool_does_the_same() {
    const RNR_80_US: u64 = 6;
    let (uet, rocev2) = (uet(), rocev2());
    let mut of_rocev2 = rocev2::nic(&rocev2);
    of_rocev2.open.extend([("own_rnr_code", 1), ("rnr_code", RNR_80_US)]);
    let model = stands_still("UET", &setup::nic(uet), setup::models(uet), 1000, 90.0);
    assert_eq!(stands_still("UET, Verilog", &setup::nic(uet), setup::simulations(uet), 1000, 90.0), model);
    let model = stands_still("RoCEv2", &of_rocev2, rocev2::models(&rocev2), 1000, 90.0);
    assert_eq!(stands_still("RoCEv2, Verilog", &of_rocev2, rocev2::simulations(&rocev2), 1000, 90.0), model);
}
