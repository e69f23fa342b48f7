// SPDX-License-Identifier: MIT OR Apache-2.0
//! The receive path, `rx`.

use super::spec::{Carries, Contexts, Judge, Part, Place, StageSpec};
use super::{StageName, ack_generator, frame_gate, header_builder, header_parser, icrc, reorder};
use crate::config::Config;
use crate::failure::Outcome;
use crate::latency::{self, Latency, Path};
use crate::settings;
use devices::AnyStage;
use pipeline::frame::frame_gate::{DropMode, FrameGateConfig};
use pipeline::frame::header_builder::HeaderBuilderConfig;
use pipeline::frame::icrc::{IcrcConfig, IcrcMode};
use pipeline::headers::protocols::Protocols;
use pipeline::headers::side_band::SideBand;
use pipeline::receive::ack_generator::{AckGeneratorConfig, AckProtocol};
use pipeline::receive::context_lookup::{ContextLookupConfig, KeyKinds};
use pipeline::receive::reorder::ReorderConfig;
use pipeline::receive::rx::RxConfig;

pub const RX: StageSpec = StageSpec {
    name: "rx",
    description: "The receive path as one module, from frames to packets in order and the frames that answer",
    place: Some(Place {
        holds: Some(|config| if design(config).request_check().is_some() { &WITH_CHECK } else { &PARTS }),
        needs: Some("RoCEv2 or UET"),
        ..Place::of(Part::Receive, |config| config.protocols.rocev2 || config.protocols.uet)
    }),
    carries: Carries::Frames,
    header_records: true,
    sections: &["", "protocols", "side_band", "frame_gate", "reorder", "ack_generator", "rx", "header_builder"],
    only: &[],
    except: &[],
    ram_latency: true,
    // Beside those of its parts, on ports with their names.
    settings: settings::rx::RULES,
    contexts: Some(Contexts { name: "connections", section: "reorder", key: "connections", window: None }),
    design: |config| design(config).into(),
    // That of its stages.
    judge: Judge::Nothing,
    latency: probe,
};

/// The stages of which it has an instance.
const PARTS: [StageName; 8] = [
    StageName::HeaderParser,
    StageName::Icrc,
    StageName::FrameGate,
    StageName::ContextLookup,
    StageName::Reorder,
    StageName::AckGenerator,
    StageName::HeaderBuilder,
    StageName::IcrcInsert,
];

/// The same with the check of requests.
const WITH_CHECK: [StageName; 9] = [
    StageName::HeaderParser,
    StageName::Icrc,
    StageName::FrameGate,
    StageName::ContextLookup,
    StageName::Reorder,
    StageName::RequestCheck,
    StageName::AckGenerator,
    StageName::HeaderBuilder,
    StageName::IcrcInsert,
];

/// Width of the number by which the ACK generator names a packet of no connection: that it comes again while an answer waits takes
/// four thousand million such packets.
const STRANGER_BITS: u32 = 32;

fn probe(stage: &AnyStage) -> Outcome<Vec<Latency>> {
    let opening = [("key", latency::KEY.into()), ("peer", latency::KEY.into()), ("any_peer", 1)];
    let path = Path { input: "s_axis", frames: "m_axis", answers: "m_answer", opening: &opening };
    match stage {
        AnyStage::Rx(rx) => latency::receive(stage, rx, path),
        _ => Ok(Vec::new()),
    }
}

/// The configuration with what the path has whatever the keys say.
pub(super) fn as_used(config: &Config) -> Config {
    let RxConfig { lookup, reorder, ack, .. } = design(config);
    let mut config = with_whole_records(config);
    config.context_lookup.entries = lookup.entries;
    config.reorder.psn_bits = reorder.psn_bits.into();
    let of = &mut config.ack_generator;
    (of.connections, of.window, of.handle_bits) = (ack.connections, ack.window, ack.handle_bits.into());
    config
}

/// Inside another stage the gate has streams of records, and drops.
pub(super) fn with_whole_records(config: &Config) -> Config {
    let mut config = config.clone();
    (config.frame_gate.records, config.frame_gate.drop) = (true, DropMode::Drop);
    config
}

pub fn design(config: &Config) -> RxConfig {
    let protocol = config.ack_protocol();
    let (rocev2, uet) = (protocol == AckProtocol::Roce, protocol == AckProtocol::Uet);
    let stage = reorder::design(config);
    let side_band = SideBand::NONE;
    let builder = HeaderBuilderConfig {
        side_band,
        appends_crc: uet && config.protocols.uet_crc,
        ..header_builder::design(config)
    };
    // Answers are of one protocol.
    let answers = Config { protocols: Protocols { rocev2, uet, ..config.protocols }, ..config.clone() };
    RxConfig {
        parser: header_parser::design(config),
        icrc: icrc::has_crc(config).then(|| icrc::design(config, IcrcMode::Check)),
        gate: FrameGateConfig { records: true, drop: DropMode::Drop, ..frame_gate::design(config) },
        lookup: ContextLookupConfig {
            // A connection of UET may have two keys.
            entries: if uet { 2 * stage.connections } else { stage.connections },
            kinds: KeyKinds { rocev2, uet, elab: false },
            ram_latency: config.ram_latency(),
        },
        reorder: ReorderConfig { psn_bits: protocol.psn_bits(), ..stage },
        ack: AckGeneratorConfig {
            connections: stage.connections,
            window: stage.window,
            handle_bits: STRANGER_BITS,
            ..ack_generator::design(config)
        },
        builder,
        icrc_insert: icrc::has_crc(&answers)
            .then(|| IcrcConfig { side_band, ..icrc::design(&answers, IcrcMode::Insert) }),
        tag_is_time: config.rx.tag_is_time,
        check_mac: config.rx.check_mac,
        request_check: config.rx.request_check,
        ack_dscp: uet.then_some(config.rx.ack_dscp),
        answer_interval: super::settings::reset(StageName::Rx, settings::rx::INTERVAL, config),
    }
}
