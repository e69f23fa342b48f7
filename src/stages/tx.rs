// SPDX-License-Identifier: MIT OR Apache-2.0
//! The transmit path, `tx`.

use super::presence::sends;
use super::spec::{Carries, Contexts, Judge, Part, Place, StageSpec};
use super::{StageName, ccc_table, entropy_selector, header_builder, packet_tracker, path_scheduler};
use crate::config::{Config, Tx};
use crate::latency;
use crate::settings::tx::{LENGTH, PACKETS, TIMEOUT, VISITS};
use pipeline::frame::header_builder::HeaderBuilderConfig;
use pipeline::frame::icrc::{IcrcConfig, IcrcMode};
use pipeline::headers::protocols::Protocols;
use pipeline::headers::side_band::SideBand;
use pipeline::receive::ack_generator::AckProtocol;
use pipeline::transmit::ccc_table::{CccAlgorithms, CccTableConfig};
use pipeline::transmit::entropy_selector::EntropySelectorConfig;
use pipeline::transmit::packet_tracker::PacketTrackerConfig;
use pipeline::transmit::path_scheduler::PathSchedulerConfig;
use pipeline::transmit::tx::{Paths, ProbeDefaults, TxConfig};

pub const TX: StageSpec = StageSpec {
    name: "tx",
    description: "The transmit path of UET or multipath RoCEv2 as one module, from requests and ACKs to frames and completions",
    place: Some(Place {
        holds: Some(|config| match config.tx_protocol() {
            AckProtocol::Uet if config.protocols.uet_crc => &OF_UET,
            AckProtocol::Uet => &OF_UET_WITHOUT_CRC,
            AckProtocol::Roce => &OF_ROCEV2,
        }),
        needs: Some("UET with NSCC or RCCC, or RoCEv2 and tx.protocol = \"roce\""),
        ..Place::of(Part::Send, sends)
    }),
    // The next packet of a turn.
    carries: Carries::Packets(|config| design(config).packet_clocks()),
    header_records: false,
    sections: &[
        "",
        "protocols",
        "header_builder",
        "ccc_table",
        "packet_tracker",
        "entropy_selector",
        "path_scheduler",
        "tx",
    ],
    only: ONLY,
    except: EXCEPT,
    ram_latency: true,
    settings: crate::settings::tx::RULES,
    contexts: Some(Contexts { name: "PDCs", section: "packet_tracker", key: "pdcs", window: None }),
    design: |config| design(config).into(),
    // That of its stages.
    judge: Judge::Nothing,
    latency: |stage| latency::answers(stage, Some("command"), &[("command", "response")]),
};

/// The stages of which it has an instance.
const OF_UET: [StageName; 5] = [
    StageName::PacketTracker,
    StageName::CccTable,
    StageName::EntropySelector,
    StageName::HeaderBuilder,
    StageName::IcrcInsert,
];
const OF_UET_WITHOUT_CRC: [StageName; 4] =
    [StageName::PacketTracker, StageName::CccTable, StageName::EntropySelector, StageName::HeaderBuilder];
const OF_ROCEV2: [StageName; 5] = [
    StageName::PacketTracker,
    StageName::CccTable,
    StageName::PathScheduler,
    StageName::HeaderBuilder,
    StageName::IcrcInsert,
];

/// What it reads of the protocols: frames are of one of them.
pub(super) const ONLY: &[(&str, &str)] = &[
    ("protocols", "rocev2"),
    ("protocols", "uet"),
    ("protocols", "rocev2_port"),
    ("protocols", "mpeh"),
    ("protocols", "uet_port"),
    ("protocols", "uet_crc"),
    ("protocols", "trimming"),
];

/// Each PDC has a CCC of its own, and PSNs have the bits of the transport.
pub(super) const EXCEPT: &[(&str, &str)] =
    &[("packet_tracker", "psn_bits"), ("ccc_table", "cccs"), ("entropy_selector", "cccs"), ("path_scheduler", "qps")];

/// The configuration as it is for the transmit path: with RoCEv2 the windows are those of the sub-paths.
pub fn own_config(config: &Config) -> Config {
    let mut config = config.clone();
    if config.tx_protocol() == AckProtocol::Roce {
        config.ccc_table.algorithms = CccAlgorithms::None;
    }
    config
}

/// The configuration with what the path has whatever the keys say.
pub(super) fn as_used(config: &Config) -> Config {
    let TxConfig { packet_tracker, ccc_table, paths, header_bytes, .. } = design(config);
    let mut config = own_config(config);
    let tracker = &mut config.packet_tracker;
    (tracker.psn_bits, tracker.ev_bits) = (packet_tracker.psn_bits.into(), packet_tracker.ev_bits.into());
    config.ccc_table.cccs = ccc_table.cccs;
    config.tx.header_bytes = header_bytes;
    match paths {
        Paths::Selector(selector) => config.entropy_selector.cccs = selector.cccs,
        Paths::Scheduler(scheduler) => {
            let of = &mut config.path_scheduler;
            (of.qps, of.in_flight_bits) = (scheduler.qps, scheduler.in_flight_bits.into());
        }
    }
    config
}

/// The settings of probes.
fn probes(config: &Config) -> ProbeDefaults {
    let reset = |port| super::settings::reset(StageName::Tx, port, config);
    ProbeDefaults {
        visits: reset(VISITS) != 0,
        packets: reset(PACKETS),
        length: reset(LENGTH),
        timeout: reset(TIMEOUT),
    }
}

pub fn design(config: &Config) -> TxConfig {
    let config = &own_config(config);
    let Tx { messages, segment, header_bytes, handle_bits, control_dscp, credit_request_us, .. } = config.tx;
    let tracker = packet_tracker::design(config);
    let pdcs = tracker.pdcs;
    let Protocols { uet_port, uet_crc, rocev2_port, mpeh, trimming, .. } = config.protocols;
    let others = Protocols { rocev2: false, uet: false, elab: false, ..Protocols::default() };
    let (paths, numbers, protocols, header_bytes) = match config.tx_protocol() {
        AckProtocol::Uet => {
            let selector = EntropySelectorConfig { cccs: pdcs, ..entropy_selector::design(config) };
            let protocols = Protocols { uet: true, uet_port, uet_crc, ..others };
            (Paths::Selector(selector), selector.evs, protocols, header_bytes)
        }
        AckProtocol::Roce => {
            let scheduler = PathSchedulerConfig { qps: pdcs, ..path_scheduler::design(config) };
            // All of a window may be in flight on one sub-path (T22), and those that are granted meanwhile.
            let scheduler = scheduler.in_flight_bits(scheduler.in_flight_bits.max(tracker.window.ilog2() + 2));
            let protocols = Protocols { rocev2: true, rocev2_port, mpeh, trimming, ..others };
            // There is no SES header.
            (Paths::Scheduler(scheduler), scheduler.paths, protocols, 0)
        }
    };
    let appends_crc = protocols.has_uet_crc();
    let width = super::narrow(config.data_width);
    TxConfig {
        packet_tracker: PacketTrackerConfig {
            psn_bits: config.tx_protocol().psn_bits(),
            ev_bits: tracker.ev_bits.max(numbers.ilog2()),
            cccs: pdcs,
            ..tracker
        },
        ccc_table: CccTableConfig { cccs: pdcs, ..ccc_table::design(config) },
        paths,
        builder: HeaderBuilderConfig {
            protocols,
            appends_crc,
            side_band: SideBand::NONE,
            ..header_builder::design(config)
        },
        icrc_insert: (protocols.rocev2 || appends_crc).then(|| IcrcConfig::of(width, IcrcMode::Insert, &protocols)),
        messages,
        segment_log: segment.ilog2(),
        header_bytes,
        handle_bits: super::narrow(handle_bits),
        tag_is_time: false,
        probes: probes(config),
        control_dscp,
        // Whole clock cycles.
        credit_request_clocks: (credit_request_us as f64 * config.target.clock_mhz) as u64,
    }
}
