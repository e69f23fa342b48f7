// SPDX-License-Identifier: MIT OR Apache-2.0
//! The receive path: all forms in lock-step, and frames of several connections, reordered, lost and repeated, against a
//! receiver that is written here without clock cycles.

mod alone;
mod answers;
mod bench_traffic;
mod changes;
mod closes;
mod delay;
mod directions;
mod fields;
mod lost;
mod no_room;
mod plain_rocev2;
mod pressure;
mod probes;
mod protected;
mod receiver;
mod reflected;
mod requests;
mod soak;
mod speakers;
mod tag;
mod tight;
mod trimmed;
mod undelivered;
mod unknown;
mod verilog;

use crate::common::devices::{model, rtl};
use crate::common::soak::cycles;
use answers::Answered;
use pipeline::frame::frame_gate::FrameGateConfig;
use pipeline::frame::header_builder::HeaderBuilderConfig;
use pipeline::frame::header_parser::HeaderParserConfig;
use pipeline::frame::icrc::{IcrcConfig, IcrcMode};
use pipeline::headers::protocols::Protocols;
use pipeline::receive::ack_generator::{AckGeneratorConfig, AckProtocol};
use pipeline::receive::context_lookup::{ContextLookupConfig, KeyKinds};
use pipeline::receive::reorder::{Hold, PayloadConfig, ReorderConfig};
use pipeline::receive::rx::RxConfig;
use receiver::{Receiver, Seen};
use testbench::benches::rx_bench::{Command, Response, RxBench};
use testbench::device::drive::RandomDrive;
use testbench::device::random::Random;
use testbench::lockstep::readings::Readings;
use testbench::{Dut, Ports};
use tier::pick;

/// A receive path of this width, with 8 connections of 64 PSNs.
fn config(protocol: AckProtocol, width: u32, ram_latency: u32) -> RxConfig {
    let rocev2 = protocol == AckProtocol::Roce;
    let answers = Protocols { rocev2, uet: !rocev2, ..Protocols::default() };
    RxConfig {
        parser: HeaderParserConfig::new(width),
        icrc: Some(IcrcConfig::new(width, IcrcMode::Check)),
        gate: FrameGateConfig { ram_latency, ..FrameGateConfig::new(width, 16_384, 64) },
        // Connections of UET may have two keys.
        lookup: ContextLookupConfig {
            entries: if rocev2 { 8 } else { 16 },
            kinds: KeyKinds { rocev2, uet: !rocev2, elab: false },
            ram_latency,
        },
        reorder: ReorderConfig { psn_bits: protocol.psn_bits(), ram_latency, ..ReorderConfig::new(8, 64) },
        ack: AckGeneratorConfig { ram_latency, ..AckGeneratorConfig::new(protocol, 8, 64) },
        builder: HeaderBuilderConfig { appends_crc: !rocev2, ..HeaderBuilderConfig::new(width) },
        icrc_insert: Some(IcrcConfig::of(width, IcrcMode::Insert, &answers)),
        tag_is_time: false,
        ack_dscp: (!rocev2).then_some(46),
        answer_interval: 0,
        check_mac: false,
        request_check: false,
    }
}

#[test]
fn model_and_rtl_agree_on_lawless_inputs_in_every_cycle() {
    let (roce, uet) = (config(AckProtocol::Roce, 64, 1), config(AckProtocol::Uet, 512, 3));
    for config in pick([holding_frames(roce), uet, roce, holding_frames(uet)], 1) {
        let drive = |ports: &Ports| Ok(RandomDrive::new(ports, Random::new(7)));
        Readings::new(cycles(20_000)).agree(&config, drive).expect("they agree");
    }
}

/// UDP port of UET.
const UET_PORT: u16 = 4793;

/// The QP of the peer of a connection.
const fn peer(connection: u64) -> u64 {
    0x00AB_CD00 + connection
}

/// Opens a connection; every second one has multipath.
const fn open(connection: u64, key: u64, psn: u64) -> Command {
    let multipath = connection % 2 == 1;
    Command { op: 1, connection, key, psn, bidirectional: false, multipath, peer: peer(connection), ends: None }
}

/// Gives a command.
fn does(run: &mut RxBench, dut: &mut dyn Dut, command: Command) -> Response {
    run.command(dut, command).expect("there is a response")
}

/// Clock cycles without any transfer after which nothing is under way.
const QUIET: u64 = 1500;

/// Frames of 8 connections through the device, which must do what the receiver says.
fn delivers_in_order(dut: &mut dyn Dut, protocol: AckProtocol, seed: u64, frames: usize) -> Seen {
    let mut random = Random::new(seed);
    let pause = |stream: &str| if stream == "delivery" { 0.2 } else { 0.1 };
    let mut run = RxBench::new(dut, seed + 1, pause).expect("the streams are there");
    let mut receiver = Receiver::new(protocol, 64);
    for connection in 0..8 {
        let (key, psn) = (receiver.free_key(&mut random), random.below(1 << protocol.psn_bits()));
        assert!(does(&mut run, dut, open(connection, key, psn)).done);
        receiver.open(connection, key, psn);
    }
    // What cannot be done changes nothing.
    let (taken, other) = (receiver.key(0), receiver.free_key(&mut random));
    assert!(!does(&mut run, dut, open(1, other, 5)).done, "it is open");
    assert!(does(&mut run, dut, Command::close(7)).done);
    receiver.close(7);
    let refused = does(&mut run, dut, open(7, taken, 5));
    assert!(!refused.done && refused.key_refused, "the key has a connection");
    assert!(!does(&mut run, dut, Command::close(7)).done, "it is closed");

    for part in 0..4 {
        let mut sent = receiver.traffic(&mut random, frames / 4);
        sent.extend(receiver.repetitions(&mut random));
        run.send(&sent).expect("they have bytes");
        run.until_idle(dut, QUIET).expect("it ends");
        // Frames that are under way find the connection, or do not.
        if part < 3 {
            let connection = part;
            assert!(does(&mut run, dut, Command::close(connection)).done);
            receiver.close(connection);
            let (key, psn) = (receiver.free_key(&mut random), random.below(1 << protocol.psn_bits()));
            // Until the cells of the packets that waited are free.
            let mut tries = (0..100).map(|_| does(&mut run, dut, open(connection, key, psn)));
            assert!(tries.any(|response| response.done), "it stays closed");
            receiver.open(connection, key, psn);
        }
    }
    // With check bits: no bit has flipped.
    for name in ["sram_corrected", "sram_uncorrectable", "sram_faulty"] {
        assert_eq!(run.count(name).unwrap_or(0), 0, "{name}");
    }
    let mut answered = Answered::default();
    receiver.check_answers(&run, &mut answered);
    assert!(answered.marked > 10, "{} marks come back", answered.marked);
    let kinds = answered.kinds;
    assert!(kinds.len() > 1 && kinds.values().sum::<u64>() > 100, "{kinds:?}");
    receiver.check(&run)
}

#[test]
fn packets_of_rocev2_are_delivered_once_and_in_order() {
    for (seed, (width, latency)) in pick([(64, 1), (128, 2), (512, 3), (1024, 2)].into_iter().enumerate(), 1) {
        let config = config(AckProtocol::Roce, width, latency);
        let seen = delivers_in_order(&mut *model(&config), AckProtocol::Roce, seed as u64, 6000);
        seen.covers_all();
    }
}

#[test]
fn packets_of_uet_are_delivered_once_and_in_order() {
    for (seed, (width, latency)) in pick([(64, 2), (512, 1)].into_iter().enumerate(), 1) {
        let config = config(AckProtocol::Uet, width, latency);
        let seen = delivers_in_order(&mut *model(&config), AckProtocol::Uet, seed as u64, 6000);
        seen.covers_all();
    }
}

/// The same with frames in a pool of 512 cells.
fn holding_frames(config: RxConfig) -> RxConfig {
    let pool = PayloadConfig { quota: 512, reserve: 0, ..PayloadConfig::new(config.parser.data_width, 512) };
    RxConfig { reorder: ReorderConfig { hold: Hold::Payload(pool), ..config.reorder }, ..config }
}

#[test]
fn frames_are_delivered_once_and_in_order() {
    let all = [(AckProtocol::Roce, 64, 1), (AckProtocol::Uet, 128, 2), (AckProtocol::Roce, 512, 3)];
    for (seed, (protocol, width, latency)) in pick(all.into_iter().enumerate(), 2) {
        let config = holding_frames(config(protocol, width, latency));
        let seen = delivers_in_order(&mut *model(&config), protocol, seed as u64, 6000);
        seen.covers_all();
    }
}

#[test]
fn the_verilog_does_the_same() {
    for protocol in [AckProtocol::Roce, AckProtocol::Uet] {
        let config = config(protocol, 256, 2);
        let seen = delivers_in_order(&mut rtl(&config, 0), protocol, 11, 3000);
        seen.covers_all();
    }
    let config = holding_frames(config(AckProtocol::Roce, 256, 2));
    delivers_in_order(&mut rtl(&config, 0), AckProtocol::Roce, 12, 3000).covers_all();
}
