// SPDX-License-Identifier: MIT OR Apache-2.0
//! Two hosts and a network that delays and marks. Every frame is held against its packet byte for byte, and every packet
//! must be reported once: what one host sends on a VP is what the other says of it in sum (E05, E11).

use super::wire::{Info, Packet, back, frame, mark, read};
use super::{Host, REPORT_DSCP, REPORT_TIME, config, model, rtl};
use crate::transmit::tx::place::Place;
use std::collections::{BTreeMap, VecDeque};
use testbench::Dut;
use testbench::device::random::Random;
use tier::pick;

/// Pairs that the hosts have in common. Number `p` of the one is `PAIRS - 1 - p` of the other.
const PAIRS: u64 = 8;
/// The bandwidth of each VP, in packets per unit with 16 fraction bits.
const BANDWIDTH: u64 = 1 << 15;
/// The VP whose packets are marked at the beginning: number 1 of each pair.
const MARKED: u64 = 1;

/// One host, its end of the network, and what it has been told.
struct End {
    host: Host,
    /// Where each pair sends to, and its VPs.
    places: Vec<Place>,
    vps: Vec<Vec<u64>>,
    /// Packets that have been given and not seen.
    waits: VecDeque<Packet>,
    seen: usize,
    /// Frames on their way to this host, with the clock cycle of their arrival.
    comes: Vec<(u64, u64, Vec<u8>)>,
    /// Packets sent on each VP of a pair that count, and marks they got.
    sent: BTreeMap<(u64, u64), u64>,
    marks: BTreeMap<(u64, u64), u64>,
    /// What was said to this host of what it sent: packets, reports with E, rates of bursts.
    told: BTreeMap<(u64, u64), u64>,
    told_marks: BTreeMap<(u64, u64), u64>,
    rates: u64,
    bursts: u64,
    own_reports: u64,
    frames: u64,
}

impl End {
    fn new(dut: Box<dyn Dut>, seed: u64, places: Vec<Place>, vps: Vec<Vec<u64>>) -> Self {
        let mut host = Host::new(dut, seed, 0.1);
        for (pair, place) in (0..).zip(&places) {
            assert!(host.command(1, pair, &place.fields()).done, "pair {pair} can be opened");
            for sport in &vps[pair as usize] {
                assert!(host.vp_command(1, pair, *sport, BANDWIDTH).0, "VP {sport} can be added");
            }
        }
        End {
            host,
            places,
            vps,
            waits: VecDeque::new(),
            seen: 0,
            comes: Vec::new(),
            sent: BTreeMap::new(),
            marks: BTreeMap::new(),
            told: BTreeMap::new(),
            told_marks: BTreeMap::new(),
            rates: 0,
            bursts: 0,
            own_reports: 0,
            frames: 0,
        }
    }

    fn send(&mut self, packet: Packet) {
        self.host.send(&packet);
        self.waits.push_back(packet);
    }

    /// The pair of a frame, what it says, and whether it is a report of its own; all its bytes are as they must be.
    fn check(&mut self, bytes: &[u8]) -> (u64, Info) {
        let is_to = |place: &Place| bytes.starts_with(&place.macs[0].to_be_bytes()[2..]);
        let pair = self.places.iter().position(is_to).expect("it goes to a host") as u64;
        let place = self.places[pair as usize];
        let (info, dscp, _) = read(&place, bytes);
        let packet = if dscp == REPORT_DSCP {
            self.own_reports += 1;
            Packet { pair, dscp, bytes: Vec::new() }
        } else {
            self.waits.pop_front().expect("a packet was given")
        };
        assert_eq!(packet.pair, pair);
        assert_eq!(bytes, frame(&place, &packet, &info), "the frame of {packet:?}");
        assert!(self.vps[pair as usize].contains(&info.sport), "{info:?}: a VP of the pair");
        if !packet.bytes.is_empty() || info.burst != 0 {
            *self.sent.entry((pair, info.sport)).or_default() += 1;
        }
        self.bursts += u64::from(info.burst != 0);
        self.frames += 1;
        (pair, info)
    }

    /// What a frame from the other host says of what this one sent.
    fn hears(&mut self, pair: u64, info: &Info) {
        if info.vp != 0 {
            *self.told.entry((pair, info.vp)).or_default() += info.count;
            *self.told_marks.entry((pair, info.vp)).or_default() += u64::from(info.ecn);
            self.rates += u64::from(info.rate.is_some());
        } else {
            assert_eq!((info.count, info.ecn, info.rate), (0, false, None), "no VP is known");
        }
    }
}

/// Frames from one host to the other.
fn carry(from: &mut End, to: &mut End, random: &mut Random, marks: bool) {
    while let Some((cycle, sent)) = from.host.sent.get(from.seen).cloned() {
        from.seen += 1;
        assert_eq!(sent.user, 0, "no frame is bad");
        let (pair, info) = from.check(&sent.bytes);
        let mut bytes = sent.bytes;
        if marks && info.sport % 4 == MARKED {
            mark(&from.places[pair as usize], &mut bytes);
            *from.marks.entry((pair, info.sport)).or_default() += 1;
        }
        to.hears(PAIRS - 1 - pair, &info);
        to.comes.push((cycle + 20 + random.below(200), pair, bytes));
    }
}

/// What has come is given to a host, in the order of arrival.
fn arrive(end: &mut End, expected: &mut Vec<(u64, Vec<u8>)>) {
    let now = end.host.cycle();
    while let Some(at) = end.comes.iter().position(|(cycle, ..)| *cycle <= now) {
        let (_, pair, bytes) = end.comes.remove(at);
        expected.push((PAIRS - 1 - pair, bytes.clone()));
        end.host.comes(bytes);
    }
}

/// Two hosts: `packets` from the first, a sixth of them from the second.
fn reports_are_whole(duts: [Box<dyn Dut>; 2], seed: u64, packets: usize) {
    let mut random = Random::new(seed);
    let places: Vec<_> = (0..PAIRS).map(|_| Place::random(&mut random)).collect();
    let mut ports = |pair: u64| -> Vec<u64> {
        let count = 2 + pair % 3;
        (0..count).map(|number| (random.below(1 << 13) + 1) << 2 | number).collect()
    };
    let vps: Vec<_> = (0..PAIRS).map(&mut ports).collect();
    let vps_back: Vec<_> = (0..PAIRS).map(&mut ports).collect();
    let [first, second] = duts;
    let others: Vec<_> = places.iter().rev().map(back).collect();
    let mut a = End::new(first, seed + 1, places, vps);
    let mut b = End::new(second, seed + 2, others, vps_back);
    let (mut at_a, mut at_b) = (Vec::new(), Vec::new());

    let mut left = packets;
    let mut quiet = 0;
    while quiet < 4 * REPORT_TIME {
        if left > 0 && random.chance(0.05) {
            left -= 1;
            let (pair, length) = (random.below(PAIRS), random.below(300) as usize);
            let length = if random.chance(0.02) { 0 } else { length + 1 };
            a.send(Packet::random(&mut random, pair, length));
            if left.is_multiple_of(6) {
                // The second host sends to half of the pairs; for the others its reports go alone.
                let pair = random.below(PAIRS / 2);
                b.send(Packet::random(&mut random, pair, 40));
            }
        }
        a.host.clock();
        b.host.clock();
        let before = (a.seen, b.seen);
        let marks = left > packets / 2;
        carry(&mut a, &mut b, &mut random, marks);
        carry(&mut b, &mut a, &mut random, marks);
        arrive(&mut a, &mut at_a);
        arrive(&mut b, &mut at_b);
        quiet = if left == 0 && before == (a.seen, b.seen) { quiet + 1 } else { 0 };
    }

    for (end, expected) in [(&a, &at_a), (&b, &at_b)] {
        assert!(end.waits.is_empty() && end.comes.is_empty(), "all has been sent and has come");
        // Frames are passed on as they came, each with its pair.
        let passed: Vec<_> = end.host.received.iter().map(|frame| &frame.bytes).collect();
        assert_eq!(passed, expected.iter().map(|(_, bytes)| bytes).collect::<Vec<_>>());
        assert_eq!(end.host.found, expected.iter().map(|(pair, _)| (true, *pair)).collect::<Vec<_>>());
        // All packets have been reported, once.
        let told: BTreeMap<_, _> = end.told.iter().filter(|(_, count)| **count > 0).map(|(vp, n)| (*vp, *n)).collect();
        assert_eq!(end.sent, told);
        for (vp, marks) in &end.told_marks {
            let were = end.marks.get(vp).copied().unwrap_or(0);
            assert!(*marks <= were && (were == 0) == (*marks == 0), "{vp:?}: {marks} reports with E of {were} marks");
        }
        assert_eq!(end.host.output("elab_scheduler_absent_reports"), 0);
        assert_eq!(end.host.output("own_reports"), end.own_reports);
        assert_eq!(end.host.output("unsent"), 0);
        assert_eq!(end.host.output("unknown_pairs"), 0);
        assert_eq!(end.host.output("header_builder_frames"), end.frames);
    }
    assert!(a.frames as usize >= packets && a.sent.len() as u64 >= 2 * PAIRS, "{} frames, {:?}", a.frames, a.sent);
    assert!(b.own_reports > PAIRS, "{} reports alone", b.own_reports);
    assert!(a.marks.values().sum::<u64>() > 20 && a.told_marks.values().sum::<u64>() > 4, "{:?}", a.told_marks);
    assert!(a.bursts > 0 && a.rates > 0, "{} packets of bursts, {} rates", a.bursts, a.rates);
    // The sender heeds what it is told: a VP with marks has another bandwidth.
    let mut changed = 0;
    for ((pair, sport), marks) in a.marks.clone() {
        let (done, bandwidth) = a.host.vp_command(0, pair, sport, 0);
        assert!(done && marks > 0);
        changed += u64::from(bandwidth != BANDWIDTH);
    }
    assert!(changed >= PAIRS / 2, "{changed} of {PAIRS}");
}

#[test]
fn every_packet_is_reported_once() {
    for (seed, (width, latency)) in pick([(64, 1), (256, 2), (512, 3)].into_iter().enumerate(), 1) {
        let config = config(width, latency, PAIRS);
        reports_are_whole([model(&config), model(&config)], 100 + seed as u64, 3000);
    }
}

#[test]
fn the_verilog_does_the_same() {
    let config = config(128, 2, PAIRS);
    reports_are_whole([Box::new(rtl(&config, 50_000)), model(&config)], 200, 2000);
}
