// SPDX-License-Identifier: MIT OR Apache-2.0
//! A host in Icarus with X in the bytes whose `tkeep` is 0, of frames and of packets, beside the model with bytes at random.

use super::wire::{Info, Packet, back, frame};
use super::{Host, config};
use crate::common::unknown::Twins;
use crate::transmit::tx::place::Place;
use testbench::device::random::Random;

#[test]
fn bytes_without_tkeep_do_not_matter() {
    let mut random = Random::new(6);
    let circuit = rtl_model::elaborate(&config(128, 1, 2)).expect("it has no defects");
    let mut host = Host::new(Box::new(Twins::new(&circuit, false)), 6, 0.1);
    let place = Place::random(&mut random);
    assert!(host.command(1, 0, &place.fields()).done);
    assert!(host.vp_command(1, 0, 0xC001, 1 << 15).0);
    for length in 1..20 {
        let packet = Packet::random(&mut random, 0, 3 * length);
        let info = Info { sport: 0xD002, vp: 0xC001, count: 0, ecn: false, rate: None, burst: 0 };
        host.comes(frame(&back(&place), &packet, &info));
        host.send(&packet);
    }
    while !host.is_done() {
        host.clock();
    }
    for _ in 0..200 {
        host.clock();
    }
    assert!(host.sent.len() >= 19 && host.found.len() == 19, "{} sent, {} found", host.sent.len(), host.found.len());
}
