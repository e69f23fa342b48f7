// SPDX-License-Identifier: MIT OR Apache-2.0
//! Devices, networks and loops of RoCEv2, beside what is that of UET.

use super::super::setup::{self, CLOCKS, Device, PDCS, RTT, TICK, TRIMMED, TRIMMED_LAST_HOP, WINDOW, link, one_leaf};
use crate::common::devices::{model, rtl};
use pipeline::frame::frame_gate::FrameGateConfig;
use pipeline::frame::header_builder::HeaderBuilderConfig;
use pipeline::frame::header_parser::HeaderParserConfig;
use pipeline::frame::icrc::{IcrcConfig, IcrcMode};
use pipeline::headers::protocols::Protocols;
use pipeline::receive::ack_generator::{AckGeneratorConfig, AckGeneratorSettings, AckProtocol};
use pipeline::receive::context_lookup::{ContextLookupConfig, KeyKinds};
use pipeline::receive::reorder::{ReorderConfig, ReorderSettings};
use pipeline::receive::rx::RxConfig;
use pipeline::transmit::ccc_table::{CccAlgorithms, CccTableConfig, CccTableSettings};
use pipeline::transmit::packet_tracker::{PacketTrackerConfig, PacketTrackerSettings};
use pipeline::transmit::path_scheduler::{PathSchedulerConfig, SchedulerSettings};
use pipeline::transmit::tx::{Paths, ProbeDefaults, TxConfig};
use std::collections::BTreeMap;
use testbench::closed_loop::{ClosedLoop, NicConfig, Pdc, Protocol, SubPaths};
use testbench::network::{FabricConfig, Impairment, LinkConfig, PathConfig, Rate};

/// Granularities.
pub const FLOW: u64 = 0;
pub const FLOWLET: u64 = 1;
pub const PACKET: u64 = 2;
/// One path, plain RoCEv2.
pub const SINGLE: u64 = 3;
/// States of sub-paths.
pub const ACTIVE: u64 = 2;
pub const FAILED: u64 = 4;
/// Clock cycles between two CNPs of a QP.
pub const CNPS: u64 = 9766;
/// Ethernet, IPv4, UDP, BTH, MPEH and ICRC.
pub const HEADERS: u64 = 66;
/// RETH.
pub const RETH: u64 = 16;
/// Clock cycles in a unit of time of `reorder` and `path_scheduler`.
pub const UNIT: u64 = 64;

/// What differs between loops.
#[derive(Clone, Debug)]
pub struct Sizes {
    /// The weights of the sub-paths of each QP.
    pub weights: Vec<u64>,
    /// How often a sub-path is chosen.
    pub granularity: u64,
    /// Packets in flight on a sub-path.
    pub window: u64,
    /// That of a sub-path that starts, from which on it follows marks; 0 for windows that do not.
    pub initial: u64,
    /// The first time-out, in units of 128 ns.
    pub rto: u64,
    /// The span and the age of a gap, in units of 64 clock cycles, above which a loss is suspected.
    pub span: u64,
    pub tolerance: u64,
    /// Bytes of a packet, as a power of two.
    pub segment_log: u32,
    /// Sub-paths are started when a QP is opened.
    pub forced: bool,
    /// New and failed sub-paths are probed and started.
    pub visits: bool,
    /// QPs without an active sub-path wait for one.
    pub waits: bool,
    /// Cells of the pool in which receivers hold frames; none if they name them.
    pub cells: Option<u64>,
    /// Packets have to be for the MAC address of their receiver.
    pub check_mac: bool,
}

impl Sizes {
    /// So many sub-paths of the same weight, chosen packet by packet; a time-out of 100 us, a tolerance of one RTT.
    pub fn paths(count: usize, window: u64) -> Self {
        let weights = vec![32; count];
        let (span, tolerance) = (WINDOW / 2, RTT / UNIT);
        let granularity = PACKET;
        let (segment_log, waits, cells, check_mac) = (12, false, None, false);
        Sizes {
            weights,
            granularity,
            window,
            initial: 0,
            rto: 781,
            span,
            tolerance,
            segment_log,
            forced: true,
            visits: false,
            waits,
            cells,
            check_mac,
        }
    }
}

/// The parser and the builder know RoCEv2 alone.
fn protocols() -> Protocols {
    Protocols {
        uet: false,
        elab: false,
        trimming: true,
        trimmed_dscp: TRIMMED,
        trimmed_last_hop_dscp: TRIMMED_LAST_HOP,
        ..Protocols::default()
    }
}

/// Inputs of `path_scheduler`'s settings with their values.
fn scheduler_settings(settings: SchedulerSettings) -> [(&'static str, u64); 10] {
    let SchedulerSettings { flowlet, raise, fail, fail_time, wait, migrate, window, initial, rtt, delay } = settings;
    [
        ("path_scheduler_settings_flowlet", flowlet),
        ("path_scheduler_settings_raise", raise),
        ("path_scheduler_settings_fail", fail),
        ("path_scheduler_settings_fail_time", fail_time),
        ("path_scheduler_settings_wait", wait.into()),
        ("path_scheduler_settings_migrate", migrate),
        ("path_scheduler_settings_window", window),
        ("path_scheduler_settings_initial", initial),
        ("path_scheduler_settings_rtt", rtt),
        ("path_scheduler_settings_delay", delay),
    ]
}

/// Those of probes.
fn probe_settings(settings: ProbeDefaults) -> [(&'static str, u64); 4] {
    let ProbeDefaults { visits, packets, length, timeout } = settings;
    [
        ("probe_settings_visits", visits.into()),
        ("probe_settings_packets", packets),
        ("probe_settings_length", length),
        ("probe_settings_timeout", timeout),
    ]
}

/// The transmit path.
fn tx(sizes: &Sizes) -> TxConfig {
    let qps = 2 * u64::from(PDCS);
    let tracker = PacketTrackerConfig::new(qps, WINDOW);
    let rtt = RTT / UNIT;
    let (window, fail_time, wait) = (sizes.window, rtt / 2, sizes.waits);
    let SchedulerSettings { raise, fail, migrate, delay, .. } = SchedulerSettings::DEFAULT;
    let initial = sizes.initial;
    let settings =
        SchedulerSettings { window, initial, flowlet: rtt, rtt, fail_time, wait, raise, fail, migrate, delay };
    let scheduler = PathSchedulerConfig::new(qps, 8).settings(settings);
    TxConfig {
        packet_tracker: PacketTrackerConfig {
            cccs: qps,
            psn_bits: 24,
            ev_bits: 3,
            settings: PacketTrackerSettings { tick: TICK, rto: sizes.rto, span: sizes.span, ..tracker.settings },
            ..tracker
        },
        ccc_table: CccTableConfig {
            settings: CccTableSettings { tick: TICK, mtu: 4168, ..CccTableSettings::new() },
            ..CccTableConfig::new(qps, CccAlgorithms::None)
        },
        paths: Paths::Scheduler(scheduler),
        builder: HeaderBuilderConfig { protocols: protocols(), ..HeaderBuilderConfig::new(512) },
        icrc_insert: Some(IcrcConfig::of(512, IcrcMode::Insert, &protocols())),
        messages: 8,
        segment_log: sizes.segment_log,
        header_bytes: 0,
        handle_bits: 16,
        tag_is_time: false,
        probes: ProbeDefaults { visits: sizes.visits, ..ProbeDefaults::DEFAULT },
        control_dscp: 0,
        credit_request_clocks: 1,
    }
}

/// The receive path.
fn rx(sizes: &Sizes) -> RxConfig {
    let connections = 2 * u64::from(PDCS);
    let ack = AckGeneratorConfig::new(AckProtocol::Roce, connections, WINDOW);
    RxConfig {
        parser: HeaderParserConfig { protocols: protocols(), ..HeaderParserConfig::new(512) },
        icrc: Some(IcrcConfig { trimming: true, ..IcrcConfig::of(512, IcrcMode::Check, &protocols()) }),
        gate: FrameGateConfig::new(512, 32_768, 256),
        lookup: ContextLookupConfig {
            entries: connections,
            kinds: KeyKinds { rocev2: true, uet: false, elab: false },
            ram_latency: 2,
        },
        reorder: ReorderConfig {
            settings: ReorderSettings { span: sizes.span, time: sizes.tolerance },
            hold: setup::hold(sizes.cells),
            ..ReorderConfig::new(connections, WINDOW)
        },
        ack: AckGeneratorConfig { settings: AckGeneratorSettings { tick: TICK, ..ack.settings }, ..ack },
        builder: HeaderBuilderConfig { protocols: protocols(), ..HeaderBuilderConfig::new(512) },
        icrc_insert: Some(IcrcConfig::of(512, IcrcMode::Insert, &protocols())),
        tag_is_time: false,
        ack_dscp: None,
        // 50 us.
        answer_interval: CNPS,
        check_mac: sizes.check_mac,
        request_check: true,
    }
}

/// What a NIC is told.
pub fn nic(sizes: &Sizes) -> NicConfig {
    let paths = SubPaths {
        granularity: sizes.granularity,
        weights: sizes.weights.clone(),
        forced: sizes.forced,
        trimmed: vec![TRIMMED, TRIMMED_LAST_HOP],
    };
    let of_uet = setup::nic(setup::Sizes { segment_log: sizes.segment_log, ..setup::Sizes::default() });
    // Frames that are held are not checked.
    let mtu = sizes.cells.is_none().then_some(("mtu", 1 << sizes.segment_log));
    let open = of_uet.open.iter().copied().chain(mtu).collect();
    let (tx, rx) = (tx(sizes), rx(sizes));
    let Paths::Scheduler(scheduler) = &tx.paths else { unreachable!("it is RoCEv2") };
    let settings = setup::tracker_settings(tx.packet_tracker.settings)
        .into_iter()
        .chain(setup::reorder_settings(&rx.reorder))
        .chain(scheduler_settings(scheduler.settings))
        .chain(probe_settings(tx.probes))
        .collect();
    NicConfig { protocol: Protocol::Rocev2(paths), open, settings, ..of_uet }
}

/// The design, which is the same for all settings that are written after reset.
fn design(sizes: &Sizes) -> pipeline::nic::NicConfig {
    let Sizes { window, initial, rto, span, tolerance, visits, waits, .. } = Sizes::paths(1, 64);
    // A pool has its own settings of gaps.
    let (span, tolerance) = if sizes.cells.is_some() { (sizes.span, sizes.tolerance) } else { (span, tolerance) };
    let sizes = &Sizes { window, initial, rto, span, tolerance, visits, waits, ..sizes.clone() };
    pipeline::nic::NicConfig { rx: rx(sizes), tx: tx(sizes), pacer: None }
}

/// Models.
pub fn models(sizes: &Sizes) -> impl Iterator<Item = Device> + use<> {
    let design = design(sizes);
    std::iter::repeat_with(move || model(&design))
}

/// Simulations of the Verilog.
pub fn simulations(sizes: &Sizes) -> impl Iterator<Item = Device> + use<> {
    let design = design(sizes);
    std::iter::repeat_with(move || -> Device { Box::new(rtl(&design, CLOCKS)) })
}

/// Two leaves with paths between them, each with a delay and a rate in bytes per clock cycle; hosts are on one and the other
/// in turn. Queues that are full drop.
pub fn two_leaves(hosts: usize, paths: &[(u64, u64)], impairment: Impairment) -> FabricConfig {
    let path = |&(delay, bytes): &(u64, u64)| {
        let link = LinkConfig { rate: Rate { bytes, cycles: 1 }, ..link(delay, false) };
        PathConfig { link, impairment }
    };
    FabricConfig {
        hosts: (0..hosts).map(|host| host % 2).collect(),
        paths: paths.iter().map(path).collect(),
        uplink: link(50, false),
        ..one_leaf(hosts, false)
    }
}

/// A loop of models.
pub fn closed_loop(fabric: &FabricConfig, sizes: &Sizes, pdcs: &[Pdc]) -> ClosedLoop {
    opened(fabric, sizes, pdcs, models(sizes))
}

/// A loop of these devices in which these QPs are open.
pub fn opened(fabric: &FabricConfig, sizes: &Sizes, pdcs: &[Pdc], devices: impl Iterator<Item = Device>) -> ClosedLoop {
    let nic = nic(sizes);
    let mut run = ClosedLoop::new(fabric, &nic, devices.take(fabric.hosts.len())).expect("the ports are there");
    for pdc in pdcs {
        run.open(&nic, *pdc).expect("it opens");
    }
    run
}

/// Data packets that a host has sent on each sub-path of a QP.
pub fn shares(run: &ClosedLoop, sizes: &Sizes, host: u16, number: u16) -> Vec<u64> {
    let entropies = run.entropies(&nic(sizes), host, number);
    entropies.iter().map(|entropy| run.nics[host as usize].evs.get(entropy).copied().unwrap_or(0)).collect()
}

/// The state of a sub-path.
pub fn sub_path(run: &mut ClosedLoop, host: u16, qp: u16, path: u64) -> BTreeMap<String, u64> {
    let fields = vec![("qp", qp.into()), ("path", path)];
    run.path_command(host, fields).expect("there is a response")
}

/// Counters of what never happens if nothing is damaged and all stages know of the same packets.
const CONSISTENT: [&str; 14] = [
    "icrc_bad",
    "icrc_insert_bad",
    "icrc_insert_other",
    "gate_dropped",
    "gate_overflowed",
    "header_builder_bad",
    "dropped_replies",
    "ccc_table_excess_acks",
    "ccc_table_excess_sends",
    "ccc_table_short_backlogs",
    "ccc_table_refused_data",
    "path_scheduler_feedback_closed",
    "path_scheduler_feedback_range",
    "path_scheduler_feedback_absent",
];

/// When all is delivered and the last ACKs have come, nothing is under way, and nothing has been counted that must not be.
pub fn settle(run: &mut ClosedLoop, sizes: &Sizes, qps: &[(u16, u16)]) {
    (0..2 * RTT).for_each(|_| run.step().expect("the rules hold"));
    for name in CONSISTENT {
        assert_eq!(setup::count(run, name), 0, "{name}");
    }
    for &(host, qp) in qps {
        let state = run.command(host, vec![("pdc", qp.into())]).expect("there is a response");
        let left = ["in_flight", "marked", "messages", "held", "owes"].map(|name| state[name]);
        assert_eq!((left, state["base"]), ([0; 5], state["next"]), "{state:?}");
        for path in 0..sizes.weights.len() as u64 {
            assert_eq!(sub_path(run, host, qp, path)["in_flight"], 0, "sub-path {path} of QP {qp} of host {host}");
        }
    }
}

/// Gb/s of so many bytes in this time.
pub fn gbps(bytes: u64, cycles: u64) -> f64 {
    bytes as f64 * 8.0 / cycles as f64 * 0.195_312_5
}

/// The time of a message from request to completion.
pub fn took(run: &ClosedLoop, flow: (u16, u16), number: usize) -> u64 {
    let message = run.ledger.messages(flow)[number];
    message.completed.zip(message.requested).map(|(end, start)| end - start).expect("it is complete")
}
