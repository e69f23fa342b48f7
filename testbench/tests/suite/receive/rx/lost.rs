// SPDX-License-Identifier: MIT OR Apache-2.0
//! RX14: the headers of the last 64 packets of no connection are kept for their NACKs. While answers are taken no NACK is
//! lost; if they wait until more packets have come, those of the oldest are, and are counted.

use super::alone::{Alone, Uet, ev_of, lawful, multipath};
use super::probes::uet;
use super::receiver::TRIMMED;
use super::{QUIET, config, model};
use golden_vectors::headers::codec::{Delivery, Network, Record};
use pipeline::receive::ack_generator::{AckGeneratorConfig, AckProtocol};
use pipeline::receive::reorder::ReorderConfig;
use pipeline::receive::rx::RxConfig;
use testbench::Dut;
use testbench::benches::rx_bench::{Command, RxBench};
use testbench::streams::Frame;
use tier::pick;

/// Headers that are kept.
const KEPT: usize = 64;
const INV_DPDCID: u8 = 0x0E;
const NO_PDC_AVAIL: u8 = 0x04;

/// Replies that can wait: more than headers are kept.
pub fn patient(config: RxConfig) -> RxConfig {
    RxConfig { ack: AckGeneratorConfig { replies: 256, ..config.ack }, ..config }
}

/// Packet `n` of no connection, which nothing but `n` says: its sender has addresses of its own.
fn stranger(n: usize) -> (Uet, Frame) {
    let sent = Uet { spdcid: 0x3000 + n as u16, ..Uet::request(0x7777, 5000 + n as u64) };
    let frame = sent.frame().with_v4(|ip| ip.set_source(0x0B00_0000 + n as u32));
    let frame = frame.with(|frame| frame.addresses.set_source(0x0202_0000_0000 + n as u64));
    (sent, Frame { bytes: frame.bytes(), user: 0 })
}

/// The packet that a NACK answers; it goes back to the sender of this packet.
fn answered(record: &Record) -> usize {
    let Delivery::Nack(nack, None) = uet(record) else { panic!("{record:?}") };
    let n = (nack.nack_psn() - 5000) as usize;
    let (sent, _) = stranger(n);
    assert_eq!((nack.nack_code(), nack.spdcid(), nack.dpdcid()), (INV_DPDCID, 0, sent.spdcid), "packet {n}");
    assert_eq!(ev_of(record), sent.ev, "packet {n}");
    let Some(Network::V4(ip)) = record.network else { panic!("{record:?}") };
    assert_eq!(ip.destination(), 0x0B00_0000 + n as u32, "packet {n}");
    let link = record.link.as_ref().expect("it has an Ethernet header");
    assert_eq!(link.addresses.destination(), 0x0202_0000_0000 + n as u64, "packet {n}");
    n
}

/// So many packets of no connection, with answers that are taken at once or when all have come: which are answered, and how
/// many answers are lost.
fn strangers(dut: &mut dyn Dut, count: usize, wait: bool) -> (Vec<usize>, u64) {
    // Packets are as far apart as answers, or wait for none.
    let pause = |stream: &str| match stream {
        "m_answer" if wait => 1.0,
        "s_axis" if !wait => 0.95,
        _ => 0.0,
    };
    let mut run = RxBench::new(dut, 4, pause).expect("the streams are there");
    let frames: Vec<_> = (0..count).map(|n| stranger(n).1).collect();
    run.send(&frames).expect("they have bytes");
    run.until_idle(dut, QUIET).expect("it ends");
    run.pause("m_answer", 0.0).expect("it is there");
    run.until_idle(dut, QUIET).expect("it ends");
    let counters = ["unknown_connections", "dropped_replies"].map(|name| run.count(name));
    assert_eq!(counters, [Some(count as u64), Some(0)]);
    let answers = run.answers().expect("they are lawful");
    (answers.iter().map(|(_, frame)| answered(&lawful(frame))).collect(), run.count("lost_answers").expect("a counter"))
}

pub fn answers_are_lost_that_wait_for_too_long(dut: &mut dyn Dut) {
    // Taken at once, and in the order of arrival: none.
    assert_eq!(strangers(dut, 200, false), ((0..200).collect(), 0));
    // As many as are kept: none.
    assert_eq!(strangers(dut, KEPT, true), ((0..KEPT).collect(), 0));
    for count in [KEPT + 20, 100, 3 * KEPT, 250] {
        // The first ones were on their way when the answers began to wait; and the last ones are kept.
        let (seen, lost) = strangers(dut, count, true);
        let first = seen.iter().zip(0..).take_while(|(seen, n)| **seen == *n).count();
        assert!((1..=12).contains(&first), "{count}: {seen:?}");
        let wanted: Vec<_> = (0..first).chain(count - KEPT..count).collect();
        assert_eq!((seen, lost), (wanted, (count - KEPT - first) as u64), "of {count} packets");
        assert!(lost > 0);
    }
}

/// NACKs go to the senders of their packets however few bits the number of a frame has, and frames that are not answered use up
/// no place.
pub fn places_are_those_of_strangers(dut: &mut dyn Dut) {
    // Fewer answers wait than headers are kept, with as many other frames between them.
    let mut run =
        RxBench::new(dut, 4, |stream| if stream == "m_answer" { 1.0 } else { 0.0 }).expect("the streams are there");
    let other =
        Frame { bytes: golden_vectors::headers::codec::encode::Frame::v4().with_port(9, vec![1; 40]).bytes(), user: 0 };
    let frames: Vec<_> = (0..KEPT).flat_map(|n| [stranger(n).1, other.clone(), other.clone()]).collect();
    run.send(&frames).expect("they have bytes");
    run.until_idle(dut, QUIET).expect("it ends");
    run.pause("m_answer", 0.0).expect("it is there");
    run.until_idle(dut, QUIET).expect("it ends");
    let answers = run.answers().expect("they are lawful");
    let seen: Vec<_> = answers.iter().map(|(_, frame)| answered(&lawful(frame))).collect();
    assert_eq!((seen, run.count("lost_answers")), ((0..KEPT).collect(), Some(0)));
}

/// A packet with *syn* has no key: NACK 0x04, NO_PDC_AVAIL, also if its identifier would be that of a connection.
pub fn contexts_are_not_set_up(dut: &mut dyn Dut, config: &RxConfig) {
    const SYN: u32 = 0x04;
    let mut alone = Alone::new(dut, config);
    alone.does(multipath(config, 2, 0x1234, 9));
    for n in 0..40 {
        let (flags, dscp) = (SYN, if n % 2 == 0 { 0 } else { TRIMMED as u8 });
        let sent = Uet { flags, dscp, ..Uet::request([0x1234, 0x1235][n as usize / 2 % 2], 9 + n) };
        let answers = alone.answers_to(&sent.frame());
        assert_eq!(answers.len(), 1, "{sent:?}");
        let Delivery::Nack(nack, None) = uet(&answers[0]) else { panic!("{:?} answers", answers[0]) };
        assert_eq!((nack.nack_code(), u64::from(nack.nack_psn())), (NO_PDC_AVAIL, sent.psn), "{sent:?}");
        assert_eq!((nack.spdcid(), nack.dpdcid(), ev_of(&answers[0])), (0, sent.spdcid, sent.ev), "{sent:?}");
    }
    assert_eq!(["unknown_connections", "naks", "lost_answers"].map(|name| alone.count(name)), [40, 40, 0]);
    // The connection has received nothing of it.
    assert_eq!(alone.does(Command::read(2)).expected, 9);
}

/// PDCID 0 is no context: software cannot open it, with one key or with both, and a packet with DPDCID 0 gets NACK 0x0E,
/// INV_DPDCID. Other identifiers are opened afterwards.
pub fn pdcid_0_is_no_context(dut: &mut dyn Dut, config: &RxConfig) {
    let mut alone = Alone::new(dut, config);
    let both = |connection, key| Command { bidirectional: true, ..multipath(config, connection, key, 9) };
    for (connection, key) in [(2, 0), (3, 1 << 16)] {
        for command in [multipath(config, connection, key, 9), both(connection, key)] {
            let refused = alone.tries(command);
            assert!(!refused.done && refused.key_refused, "{command:?}");
        }
    }
    assert!(alone.tries(both(2, 0x1234)).done, "the connection is free, and another key is not refused");
    for n in 0..10 {
        let sent = Uet::request(0, 9 + n);
        let answers = alone.answers_to(&sent.frame());
        assert_eq!(answers.len(), 1, "{sent:?}");
        let Delivery::Nack(nack, None) = uet(&answers[0]) else { panic!("{:?} answers", answers[0]) };
        assert_eq!((nack.nack_code(), u64::from(nack.nack_psn())), (INV_DPDCID, sent.psn), "{sent:?}");
        assert_eq!((nack.spdcid(), nack.dpdcid()), (0, sent.spdcid), "{sent:?}");
    }
    // There is no key to look for.
    assert_eq!(["unknown_keys", "unknown_connections"].map(|name| alone.count(name)), [0, 10]);
    // The connection that is open has received nothing of it, and goes on.
    assert_eq!(alone.does(Command::read(2)).expected, 9);
    assert_eq!(alone.answers_to(&Uet::request(0x1234, 9).frame()).len(), 1);
    assert_eq!(alone.does(Command::read(2)).expected, 10);
}

#[test]
fn no_context_has_pdcid_0() {
    for ram_latency in pick([2, 1, 3], 1) {
        let config = config(AckProtocol::Uet, 512, ram_latency);
        pdcid_0_is_no_context(&mut *model(&config), &config);
    }
}

#[test]
fn nacks_are_lost_only_if_they_wait_for_too_long() {
    for ram_latency in pick([1, 3], 1) {
        let config = patient(config(AckProtocol::Uet, 512, ram_latency));
        answers_are_lost_that_wait_for_too_long(&mut *model(&config));
        contexts_are_not_set_up(&mut *model(&config), &config);
        // As pipelines have it: neither the numbers of frames nor other frames matter.
        let config = RxConfig {
            reorder: ReorderConfig { handle_bits: 1, ..config.reorder },
            ack: AckGeneratorConfig { handle_bits: 32, ..config.ack },
            ..config
        };
        places_are_those_of_strangers(&mut *model(&config));
        answers_are_lost_that_wait_for_too_long(&mut *model(&config));
    }
}
