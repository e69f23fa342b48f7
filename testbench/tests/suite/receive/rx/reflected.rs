// SPDX-License-Identifier: MIT OR Apache-2.0
//! RX14: the device is no reflector. Packets of no connection are answered so often and no more, and never to groups.

use super::alone::{Alone, Uet};
use super::{Dut, config, model, rtl};
use golden_vectors::headers::codec::encode;
use golden_vectors::headers::codec::encode::Network;
use pipeline::receive::ack_generator::AckProtocol;
use pipeline::receive::rx::RxConfig;
use testbench::streams::Frame;

const INTERVAL: u64 = 2000;

/// A packet of no connection.
fn stranger(psn: u64) -> encode::Frame {
    Uet::request(0x7777, psn).frame()
}

/// Many packets one after the other: the clock cycles of the answers are the time apart, and what is not answered is counted.
fn answers_are_rare(dut: &mut dyn Dut, config: &RxConfig) {
    let mut alone = Alone::new(dut, config);
    let send = |alone: &mut Alone, count: u64| {
        let frames: Vec<_> = (0..count).map(|psn| Frame { bytes: stranger(psn).bytes(), user: 0 }).collect();
        let before = (alone.run.answers().expect("they are lawful").len(), alone.count("lost_answers"));
        for frame in frames {
            alone.run.send(&[frame]).expect("it has bytes");
            alone.run.run(alone.dut, 50).expect("nothing breaks");
        }
        alone.rest();
        let cycles: Vec<_> =
            alone.run.answers().expect("they are lawful")[before.0..].iter().map(|(cycle, _)| *cycle).collect();
        assert_eq!(cycles.len() as u64 + alone.count("lost_answers") - before.1, count);
        cycles
    };
    let cycles = send(&mut alone, 200);
    // 200 packets in 10,000 clock cycles.
    assert_eq!(cycles.len(), 5, "{cycles:?}");
    assert!(cycles.windows(2).all(|pair| pair[1] - pair[0] >= INTERVAL), "{cycles:?}");
    // Another setting holds at once.
    alone.run.settings(alone.dut, "answer", &[("interval", 99)]).expect("the ports are there");
    let cycles = send(&mut alone, 200);
    assert!((95..=100).contains(&cycles.len()), "{cycles:?}");
    alone.run.settings(alone.dut, "answer", &[("interval", 0)]).expect("the ports are there");
    assert_eq!(send(&mut alone, 200).len(), 200);
}

/// No answer to an address of a group, nor to what was sent to one; others are answered.
fn groups_are_not_answered(dut: &mut dyn Dut, config: &RxConfig) {
    let mut alone = Alone::new(dut, config);
    let v4 = |source: u32, destination: u32| {
        stranger(1).with_v4(|ip| {
            ip.set_source(source);
            ip.set_destination(destination);
        })
    };
    let v6 = |source: u128, destination: u128| {
        let Network::V6(mut header, _) = encode::Frame::v6().network else { panic!("it is IPv6") };
        header.set_source(source);
        header.set_destination(destination);
        stranger(1).with(|frame| frame.network = Network::V6(header, Vec::new()))
    };
    let macs = |source: u64, destination: u64| {
        v4(0x0A00_0001, 0x0A00_0002).with(|frame| {
            frame.addresses.set_source(source);
            frame.addresses.set_destination(destination);
        })
    };
    let (host, other) = (0x0A00_0001, 0xDFFF_FFFF);
    let (host_v6, group_v6) = (0xFE80 << 112 | 1, 0xFF02 << 112 | 1);
    let (mac, group, broadcast) = (0x0211_2233_4455, 0x0100_5E00_0001, 0xFFFF_FFFF_FFFF);
    let cases = [
        (v4(host, other), true),
        (v4(other, host), true),
        (v4(0xE000_0001, host), false),
        (v4(0xFFFF_FFFF, host), false),
        (v4(0xF000_0000, host), false),
        (v4(host, 0xEF01_0203), false),
        (v6(host_v6, host_v6), true),
        (v6(group_v6, host_v6), false),
        (v6(host_v6, group_v6), false),
        // The first bits are those of a group of IPv4.
        (v6(0xE000 << 112, host_v6), true),
        (macs(mac, mac + 1), true),
        (macs(group, mac), false),
        (macs(broadcast, mac), false),
        (macs(mac, broadcast), false),
    ];
    for (frame, answered) in cases {
        let before = alone.count("lost_answers");
        let answers = alone.answers_to(&frame);
        assert_eq!((answers.len() == 1, alone.count("lost_answers") == before), (answered, answered), "{frame:?}");
    }
}

fn limited() -> RxConfig {
    RxConfig { answer_interval: INTERVAL, ..config(AckProtocol::Uet, 512, 2) }
}

#[test]
fn packets_of_no_connection_are_answered_so_often() {
    let config = limited();
    answers_are_rare(&mut *model(&config), &config);
}

#[test]
fn groups_get_no_answer() {
    let config = config(AckProtocol::Uet, 512, 2);
    groups_are_not_answered(&mut *model(&config), &config);
}

#[test]
fn the_verilog_does_the_same() {
    let config = limited();
    answers_are_rare(&mut rtl(&config, 50_000), &config);
    let config = super::config(AckProtocol::Uet, 512, 2);
    groups_are_not_answered(&mut rtl(&config, 50_000), &config);
}
