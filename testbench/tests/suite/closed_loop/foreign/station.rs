// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packets for another MAC address, if the receiver compares it (row RX26): all else in them is right.

use super::variants::{EFFECT, keep, state};
use super::{Kind, refused, rocev2, setup, steps};
use crate::closed_loop::setup::{Device, RTT, one_leaf};
use testbench::closed_loop::{ClosedLoop, Field, Forged};
use testbench::network::FrameBytes;

/// Another station, with one bit wrong at either end, groups, all.
fn others(frame: &[u8]) -> Vec<FrameBytes> {
    let own = frame[..6].to_vec();
    let flipped = |byte: usize, bits: u8| {
        let mut mac = own.clone();
        mac[byte] ^= bits;
        mac
    };
    let macs =
        [flipped(0, 0x80), flipped(0, 1), flipped(2, 0x10), flipped(5, 1), vec![1, 0, 0x5E, 0, 0, 1], vec![0xFF; 6]];
    macs.into_iter().map(|mac| [&mac, &frame[6..]].concat()).collect()
}

fn open(kind: Kind, devices: impl Iterator<Item = Device>) -> ClosedLoop {
    let nic = kind.nic();
    let mut run = ClosedLoop::new(&one_leaf(2, false), &nic, devices.take(2)).expect("the ports are there");
    kind.pdcs().for_each(|pdc| run.open(&nic, pdc).expect("it opens"));
    run
}

fn models(kind: Kind) -> Box<dyn Iterator<Item = Device>> {
    match kind.rocev2 {
        true => Box::new(rocev2::models(&rocev2::Sizes { check_mac: true, ..Kind::rocev2_sizes() })),
        false => Box::new(setup::models(setup::Sizes { check_mac: true, ..Kind::uet_sizes() })),
    }
}

fn simulations(kind: Kind) -> Box<dyn Iterator<Item = Device>> {
    match kind.rocev2 {
        true => Box::new(rocev2::simulations(&rocev2::Sizes { check_mac: true, ..Kind::rocev2_sizes() })),
        false => Box::new(setup::simulations(setup::Sizes { check_mac: true, ..Kind::uet_sizes() })),
    }
}

/// A packet of no connection.
fn of_a_stranger(frame: &[u8], kind: Kind) -> FrameBytes {
    Forged::of(frame, kind.rocev2).expect("it is of the protocol").flipped(Field::Key, 3).finish()
}

/// A message of one packet: it and its ACK come for other addresses before they come for the right one.
fn others_are_refused(kind: Kind, devices: impl Iterator<Item = Device>) {
    let mut run = open(kind, devices);
    let count = |run: &ClosedLoop, host: usize| run.nics[host].count("refused_mac").expect("it counts");
    run.send(0, 0, 500);
    for host in [1, 0] {
        let frame = keep(&mut run, host);
        if !kind.rocev2 && host == 0 {
            // The answer to the stranger makes the sender try once more (row TX40).
            steps(&mut run, 2 * RTT);
        }
        let stranger = of_a_stranger(&frame, kind);
        for other in [others(&frame), others(&stranger)].concat() {
            let (before, counted) = (state(&run, host), count(&run, host));
            run.nics[host].arrive_foreign(other);
            steps(&mut run, EFFECT);
            assert_eq!(state(&run, host), before, "{kind:?}: it has an effect at host {host}");
            assert_eq!((count(&run, host), refused(&run, host)), (counted + 1, [0; 3]), "{kind:?}");
        }
        let before = state(&run, host);
        run.nics[host].arrive_foreign(stranger);
        steps(&mut run, EFFECT);
        // UET answers a stranger.
        assert_eq!(state(&run, host) == before, kind.rocev2 || host == 0, "{kind:?}: a stranger at host {host}");
        let before = state(&run, host);
        run.nics[host].arrive_at_last(frame);
        steps(&mut run, EFFECT);
        assert_ne!(state(&run, host), before, "{kind:?}: the frame itself has no effect at host {host}");
        run.nics[host].intercepted = None;
    }
    assert!(run.ledger.is_done());
}

fn kinds() -> [Kind; 2] {
    // Whoever else it is: the address of the device counts.
    [true, false].map(|rocev2| Kind { rocev2, ipv6: !rocev2, any_peer: rocev2, backoff_limit: None })
}

#[test]
fn packets_for_another_station_have_no_effect() {
    kinds().into_iter().for_each(|kind| others_are_refused(kind, models(kind)));
}

#[test]
fn the_verilog_does_the_same() {
    kinds().into_iter().for_each(|kind| others_are_refused(kind, simulations(kind)));
}

/// Without the check the same packets have an effect.
#[test]
fn the_shell_may_have_to_drop_them() {
    for kind in kinds() {
        let mut run = open(kind, kind.models());
        run.send(0, 0, 500);
        for host in [1, 0] {
            let frame = keep(&mut run, host);
            let before = state(&run, host);
            run.nics[host].arrive_at_last(others(&frame).swap_remove(0));
            steps(&mut run, EFFECT);
            assert_ne!(state(&run, host), before, "{kind:?}: host {host}");
            run.nics[host].intercepted = None;
        }
        assert!(run.ledger.is_done() && run.nics[0].count("refused_mac").is_none(), "{kind:?}");
    }
}
