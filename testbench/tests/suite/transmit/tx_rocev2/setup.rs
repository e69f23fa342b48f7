// SPDX-License-Identifier: MIT OR Apache-2.0
//! Configurations, networks, and what holds at the end of every run.

use super::checker::{Counts, Limits};
use super::paths::{ABSENT, ACTIVE, Command, FLOW, FLOWLET, PACKET, PATHS, Rules, op};
use super::peer::{Network, Sent};
use super::run::{PathEvents, QPS, Run};
use super::stream::{Calm, Tally};
use super::wire::Format;
use pipeline::frame::header_builder::HeaderBuilderConfig;
use pipeline::frame::icrc::{IcrcConfig, IcrcMode};
use pipeline::headers::protocols::{MpehIndicator, Protocols};
use pipeline::transmit::ccc_table::{CccAlgorithms, CccTableConfig, CccTableSettings};
use pipeline::transmit::packet_tracker::{PacketTrackerConfig, PacketTrackerSettings};
use pipeline::transmit::path_scheduler::{EntropyRule, PathSchedulerConfig, SchedulerSettings};
use pipeline::transmit::tx::{Paths, ProbeDefaults, TxConfig};

/// PSNs of a QP that may be under way.
pub const WINDOW: u64 = 64;

/// A network without faults.
pub const CLEAN: Network = Network {
    loss: 0.0,
    repeat: 0.0,
    mark: 0.0,
    delay: (100, 200),
    marked: None,
    dead: None,
    unready: 0.0,
    tolerance: u64::MAX,
};
/// One with all of them.
pub const LOSSY: Network = Network {
    loss: 0.02,
    repeat: 0.02,
    mark: 0.1,
    delay: (50, 600),
    marked: None,
    dead: None,
    unready: 0.01,
    tolerance: 4,
};

/// Nothing but the host changes what packets say of their sub-paths.
pub const CALM: Calm = Calm { may_fail: false, may_fill: false };
/// Marks, losses and windows do as well.
pub const UNQUIET: Calm = Calm { may_fail: false, may_fill: true };
/// And sub-paths fail.
pub const FAILING: Calm = Calm { may_fail: true, may_fill: true };

/// A transmit path of this width, with 4 QPs of 64 PSNs and 4 sub-paths, packets of 256 bytes, and time-outs after a few round
/// trips. Sub-paths do not fail.
pub fn config(width: u32, messages: u64, ram_latency: u32, mpeh: MpehIndicator) -> TxConfig {
    let protocols = Protocols { uet: false, elab: false, mpeh, ..Protocols::default() };
    let settings =
        PacketTrackerSettings { rto: 80, retries: 15, tail_probe: 60, ..PacketTrackerSettings::for_window(WINDOW) };
    let ccc_settings = CccTableSettings { mtu: 512, ..CccTableSettings::new() };
    let scheduler_settings = SchedulerSettings { fail: 0, rtt: 8, flowlet: 3, delay: 0, ..SchedulerSettings::DEFAULT };
    let scheduler = PathSchedulerConfig::new(QPS, PATHS as u64).ram_latency(ram_latency).settings(scheduler_settings);
    TxConfig {
        packet_tracker: PacketTrackerConfig {
            cccs: QPS,
            ram_latency,
            settings,
            psn_bits: 24,
            ev_bits: PATHS.ilog2(),
            ..PacketTrackerConfig::new(QPS, WINDOW)
        },
        ccc_table: CccTableConfig {
            ram_latency,
            settings: ccc_settings,
            ..CccTableConfig::new(QPS, CccAlgorithms::None)
        },
        paths: Paths::Scheduler(scheduler),
        builder: HeaderBuilderConfig { protocols, ..HeaderBuilderConfig::new(width) },
        icrc_insert: Some(IcrcConfig::of(width, IcrcMode::Insert, &protocols)),
        messages,
        segment_log: 8,
        header_bytes: 0,
        handle_bits: 16,
        tag_is_time: false,
        probes: ProbeDefaults::DEFAULT,
        control_dscp: 46,
        credit_request_clocks: 1200,
    }
}

/// Its scheduler.
fn scheduler(config: &TxConfig) -> PathSchedulerConfig {
    match config.paths {
        Paths::Scheduler(scheduler) => scheduler,
        Paths::Selector(_) => panic!("it has UET"),
    }
}

/// The same with another scheduler.
fn scheduled(config: TxConfig, change: impl FnOnce(PathSchedulerConfig) -> PathSchedulerConfig) -> TxConfig {
    let Paths::Scheduler(scheduler) = config.paths else { panic!("it has UET") };
    TxConfig { paths: Paths::Scheduler(change(scheduler)), ..config }
}

/// The same with entropies that are made of the number of the sub-path, and more bits for sub-paths than are needed.
pub fn with_xor(config: TxConfig) -> TxConfig {
    let packet_tracker = PacketTrackerConfig { ev_bits: 8, ..config.packet_tracker };
    scheduled(TxConfig { packet_tracker, ..config }, |scheduler| scheduler.entropy(EntropyRule::Xor).in_flight_bits(10))
}

/// The same with other settings of the scheduler.
pub fn with_settings(config: TxConfig, change: impl FnOnce(SchedulerSettings) -> SchedulerSettings) -> TxConfig {
    scheduled(config, |scheduler| scheduler.settings(change(scheduler.settings)))
}

/// The same with other time-outs; without them there are no probes of the tail either.
pub fn with_timeout(config: TxConfig, rto: u64) -> TxConfig {
    let settings = PacketTrackerSettings { rto, tail_probe: rto.min(60), ..config.packet_tracker.settings };
    TxConfig { packet_tracker: PacketTrackerConfig { settings, ..config.packet_tracker }, ..config }
}

/// What the checker is to know.
pub fn limits(config: &TxConfig, calm: Calm) -> Limits {
    let Protocols { mpeh, rocev2_port, .. } = config.builder.protocols;
    let scheduler = scheduler(config);
    let rules = Rules { is_xor: scheduler.entropy == EntropyRule::Xor, flowlet: scheduler.settings.flowlet };
    let format = Format { mpeh, port: rocev2_port.into() };
    Limits { segment: 1 << config.segment_log, messages: config.messages, format, rules, calm }
}

/// How a QP is opened in `path_scheduler`.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub granularity: u64,
    /// In units of 64 clock cycles; 0 for that of the settings.
    pub flowlet: u64,
    /// Weight and limit of each sub-path.
    pub weights: [(u64, u64); PATHS],
}

impl Plan {
    /// Weights that are the same, and stay so without marks.
    pub fn even(granularity: u64, weight: u64) -> Self {
        Plan { granularity, flowlet: 1, weights: [(weight, weight); PATHS] }
    }
}

/// A granularity for each QP, another one with each seed; the last ones have all.
pub fn plans(seed: u64) -> [Plan; QPS as usize] {
    let granularity = |qp: u64| [FLOW, FLOWLET, PACKET][((qp + seed) % 3) as usize];
    let growing = Plan { weights: [(8, 16), (1, 3), (30, 40), (8, 8)], ..Plan::even(PACKET, 0) };
    let long = Plan { flowlet: 0, ..Plan::even(granularity(1), 9) };
    [Plan::even(granularity(0), 12), long, Plan::even(granularity(2), 255), growing]
}

/// Opens a QP in `path_scheduler`, and all of its sub-paths.
pub fn open_paths(run: &mut Run, qp: u64, plan: &Plan) {
    let Plan { granularity, flowlet, weights } = *plan;
    let (psn, entropy) = (run.random.bits() & 0xFF_FFFF, run.random.bits() & 0xF_FFFF);
    let open = Command { op: op::OPEN, qp, psn, entropy, granularity, flowlet, ..Command::default() };
    assert!(run.path_command(&open).done, "QP {qp} is not opened");
    for (path, weights) in (0..).zip(weights) {
        run.start(qp, path, weights);
    }
}

/// Ends a QP of `path_scheduler` right after its *close*: all of it has got its feedback (row TX35).
pub fn close_paths(run: &mut Run, qp: u64) {
    for path in 0..PATHS as u64 {
        let drained = run.path_op(op::DRAIN, qp, path);
        if drained.state != ABSENT {
            assert_eq!(drained.in_flight, 0, "packets of a QP that is closed: {drained:?}");
            let removed = run.path_op(op::REMOVE, qp, path);
            assert!(removed.done && removed.state == ABSENT, "{removed:?}");
        }
    }
    assert!(run.path_op(op::CLOSE, qp, 0).done, "QP {qp} is not closed");
}

/// Opens all QPs and their sub-paths; one of them with PSNs that wrap.
pub fn open_all(run: &mut Run, plans: &[Plan; QPS as usize]) {
    for (qp, plan) in (0..).zip(plans) {
        let psn = if qp == 1 { 0xFF_FFF0 } else { run.random.bits() & 0xFF_FFFF };
        open_paths(run, qp, plan);
        let response = run.open(qp, psn, &[]);
        assert!(response.done && response.open, "{response:?}");
        assert_eq!((response.base, response.next, response.messages), (psn, psn, 0));
    }
}

/// Counters of what never happens if all stages know of the same packets.
pub const CONSISTENT: [&str; 6] = [
    "ccc_table_excess_acks",
    "ccc_table_excess_sends",
    "ccc_table_short_backlogs",
    "ccc_table_refused_data",
    "path_scheduler_feedback_closed",
    "path_scheduler_feedback_range",
];
/// Counters of what does not happen besides if QPs are open all the time, and ACKs not very late. That a packet has arrived may be
/// heard when its sub-path has just been removed.
pub const OPEN: [&str; 5] = [
    "path_scheduler_feedback_absent",
    "packet_tracker_closed_events",
    "packet_tracker_outside_acks",
    "ccc_table_closed_events",
    "path_scheduler_refused_requests",
];

pub fn counters_are_0(run: &Run, names: &[&str]) {
    for name in names {
        assert_eq!(run.bench.output(name), 0, "{name}");
    }
}

/// What happened in a run.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    pub counts: Counts,
    pub sent: Sent,
    pub events: PathEvents,
    pub tallies: [Tally; QPS as usize],
    /// Grants for which there was no room in the window, and requests for a sub-path when all were full.
    pub refused: u64,
    pub full: u64,
}

impl Seen {
    pub fn sum(&self, of: impl Fn(&Tally) -> u64) -> u64 {
        self.tallies.iter().map(of).sum()
    }
}

pub fn seen(run: &Run) -> Seen {
    Seen {
        counts: run.checker.counts,
        sent: run.peer.sent,
        events: run.path_events,
        tallies: std::array::from_fn(|qp| run.checker.tally(qp as u64)),
        refused: run.bench.output("packet_tracker_refused_sends"),
        full: run.bench.output("path_scheduler_full_requests"),
    }
}

/// When all messages are complete and the last ACKs have come, nothing is under way anywhere: so each grant has got its
/// feedback, once.
pub fn all_is_settled(run: &mut Run) -> Seen {
    run.until_done();
    run.steps(2000);
    for qp in 0..QPS {
        let response = run.read(qp);
        let next = run.checker.next_psn(qp);
        assert!(response.done && response.open && response.messages == 0, "{response:?}");
        assert_eq!((response.base, response.next), (next, next));
        let nothing = (response.in_flight, response.marked, response.state, response.inflight);
        assert_eq!(nothing, (0, 0, 0, 0), "{response:?}");
        for path in 0..PATHS as u64 {
            let response = run.path_op(op::READ, qp, path);
            assert!(response.done && response.in_flight == 0, "{response:?}");
            let is_active = run.checker.paths(qp).paths[path as usize].active;
            assert_eq!(response.state == ACTIVE, is_active, "{response:?}");
        }
    }
    assert_eq!(run.failures, [], "clock cycle, QP");
    counters_are_0(run, &CONSISTENT);
    assert_eq!(run.bench.output("header_builder_bad"), run.checker.counts.bad);
    seen(run)
}

/// Without marks and losses the weight of a sub-path grows up to its limit, and only by its own packets: five raise it by an
/// eighth, at least by 1 (T13).
pub fn weights_have_grown(run: &mut Run, plans: &[Plan; QPS as usize]) {
    for (qp, plan) in (0..).zip(plans) {
        let packets = run.checker.tally(qp).packets;
        for ((path, packets), (weight, limit)) in (0..).zip(packets).zip(plan.weights) {
            let response = run.path_op(op::READ, qp, path);
            let grown = (0..packets / 5).fold(weight, |weight, _| limit.min(weight + (weight / 8).max(1)));
            assert_eq!(response.weight, grown, "{response:?} after {packets} packets");
        }
    }
}
