// SPDX-License-Identifier: MIT OR Apache-2.0
//! The transmit path, `tx`.

use super::spec::{Carries, Contexts, Judge, Part, Place, StageSpec};
use super::{StageName, ccc_table, entropy_selector, header_builder, packet_tracker};
use crate::config::{Config, Tx};
use crate::latency;
use pipeline::ccc_table::{CccAlgorithms, CccTableConfig};
use pipeline::entropy_selector::EntropySelectorConfig;
use pipeline::frame::side_band::SideBand;
use pipeline::header_builder::HeaderBuilderConfig;
use pipeline::headers::protocols::Protocols;
use pipeline::packet_tracker::PacketTrackerConfig;
use pipeline::tx::TxConfig;

pub const TX: StageSpec = StageSpec {
    name: "tx",
    description: "The transmit path of UET as one module, from requests and ACKs to frames and completions",
    place: Some(Place {
        holds: &[StageName::PacketTracker, StageName::CccTable, StageName::EntropySelector, StageName::HeaderBuilder],
        needs: Some("UET with NSCC or RCCC"),
        ..Place::of(Part::Send, sends)
    }),
    // The next packet of a turn.
    carries: Carries::Packets { clocks: TxConfig::PACKET_CLOCKS.1, per_latency: TxConfig::PACKET_CLOCKS.0 },
    header_records: false,
    sections: &["", "protocols", "header_builder", "ccc_table", "packet_tracker", "entropy_selector", "tx"],
    only: ONLY,
    ram_latency: true,
    // Those of its parts, on ports with their names.
    settings: &[],
    contexts: Some(Contexts { name: "PDCs", section: "packet_tracker", key: "pdcs" }),
    design: |config| design(config).into(),
    // That of its stages.
    judge: Judge::Nothing,
    latency: |stage| latency::answers(stage, Some("command"), &[("command", "response")]),
};

/// Each PDC has a CCC of its own, PSNs have 32 bits, and frames are of UET.
pub(super) const ONLY: &[(&str, &str)] = &[
    ("protocols", "uet_port"),
    ("packet_tracker", "pdcs"),
    ("packet_tracker", "window"),
    ("packet_tracker", "ev_bits"),
    ("ccc_table", "algorithms"),
    ("ccc_table", "classes"),
    ("ccc_table", "delay_shift"),
    ("entropy_selector", "evs"),
    ("entropy_selector", "ports"),
    ("entropy_selector", "wire_base"),
    ("entropy_selector", "wire_range"),
    ("entropy_selector", "oblivious"),
    ("entropy_selector", "round_robin"),
    ("entropy_selector", "single_path"),
    ("entropy_selector", "reps"),
    ("entropy_selector", "mixed"),
    ("entropy_selector", "penalty"),
];

/// Whether it sends the packets of UET.
pub fn sends(config: &Config) -> bool {
    config.protocols.uet && config.ccc_table.algorithms != CccAlgorithms::None
}

pub fn design(config: &Config) -> TxConfig {
    let Tx { messages, segment, header_bytes, handle_bits, dscp, control_dscp, credit_request_us } = config.tx;
    let tracker = packet_tracker::design(config);
    let (pdcs, evs) = (tracker.pdcs, config.entropy_selector.evs);
    let protocols = Protocols {
        rocev2: false,
        uet: true,
        elab: false,
        uet_port: config.protocols.uet_port,
        ..Protocols::default()
    };
    TxConfig {
        packet_tracker: PacketTrackerConfig {
            psn_bits: 32,
            ev_bits: tracker.ev_bits.max(evs.ilog2()),
            cccs: pdcs,
            ..tracker
        },
        ccc_table: CccTableConfig { cccs: pdcs, ..ccc_table::design(config) },
        entropy_selector: EntropySelectorConfig { cccs: pdcs, ..entropy_selector::design(config) },
        builder: HeaderBuilderConfig { protocols, side_band: SideBand::NONE, ..header_builder::design(config) },
        messages,
        segment_log: segment.ilog2(),
        header_bytes,
        handle_bits: super::narrow(handle_bits),
        dscp,
        control_dscp,
        // Whole clock cycles.
        credit_request_clocks: (credit_request_us as f64 * config.target.clock_mhz) as u64,
    }
}
