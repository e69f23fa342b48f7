// SPDX-License-Identifier: MIT OR Apache-2.0
//! The receive path, `rx`.

use super::spec::{Carries, Contexts, Judge, StageSpec};
use super::{frame_gate, header_parser, icrc, reorder};
use crate::config::Config;
use crate::latency;
use pipeline::context_lookup::{ContextLookupConfig, KeyKinds};
use pipeline::frame_gate::{DropMode, FrameGateConfig};
use pipeline::icrc::IcrcMode;
use pipeline::reorder::ReorderConfig;
use pipeline::rx::{RxConfig, RxTransport};

pub const RX: StageSpec = StageSpec {
    name: "rx",
    description: "The receive path: parser, ICRC, frame gate, context lookup and reorder in one module",
    place: None,
    carries: Carries::Frames,
    header_records: true,
    sections: &["", "protocols", "side_band", "frame_gate", "reorder"],
    only: &[],
    ram_latency: true,
    settings: crate::settings::reorder::RULES,
    contexts: Some(Contexts { name: "connections", section: "reorder", key: "connections" }),
    design: |config| design(config).into(),
    judge: Judge::Nothing,
    latency: |stage| latency::of_frame(stage, &["m_axis", "m_record"]),
};

fn design(config: &Config) -> RxConfig {
    let transport =
        if config.protocols.rocev2 || !config.protocols.uet { RxTransport::Rocev2 } else { RxTransport::Uet };
    let (rocev2, uet) = (transport == RxTransport::Rocev2, transport == RxTransport::Uet);
    let stage = reorder::design(config);
    RxConfig {
        transport,
        parser: header_parser::design(config),
        icrc: config.protocols.rocev2.then(|| icrc::design(config, IcrcMode::Check)),
        gate: FrameGateConfig { records: true, drop: DropMode::Drop, ..frame_gate::design(config) },
        lookup: ContextLookupConfig {
            entries: stage.connections,
            kinds: KeyKinds { rocev2, uet, elab: false },
            ram_latency: config.ram_latency(),
        },
        reorder: ReorderConfig { psn_bits: transport.psn_bits(), ..stage },
    }
}
