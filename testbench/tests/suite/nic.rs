// SPDX-License-Identifier: MIT OR Apache-2.0
//! A NIC: all forms in lock-step. What it does is tested in closed loops.

use crate::common::soak::cycles;
use pipeline::frame::frame_gate::FrameGateConfig;
use pipeline::frame::header_builder::HeaderBuilderConfig;
use pipeline::frame::header_parser::HeaderParserConfig;
use pipeline::frame::icrc::{IcrcConfig, IcrcMode};
use pipeline::headers::protocols::Protocols;
use pipeline::nic::NicConfig;
use pipeline::receive::ack_generator::{AckGeneratorConfig, AckProtocol};
use pipeline::receive::context_lookup::{ContextLookupConfig, KeyKinds};
use pipeline::receive::credit_pacer::CreditPacerConfig;
use pipeline::receive::reorder::ReorderConfig;
use pipeline::receive::rx::RxConfig;
use pipeline::transmit::ccc_table::{CccAlgorithms, CccTableConfig};
use pipeline::transmit::entropy_selector::EntropySelectorConfig;
use pipeline::transmit::packet_tracker::PacketTrackerConfig;
use pipeline::transmit::tx::{Paths, ProbeDefaults, TxConfig};
use testbench::Ports;
use testbench::device::drive::RandomDrive;
use testbench::device::random::Random;
use testbench::lockstep::readings::Readings;
use tier::pick;

/// Four PDCs.
fn config(width: u32, ram_latency: u32, algorithms: CccAlgorithms, uet_crc: bool) -> NicConfig {
    let (pdcs, window) = (4, 64);
    let protocols = Protocols { rocev2: false, elab: false, uet_crc, ..Protocols::default() };
    let icrc = |mode| uet_crc.then(|| IcrcConfig::of(width, mode, &protocols));
    let builder = HeaderBuilderConfig { protocols, appends_crc: uet_crc, ..HeaderBuilderConfig::new(width) };
    let ack = AckGeneratorConfig::new(AckProtocol::Uet, pdcs, window);
    let rx = RxConfig {
        parser: HeaderParserConfig { protocols, ..HeaderParserConfig::new(width) },
        icrc: icrc(IcrcMode::Check),
        gate: FrameGateConfig { ram_latency, ..FrameGateConfig::new(width, 16_384, 64) },
        lookup: ContextLookupConfig {
            entries: 2 * pdcs,
            kinds: KeyKinds { rocev2: false, uet: true, elab: false },
            ram_latency,
        },
        reorder: ReorderConfig { psn_bits: 32, ram_latency, ..ReorderConfig::new(pdcs, window) },
        ack: AckGeneratorConfig { ram_latency, ..ack },
        builder,
        icrc_insert: icrc(IcrcMode::Insert),
        tag_is_time: false,
        ack_dscp: Some(46),
        answer_interval: 0,
        check_mac: false,
        request_check: false,
    };
    let tx = TxConfig {
        packet_tracker: PacketTrackerConfig { cccs: pdcs, ram_latency, ..PacketTrackerConfig::new(pdcs, window) },
        ccc_table: CccTableConfig { ram_latency, ..CccTableConfig::new(pdcs, algorithms) },
        paths: Paths::Selector(EntropySelectorConfig { ram_latency, ..EntropySelectorConfig::new(pdcs, 64) }),
        builder,
        icrc_insert: icrc(IcrcMode::Insert),
        messages: 4,
        segment_log: 9,
        header_bytes: 44,
        handle_bits: 16,
        tag_is_time: false,
        probes: ProbeDefaults::DEFAULT,
        control_dscp: 46,
        credit_request_clocks: 1000,
    };
    let has_credit = algorithms != CccAlgorithms::Nscc;
    let pacer = has_credit.then_some(CreditPacerConfig { ram_latency, ..CreditPacerConfig::new(pdcs) });
    NicConfig { rx, tx, pacer }
}

#[test]
fn model_and_rtl_agree_on_lawless_inputs_in_every_cycle() {
    for (width, ram_latency, algorithms, uet_crc) in
        pick([(64, 1, CccAlgorithms::Both, true), (512, 3, CccAlgorithms::Nscc, false)], 1)
    {
        let drive = |ports: &Ports| Ok(RandomDrive::new(ports, Random::new(5)));
        let config = config(width, ram_latency, algorithms, uet_crc);
        Readings::new(cycles(5_000)).agree(&config, drive).expect("they agree");
    }
}
