// SPDX-License-Identifier: MIT OR Apache-2.0
//! RX15, M32: with `tag_is_time` the Scheduling Tag of a data packet is the time when it was sent, and that of its ACK the
//! one-way delay, which is calculated here from clock cycles alone.

use super::alone::{Alone, multipath, request};
use super::fields::narrow;
use super::{config, model};
use golden_vectors::headers::Mpeh;
use golden_vectors::headers::codec::{Record, Rocev2, Transport};
use pipeline::receive::ack_generator::{AckGeneratorConfig, AckGeneratorSettings, AckProtocol};
use pipeline::receive::rx::RxConfig;
use std::collections::BTreeMap;
use testbench::Dut;
use testbench::device::random::Random;
use tier::pick;

/// What the paths take, in units of 128 ns.
const PATHS: [u64; 8] = [3, 17, 40, 41, 250, 1000, 9000, 30_000];
const KEY: u64 = 0x77_0001;

/// A clock of 0.61 units per cycle: a clock cycle more or less shows.
pub fn timed(config: RxConfig) -> RxConfig {
    let settings = AckGeneratorSettings { tick: 40_000, ..config.ack.settings };
    RxConfig { tag_is_time: true, ack: AckGeneratorConfig { settings, ..config.ack }, ..config }
}

pub fn rocev2(record: &Record) -> Rocev2 {
    let Some(Transport::Rocev2(headers)) = record.transport else { panic!("{:?} answers", record.transport_name()) };
    headers
}

/// The tag of the only answer.
fn tag(answers: &[Record]) -> u64 {
    assert_eq!(answers.len(), 1, "{answers:?}");
    rocev2(&answers[0]).mpeh.expect("it has an MPEH").sched_tag().into()
}

/// Packets over all paths, from a sender whose clock is `skew` ahead of the receiver's, which adds `offset`.
fn delays(alone: &mut Alone, psn: &mut u64, random: &mut Random, skew: u64, offset: u64) -> BTreeMap<usize, Vec<u64>> {
    let mut seen: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
    for n in 0..64 {
        // Any phase of the clock.
        alone.run.run(alone.dut, random.below(100)).expect("nothing breaks");
        let path = n % PATHS.len();
        let frame = request(KEY, *psn, random.below(300) as usize);
        let with_mpeh = |tag: u64| {
            let mpeh = Mpeh::new().with_path_id(path as u8).with_sched_tag(tag as u16);
            frame.clone().with_mpeh(mpeh)
        };
        let end = alone.end_of(with_mpeh(0).bytes().len());
        // It leaves its sender so long before the last beat is here.
        let now = alone.time_of(end);
        let sent = now.wrapping_sub(PATHS[path]).wrapping_add(skew) & 0xFFFF;
        let got = tag(&alone.answers_to(&with_mpeh(sent)));
        assert_eq!(got, (now.wrapping_add(offset).wrapping_sub(sent) & 0xFFFF).max(1), "path {path}, PSN {psn:#x}");
        seen.entry(path).or_default().push(got);
        *psn += 1;
    }
    seen
}

/// The device tells the delays of the paths, with the clocks of both ends as they are and with the difference taken away.
pub fn tells_one_way_delays(dut: &mut dyn Dut, config: &RxConfig) {
    let (mut alone, mut random) = (Alone::new(dut, config), Random::new(5));
    let mut psn = 0xFF_FF80;
    alone.does(multipath(config, 3, KEY, psn));
    let skew = 0x8123;
    for (offset, ahead) in [(0, 0), (0, skew), (skew, skew)] {
        alone.ack_settings(&AckGeneratorSettings { offset, ..config.ack.settings });
        let seen = delays(&mut alone, &mut psn, &mut random, ahead, offset);
        assert_eq!(seen.len(), PATHS.len());
        for (path, tags) in seen {
            let wanted = (PATHS[path] + offset).wrapping_sub(ahead) & 0xFFFF;
            assert!(tags.len() == 8 && tags.iter().all(|tag| *tag == wanted), "path {path}: {tags:?}, not {wanted}");
        }
    }
    // A packet without delay has 1, as 0 stands for none. One that says when it was sent in no MPEH is named.
    let frame = request(KEY, psn, 10);
    let end = alone.end_of(frame.clone().with_mpeh(Mpeh::new()).bytes().len());
    let sent = (alone.time_of(end) + skew) as u16;
    assert_eq!(tag(&alone.answers_to(&frame.with_mpeh(Mpeh::new().with_sched_tag(sent)))), 1);
    assert_eq!(tag(&alone.answers_to(&request(KEY, psn + 1, 10))), (psn + 1) & 0xFFFF);
}

#[test]
fn an_ack_has_the_one_way_delay_of_its_packet() {
    for ram_latency in pick([2, 1, 3], 1) {
        let config = narrow(config(AckProtocol::Roce, 512, ram_latency));
        tells_one_way_delays(&mut *model(&config), &config);
    }
}

/// Without `tag_is_time` the tag of data is for the switches, and that of an ACK is the PSN of the packet that has arrived.
#[test]
fn without_times_an_ack_names_its_packet() {
    let config = RxConfig { tag_is_time: false, ..narrow(config(AckProtocol::Roce, 512, 2)) };
    let dut = &mut *model(&config);
    let mut alone = Alone::new(dut, &config);
    alone.does(multipath(&config, 3, KEY, 0));
    for (psn, sent) in [0, 1, 0x1234, 0xFFFF].into_iter().enumerate() {
        let frame = request(KEY, psn as u64, 10).with_mpeh(Mpeh::new().with_sched_tag(sent));
        assert_eq!(tag(&alone.answers_to(&frame)), psn as u64);
    }
}
