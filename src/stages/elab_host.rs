// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ELAB layer of a host, `elab_host`.

use super::presence::has_elab_alone;
use super::spec::{Carries, Contexts, Judge, Part, Place, StageSpec};
use super::{StageName, elab, frame_gate, header_builder, header_parser};
use crate::config::Config;
use crate::latency;
use pipeline::elab::host::ElabHostConfig;
use pipeline::frame::frame_gate::{DropMode, FrameGateConfig};
use pipeline::frame::header_builder::HeaderBuilderConfig;
use pipeline::frame::header_parser::HeaderParserConfig;
use pipeline::headers::protocols::Protocols;
use pipeline::headers::side_band::SideBand;
use pipeline::receive::context_lookup::{ContextLookupConfig, KeyKinds};

pub const ELAB_HOST: StageSpec = StageSpec {
    name: "elab_host",
    description: "The ELAB layer of a host as one module: packets get a virtual path and a report, what arrives is counted",
    place: Some(Place {
        holds: Some(|_| {
            &[
                StageName::HeaderParser,
                StageName::FrameGate,
                StageName::ContextLookup,
                StageName::ElabScheduler,
                StageName::ElabFeedback,
                StageName::HeaderBuilder,
            ]
        }),
        ..Place::of(Part::Both, has_elab_alone)
    }),
    carries: Carries::Frames,
    header_records: true,
    sections: &["", "protocols", "side_band", "frame_gate", "elab", "header_builder"],
    only: &[("protocols", "elab_port"), ("protocols", "elab_inner"), ("protocols", "reserved")],
    except: &[],
    ram_latency: true,
    // Those of its parts, on ports with their names.
    settings: &[],
    contexts: Some(Contexts { name: "pairs", section: "elab", key: "pairs", window: None }),
    design: |config| design(config).into(),
    // That of its stages.
    judge: Judge::Nothing,
    latency: |stage| latency::of_frame(stage, "s_axis", &["m_axis", "m_record"]),
};

pub fn design(config: &Config) -> ElabHostConfig {
    let parser = header_parser::design(config);
    let Protocols { elab_port, elab_inner, reserved, .. } = parser.protocols;
    let own = Protocols { rocev2: false, uet: false, elab: true, ..Protocols::default() };
    let protocols = Protocols { elab_port, elab_inner, reserved, ..own };
    let feedback = elab::feedback(config);
    ElabHostConfig {
        parser: HeaderParserConfig { protocols, ..parser },
        gate: FrameGateConfig { records: true, drop: DropMode::Drop, ..frame_gate::design(config) },
        lookup: ContextLookupConfig {
            entries: feedback.sizes.pairs.max(2),
            kinds: KeyKinds { rocev2: false, uet: false, elab: true },
            ram_latency: config.ram_latency(),
        },
        feedback,
        scheduler: elab::scheduler(config),
        builder: HeaderBuilderConfig { protocols, side_band: SideBand::NONE, ..header_builder::design(config) },
        report_dscp: config.elab.report_dscp,
    }
}
