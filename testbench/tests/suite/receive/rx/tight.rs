// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames in a pool that is too small for them (R31, R32): packets are refused for want of cells, for their quota and for the
//! reserve, their senders are told by RNR NAK or by NACK 0x07, NO_PKT_BUFFER, and what is sent again is delivered once and in
//! order (RX16, RX17).

use super::alone::{Uet, lawful, request};
use super::probes::uet;
use super::tag::rocev2;
use super::{Command, Dut, QUIET, RxBench, config, does, model, open, peer};
use golden_vectors::headers::codec::{Delivery, Record, encode};
use pipeline::receive::ack_generator::{AckGeneratorConfig, AckGeneratorSettings, AckProtocol};
use pipeline::receive::reorder::{Hold, PayloadConfig, ReorderConfig};
use pipeline::receive::rx::RxConfig;
use std::collections::BTreeMap;
use testbench::device::random::Random;
use testbench::streams::Frame;
use tier::pick;

const CELLS: u64 = 16;
const QUOTA: u64 = 5;
const RESERVE: u64 = 4;
const CONNECTIONS: u64 = 8;
/// Packets of each connection, and how many may be under way.
const PACKETS: u64 = 60;
const AHEAD: u64 = 12;
const NO_PKT_BUFFER: u8 = 0x07;
/// A gap is old, as the packet was refused.
const RCVR_INFER_LOSS: u8 = 0x1A;
/// Syndrome of an RNR NAK with the timer of the settings, and of a sequence error.
const NOT_READY: u8 = 0x2C;
const SEQUENCE_ERROR: u8 = 0x60;

fn tight(config: RxConfig) -> RxConfig {
    let pool = PayloadConfig { quota: QUOTA, reserve: RESERVE, ..PayloadConfig::new(config.parser.data_width, CELLS) };
    RxConfig { reorder: ReorderConfig { hold: Hold::Payload(pool), ..config.reorder }, ..config }
}

const fn key(connection: u64) -> u64 {
    0x600 + 16 * connection
}

const fn first(connection: u64) -> u64 {
    0xFF_FFE0 + 3 * connection
}

/// Up to four cells of 256 bytes; the same each time that it is sent.
fn packet(protocol: AckProtocol, connection: u64, number: u64) -> encode::Frame {
    let psn = first(connection) + number;
    let length = Random::new(psn * 16 + connection).below(900) as usize;
    match protocol {
        AckProtocol::Roce => request(key(connection), psn, length),
        AckProtocol::Uet => {
            let frame = Uet::request(key(connection) as u16, psn).frame();
            frame.with(|frame| frame.payload.extend((0..length).map(|at| (at as u64 * 5 + psn) as u8)))
        }
    }
}

/// A refusal: its connection, the number of the packet, and its name. None for an ACK.
fn refusal(protocol: AckProtocol, record: &Record) -> Option<(u64, u64, &'static str)> {
    let number = |connection, psn: u64| psn.wrapping_sub(first(connection)) & 0xFF_FFFF;
    match protocol {
        AckProtocol::Roce => {
            let headers = rocev2(record);
            let connection = u64::from(headers.bth.dqpn()) - peer(0);
            let what = match headers.aeth.expect("it has an AETH").syndrome() {
                NOT_READY => "not ready",
                SEQUENCE_ERROR => "sequence error",
                syndrome => {
                    assert_eq!(syndrome, 31);
                    return None;
                }
            };
            assert!(what == "not ready" || connection.is_multiple_of(2), "a sequence error with multipath");
            Some((connection, number(connection, headers.bth.psn().into()), what))
        }
        AckProtocol::Uet => match uet(record) {
            Delivery::Ack(..) => None,
            Delivery::Nack(nack, None) => {
                if nack.nack_code() == RCVR_INFER_LOSS {
                    return None;
                }
                assert_eq!(nack.nack_code(), NO_PKT_BUFFER);
                let connection = (u64::from(nack.spdcid()) - key(0)) / 16;
                Some((connection, number(connection, nack.nack_psn().into()), "no buffer"))
            }
            other => panic!("{other:?} answers"),
        },
    }
}

/// Sends all packets, and again what has not been received, until everything has been delivered.
fn all_is_delivered(dut: &mut dyn Dut, protocol: AckProtocol, seed: u64) -> BTreeMap<&'static str, u64> {
    let mut random = Random::new(seed);
    let mut run =
        RxBench::new(dut, seed, |stream| if stream == "m_delivery" { 0.6 } else { 0.0 }).expect("the streams");
    for connection in 0..CONNECTIONS {
        let psn = first(connection) & ((1 << protocol.psn_bits()) - 1);
        assert!(does(&mut run, dut, open(connection, key(connection), psn)).done);
    }
    let (mut sent, mut rounds) = (0, 0);
    let mut expected = [0; CONNECTIONS as usize];
    while expected.iter().any(|expected| *expected < PACKETS) {
        rounds += 1;
        assert!(rounds < 1000, "no progress: {expected:?}");
        let mut frames = Vec::new();
        for (connection, expected) in (0..).zip(expected) {
            // Now and then everything that may be under way, else some of it.
            let ahead = random.between(1, AHEAD);
            frames.extend((expected..PACKETS.min(expected + ahead)).map(|number| (connection, number)));
        }
        for at in (1..frames.len()).rev() {
            frames.swap(at, random.below(at as u64 + 1) as usize);
        }
        sent += frames.len() as u64;
        let frame = |(connection, number)| Frame { bytes: packet(protocol, connection, number).bytes(), user: 0 };
        run.send(&frames.into_iter().map(frame).collect::<Vec<_>>()).expect("they have bytes");
        run.until_idle(dut, QUIET).expect("it ends");
        for (connection, expected) in (0..).zip(&mut expected) {
            let response = does(&mut run, dut, Command::read(connection));
            *expected = response.expected.wrapping_sub(first(connection)) & 0xFF_FFFF;
        }
    }

    let mut next = [0; CONNECTIONS as usize];
    for (connection, psn, bytes) in run.delivered_frames().expect("they are whole") {
        let number = next[connection as usize];
        assert_eq!(psn, (first(connection) + number) & ((1 << protocol.psn_bits()) - 1), "connection {connection}");
        assert_eq!(bytes, packet(protocol, connection, number).bytes(), "connection {connection}, packet {number}");
        next[connection as usize] += 1;
    }
    assert_eq!(next, [PACKETS; CONNECTIONS as usize]);

    let count = |name: &str| run.count(name).unwrap_or_else(|| panic!("no counter {name}"));
    let names = ["no_cells", "over_quota", "below_reserve"];
    let mut seen: BTreeMap<_, _> = names.into_iter().map(|name| (name, count(name))).collect();
    assert_eq!(seen.values().sum::<u64>(), count("no_buffer"), "R39: {seen:?}");
    assert_eq!(sent, PACKETS * CONNECTIONS + count("no_buffer") + count("duplicates") + count("below_window"));
    let others = ["above_window", "unknown_connections", "gate_overflowed", "gate_dropped", "dropped_replies"];
    assert_eq!(others.map(count), [0; 5], "{others:?}");
    assert_eq!(count("free_cells"), CELLS, "R36");
    assert!(count("low_water") < RESERVE);
    let mut naks = 0;
    for (_, frame) in run.answers().expect("they are lawful") {
        if let Some((connection, number, what)) = refusal(protocol, &lawful(&frame)) {
            assert!(connection < CONNECTIONS && number < PACKETS, "connection {connection}, packet {number}");
            *seen.entry(what).or_default() += 1;
            naks += 1;
        }
    }
    // What else is counted speaks of old gaps.
    assert!(naks <= count("naks") && (protocol == AckProtocol::Uet || naks == count("naks")), "{naks} refusals");
    seen.insert("no_buffer", count("no_buffer"));
    println!("{sent} packets in {rounds} rounds: {seen:?}");
    seen
}

fn happened(seen: &BTreeMap<&str, u64>, names: &[&str]) {
    for name in names {
        assert!(seen.get(name).is_some_and(|count| *count > 10), "{name}: {seen:?}");
    }
}

#[test]
fn what_is_refused_with_rnr_naks_is_delivered_once_and_in_order() {
    for (seed, ram_latency) in pick([(1, 1), (2, 3)], 1) {
        let config = tight(config(AckProtocol::Roce, 512, ram_latency));
        let seen = all_is_delivered(&mut *model(&config), AckProtocol::Roce, seed);
        happened(&seen, &["no_cells", "over_quota", "below_reserve", "not ready", "sequence error"]);
    }
}

#[test]
fn what_is_refused_with_nacks_is_delivered_once_and_in_order() {
    for (seed, width) in pick([(3, 512), (4, 256)], 1) {
        let tight = tight(config(AckProtocol::Uet, width, 2));
        // Each is told to its sender, or one in a time (G27).
        for no_buffer_time in [0, tight.ack.settings.no_buffer_time] {
            let settings = AckGeneratorSettings { no_buffer_time, ..tight.ack.settings };
            let config = RxConfig { ack: AckGeneratorConfig { settings, ..tight.ack }, ..tight };
            let seen = all_is_delivered(&mut *model(&config), AckProtocol::Uet, seed);
            happened(&seen, &["no_cells", "over_quota", "below_reserve", "no buffer"]);
            assert!(seen["no buffer"] <= seen["no_buffer"], "{seen:?}");
            assert_eq!(seen["no buffer"] == seen["no_buffer"], no_buffer_time == 0, "{seen:?}");
        }
    }
}
