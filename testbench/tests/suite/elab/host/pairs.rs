// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pairs that are opened and closed (rows EH2 to EH4), and packets that have no way (row EH7).

use super::bench::Response;
use super::wire::{Info, Packet, back, frame, read};
use super::{Host, config, model};
use crate::transmit::tx::place::Place;
use testbench::device::random::Random;

const PAIRS: u64 = 5;
const SPORT: u64 = 0xC001;
const OPEN: Response = Response { done: true, refused: false, open: true };
const CLOSED: Response = Response { done: true, refused: false, open: false };
const NOT_DONE: Response = Response { done: false, refused: false, open: false };

fn host(seed: u64) -> (Host, Vec<Place>, Random) {
    let mut random = Random::new(seed);
    let places = (0..PAIRS).map(|_| Place::random(&mut random)).collect();
    (Host::new(model(&config(64, 2, PAIRS)), seed, 0.1), places, random)
}

fn runs(host: &mut Host, clocks: u64) {
    for _ in 0..clocks {
        host.clock();
    }
}

/// A frame of the other host.
fn comes(host: &mut Host, place: &Place, random: &mut Random) {
    let info = Info { sport: 0xD002, vp: 0, count: 0, ecn: false, rate: None, burst: 0 };
    host.comes(frame(&back(place), &Packet::random(random, 0, 60), &info));
}

#[test]
fn a_pair_is_found_while_it_is_open() {
    let (mut host, places, mut random) = host(1);
    assert_eq!(host.command(0, 1, &[]), CLOSED, "read");
    assert_eq!(host.command(2, 1, &[]), NOT_DONE, "it is closed");
    assert_eq!(host.command(1, 1, &places[1].fields()), OPEN);
    assert_eq!(host.command(0, 1, &[]), OPEN, "read");
    assert_eq!(host.command(1, 1, &places[0].fields()), Response { done: false, ..OPEN }, "it is open");
    let refused = host.command(1, 2, &places[1].fields());
    assert_eq!(refused, Response { refused: true, ..NOT_DONE }, "another pair has these addresses");
    assert_eq!(host.command(0, 2, &[]), CLOSED);
    for pair in [PAIRS, 7] {
        for op in 0..4 {
            assert_eq!(host.command(op, pair, &places[2].fields()), NOT_DONE, "there is no pair {pair}");
        }
    }
    assert!(host.vp_command(1, 1, SPORT, 1 << 15).0);
    comes(&mut host, &places[1], &mut random);
    comes(&mut host, &places[2], &mut random);
    runs(&mut host, 500);
    assert_eq!(host.found, [(true, 1), (false, 0)]);
    assert_eq!(host.output("unknown_pairs"), 1);

    // Frames on their way do not keep a pair from being closed, nor do they leave anything behind.
    (0..20).for_each(|_| comes(&mut host, &places[1], &mut random));
    runs(&mut host, 60);
    assert_eq!(host.command(2, 1, &[]), CLOSED);
    assert_eq!(host.command(2, 1, &[]), NOT_DONE, "it is closed");
    runs(&mut host, 1000);
    let found = host.found.iter().filter(|(found, _)| *found).count();
    assert!((2..21).contains(&found), "{found} of 20 frames came before it was closed");
    assert_eq!(host.command(1, 1, &places[1].fields()), OPEN);
    let sent = host.sent.len();
    host.send(&Packet::random(&mut random, 1, 30));
    runs(&mut host, 500);
    assert_eq!(host.sent.len(), sent + 1);
    let (info, ..) = read(&places[1], &host.sent[sent].1.bytes);
    assert_eq!((info.vp, info.count), (0, 0), "nothing is known of what came before");
}

#[test]
fn bytes_of_a_packet_that_is_not_sent_are_dropped() {
    let (mut host, places, mut random) = host(2);
    // Pairs 0 and 1 are open with a VP, 2 has none, 3 has one and is not open.
    for pair in 0..3 {
        assert!(host.command(1, pair, &places[pair as usize].fields()).done);
    }
    for pair in [0, 1, 3] {
        assert!(host.vp_command(1, pair, SPORT, 1 << 15).0);
    }
    let packets: Vec<_> = (0..400)
        .map(|_| {
            let (pair, length) = (random.below(4), random.below(200) as usize);
            Packet::random(&mut random, pair, length)
        })
        .collect();
    packets.iter().for_each(|packet| host.send(packet));
    while !host.is_done() {
        host.clock();
    }
    runs(&mut host, 200);
    let good: Vec<_> = packets.iter().filter(|packet| packet.pair < 2).collect();
    assert_eq!(host.sent.len(), good.len());
    for (packet, (_, sent)) in good.iter().zip(&host.sent) {
        let place = &places[packet.pair as usize];
        let (info, ..) = read(place, &sent.bytes);
        assert_eq!(sent.bytes, frame(place, packet, &info));
    }
    let unsent = (packets.len() - good.len()) as u64;
    assert!(unsent > 100 && good.len() > 100);
    assert_eq!(host.output("unsent"), unsent);
}

#[test]
fn no_pair_is_open_after_reset() {
    let (mut host, places, mut random) = host(3);
    assert_eq!(host.command(1, 4, &places[4].fields()), OPEN);
    host.reset();
    assert_eq!(host.command(0, 4, &[]), CLOSED);
    assert!(host.vp_command(1, 4, SPORT, 1 << 15).0);
    host.send(&Packet::random(&mut random, 4, 30));
    runs(&mut host, 500);
    assert_eq!((host.sent.len(), host.output("unsent")), (0, 1));
    assert_eq!(host.command(1, 4, &places[4].fields()), OPEN);
    host.send(&Packet::random(&mut random, 4, 30));
    runs(&mut host, 500);
    assert_eq!(host.sent.len(), 1);
}
