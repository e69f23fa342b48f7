// SPDX-License-Identifier: MIT OR Apache-2.0
//! A frame is kept on its way; a stranger has others come in its place, each with one bit wrong; then it comes itself.

use super::{Kind, refused, steps};
use crate::closed_loop::setup::{Device, RTT};
use testbench::closed_loop::{ClosedLoop, Field, Forged, is_probe};
use tier::pick;

/// Clock cycles after which a frame of this size has had its effect.
pub const EFFECT: u64 = 600;
const FIELDS: [Field; 3] = [Field::Source, Field::Destination, Field::Context];

/// The frame with one bit of a field wrong, for each of some bits. Bit 15 of a P_Key only says who is a full member.
fn forgeries(frame: &[u8], field: Field, kind: Kind) -> Vec<Vec<u8>> {
    let forged = Forged::of(frame, kind.rocev2).expect("it is of the protocol");
    let last = forged.bits(field) - if kind.rocev2 && field == Field::Context { 2 } else { 1 };
    [0, last / 2, last].map(|bit| forged.clone().flipped(field, bit).finish()).to_vec()
}

/// The first frame that comes to a host, which is kept. PROBEs of UET and their answers come through.
pub fn keep(run: &mut ClosedLoop, host: usize) -> Vec<u8> {
    run.nics[host].intercepted = Some(Vec::new());
    for _ in 0..3 * RTT {
        run.step().expect("the rules hold");
        let nic = &mut run.nics[host];
        let frames = nic.intercepted.replace(Vec::new()).expect("frames are intercepted");
        let (probes, others): (Vec<_>, Vec<_>) = frames.into_iter().partition(|frame| is_probe(frame));
        probes.into_iter().for_each(|frame| nic.arrive_at_last(frame));
        if let Some(frame) = others.first().cloned() {
            nic.intercepted = Some(others);
            return frame;
        }
    }
    panic!("no frame comes to host {host}");
}

/// What has happened at a host: packets delivered, messages complete, frames sent.
pub fn state(run: &ClosedLoop, host: usize) -> (u64, bool, testbench::closed_loop::SentFrames) {
    (run.nics[host].receiver.counts.delivered, run.ledger.is_done(), run.nics[host].sent)
}

/// A message of one packet, whose packet and whose ACK a stranger has in his hands.
fn strangers_are_refused(kind: Kind, devices: impl Iterator<Item = Device>) {
    let mut run = kind.open(devices);
    for number in 0..2 {
        run.send(0, 0, 500 + number);
        for host in [1, 0] {
            let frame = keep(&mut run, host);
            for (cause, field) in FIELDS.into_iter().enumerate() {
                for forged in forgeries(&frame, field, kind) {
                    let (before, counts) = (state(&run, host), refused(&run, host));
                    assert_ne!(forged, frame);
                    run.nics[host].arrive_foreign(forged);
                    steps(&mut run, EFFECT);
                    assert_eq!(state(&run, host), before, "{kind:?}: a foreign {field:?} has an effect at host {host}");
                    let mut expected = counts;
                    expected[cause] += 1;
                    assert_eq!(refused(&run, host), expected, "{kind:?}: a foreign {field:?}");
                }
            }
            let before = state(&run, host);
            // With the P_Key of a limited member the ACK is good.
            let limited = kind.rocev2 && host == 0;
            let forged = Forged::of(&frame, kind.rocev2).expect("it is of the protocol");
            run.nics[host].arrive_at_last(if limited { forged.flipped(Field::Context, 15).finish() } else { frame });
            steps(&mut run, EFFECT);
            assert_ne!(state(&run, host), before, "{kind:?}: the frame itself has no effect at host {host}");
            run.nics[host].intercepted = None;
        }
        assert!(run.ledger.is_done());
    }
}

/// With `any_peer` the same frames have an effect, so the stranger does what he could do.
fn anyone_may_speak(kind: Kind, devices: impl Iterator<Item = Device>) {
    let mut run = kind.open(devices);
    for (field, length) in [(Field::Source, 500), (Field::Destination, 501)] {
        run.send(0, 0, length);
        for host in [1, 0] {
            let frame = keep(&mut run, host);
            let (before, forged) = (state(&run, host), forgeries(&frame, field, kind).swap_remove(1));
            run.nics[host].arrive_at_last(forged);
            steps(&mut run, EFFECT);
            assert_ne!(state(&run, host), before, "{kind:?}: {field:?} at host {host}");
            run.nics[host].intercepted = None;
        }
        assert!(run.ledger.is_done());
    }
    assert_eq!([0, 1].map(|host| refused(&run, host)), [[0; 3]; 2]);
}

/// To another UDP port: it is no frame of the protocol, whoever sends it, and has no connection (row RX3).
fn other_ports_are_not_ours(kind: Kind, devices: impl Iterator<Item = Device>) {
    let mut run = kind.open(devices);
    run.send(0, 0, 500);
    for host in [1, 0] {
        let frame = keep(&mut run, host);
        for bit in [0, 7, 15] {
            let before = state(&run, host);
            let forged = Forged::of(&frame, kind.rocev2).expect("it is of the protocol").flipped(Field::Port, bit);
            run.nics[host].arrive_foreign(forged.finish());
            steps(&mut run, EFFECT);
            assert_eq!(state(&run, host), before, "{kind:?}: a frame to another port has an effect at host {host}");
            assert_eq!(refused(&run, host), [0; 3], "{kind:?}: it has no connection");
        }
        run.nics[host].arrive_at_last(frame);
        steps(&mut run, EFFECT);
        run.nics[host].intercepted = None;
    }
    assert!(run.ledger.is_done(), "{kind:?}: the frames themselves have an effect");
}

fn kinds(any_peer: bool) -> [Kind; 4] {
    [(true, false), (true, true), (false, true), (false, false)].map(|(rocev2, ipv6)| Kind {
        rocev2,
        ipv6,
        any_peer,
        backoff_limit: None,
    })
}

#[test]
fn frames_of_a_stranger_have_no_effect() {
    kinds(false).into_iter().for_each(|kind| strangers_are_refused(kind, kind.models()));
}

#[test]
fn frames_of_anyone_have_an_effect_where_open_says_so() {
    kinds(true).into_iter().for_each(|kind| anyone_may_speak(kind, kind.models()));
}

#[test]
fn frames_to_another_port_have_no_effect() {
    kinds(true).into_iter().for_each(|kind| other_ports_are_not_ours(kind, kind.models()));
}

#[test]
fn the_verilog_does_the_same() {
    for kind in pick(kinds(false), 2) {
        other_ports_are_not_ours(kind, kind.simulations());
        strangers_are_refused(kind, kind.simulations());
    }
}
