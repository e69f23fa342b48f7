// SPDX-License-Identifier: MIT OR Apache-2.0
//! Congestion notification packets (OpCode 0x81) for a QP that is open. The NIC tells the host which QP they are for, and slows it down
//! (row TX54), unless they are of a stranger.

use super::variants::{EFFECT, keep, state};
use super::{Kind, refused, rocev2, steps};
use crate::closed_loop::setup::{Device, RTT};
use golden_vectors::headers::icrc;
use testbench::closed_loop::{Field, Forged};
use testbench::network::{FrameBytes, Headers};

const CNP: u8 = 0x81;
/// Bytes of UDP, BTH, 16 reserved ones, and the ICRC.
const UDP_LENGTH: u16 = 8 + 12 + 16 + icrc::LEN as u16;

/// A CNP of the peer, which has sent this ACK.
fn cnp(ack: &[u8]) -> FrameBytes {
    let Headers { ip, transport, is_ipv6, .. } = Headers::of(ack).expect("it is an ACK");
    let bth = transport + 8;
    let mut frame = ack[..bth + 12].to_vec();
    frame.resize(bth + 12 + 16 + icrc::LEN, 0);
    frame[bth] = CNP;
    // There is no MPEH, and no PSN.
    frame[bth + 8..bth + 9].fill(0);
    frame[bth + 9..bth + 12].fill(0);
    let (place, length) = if is_ipv6 { (ip + 4, UDP_LENGTH) } else { (ip + 2, 20 + UDP_LENGTH) };
    frame[place..place + 2].copy_from_slice(&length.to_be_bytes());
    frame[transport + 4..transport + 6].copy_from_slice(&UDP_LENGTH.to_be_bytes());
    Forged::of(&frame, true).expect("it is of RoCEv2").finish()
}

/// Amid a message: CNPs of strangers, which change nothing, and one of the peer, with which all sub-paths get less.
fn cnps_count_if_they_are_of_the_peer(kind: Kind, devices: impl Iterator<Item = Device>) {
    let mut run = kind.open(devices);
    run.send(0, 0, 500);
    let ack = keep(&mut run, 0);
    let cnp = cnp(&ack);
    let paths = |run: &mut _| [0, 1].map(|path| rocev2::sub_path(run, 0, 0, path));
    let (before, of_paths) = (state(&run, 0), paths(&mut run));
    for (cause, field) in [Field::Source, Field::Destination, Field::Context].into_iter().enumerate() {
        let forged = Forged::of(&cnp, true).expect("it is of RoCEv2").flipped(field, 0).finish();
        let mut expected = refused(&run, 0);
        expected[cause] += 1;
        let seen = run.nics[0].receiver.counts.foreign;
        run.nics[0].arrive_foreign(forged);
        steps(&mut run, EFFECT);
        assert_eq!(refused(&run, 0), expected, "{kind:?}: {field:?}");
        assert_eq!(run.nics[0].receiver.counts.foreign, seen + 1, "{kind:?}: the host sees it");
        assert_eq!((state(&run, 0), paths(&mut run)), (before, of_paths.clone()), "{kind:?}: {field:?}");
    }
    let expected = refused(&run, 0);
    run.nics[0].arrive_foreign(cnp);
    steps(&mut run, EFFECT);
    assert_eq!((refused(&run, 0), run.nics[0].count("unknown_keys")), (expected, Some(0)), "{kind:?}: of the peer");
    let expected = of_paths.map(|mut path| {
        path.insert("weight".to_owned(), path["weight"].div_ceil(2));
        path.insert("congested".to_owned(), 1);
        path
    });
    assert_eq!((state(&run, 0), paths(&mut run)), (before, expected), "{kind:?}: of the peer");
    run.nics[0].arrive_at_last(ack);
    run.nics[0].intercepted = None;
    run.until_done(10 * RTT).expect("it is delivered");
}

fn kinds() -> [Kind; 2] {
    [true, false].map(|ipv6| Kind { rocev2: true, ipv6, any_peer: false, backoff_limit: None })
}

#[test]
fn those_of_a_stranger_change_nothing() {
    kinds().into_iter().for_each(|kind| cnps_count_if_they_are_of_the_peer(kind, kind.models()));
}

#[test]
fn the_verilog_does_the_same() {
    cnps_count_if_they_are_of_the_peer(kinds()[0], kinds()[0].simulations());
}
