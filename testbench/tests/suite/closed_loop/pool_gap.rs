// SPDX-License-Identifier: MIT OR Apache-2.0
//! A pool whose cells are used by frames that wait behind a gap, while the host takes all that it is offered (row RX27): packets without a
//! place are lost, and their sender does not wait for the host.

use super::rocev2::setup as rocev2;
use super::setup::{self, Device, RTT, SEGMENT, count, one_leaf, pdc, us};
use super::transport::Transport::{self, Rocev2, Uet};
use testbench::closed_loop::{ClosedLoop, NicConfig};
use testbench::network::FabricConfig;

const PACKETS: u32 = 150;
/// Cells of 256 bytes of a pool, of which a connection may have a quarter: more than is ever held, and seven packets.
const LARGE: u64 = 16_384;
const SMALL: u64 = 512;

/// The devices of a transport with such a pool.
fn devices(transport: Transport, cells: u64, verilog: bool) -> (NicConfig, Box<dyn Iterator<Item = Device>>) {
    let (uet, rocev2) = transport.with_pool(cells);
    match (transport, verilog) {
        (Uet, false) => (setup::nic(uet), Box::new(setup::models(uet))),
        (Uet, true) => (setup::nic(uet), Box::new(setup::simulations(uet))),
        (Rocev2, false) => (rocev2::nic(&rocev2), Box::new(rocev2::models(&rocev2))),
        (Rocev2, true) => (rocev2::nic(&rocev2), Box::new(rocev2::simulations(&rocev2))),
    }
}

/// One message, of which these packets are lost.
fn lost(
    fabric: &FabricConfig,
    (nic, devices): (NicConfig, Box<dyn Iterator<Item = Device>>),
    losses: &[u64],
) -> ClosedLoop {
    let mut run = ClosedLoop::new(fabric, &nic, devices.take(2)).expect("the ports are there");
    run.open(&nic, pdc(0, 0, 1, 0)).expect("it opens");
    run.fabric.downlink_mut(1).lose(losses);
    run.send(0, 0, PACKETS * SEGMENT);
    run.until_done(100 * RTT).expect("it is delivered");
    assert_eq!(run.fabric.counts().lost, losses.len() as u64);
    run
}

/// Clock cycles of a packet on the wire.
const PACKET: u64 = 67;

/// The time is that without a limit, and that of an RTT and of what is lost in the pool once more: it is asked for when the gap is closed.
#[test]
fn a_gap_in_front_of_a_full_quota_is_no_host_without_room() {
    for transport in [Uet, Rocev2] {
        for losses in [&[20][..], &[20, 21, 60], &[140], &[0]] {
            let took = |cells: u64| {
                let run = lost(&one_leaf(2, false), devices(transport, cells, false), losses);
                let told = ["packet_tracker_backoffs", "packet_tracker_timeouts"].map(|name| count(&run, name));
                assert_eq!(told, [0; 2], "{transport:?}, {losses:?} lost, {cells} cells");
                (run.now(), count(&run, "pool_losses"), run.nics[0].sender.counts.again)
            };
            let ((free, none, _), (limited, dropped, again)) = (took(LARGE), took(SMALL));
            println!(
                "{transport:?}, {losses:?} lost: {:.1} us; with a quota {:.1} us, {dropped} lost in the pool, {again} sent again",
                us(free),
                us(limited)
            );
            assert!(none == 0 && dropped > 0, "{transport:?}, {losses:?} lost: {none}, {dropped}");
            assert!(limited < free + dropped * PACKET + RTT + RTT / 4, "{transport:?}, {losses:?}: {free}, {limited}");
            assert!(again <= dropped + losses.len() as u64 + SPARE, "{transport:?}, {losses:?}: {again}, {dropped}");
        }
    }
}

/// Packets that are sent again though they wait in the pool or are under way.
const SPARE: u64 = 20;

#[test]
fn the_verilog_loses_the_same_packets() {
    for transport in [Uet, Rocev2] {
        let run = |verilog| {
            let run = lost(&one_leaf(2, false), devices(transport, SMALL, verilog), &[20, 21, 60]);
            let sent: Vec<_> = run.nics.iter().map(|nic| nic.sent).collect();
            (run.ledger.clone(), sent, run.now(), count(&run, "pool_losses"))
        };
        assert_eq!(run(true), run(false), "{transport:?}");
    }
}
