// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reports that go alone (rows EH8, EH9): after the stated time, once, and without answers to answers.

use super::wire::{Info, Packet, frame, read};
use super::{Host, REPORT_DSCP, REPORT_TIME, config, model};
use crate::transmit::tx::place::Place;
use testbench::device::random::Random;

const PAIRS: u64 = 5;
const SPORT: u64 = 0xC001;

/// A host with open pairs, and frames from the other end of each.
fn hosts(seed: u64) -> (Host, Vec<Place>, Random) {
    let mut random = Random::new(seed);
    let mut host = Host::new(model(&config(128, 2, PAIRS)), seed, 0.0);
    let places: Vec<_> = (0..PAIRS).map(|_| Place::random(&mut random)).collect();
    for (pair, place) in (0..).zip(&places) {
        assert!(host.command(1, pair, &place.fields()).done);
        assert!(host.vp_command(1, pair, SPORT, 1 << 15).0);
    }
    (host, places, random)
}

/// A frame from the other host of a pair.
fn from_other(place: &Place, packet: &Packet, info: &Info) -> Vec<u8> {
    frame(&super::wire::back(place), packet, info)
}

const SILENT: Info = Info { sport: 0xD002, vp: 0, count: 0, ecn: false, rate: None, burst: 0 };

#[test]
fn a_report_goes_alone_after_its_time() {
    let (mut host, places, mut random) = hosts(1);
    for pair in 0..PAIRS {
        let place = &places[pair as usize];
        for _ in 0..3 {
            host.comes(from_other(place, &Packet::random(&mut random, pair, 50), &SILENT));
        }
        while !host.is_done() {
            host.clock();
        }
        let (begin, before) = (host.cycle(), host.sent.len());
        for _ in 0..10 * REPORT_TIME {
            host.clock();
        }
        let (cycle, sent) = &host.sent[before];
        assert_eq!(host.sent.len(), before + 1, "one report, as one VP is known");
        let after = cycle - begin;
        assert!((REPORT_TIME..REPORT_TIME + PAIRS + 100).contains(&after), "after {after} clock cycles");
        let (info, dscp, bytes) = read(place, &sent.bytes);
        assert_eq!((dscp, bytes.len()), (REPORT_DSCP, 0));
        let expected = Info { sport: SPORT, vp: SILENT.sport, count: 3, ..SILENT };
        assert_eq!(info, expected);
        assert_eq!(sent.bytes, frame(place, &Packet { pair, dscp, bytes }, &info));
    }
    assert_eq!(host.output("own_reports"), PAIRS);
}

#[test]
fn a_report_alone_is_not_reported() {
    let (mut host, places, _) = hosts(2);
    let report = Packet { pair: 0, dscp: REPORT_DSCP, bytes: Vec::new() };
    host.comes(from_other(&places[0], &report, &Info { vp: SPORT, count: 5, ..SILENT }));
    for _ in 0..5 * REPORT_TIME {
        host.clock();
    }
    assert_eq!((host.found.as_slice(), host.sent.len()), ([(true, 0)].as_slice(), 0));
    // One of a burst counts, as the rate of the burst depends on it.
    host.comes(from_other(&places[0], &report, &Info { vp: SPORT, count: 5, burst: 1, ..SILENT }));
    for _ in 0..5 * REPORT_TIME {
        host.clock();
    }
    assert_eq!(host.sent.len(), 1);
}

#[test]
fn a_packet_takes_the_report_with_it() {
    let (mut host, places, mut random) = hosts(3);
    for _ in 0..4 {
        host.comes(from_other(&places[2], &Packet::random(&mut random, 2, 50), &SILENT));
    }
    for _ in 0..REPORT_TIME / 2 {
        host.clock();
    }
    host.send(&Packet::random(&mut random, 2, 70));
    for _ in 0..5 * REPORT_TIME {
        host.clock();
    }
    assert_eq!((host.sent.len(), host.output("own_reports")), (1, 0));
    let (info, ..) = read(&places[2], &host.sent[0].1.bytes);
    assert_eq!((info.vp, info.count), (SILENT.sport, 4));
}
